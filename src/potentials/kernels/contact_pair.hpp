// The energy of one vertex-triangle or edge-edge pair in contact, its derivatives, and its certificate.
#pragma once

#include <optional>

#include "geometry/closest_points.hpp"
#include "potentials/kernels/contact_profile.hpp"

namespace terrace {

/// What a pair's energy is made of: V = k m(c) ψ(d), k [energy]; m is 1 for a vertex and a triangle. For
/// edges e₁, e₂ the mollifier m(c) = (2 − c/ε) c/ε for c = |e₁ × e₂|² < ε, else 1, lets the energy vanish
/// where the edges become parallel and their closest points ambiguous (Li et al. 2020, eq. 24);
/// vertex-triangle pairs hold the bodies apart there.
struct ContactPair {
  PairKind kind;
  double stiffness;       ///< k: contact stiffness times the area the pair stands for
  double parallel_edges;  ///< ε [length⁴]; edges only
};

/// ε of two edges: 10⁻³ |E₁|² |E₂|², `length_product` their reference lengths multiplied.
[[nodiscard]] inline double parallel_edge_threshold(double length_product) {
  return 1e-3 * length_product * length_product;
}

/// V, V′, V″ along positions + s velocities at s = 0; V″ without d″ up to ContactProfile::least_curved.
struct PairSample {
  double value = 0, slope = 0, curvature = 0;
  bool touching = false;  ///< d = 0 with a barrier: V = +∞
  double distance = 0;    ///< d
  double rate = 0;        ///< d′
  [[nodiscard]] bool is_zero() const { return value == 0 && slope == 0 && curvature == 0; }
};
[[nodiscard]] PairSample sample_pair(const ContactPair& pair, const ContactProfile& profile,
                                     const PairNodes& positions, const PairNodes& velocities);

/// Writes ∂V/∂x_i and returns the closest points; nothing where the pair is not in contact. At d = 0 of a gap
/// the direction is taken as zero.
[[nodiscard]] std::optional<ClosestPoints> pair_gradient(const ContactPair& pair,
                                                         const ContactProfile& profile,
                                                         const PairNodes& positions, PairNodes& gradient);

/// For every s in [0, duration]:
///   −fall s − below s²/2 ≤ V(s) − V − V′ s − V″ s²/2 ≤ rise s + above s²/2.
struct PairBound {
  double rise = 0, fall = 0, below = 0, above = 0;
  bool invalid = false;  ///< the interval is too long for this pair
};
/// By the closing-speed bound: no point of the pair moves faster relative to the other than the fastest pair
/// of nodes, L, so d ≥ d(0) − L s; and the directions of the closest features turn no faster than the edges
/// do, which bounds d″ and so how far d′ is from d′(0). `now`: the sample at these positions; `speed`: L. All
/// bounds are zero where d(0) − L duration ≥ d̂.
[[nodiscard]] PairBound bound_pair(const ContactPair& pair, const ContactProfile& profile,
                                   const PairNodes& positions, const PairNodes& velocities,
                                   const PairSample& now, double speed, double duration);

/// L: the largest speed of a node of one simplex relative to a node of the other.
[[nodiscard]] double closing_speed(PairKind kind, const PairNodes& velocities);

}  // namespace terrace
