// Which surface of a region a moving point passes, also where several surfaces meet, and where a region is
// not defined.
#pragma once

#include <optional>

#include "geometry/region.hpp"

namespace terrace {

/// The unit normal, out of the region, of the surface that a point at x passes as it moves along v into the
/// region, or out of it if not `enters`. Of the surfaces within `tolerance` of x that bound the region there
/// it is the one met most steeply; nothing if v passes none. Normals are those at `there`, which is x or, for
/// a way along a tangent, a little further on.
[[nodiscard]] std::optional<Vector3> surface_passed(const Region& region, const Vector3& x, const Vector3& v,
                                                    bool enters, double tolerance, const Vector3& there);

/// The largest distance from the origin that the points and radii of the region's parts give: a scale for
/// rounding.
[[nodiscard]] double size_of(const Region& region);

/// Whether x is known to be inside or outside; false where that depends on a formula without a value at x.
[[nodiscard]] bool has_a_side(const Region& region, const Vector3& x);

}  // namespace terrace
