// Nearest points of a vertex and a triangle, and of two edges, with a direction to be trusted however small
// the distance.
#pragma once

#include <array>

#include "geometry/closest_points.hpp"

namespace terrace {

/// The points of the two features that are nearest to each other: Σ weight_i x_i is the vector from the
/// second feature to the first, Σ weight_i = 0, and the gradient of the distance is ∂g/∂x_i = weight_i n.
struct NearestPoints {
  std::array<double, 4> weights{};
  Vector3 normal{};     ///< n, of length 1, from the second feature to the first
  double distance = 0;  ///< g ≥ 0 [length]
  /// Bound on the error of n by rounding.
  double normal_error = 0;
};

/// Relative to the size of a pair: two features closer than this [length] touch. Far above the rounding of
/// positions, so that the side on which a feature lies is never in doubt; far below any length of interest.
inline constexpr double touching_per_size = 1e-10;

/// Nearest points in closed form; of a triangle the vertex comes first. Unlike closest_points, which a smooth
/// potential of the distance needs, exact to rounding in the direction: by the normal of the face or of both
/// edges where that is surer than the difference. Features nearer than a thousandth of `touching` are on top
/// of each other as far as rounding can tell, as when bodies are made touching; then n is at a right angle to
/// both and points the way of `normals`, which point out of the points' own bodies.
NearestPoints nearest_points(PairKind kind, const PairNodes& x, double touching, const PairNodes& normals);

/// Whether the distance decreases at these velocities by more than rounding explains: by more than 1e-13 of
/// the velocities. At less, features that touch need a thousand transits of their own size to meet.
bool closing(const NearestPoints& nearest, const PairNodes& v);

}  // namespace terrace
