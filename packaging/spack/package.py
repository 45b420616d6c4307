# A recipe for Spack; see cluster/README.md for how a site adds it.
from spack.package import *


class Terrace(CMakePackage):
    """Impact of deformable bodies by asynchronous energy-stepping: energy and momenta are kept exactly, and the result
    does not depend on the number of ranks."""

    # Put the address of your copy here; without one: spack dev-build terrace@main, in the source tree.
    git = "file:///path/to/terrace"

    license("GPL-3.0-or-later")

    version("main", branch="main")

    variant("pictures", default=False, description="Python packages of the scripts that draw")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("petsc@3.18: +mpi")
    depends_on("metis@5:")
    depends_on("ginac@1.8:")
    depends_on("hdf5 +mpi")
    # The decks' shapes are meshed by Gmsh, STEP files with Open CASCADE.
    depends_on("gmsh@4.8: +shared +opencascade")
    depends_on("vtk@9.1: +mpi")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    # xsimd 8.1 and toml11 3.7 are those of Debian 12; later major versions have other interfaces.
    depends_on("xsimd@8.1:8", type="build")
    depends_on("toml11@3.7:3", type="build")
    depends_on("googletest@1.12: +gmock", type="test")
    depends_on("benchmark@1.7:", type="test")
    depends_on("python@3.9:", type=("test", "run"), when="+pictures")
    depends_on("py-h5py", type="run", when="+pictures")
    depends_on("py-numpy", type="run", when="+pictures")
    depends_on("py-matplotlib", type="run", when="+pictures")
    depends_on("vtk +python", type="run", when="+pictures")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", self.run_tests)]
