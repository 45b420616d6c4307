#include "mesh/gmsh_module.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Path of the module: beside the program, as in a build directory, or else where an installation puts it. A
/// run path of the program would do the same, but libraries that replace dlopen, such as AddressSanitizer's,
/// do not look there.
std::filesystem::path module_path() {
  std::error_code none;
  const auto directory = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  const auto beside = directory / TERRACE_GMSH_MODULE;
  return std::filesystem::exists(beside, none)
             ? beside
             : (directory / TERRACE_GMSH_DIRECTORY / TERRACE_GMSH_MODULE).lexically_normal();
}

}  // namespace

// The module is never closed: Gmsh's libraries leave thread-local data and exit handlers behind.
const GmshMeshers& gmsh_meshers(const std::string& where) {
  static const GmshMeshers* meshers = nullptr;
  if (meshers != nullptr) return *meshers;
  void* module = dlopen(module_path().c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (module != nullptr) meshers = static_cast<const GmshMeshers*>(dlsym(module, "terrace_gmsh_meshers"));
  if (meshers == nullptr)
    throw Error(Error::Kind::run, where,
                "Gmsh's module " TERRACE_GMSH_MODULE ", which is installed with terrace", dlerror());
  return *meshers;
}

}  // namespace terrace
