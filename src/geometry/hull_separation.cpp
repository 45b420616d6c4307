#include "geometry/hull_separation.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {
namespace {

struct Extreme {
  Vector3 point{};
  double along = 0;
};

/// The point that is farthest along a direction.
Extreme farthest(std::span<const Vector3> points, const Vector3& direction) {
  Extreme extreme{{}, -infinity};
  for (const Vector3& point : points)
    if (const double along = dot(point, direction); along > extreme.along) extreme = {point, along};
  return extreme;
}

}  // namespace

HullSeparation::HullSeparation(std::span<const Vector3> first, std::span<const Vector3> second,
                               const Vector3& direction)
    : first_(first), second_(second) {
  look_along(direction);
}

void HullSeparation::look_along(const Vector3& direction) {
  direction_ = direction;
  const Extreme of_first = farthest(first_, direction), of_second = farthest(second_, -1.0 * direction);
  corner_ = of_second.point - of_first.point;
  between_ = -of_second.along - of_first.along;
  at_most_ = std::min(at_most_, norm(corner_));
}

// Weights of the point nearest to 0 on the line, plane or space through the corners; NaN or infinite if more
// than two corners lie on one line, more than three in one plane, or two coincide.
std::array<double, 4> HullSeparation::nearest_of_corners() const {
  const Vector3& origin = corners_[0];
  const Vector3 a = corners_[1] - origin, b = corners_[2] - origin, c = corners_[3] - origin,
                to_zero = -1.0 * origin;
  if (count_ == 1) return {1, 0, 0, 0};
  if (count_ == 2) {
    const double t = dot(to_zero, a) / dot(a, a);
    return {1 - t, t, 0, 0};
  }
  if (count_ == 3) {
    const Vector3 normal = cross(a, b);
    const double square = dot(normal, normal);
    const double t = dot(cross(to_zero, b), normal) / square, u = dot(cross(a, to_zero), normal) / square;
    return {1 - t - u, t, u, 0};
  }
  const double volume = dot(a, cross(b, c));
  const double t = dot(to_zero, cross(b, c)) / volume, u = dot(a, cross(to_zero, c)) / volume,
               v = dot(a, cross(b, to_zero)) / volume;
  return {1 - t - u - v, t, u, v};
}

// Moves `nearest_` to the point of the corners' hull that is nearest to 0. As long as the nearest point of
// the line, plane or space through the corners is outside their hull, it goes towards it up to the hull's
// boundary and drops the corner that no longer counts there. False where rounding prevents this.
bool HullSeparation::go_nearer() {
  for (;;) {
    const std::array<double, 4> wanted = nearest_of_corners();
    double way = 1;
    std::size_t first_to_vanish = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!std::isfinite(wanted[i])) return false;
      if (wanted[i] > 0) continue;
      const double until = weights_[i] > wanted[i] ? weights_[i] / (weights_[i] - wanted[i]) : 0;
      if (first_to_vanish < count_ && until >= way) continue;
      way = until;
      first_to_vanish = i;
    }
    nearest_ = {};
    for (std::size_t i = 0; i < count_; ++i) {
      weights_[i] += way * (wanted[i] - weights_[i]);
      nearest_ += weights_[i] * corners_[i];
    }
    if (first_to_vanish == count_) return true;
    --count_;
    std::copy(corners_.begin() + static_cast<std::ptrdiff_t>(first_to_vanish) + 1, corners_.end(),
              corners_.begin() + static_cast<std::ptrdiff_t>(first_to_vanish));
    std::copy(weights_.begin() + static_cast<std::ptrdiff_t>(first_to_vanish) + 1, weights_.end(),
              weights_.begin() + static_cast<std::ptrdiff_t>(first_to_vanish));
    if (count_ == 0) return false;
  }
}

bool HullSeparation::improve() {
  constexpr double better = 1e-6;
  const double square = dot(nearest_, nearest_);
  if (count_ == corners_.size() || (count_ > 0 && !(dot(nearest_, corner_) < (1 - better) * square)))
    return false;
  const std::size_t count_before = count_;
  corners_[count_] = corner_;
  weights_[count_] = count_ == 0 ? 1 : 0;
  ++count_;
  // If four corners count, 0 is inside their hull: the hulls meet.
  if (!go_nearer() || count_ == corners_.size()) return false;
  const double nearer = dot(nearest_, nearest_);
  at_most_ = std::min(at_most_, std::sqrt(nearer));
  if (!(nearer > 0) || (count_before > 0 && !(nearer < square))) return false;
  look_along(nearest_);
  return true;
}

}  // namespace terrace
