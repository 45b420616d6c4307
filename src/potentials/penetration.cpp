#include "potentials/penetration.hpp"

#include <algorithm>

#include "geometry/box_grid.hpp"
#include "geometry/closest_points.hpp"

namespace terrace {
namespace {

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// The deepest of `vertices` behind the nearest of the triangles, of those within `reach`.
double deepest(std::span<const std::int32_t> vertices, const std::vector<Triangle>& triangles,
               std::span<const Vector3> x, double reach) {
  std::vector<Box> boxes;
  Box all;
  for (const Triangle& triangle : triangles) {
    Box& box = boxes.emplace_back();
    for (const std::int32_t node : triangle) box.include(x[index(node)]);
    all.include(box.low);
    all.include(box.high);
  }
  BoxGrid grid;
  grid.build(boxes, all);
  constexpr double same = 1e-9;
  double most = 0;
  for (const std::int32_t vertex : vertices) {
    const Vector3& point = x[index(vertex)];
    const Vector3 room{reach, reach, reach};
    double nearest = reach;
    bool behind = false;
    (void)grid.any({point - room, point + room}, [&](std::size_t i) {
      const auto& [a, b, c] = triangles[i];
      const ClosestPoints closest =
          closest_points(PairKind::vertex_triangle, {point, x[index(a)], x[index(b)], x[index(c)]});
      const double distance = norm(closest.difference);
      if (distance > (1 + same) * nearest) return false;
      const Vector3 outward = cross(x[index(b)] - x[index(a)], x[index(c)] - x[index(a)]);
      const bool behind_this = dot(closest.difference, outward) < 0;
      // Above an edge or a corner several are as near, and the vertex is inside if it is behind all of them.
      behind = behind_this && (behind || distance < (1 - same) * nearest);
      nearest = std::min(nearest, distance);
      return false;
    });
    if (behind) most = std::max(most, nearest);
  }
  return most;
}

Box box_of(std::span<const Vector3> positions) {
  Box box;
  for (const Vector3& x : positions) box.include(x);
  return box;
}

}  // namespace

double penetration(const ContactSurfaces& surfaces, std::span<const Vector3> positions) {
  if (surfaces.is_self()) return 0;
  if (!box_of(positions.first(surfaces.first_nodes()))
           .overlaps(box_of(positions.subspan(surfaces.first_nodes()))))
    return 0;
  const Surface &first = surfaces.first(), &second = surfaces.second();
  const double reach = surfaces.mean_edge();
  constexpr double touching = 1e-6;
  const double depth = std::max(deepest(first.vertices, second.triangles, positions, reach),
                                deepest(second.vertices, first.triangles, positions, reach));
  return depth > touching * reach ? depth : 0;
}

}  // namespace terrace
