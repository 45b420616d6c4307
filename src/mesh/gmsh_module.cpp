#include "mesh/gmsh_module.hpp"

#include <dlfcn.h>

#include "parallel/error.hpp"

namespace terrace {

// Never closed: Gmsh's libraries leave threads' data and handlers at exit behind.
const GmshMeshers& gmsh_meshers(const std::string& where) {
  static const GmshMeshers* meshers = nullptr;
  if (meshers != nullptr) return *meshers;
  void* module = dlopen(TERRACE_GMSH_MODULE, RTLD_LAZY | RTLD_LOCAL);
  if (module != nullptr) meshers = static_cast<const GmshMeshers*>(dlsym(module, "terrace_gmsh_meshers"));
  if (meshers == nullptr)
    throw Error(Error::Kind::run, where,
                "Gmsh's module " TERRACE_GMSH_MODULE ", which is installed with terrace", dlerror());
  return *meshers;
}

}  // namespace terrace
