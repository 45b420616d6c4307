// The functions of GmshMeshers. This folder is a module of its own (mesh/gmsh_module.hpp): everything that
// calls Gmsh.
#pragma once

#include <string>

#include "mesh/gmsh_module.hpp"

namespace terrace {

/// See GmshMeshers.
TetrahedralMesh gmsh_unit_ball(const ElementSize& size, const std::string& where);
TetrahedralMesh gmsh_block(const Vector3& half_extent, const ElementSize& size, const std::string& where);
NumberedMesh gmsh_file(const FileShape& shape, const std::string& where);

}  // namespace terrace
