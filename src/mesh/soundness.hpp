// What a mesh from elsewhere can be, and a body cannot.
#pragma once

#include <string>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Throws Error(input) naming `where` and the place when the tetrahedra are not one body: pieces that share
/// no node, a node of the boundary on a triangle that does not have it (a hanging node, or halves that were
/// never merged), a boundary that goes through itself, or tetrahedra that overlap. Time is about linear in
/// the number of tetrahedra.
void verify_sound(const TetrahedralMesh& mesh, const std::string& where);

}  // namespace terrace
