// Nodes and areas of a boundary surface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "numerics/at.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {

/// The nodes of the triangles, ascending, each once.
inline std::vector<std::int32_t> surface_nodes(std::span<const Triangle> triangles) {
  std::vector<std::int32_t> nodes;
  for (const Triangle& triangle : triangles) nodes.insert(nodes.end(), triangle.begin(), triangle.end());
  sort_each_once(nodes);
  nodes.shrink_to_fit();  // there are six times as many corners of triangles as nodes
  return nodes;
}

/// Area of a triangle whose nodes are at `positions` [length²].
inline double triangle_area(const Triangle& triangle, std::span<const Vector3> positions) {
  const auto corner = [&](std::size_t k) { return at(positions, triangle[k]); };
  return 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
}

/// For each of the ascending `nodes` a third of the area of the triangles around it [length²].
inline std::vector<double> node_areas(std::span<const Triangle> triangles,
                                      std::span<const std::int32_t> nodes,
                                      std::span<const Vector3> positions) {
  std::vector<double> areas(nodes.size(), 0.0);
  for (const Triangle& triangle : triangles) {
    const double third = triangle_area(triangle, positions) / 3;
    for (const std::int32_t node : triangle) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
      at(areas, place) += third;
    }
  }
  return areas;
}

}  // namespace terrace
