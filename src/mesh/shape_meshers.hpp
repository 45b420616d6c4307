// One mesher per shape; `make_mesh` chooses among them and verifies what they return. Those that have Gmsh do
// it throw what gmsh_meshers throws, too.
#pragma once

#include <string>

#include "mesh/shapes.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Cells cut into 24 tetrahedra each; nodes symmetric about the origin to the last bit.
/// Throws Error(input) for extents that are not positive, fewer than one cell or more than 32-bit indices can
/// count.
TetrahedralMesh mesh_lattice(const LatticeShape& shape, const std::string& where);

/// Meshed at unit radius, then multiplied by the radius, so the length unit does not matter; boundary nodes
/// lie on the sphere, six of them on the axes. Throws Error(input).
TetrahedralMesh mesh_ball(const BallShape& shape, const std::string& where);

/// Meshed with largest extent 1, then stretched; boundary nodes lie exactly at ± extent / 2. Throws
/// Error(input).
TetrahedralMesh mesh_block(const BlockShape& shape, const std::string& where);

/// Reads or meshes a file. `shape.size` is in the deck's length unit, that is, after multiplication by
/// `scale`. Tetrahedra are in the order of their numbers in the file, nodes likewise. Throws Error(input).
TetrahedralMesh mesh_file(const FileShape& shape, const std::string& where);

/// Throws Error(input) unless `value` is finite and positive; `quantity` names it.
void require_positive(double value, const std::string& quantity, const std::string& where);

}  // namespace terrace
