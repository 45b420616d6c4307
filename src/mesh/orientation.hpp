// When a tetrahedron counts as flat or inverted: one criterion for every mesh, whatever its length unit.
#pragma once

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Signed volume divided by the cube of the longest edge: 1/(6√2) for the regular tetrahedron, 0 if all nodes
/// coincide.
double relative_volume(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron);

/// Relative volumes up to this one cannot be told from zero, as coordinates are rounded.
inline constexpr double flat_relative_volume = 1e-10;

}  // namespace terrace
