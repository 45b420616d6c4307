// Which surface of a region is met by what moves, also where several of them meet, and where a region says
// nothing.
#pragma once

#include <optional>

#include "geometry/region.hpp"

namespace terrace {

/// Something at x moves along v into the region, or out of it if not `enters`: the unit normal out of the
/// region of the surface that it passes. Of those within `tolerance` of x that bound the region there the one
/// met most steeply; nothing if v passes none. Normals are those at `there`, which is x or, for a way along a
/// tangent, a little further on.
[[nodiscard]] std::optional<Vector3> surface_passed(const Region& region, const Vector3& x, const Vector3& v,
                                                    bool enters, double tolerance, const Vector3& there);

/// The largest distance from the origin that the region's points and radii tell of: what rounding goes by.
[[nodiscard]] double size_of(const Region& region);

/// Whether x has a side: not where it hangs on a formula that has no value there.
[[nodiscard]] bool has_a_side(const Region& region, const Vector3& x);

}  // namespace terrace
