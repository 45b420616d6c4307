// The penalty of one pair of intersecting triangles: squared length of the intersection segment, and its
// derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Six points or velocities: nodes 0, 1, 2 of the first triangle, then 3, 4, 5 of the second.
using TrianglePair = std::array<Vector3, 6>;

/// One end of the intersection segment: the edge from node `tail` to node `head` of one triangle pierces the
/// plane of the other triangle, whose nodes are `plane`, `plane` + 1, `plane` + 2 (plane = 0 or 3).
struct SegmentEnd {
  int tail, head, plane;
};

/// A value and its first two derivatives with respect to the time s along the line x + s v.
struct LineDerivatives {
  double value = 0, first = 0, second = 0;
};

/// The two ends of the intersection segment. Nothing if the triangles do not intersect in a segment of
/// positive length, or if it is not well defined: a triangle without area, coplanar triangles, an edge that
/// pierces the other plane at an angle below 1e-10. Tolerances are relative: any unit of length gives the
/// same answer.
[[nodiscard]] std::optional<std::array<SegmentEnd, 2>> intersection_segment(const TrianglePair& positions);

/// Whether the boxes of the two triangles have a point in common. component(node, axis) gives the nodes'
/// coordinates, of no more axes than needed.
template <class Component>
[[nodiscard]] bool boxes_overlap_of(Component component) {
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 6> x;
    for (std::size_t i = 0; i < 6; ++i) x[i] = component(i, k);
    const double first_low = std::min(std::min(x[0], x[1]), x[2]);
    const double first_high = std::max(std::max(x[0], x[1]), x[2]);
    const double second_low = std::min(std::min(x[3], x[4]), x[5]);
    const double second_high = std::max(std::max(x[3], x[4]), x[5]);
    if (first_high < second_low || second_high < first_low) return false;
  }
  return true;
}
[[nodiscard]] inline bool boxes_overlap(const TrianglePair& positions) {
  return boxes_overlap_of([&](std::size_t node, std::size_t axis) { return positions[node][axis]; });
}

/// ½ |A − B|² for the ends A and B of the intersection segment (thesis (2.90), (2.91) with ε = 1) and its
/// exact derivatives along positions + s velocities at s = 0; zeros for pairs that do not intersect. Never
/// NaN.
[[nodiscard]] LineDerivatives segment_penalty(const TrianglePair& positions, const TrianglePair& velocities);

/// ∂/∂x of ½ |A − B|² for each of the six nodes; nothing where the pair does not intersect. Force and torque
/// of the six add up to zero but for the round-off of the largest of them, for near-degenerate pairs too.
[[nodiscard]] std::optional<TrianglePair> segment_penalty_gradient(const TrianglePair& positions);

/// A distance d ≥ 0 such that the triangles cannot intersect as long as no node of one has moved relative to
/// a node of the other by d or more in the largest component. It is the best of the coordinate axes and the
/// two normals as separating axes; 0 if none of them separates the triangles. Stops at the first axis that
/// separates them by more than `enough`.
[[nodiscard]] double separation(const TrianglePair& positions, double enough = infinity);

}  // namespace terrace
