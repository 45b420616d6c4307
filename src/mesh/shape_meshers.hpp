// One mesher per shape; `make_mesh` chooses among them and verifies the meshes that they return. Those that
// call Gmsh also throw what gmsh_meshers throws.
#pragma once

#include <string>

#include "mesh/shapes.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// A block of cells, each cut into 24 tetrahedra; nodes are symmetric about the origin to the last bit.
/// Throws Error(input) for extents that are not positive, fewer than one cell along an axis, or more
/// tetrahedra than 32-bit indices can count or the memory can hold.
TetrahedralMesh mesh_lattice(const LatticeShape& shape, const std::string& where);

/// A ball, meshed with radius 1 and then multiplied by its radius, so that the length unit does not matter.
/// Boundary nodes lie on the sphere, six of them on the axes. Throws Error(input).
TetrahedralMesh mesh_ball(const BallShape& shape, const std::string& where);

/// A block, meshed with largest extent 1 and then stretched; boundary nodes lie exactly at ± extent / 2.
/// Throws Error(input).
TetrahedralMesh mesh_block(const BlockShape& shape, const std::string& where);

/// Reads or meshes a file, in a child process. `shape.size` is in the deck's length unit, that is, after
/// multiplication by `scale`. Tetrahedra and nodes are in the order of their numbers in the file. Throws
/// Error(input), and what in_child_process throws.
TetrahedralMesh mesh_file(const FileShape& shape, const std::string& where);

/// Throws Error(input) unless `value` is finite and positive; `quantity` names it.
void require_positive(double value, const std::string& quantity, const std::string& where);

}  // namespace terrace
