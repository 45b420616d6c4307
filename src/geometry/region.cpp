#include "geometry/region.hpp"

#include <algorithm>
#include <array>

#include "numerics/formula_value.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

namespace {

struct FunctionThere {
  double value;
  Vector3 gradient;
};
FunctionThere at_place(const Formula& function, const Vector3& x) {
  FunctionThere there{};
  for (std::size_t d = 0; d < 3; ++d) {
    std::array<Jet<double>, 3> place;
    for (std::size_t e = 0; e < 3; ++e) place[e] = Jet<double>::line(x[e], e == d ? 1.0 : 0.0);
    const Jet<double> value = value_of<double>(function, place);
    there.value = value.value;
    there.gradient[d] = value.first;
  }
  return there;
}

}  // namespace

double RegionPart::signed_distance(const Vector3& x) const {
  if (kind == Kind::formula) {
    const FunctionThere there = at_place(function, x);
    const double slope = norm(there.gradient);
    return slope > 0 ? there.value / slope : there.value;
  }
  if (kind == Kind::half_space) return dot(x - point, normal);
  const double depth = norm(x - point) - radius;
  return inside ? depth : -depth;
}

Vector3 RegionPart::outward(const Vector3& x) const {
  if (kind == Kind::formula) {
    const Vector3 gradient = at_place(function, x).gradient;
    return norm(gradient) > 0 ? (1 / norm(gradient)) * gradient : Vector3{};
  }
  if (kind == Kind::half_space) return normal;
  const Vector3 away = x - point;
  const double length = norm(away);
  if (!(length > 0)) return {};
  return ((inside ? 1 : -1) / length) * away;
}

/// The part that decides g at x. Sets `distance` to g, `complement` left aside.
static const RegionPart* deciding_part(const Region& region, const Vector3& x, double& distance) {
  const RegionPart* deciding = nullptr;
  distance = infinity;
  for (const std::vector<RegionPart>& piece : region.pieces) {
    const RegionPart* farthest = nullptr;
    double most = -infinity;
    for (const RegionPart& part : piece)
      if (const double g = part.signed_distance(x); g > most) most = g, farthest = &part;
    if (farthest != nullptr && most < distance) distance = most, deciding = farthest;
  }
  return deciding;
}

double Region::signed_distance(const Vector3& x) const {
  double distance = 0;
  static_cast<void>(deciding_part(*this, x, distance));
  return complement ? -distance : distance;
}

Vector3 Region::outward(const Vector3& x) const {
  double distance = 0;
  const RegionPart* part = deciding_part(*this, x, distance);
  return part == nullptr ? Vector3{} : (complement ? -1.0 : 1.0) * part->outward(x);
}

}  // namespace terrace
