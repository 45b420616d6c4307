#include "geometry/region.hpp"

#include <algorithm>
#include <limits>

namespace terrace {

double RegionPart::signed_distance(const Vector3& x) const {
  if (kind == Kind::half_space) return dot(x - point, normal);
  const double depth = norm(x - point) - radius;
  return inside ? depth : -depth;
}

Vector3 RegionPart::outward(const Vector3& x) const {
  if (kind == Kind::half_space) return normal;
  const Vector3 away = x - point;
  const double length = norm(away);
  if (!(length > 0)) return {};
  return ((inside ? 1 : -1) / length) * away;
}

/// The part that decides g there.
static const RegionPart* deciding_part(const Region& region, const Vector3& x, double& distance) {
  const RegionPart* deciding = nullptr;
  distance = std::numeric_limits<double>::infinity();
  for (const std::vector<RegionPart>& piece : region.pieces) {
    const RegionPart* farthest = nullptr;
    double most = -std::numeric_limits<double>::infinity();
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
