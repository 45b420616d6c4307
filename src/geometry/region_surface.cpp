#include "geometry/region_surface.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {
namespace {

/// A motion from x along v, and where normals are taken.
struct Passage {
  Vector3 x, v, there;
  double tolerance;
  [[nodiscard]] double rate(const RegionPart& part) const { return dot(part.outward(there), v); }
};

/// Whether x is in the piece or at its surface. If `joins`, v must also lead into the piece through every
/// surface at x.
bool is_bound_by(const std::vector<RegionPart>& piece, const Passage& passage, bool joins) {
  return std::all_of(piece.begin(), piece.end(), [&](const RegionPart& part) {
    const double g = part.signed_distance(passage.x);
    return g < -passage.tolerance || (g <= passage.tolerance && (!joins || passage.rate(part) <= 0));
  });
}

}  // namespace

std::optional<Vector3> surface_passed(const Region& region, const Vector3& x, const Vector3& v, bool enters,
                                      double tolerance, const Vector3& there) {
  const Passage passage{x, v, there, tolerance};
  const bool joins = enters != region.complement;  // whether it gets into the union of the pieces
  std::optional<Vector3> steepest;
  double most = 0;
  for (const std::vector<RegionPart>& piece : region.pieces) {
    if (!is_bound_by(piece, passage, joins)) continue;
    for (const RegionPart& part : piece) {
      if (!(std::abs(part.signed_distance(x)) <= tolerance)) continue;
      const double against = joins ? -passage.rate(part) : passage.rate(part);
      if (!(against > most)) continue;
      most = against;
      steepest = (region.complement ? -1.0 : 1.0) * part.outward(there);
    }
  }
  return steepest;
}

double size_of(const Region& region) {
  double size = 0;
  for (const std::vector<RegionPart>& piece : region.pieces)
    for (const RegionPart& part : piece) size = std::max(size, norm(part.point) + part.radius);
  return size;
}

bool has_a_side(const Region& region, const Vector3& x) {
  bool all_known = true;
  for (const std::vector<RegionPart>& piece : region.pieces) {
    bool is_outside = false, is_known = true;
    for (const RegionPart& part : piece) {
      const double g = part.signed_distance(x);
      if (g > 0 && std::isfinite(g)) is_outside = true;
      if (!std::isfinite(g)) is_known = false;
    }
    if (is_outside) continue;
    if (is_known) return true;
    all_known = false;
  }
  return all_known;
}

}  // namespace terrace
