// The energy of one vertex-triangle or edge-edge pair in contact, its derivatives, and its certificate.
#pragma once

#include <optional>

#include "geometry/closest_points.hpp"
#include "potentials/kernels/contact_profile.hpp"

namespace terrace {

/// The parameters of a pair's energy V = k m(c) ψ(d), k [energy]. For a vertex and a triangle m = 1. For
/// edges e₁, e₂ m is the mollifier (2 − c/ε) c/ε for c = |e₁ × e₂|² < ε, else 1. It lets the energy vanish
/// where the edges become parallel and their closest points ambiguous (Li et al. 2020, eq. 24); there
/// vertex-triangle pairs hold the bodies apart.
struct ContactPair {
  PairKind kind;
  double stiffness;       ///< k: contact stiffness times the area the pair stands for
  double parallel_edges;  ///< ε [length⁴]; edges only
};

/// ε of two edges: 10⁻³ |E₁|² |E₂|². `length_product`: the product |E₁| |E₂| of their reference lengths.
[[nodiscard]] inline double parallel_edge_threshold(double length_product) {
  return 1e-3 * length_product * length_product;
}

/// V, V′, V″ along positions + s velocities at s = 0; V″ without the term of d″ up to
/// ContactProfile::least_curved.
struct PairSample {
  double value = 0, slope = 0, curvature = 0;
  bool touching = false;  ///< d = 0 with a barrier: V = +∞
  double distance = 0;    ///< d
  double rate = 0;        ///< d′
  [[nodiscard]] bool is_zero() const { return value == 0 && slope == 0 && curvature == 0; }
};
[[nodiscard]] PairSample sample_pair(const ContactPair& pair, const ContactProfile& profile,
                                     const PairNodes& positions, const PairNodes& velocities);

/// Writes ∂V/∂x_i and returns the closest points; returns nothing where the pair is not in contact. At d = 0
/// of a gap the direction of the distance is taken as zero.
[[nodiscard]] std::optional<ClosestPoints> pair_gradient(const ContactPair& pair,
                                                         const ContactProfile& profile,
                                                         const PairNodes& positions, PairNodes& gradient);

/// For every s in [0, duration]:
///   −fall s − below s²/2 ≤ V(s) − V − V′ s − V″ s²/2 ≤ rise s + above s²/2.
struct PairBound {
  double rise = 0, fall = 0, below = 0, above = 0;
  bool invalid = false;  ///< the interval is too long for this pair
};
/// The bound of V on [0, duration] by the closing-speed bound: no point of one simplex moves faster relative
/// to one of the other than the fastest pair of nodes, L, so that d ≥ d(0) − L s. And the directions of the
/// closest features turn no faster than the edges do, which bounds d″ and so how far d′ is from d′(0). `now`:
/// the sample at these positions; `speed`: L. All bounds are zero where d(0) − L duration ≥ d̂.
[[nodiscard]] PairBound bound_pair(const ContactPair& pair, const ContactProfile& profile,
                                   const PairNodes& positions, const PairNodes& velocities,
                                   const PairSample& now, double speed, double duration);

/// L: the largest speed of a node of one simplex relative to a node of the other.
[[nodiscard]] double closing_speed(PairKind kind, const PairNodes& velocities);

}  // namespace terrace
