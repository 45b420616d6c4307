// Nearest points of a vertex and a triangle, and of two edges, with a direction that can be trusted however
// small the distance.
#pragma once

#include <array>

#include "geometry/closest_points.hpp"

namespace terrace {

/// The points of two features that are nearest to each other. Σ weight_i x_i is the vector from the second
/// feature to the first, Σ weight_i = 0, and the gradient of the distance is ∂g/∂x_i = weight_i n.
struct NearestPoints {
  std::array<double, 4> weights{};
  Vector3 normal{};     ///< n, of length 1, from the second feature to the first
  double distance = 0;  ///< g ≥ 0 [length]
  /// Bound on the rounding error of n.
  double normal_error = 0;
};

/// Two features closer than this share of the pair's size touch. It is far above the rounding of positions,
/// so that the side on which a feature lies is never in doubt, and far below any length of interest.
inline constexpr double touching_per_size = 1e-10;

/// Nearest points in closed form; of a triangle and a vertex, the vertex comes first in x. The direction is
/// exact to rounding, unlike that of closest_points, which a smooth potential of the distance needs: it is
/// the normal of the face or of both edges where that is more accurate than the difference. Features nearer
/// than a thousandth of `touching` [length] are on top of each other as far as rounding can tell, as when
/// bodies are made touching. Then n is at a right angle to both and has the direction of `normals`, which
/// point out of the points' own bodies.
NearestPoints nearest_points(PairKind kind, const PairNodes& x, double touching, const PairNodes& normals);

/// Whether the distance decreases at velocities v by more than rounding explains, that is by more than 1e-13
/// of the velocities. At less, features that touch need a thousand transits of their own size to meet.
bool closing(const NearestPoints& nearest, const PairNodes& v);

}  // namespace terrace
