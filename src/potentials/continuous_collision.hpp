// The first instant at which a vertex and a triangle, or two edges, meet while their points move in straight
// lines.
#pragma once

#include <array>
#include <optional>

#include "mesh/vector3.hpp"

namespace terrace {

/// Which points of a pair belong together: {0} and the triangle {1, 2, 3}, or the edges {0, 1} and {2, 3}.
enum class PairKind { vertex_triangle, edge_edge };

/// The four points of a pair.
using FourPoints = std::array<Vector3, 4>;

/// The points of the two features that are nearest to each other: Σ weight_i x_i is the vector from the
/// second feature to the first, Σ weight_i = 0, and the gradient of the distance is ∂g/∂x_i = weight_i n.
struct ClosestPoints {
  std::array<double, 4> weights{};
  Vector3 normal{};     ///< n, of length 1, from the second feature to the first
  double distance = 0;  ///< g ≥ 0 [length]
  /// Bound on the error of n by rounding.
  double normal_error = 0;
};

/// Relative to the size of a pair: two features closer than this [length] touch. Far above the rounding of
/// positions, so that the side on which a feature lies is never in doubt; far below any length of interest.
inline constexpr double touching_per_size = 1e-10;

/// Nearest points in closed form. Features nearer than a thousandth of `touching` are on top of each other as
/// far as rounding can tell, as when bodies are made touching; then n is at a right angle to both and points
/// the way of `normals`, which point out of the points' own bodies.
ClosestPoints closest_points(PairKind kind, const FourPoints& x, double touching, const FourPoints& normals);

/// Whether the distance decreases at these velocities by more than rounding explains. Below a quarter of
/// `touching` any decrease counts.
bool closing(const ClosestPoints& closest, const FourPoints& v, double touching);

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
/// `touching` > 0 [length]: touching_per_size times the pair's size. `normals`: see closest_points; needed
/// only by features on top of each other.
std::optional<double> first_touch(PairKind kind, const FourPoints& x, const FourPoints& v, double from,
                                  double to, double touching, const FourPoints& normals);

}  // namespace terrace
