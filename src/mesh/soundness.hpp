// Checks that a mesh from a file is a possible body.
#pragma once

#include <string>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Throws Error(input), naming `where` and the place, if the tetrahedra are not one body. Refused are: pieces
/// that share no node; a node of the boundary on a boundary triangle that does not have it (a hanging node,
/// or halves that were never merged); a boundary that goes through itself; tetrahedra that overlap. Time is
/// about linear in the number of tetrahedra.
void verify_sound(const TetrahedralMesh& mesh, const std::string& where);

}  // namespace terrace
