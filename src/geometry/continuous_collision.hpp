// The first instant at which a vertex and a triangle, or two edges, meet while their points move in straight
// lines.
#pragma once

#include <optional>

#include "geometry/nearest_points.hpp"

namespace terrace {

/// The first s in [from, to] at which the points x_i + s v_i of the two features touch while they close; none
/// if they do not.
///
/// Certified: before s they have not touched while closing, and their distance never was 0. At s it is at
/// most `touching`, and at least half of it unless it was less at `from`. Features that touch at `from` and
/// close are found there; if they separate, not.
///
/// Where the features' planes (vertex and triangle) or lines (edges) are apart they cannot touch. Coplanarity
/// is a cubic in s; its stretches near 0 are found between its turning points. Within such a stretch, which
/// is all of it for motion in a plane, planes at right angles to the nearest points' connection keep the
/// features apart for a time that is known in closed form, step by step. No case needs a special treatment:
/// parallel edges, collinear points, grazing, no relative motion. The steps are few, but where a vertex just
/// grazes an edge that turns they shrink with the distance; after 20,000 of them what is reached, at most
/// 1e-7 of the size away, is taken for a touch.
///
/// `touching` > 0 [length]: touching_per_size times the pair's size. `normals`: see nearest_points; needed
/// only by features on top of each other.
std::optional<double> first_touch(PairKind kind, const PairNodes& x, const PairNodes& v, double from,
                                  double to, double touching, const PairNodes& normals);

}  // namespace terrace
