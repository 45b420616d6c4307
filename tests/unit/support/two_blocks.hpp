// Two equal cubes and their boundary triangles, for tests of contact that displace the second one.
#pragma once

#include <vector>

#include "mesh/boundary.hpp"
#include "mesh/shapes.hpp"

namespace terrace {

struct TwoBlocks {
  /// Both cubes are at the same place: unit cubes of `cells`³ cells about the origin.
  explicit TwoBlocks(int cells) {
    const TetrahedralMesh block = make_mesh(LatticeShape{{1, 1, 1}, {cells, cells, cells}}, "");
    nodes = block.nodes;
    nodes.insert(nodes.end(), block.nodes.begin(), block.nodes.end());
    first = second = boundary_triangles(block.tetrahedra);
    for (Triangle& triangle : second)
      for (std::int32_t& node : triangle) node += static_cast<std::int32_t>(block.nodes.size());
  }
  /// Displacements that move the second one.
  [[nodiscard]] std::vector<Vector3> apart(const Vector3& by) const {
    std::vector<Vector3> displacements(nodes.size());
    for (std::size_t a = nodes.size() / 2; a < nodes.size(); ++a) displacements[a] = by;
    return displacements;
  }

  std::vector<Vector3> nodes;
  std::vector<Triangle> first, second;
};

}  // namespace terrace
