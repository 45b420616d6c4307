// The first instant at which a vertex and a triangle, or two edges, meet while their points move in straight
// lines.
#pragma once

#include <optional>

#include "geometry/nearest_points.hpp"

namespace terrace {

/// The first s in [from, to] at which the points x_i + s v_i of the two features touch while they close;
/// nothing if they do not.
///
/// Certified: before s they have not touched while closing, and their distance never was 0. At s it is at
/// most `touching`, and at least half of that unless it was less at `from`. Features that touch at `from` are
/// found there if they close, and are not if they separate.
///
/// Features cannot touch while their planes (vertex and triangle) or lines (edges) are apart. Coplanarity is
/// a cubic in s; the stretches where it is near 0 are found between its turning points. Within such a
/// stretch, which is all of the time for motion in a plane, the plane at a right angle to the connection of
/// the nearest points keeps the features apart for a time that is known in closed form; so it goes on step by
/// step. No case needs a special treatment: parallel edges, collinear points, grazing, no relative motion.
/// Few steps are needed, but where a vertex just grazes an edge that turns they shrink with the distance.
/// After 20,000 steps the place reached, where the features are at most 1e-7 of their size apart, is taken
/// for a touch.
///
/// `touching` > 0 [length]: touching_per_size times the pair's size. `normals`: see nearest_points; they
/// matter only for features on top of each other.
std::optional<double> first_touch(PairKind kind, const PairNodes& x, const PairNodes& v, double from,
                                  double to, double touching, const PairNodes& normals);

}  // namespace terrace
