// Where a segment pierces a triangle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "geometry/vector3.hpp"

namespace terrace {

/// The point where the segment from p to q pierces the inside of triangle t. Its ends must be on both sides
/// of the plane, each farther than `depth` [length] from it, and the point's barycentric coordinates all
/// above `rim`; else nothing. Nothing for a triangle without area.
[[nodiscard]] inline std::optional<Vector3> piercing_point(const Vector3& p, const Vector3& q,
                                                           const std::array<Vector3, 3>& t, double depth,
                                                           double rim) {
  const Vector3 normal = cross(t[1] - t[0], t[2] - t[0]);
  const double of_p = dot(p - t[0], normal), of_q = dot(q - t[0], normal);
  if ((of_p > 0) == (of_q > 0)) return std::nullopt;
  if (!(std::min(std::abs(of_p), std::abs(of_q)) > depth * norm(normal))) return std::nullopt;
  const Vector3 point = p + (of_p / (of_p - of_q)) * (q - p);
  const double squared = dot(normal, normal);
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = dot(cross(t[(k + 1) % 3] - t[k], point - t[k]), normal) / squared;
    if (!(share > rim)) return std::nullopt;
  }
  return point;
}

/// The share of a triangle's size, and of its barycentric coordinates, within which features only touch.
inline constexpr double share_that_touches = 1e-6;

/// The same, with this share for `depth` (relative to the triangle's size) and `rim`.
[[nodiscard]] inline std::optional<Vector3> piercing_point(const Vector3& p, const Vector3& q,
                                                           const std::array<Vector3, 3>& t) {
  const double size = std::sqrt(norm(cross(t[1] - t[0], t[2] - t[0])));
  return piercing_point(p, q, t, share_that_touches * size, share_that_touches);
}

}  // namespace terrace
