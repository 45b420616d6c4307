// Leapfrog's modified energy, which it conserves instead of K + V, as far as one terrace's kicks tell it.
#pragma once

namespace terrace {

/// What is known at the beginning of a drift, just after a kick.
struct DriftStart {
  double value = 0;  ///< V [J]
  double rate = 0;   ///< n·v [J/s], n = ∇V

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [value, rate] = self;
    archive(value, rate);
  }
};

/// vᵀ V″ v + n₋ᵀ M⁻¹ n [J/s²] of a drift of `time` [s], with n₋ = ∇V at its beginning and n at its end. vᵀ V″
/// v at the end is taken from the cubic through V and n·v at both ends: `start`, and `value` [J] and `rate`
/// [J/s]. `with_before` is n₋ᵀ M⁻¹ n.
///
/// Leapfrog conserves K + V + (τ/2) n·v, with V's tangent half a step ahead, for quadratic V only. In a drift
/// this energy changes by the error of the trapezoidal rule, −τ²/12 times the change of v·V″v; at a kick
/// v·V″v jumps by the change of −n₋ᵀ M⁻¹ n. The sum of these errors telescopes: K + V + (τ/2) n·v + τ²/12
/// (v·V″v + n₋ᵀ M⁻¹ n) varies with τ⁴ instead of τ², and is still exact for quadratic V. (It is the modified
/// energy of backward error analysis: Hairer, Lubich, Wanner, Geometric Numerical Integration, IX.)
[[nodiscard]] inline double curvature_of_drift(const DriftStart& start, double time, double value,
                                               double rate, double with_before) {
  const double along = (2 * start.rate + 4 * rate - 6 * (value - start.value) / time) / time;
  return along + with_before;
}

}  // namespace terrace
