"""Installation: lists of packages and the Spack recipe name what the build needs, the documents are installed, and shell scripts behave
where tools are missing.

Usage: installation.py [OPTION of unittest]...
"""

import ast
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What CMakeLists.txt looks for: (Debian's package, Spack's package).
NEEDED = {"MPI": ("libopenmpi-dev", "mpi"), "PkgConfig": ("pkg-config", "pkgconfig"), "PETSC": ("petsc-dev", "petsc"),
          "GINAC": ("libginac-dev", "ginac"), "HDF5": ("libhdf5-mpi-dev", "hdf5"), "VTK": ("libvtk9-dev", "vtk"),
          "CLI11": ("libcli11-dev", "cli11"), "fmt": ("libfmt-dev", "fmt"), "nlohmann_json": ("nlohmann-json3-dev", "nlohmann-json"),
          "XSIMD_INCLUDE_DIR": ("libxsimd-dev", "xsimd"), "METIS_INCLUDE_DIR": ("libmetis-dev", "metis"),
          "METIS_LIBRARY": ("libmetis-dev", "metis"), "GMSH_INCLUDE_DIR": ("libgmsh-dev", "gmsh"), "GMSH_LIBRARY": ("libgmsh-dev", "gmsh"),
          "TOML11_INCLUDE_DIR": ("libtoml11-dev", "toml11")}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def packages(name):
    return {line for line in read(name).splitlines() if line and not line.startswith("#")}


class Lists(unittest.TestCase):
    def test_what_the_build_looks_for_is_on_the_lists(self):
        looked_for = re.findall(r"^(?:find_package|find_path|find_library|pkg_check_modules|pkg_search_module)\((\w+)", read("CMakeLists.txt"), re.M)
        self.assertEqual(set(looked_for), set(NEEDED))
        recipe = set(re.findall(r'depends_on\("([\w-]+)', read("packaging/spack/package.py")))
        for debian, spack in NEEDED.values():
            self.assertIn(debian, packages("cluster/packages.txt"))
            self.assertIn(spack, recipe)

    def test_what_the_scripts_import_comes_with_them(self):
        imported = set()
        for folder in ("cluster", "postprocess"):
            scripts = list((ROOT / folder).glob("*.py"))
            own = {script.stem for script in scripts}
            for script in scripts:
                for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
                    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \
                        [node.module] if isinstance(node, ast.ImportFrom) else []
                    imported.update(name.partition(".")[0] for name in names)
            imported -= own
        imported -= set(sys.stdlib_module_names) | {"vtk", "vtkmodules"}  # VTK's package has another name
        self.assertEqual(imported, {"numpy", "matplotlib", "h5py"})
        recommended = re.search(r'RECOMMENDS\s+"([^"]*)"', read("cmake/packaging.cmake")).group(1)
        recipe = read("packaging/spack/package.py")
        for module in imported:
            self.assertIn(f"python3-{module}", packages("cluster/packages.txt"))
            self.assertIn(f"python3-{module},", recommended)
            self.assertIn(f'depends_on("py-{module}", type="run", when="+pictures")', recipe)


class Scripts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="terrace-installation-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def call(self, script, *arguments, path):
        """Runs a shell script that finds no programs but those in the directory `path`."""
        return subprocess.run(["/bin/bash", str(script), *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60,
                              stdin=subprocess.DEVNULL, env={"PATH": str(path)})

    def programs(self, *names, **made):
        """A directory with links to programs of this machine (`names`), and with scripts of the given texts (`made`)."""
        directory = self.directory / "bin"
        directory.mkdir()
        for name in names:
            (directory / name).symlink_to(shutil.which(name))
        for name, text in made.items():
            (directory / name.replace("_", "-")).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
            (directory / name.replace("_", "-")).chmod(0o755)
        return directory

    def test_a_list_of_packages_that_cannot_be_read_is_refused(self):
        path = self.programs("dirname", "sed", "awk", "sort", "comm", "env", dpkg_query="exit 0", apt_get="exit 1")
        for name in ("absent", "."):
            done = self.call(ROOT / "cluster" / "install.sh", self.directory / name, path=path)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertEqual(done.stderr, f"install: cannot read the list {self.directory / name}\n")

    def test_a_missing_tool_is_told_apart_from_findings(self):
        path = self.programs("dirname")
        for script, tool in (("tidy", "clang-tidy"), ("format", "clang-format")):
            done = self.call(ROOT / "tests" / f"{script}.sh", path=path)
            self.assertEqual((done.returncode, done.stderr), (2, f"{script}: no {tool}: cluster/install.sh .ci/packages.txt\n"))

    def test_documents_that_the_readme_names_are_installed(self):
        named = set(re.findall(r"`([a-z/]+\.md)`|`([a-z]+/[A-Za-z_/]+\.md)`", (ROOT / "README.md").read_text(encoding="utf-8")))
        named = {first or second for first, second in named}
        self.assertLessEqual({"tests/README.md", "inputs/README.md", "cluster/README.md"}, named)
        packaging = (ROOT / "cmake" / "packaging.cmake").read_text(encoding="utf-8")
        folders = re.findall(r"install\(DIRECTORY ([a-z ]+) DESTINATION", packaging)[0].split()
        for name in named:
            self.assertTrue(name.split("/")[0] in folders or f"install(FILES {name} " in packaging, name)
            self.assertTrue((ROOT / name).is_file(), name)

    def test_warnings_stop_the_builds_alone_that_ask_for_it(self):
        (self.directory / "cluster").mkdir()
        (self.directory / "build").mkdir()
        script = shutil.copy(ROOT / "cluster" / "build.sh", self.directory / "cluster")
        (self.directory / "build" / "build.ninja").touch()
        path = self.programs("dirname", "awk", "nproc", "sed", "mkdir", "grep", cmake=f'echo "$*" >>{self.directory}/calls')
        for cached in ("ON", "OFF"):
            (self.directory / "calls").write_text("", encoding="utf-8")
            (self.directory / "build" / "CMakeCache.txt").write_text(
                f"TERRACE_WARNINGS_AS_ERRORS:BOOL={cached}\nCMAKE_HOME_DIRECTORY:INTERNAL={self.directory}\nCMAKE_GENERATOR:INTERNAL=Ninja\n"
                f"VTK_DIR:PATH={self.directory}\n", encoding="utf-8")
            done = self.call(script, path=path)
            self.assertEqual(done.returncode, 0, done.stderr)
            calls = (self.directory / "calls").read_text(encoding="utf-8")
            self.assertEqual("-DTERRACE_WARNINGS_AS_ERRORS=OFF" in calls, cached == "ON", calls)
            self.assertEqual(calls.count("\n"), 2 if cached == "ON" else 1, calls)


if __name__ == "__main__":
    unittest.main()
