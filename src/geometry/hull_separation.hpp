// Directions along which the convex hulls of two sets of points are apart.
#pragma once

#include <array>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Directions that come nearer and nearer to that of the shortest way from one convex hull to another, along
/// which they are farthest apart. Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11
/// (1976): the point of the hulls' difference that is nearest to 0 is sought in the hull of four of its
/// corners at most, which are replaced one after the other.
class HullSeparation {
 public:
  /// From `first` to `second`, neither of them empty; both must outlive this. `direction` is tried first.
  HullSeparation(std::span<const Vector3> first, std::span<const Vector3> second, const Vector3& direction);

  [[nodiscard]] const Vector3& direction() const { return direction_; }
  /// How far the hulls are apart along it, times its length; negative where they are not.
  [[nodiscard]] double between() const { return between_; }
  /// No direction parts them by more, as far as is known [length].
  [[nodiscard]] double at_most() const { return at_most_; }
  /// Goes on to the next direction. False, with the direction as it was and no use in asking again, where
  /// there is none that is better, to a millionth, or the hulls meet.
  bool improve();

 private:
  void look_along(const Vector3& direction);
  [[nodiscard]] std::array<double, 4> nearest_of_corners() const;
  bool go_nearer();

  std::span<const Vector3> first_, second_;
  Vector3 direction_{}, corner_{};  // the difference's corner that is farthest back along the direction
  double between_ = 0, at_most_ = infinity;
  std::array<Vector3, 4> corners_{};  // of which `nearest_` is a mean with these weights
  std::array<double, 4> weights_{};
  std::size_t count_ = 0;
  Vector3 nearest_{};
};

}  // namespace terrace
