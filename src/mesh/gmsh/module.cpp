// The symbol that mesh/gmsh_module.cpp looks up. It is the only one of terrace's names that this module
// exports.
#include "mesh/gmsh/meshers.hpp"
#include "mesh/gmsh_module.hpp"

extern "C" __attribute__((visibility("default"))) const terrace::GmshMeshers terrace_gmsh_meshers;
const terrace::GmshMeshers terrace_gmsh_meshers = {terrace::gmsh_unit_ball, terrace::gmsh_block,
                                                   terrace::gmsh_file};
