// Closest points of a vertex and a triangle, and of two edges, and how their distance changes along straight
// lines.
#pragma once

#include <array>
#include <utility>

#include "geometry/vector3.hpp"

namespace terrace {

/// The four nodes of a pair: a vertex and the three nodes of a triangle, or two nodes each of two edges.
using PairNodes = std::array<Vector3, 4>;

enum class PairKind { vertex_triangle, edge_edge };

/// The closest points of a pair, as the vector r = Σ_i w_i x_i from the point of the second simplex to that
/// of the first. Σ w = 0 but for rounding, and |r| is the distance d.
struct ClosestPoints {
  std::array<double, 4> weights;
  Vector3 difference;  ///< r
  /// The edges (from node .first to node .second) along which the closest points are free to slide: none for
  /// two vertices, one for a vertex and an edge, two for a face or two edges.
  int free_directions = 0;
  std::array<std::pair<int, int>, 2> directions{};
};

/// The closest points of a pair in closed form, by the Voronoi regions of the triangle (Ericson, Real-Time
/// Collision Detection, 5.1.5) or the clamped parameters of the edges (5.1.9). A triangle without area counts
/// as its sides, an edge without length as a point. Never NaN for finite positions.
[[nodiscard]] ClosestPoints closest_points(PairKind kind, const PairNodes& positions);

/// Squared distance D = d² and its derivatives along positions + s velocities at s = 0.
struct SquaredDistance {
  double value = 0, slope = 0, curvature = 0;
};

/// D′ = 2 r·ṙ and D″ = 2 (|ṙ|² − hᵀ (GᵀG)⁻¹ h), with ṙ = Σ w_i v_i, G the free directions, h = Gᵀ ṙ + Ġᵀ r:
/// the closest points slide so that D stays least. D″ jumps where the closest features change.
[[nodiscard]] SquaredDistance squared_distance(const ClosestPoints& closest, const PairNodes& positions,
                                               const PairNodes& velocities);

}  // namespace terrace
