// An axis-parallel box: a bound of points, which searches compare first.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Axis-parallel box, in the unit of its points. It is empty (low = +∞, high = −∞, overlapping nothing) until
/// it includes a point.
struct Box {
  Vector3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};

  /// Grows the box to hold `point`.
  void include(const Vector3& point) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
  /// Whether no axis separates the boxes by more than `distance` ≥ 0; touching counts.
  [[nodiscard]] bool overlaps(const Box& other, double distance = 0) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(other.low[k] - high[k] <= distance && low[k] - other.high[k] <= distance)) return false;
    }
    return true;
  }
  /// The common part of both boxes; low > high on the axes that separate them.
  [[nodiscard]] Box intersection(const Box& other) const {
    Box common;
    for (std::size_t k = 0; k < 3; ++k) {
      common.low[k] = std::max(low[k], other.low[k]);
      common.high[k] = std::min(high[k], other.high[k]);
    }
    return common;
  }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [low, high] = self;
    archive(low, high);
  }
  /// Length from corner to corner. The box must not be empty.
  [[nodiscard]] double diagonal() const { return norm(high - low); }
};

/// A bound of the norm of a − b for vectors a in `first` and b in `second`, which are not empty.
[[nodiscard]] inline double largest_difference(const Box& first, const Box& second) {
  Vector3 most;
  for (std::size_t k = 0; k < 3; ++k)
    most[k] = std::max({first.high[k] - second.low[k], second.high[k] - first.low[k], 0.0});
  return norm(most);
}

/// The largest magnitude of a coordinate; +∞ for an empty box.
[[nodiscard]] inline double largest_component(const Box& box) {
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    largest = std::max({largest, std::abs(box.low[k]), std::abs(box.high[k])});
  return largest;
}

/// How long points in `inner` with velocities in `velocities` certainly stay in `bounds`; 0 if one of them
/// may be outside already and move further out. Exact if all points move alike.
[[nodiscard]] inline double time_inside(const Box& inner, const Box& velocities, const Box& bounds) {
  double time = infinity;
  for (std::size_t k = 0; k < 3; ++k) {
    if (velocities.high[k] > 0) time = std::min(time, (bounds.high[k] - inner.high[k]) / velocities.high[k]);
    if (velocities.low[k] < 0) time = std::min(time, (bounds.low[k] - inner.low[k]) / velocities.low[k]);
  }
  return std::max(time, 0.0);
}

/// Square of a lower bound of the distance between a point of one box and a point of the other; +∞ if a box
/// is empty. It has no branches, which would be mispredicted often.
[[nodiscard]] inline double square_apart(const Box& first, const Box& second) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double apart =
        std::max(std::max(first.low[k] - second.high[k], second.low[k] - first.high[k]), 0.0);
    square += apart * apart;
  }
  return square;
}

/// The lower bound whose square is square_apart.
[[nodiscard]] inline double distance_apart(const Box& first, const Box& second) {
  return std::sqrt(square_apart(first, second));
}

}  // namespace terrace
