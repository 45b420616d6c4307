// An axis-parallel box, the bound of points that searches compare first.
#pragma once

#include <algorithm>
#include <limits>

#include "geometry/vector3.hpp"

namespace terrace {

/// Axis-parallel box; empty (low = +∞, high = −∞, meeting nothing) until it includes a point. In whatever
/// unit the points have.
struct Box {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
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
  /// What both boxes hold; low > high on the axes that separate them.
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
  /// Length from corner to corner; only of a box that is not empty.
  [[nodiscard]] double diagonal() const { return norm(high - low); }
};

}  // namespace terrace
