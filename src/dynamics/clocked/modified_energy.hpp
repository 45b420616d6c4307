// What leapfrog conserves instead of the energy, as far as it is known from the kicks of one terrace.
#pragma once

namespace terrace {

/// What is known of a drift where it begins: just after a kick.
struct DriftStart {
  double value = 0;  ///< V [J]
  double rate = 0;   ///< n·v [J/s], n = ∇V

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [value, rate] = self;
    archive(value, rate);
  }
};

/// vᵀ V″ v + n₋ᵀ M⁻¹ n of a drift of `time` [s] from n₋ to n, in J/s²: the curvature at its end is that of
/// the cubic through V and n·v at both ends; `with_before` is n₋ᵀ M⁻¹ n.
///
/// K + V + (τ/2) n·v, with the half step's tangent, is conserved by leapfrog for quadratic V only. Along a
/// drift it errs by the error of the trapezoidal rule, −τ²/12 times the change of v·V″v; at a kick v·V″v
/// jumps by what −n₋ᵀ M⁻¹ n changes. The sum of the errors telescopes: K + V + (τ/2) n·v + τ²/12 (v·V″v + n₋ᵀ
/// M⁻¹ n) varies with τ⁴, where it varied with τ², and for quadratic V it is exact as well. (The modified
/// energy of backward error analysis: Hairer, Lubich, Wanner, Geometric Numerical Integration, IX.)
[[nodiscard]] inline double curvature_of_drift(const DriftStart& start, double time, double value,
                                               double rate, double with_before) {
  const double along = (2 * start.rate + 4 * rate - 6 * (value - start.value) / time) / time;
  return along + with_before;
}

}  // namespace terrace
