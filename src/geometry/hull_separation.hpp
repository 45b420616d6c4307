// Directions along which the convex hulls of two sets of points are apart.
#pragma once

#include <array>
#include <span>

#include "geometry/vector3.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// Finds directions along which two convex hulls are farther and farther apart, up to that of the shortest
/// way from one hull to the other. Wolfe, Finding the nearest point in a polytope, Mathematical Programming
/// 11 (1976): the point of the hulls' difference that is nearest to 0 is sought in the hull of at most four
/// of its corners, which are replaced one after the other.
class HullSeparation {
 public:
  /// From `first` to `second`, neither of them empty; both must outlive this. `direction` is tried first.
  HullSeparation(std::span<const Vector3> first, std::span<const Vector3> second, const Vector3& direction);

  [[nodiscard]] const Vector3& direction() const { return direction_; }
  /// How far the hulls are apart along `direction`, times its length; negative if they are not.
  [[nodiscard]] double between() const { return between_; }
  /// An upper bound, as far as is known, of the distance by which any direction parts them [length].
  [[nodiscard]] double at_most() const { return at_most_; }
  /// Goes on to the next direction. False if none is better by more than a millionth or the hulls meet: the
  /// direction then stays, and there is no use in asking again.
  bool improve();

 private:
  void look_along(const Vector3& direction);
  [[nodiscard]] std::array<double, 4> nearest_of_corners() const;
  bool go_nearer();

  std::span<const Vector3> first_, second_;
  Vector3 direction_{}, corner_{};  // corner of the difference farthest back along the direction
  double between_ = 0, at_most_ = infinity;
  std::array<Vector3, 4> corners_{};  // `nearest_` is their mean with these weights
  std::array<double, 4> weights_{};
  std::size_t count_ = 0;
  Vector3 nearest_{};
};

}  // namespace terrace
