#include "potentials/contact/penetration.hpp"

#include <algorithm>
#include <utility>

#include "geometry/box_index.hpp"
#include "geometry/closest_points.hpp"
#include "numerics/at.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace terrace {
namespace {

/// The nodes of a surface and the centres of its triangles. Nodes alone do not suffice: of two boxes with
/// their sides in line no node of either is inside the other.
std::vector<Vector3> points_of(std::span<const Vector3> x, const std::vector<Triangle>& triangles) {
  std::vector<Vector3> points(x.begin(), x.end());
  for (const auto& [a, b, c] : triangles)
    points.push_back((1.0 / 3) * (x[index(a)] + x[index(b)] + x[index(c)]));
  return points;
}

/// Largest depth of the `points` in `common` that are behind the nearest triangle (with nodes at `x`), if it
/// is within `reach`; 0 if there are none.
double deepest(std::span<const Vector3> points, const std::vector<Triangle>& triangles,
               std::span<const Vector3> x, const Box& common, double reach) {
  std::vector<Box> boxes;
  std::vector<Triangle> near;
  for (const Triangle& triangle : triangles) {
    Box box;
    for (const std::int32_t node : triangle) box.include(x[index(node)]);
    if (!box.overlaps(common, reach)) continue;
    boxes.push_back(box);
    near.push_back(triangle);
  }
  if (near.empty()) return 0;
  BoxIndex of_near;
  of_near.build(std::move(boxes));
  constexpr double same = 1e-9;
  double most = 0;
  for (const Vector3& point : points) {
    if (!common.overlaps({point, point})) continue;
    double nearest = reach;
    bool behind = false;
    of_near.visit_near({point, point}, reach, [&](std::int32_t i) {
      // Positions relative to the point: far from the origin of space no digits are lost.
      const auto& [first, second, third] = at(near, i);
      const Vector3 a = at(x, first) - point, b = at(x, second) - point, c = at(x, third) - point;
      const ClosestPoints closest = closest_points(PairKind::vertex_triangle, {Vector3{}, a, b, c});
      const double distance = norm(closest.difference);
      if (distance > (1 + same) * nearest) return;
      const Vector3 outward = cross(b - a, c - a);
      const bool behind_this = dot(closest.difference, outward) < 0;
      // Near an edge or a corner several triangles are equally near; the point is inside if it is behind all
      // of them.
      behind = behind_this && (behind || distance < (1 - same) * nearest);
      nearest = std::min(nearest, distance);
    });
    if (behind) most = std::max(most, nearest);
  }
  return most;
}

}  // namespace

double penetration(const ContactSurfaces& surfaces, std::span<const Vector3> positions) {
  if (surfaces.is_self()) return 0;
  const std::span<const Vector3> first = positions.first(surfaces.first_nodes()),
                                 second = positions.subspan(surfaces.first_nodes());
  const Box of_first = box_about(first), of_second = box_about(second);
  if (!of_first.overlaps(of_second)) return 0;
  const Box common = of_first.intersection(of_second);
  const double reach = surfaces.mean_edge();
  constexpr double touching = 1e-6;
  const std::vector<Triangle>&of_one = surfaces.first().triangles, &of_other = surfaces.second().triangles;
  const double depth = std::max(deepest(points_of(first, of_one), of_other, second, common, reach),
                                deepest(points_of(second, of_other), of_one, first, common, reach));
  return depth > touching * reach ? depth : 0;
}

}  // namespace terrace
