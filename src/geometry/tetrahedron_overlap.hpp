// Whether two tetrahedra overlap.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Whether either tetrahedron would have to be moved by more than `depth` ≥ 0 [length] to be beside the
/// other. For convex bodies the shortest such translation is along the normal of a face or at right angles to
/// two edges (the separating axes of Gottschalk, Lin and Manocha 1996).
[[nodiscard]] inline bool overlap_by_more_than(double depth, const std::array<Vector3, 4>& a,
                                               const std::array<Vector3, 4>& b) {
  // Relative to one corner, in units of the largest distance from it: no digits are lost far from the origin,
  // and no square overflows or underflows.
  double size = 0;
  for (const auto& t : {a, b})
    for (const Vector3& point : t)
      for (const double component : point - a[0]) size = std::max(size, std::abs(component));
  if (!(size > 0)) return false;
  std::array<std::array<Vector3, 4>, 2> scaled;
  for (std::size_t i = 0; i < 4; ++i) {
    scaled[0][i] = (1 / size) * (a[i] - a[0]);
    scaled[1][i] = (1 / size) * (b[i] - a[0]);
  }
  const auto is_beside = [&](const Vector3& axis, double scale) {
    constexpr double parallel = 1e-9;  // below this sine two edges have no common normal
    const double length = norm(axis);
    if (!(length > parallel * scale)) return false;
    double low_a = infinity, high_a = -infinity, low_b = infinity, high_b = -infinity;
    for (std::size_t i = 0; i < 4; ++i) {
      const double of_a = dot(scaled[0][i], axis), of_b = dot(scaled[1][i], axis);
      low_a = std::min(low_a, of_a);
      high_a = std::max(high_a, of_a);
      low_b = std::min(low_b, of_b);
      high_b = std::max(high_b, of_b);
    }
    return std::min(high_a - low_b, high_b - low_a) * size <= depth * length;
  };
  const auto across = [&](const Vector3& one, const Vector3& other) {
    return is_beside(cross(one, other), norm(one) * norm(other));
  };
  for (const auto& t : scaled)
    for (std::size_t i = 0; i < 4; ++i)
      if (across(t[(i + 1) % 4] - t[i], t[(i + 2) % 4] - t[i])) return false;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t l = 0; l < k; ++l)
          if (across(scaled[0][i] - scaled[0][j], scaled[1][k] - scaled[1][l])) return false;
  return true;
}

/// The least height [length] of a corner above the face opposite to it.
[[nodiscard]] inline double least_height(const std::array<Vector3, 4>& t) {
  double largest = 0;  // twice the area of the largest face
  for (std::size_t i = 0; i < 4; ++i)
    largest = std::max(largest, norm(cross(t[(i + 1) % 4] - t[i], t[(i + 2) % 4] - t[i])));
  return std::abs(dot(cross(t[1] - t[0], t[2] - t[0]), t[3] - t[0])) / largest;
}

}  // namespace terrace
