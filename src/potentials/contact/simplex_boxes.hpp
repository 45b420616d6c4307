// Boxes about triangles, edges and vertices, by their nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "geometry/box.hpp"
#include "geometry/closest_points.hpp"
#include "mesh/tetrahedral_mesh.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// The box about a triangle whose nodes index `positions` [length].
[[nodiscard]] inline Box box_of(const Triangle& triangle, std::span<const Vector3> positions) {
  Box box;
  for (const std::int32_t node : triangle) box.include(positions[index(node)]);
  return box;
}

/// Squared distance of the boxes about a pair's two simplices [length²]. Without branches on the kind: a
/// vertex counts as an edge without length, an edge as a triangle without area.
[[nodiscard]] inline double square_apart(PairKind kind, const std::array<std::int32_t, 4>& nodes,
                                         std::span<const Vector3> positions) {
  const bool edges = kind == PairKind::edge_edge;
  const Vector3 &x0 = positions[index(nodes[0])], &x1 = positions[index(nodes[1])],
                &x2 = positions[index(nodes[2])], &x3 = positions[index(nodes[3])];
  const Vector3 &of_first = edges ? x1 : x0, &of_second = edges ? x2 : x1;
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double low = std::min(x0[k], of_first[k]), high = std::max(x0[k], of_first[k]);
    const double other_low = std::min(std::min(x2[k], x3[k]), of_second[k]),
                 other_high = std::max(std::max(x2[k], x3[k]), of_second[k]);
    const double apart = std::max(std::max(low - other_high, other_low - high), 0.0);
    square += apart * apart;
  }
  return square;
}

}  // namespace terrace
