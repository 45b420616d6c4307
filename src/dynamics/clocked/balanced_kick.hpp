// The impulse of an event of clocked energy-stepping: leapfrog's kick, corrected so that the energy balances.
#pragma once

namespace terrace {

/// Input of balanced_kick: what a terrace knows at its event. The impulse is λ n with n = ∇V.
struct KickData {
  double value = 0;               ///< V [J]
  double normal_velocity = 0;     ///< v_n = n·v before the kick
  double compliance = 0;          ///< s = nᵀ M⁻¹ n
  double stored = 0;              ///< U before the kick [J]
  double offset = 0;              ///< b [J], see Clock::offset
  double bend = 0;                ///< C: leapfrog's modified energy less K and the tangent of V [J]
  double weight = 0;              ///< w: leapfrog's kick is λ = −w [s]
  double ahead = 0;               ///< a: half the step to the next event [s]
  double largest_correction = 0;  ///< κ: |λ + w| ≤ κ w
};

/// λ, and the energy that it leaves unbalanced.
struct BalancedKick {
  double multiplier = 0;  ///< λ [s]
  /// What leapfrog's own kick, λ = −w, would leave: the error of its modified energy, and earlier debts [J].
  double imbalance = 0;
  double debt = 0;       ///< U + b − (V + a n·v + C) after the kick [J]; 0 but for rounding if not clipped
  bool clipped = false;  ///< the root needs a larger correction than κ allows, or there is no root
};

/// The kick after which the stored energy U equals leapfrog's modified energy (modified_energy.hpp) without
/// K: the tangent of V half a step ahead, and the bend C. With λ = −w + δ
///   U − (λ v_n + λ² s/2) + b = V + a (v_n + λ s) + C,
/// and δ is the root next to 0. For quadratic V and equal steps δ is 0, as leapfrog itself conserves
/// K + V + a n·v + C.
[[nodiscard]] BalancedKick balanced_kick(const KickData& data);

/// Change of the kinetic energy by the impulse λ n: λ v_n + λ² s/2 [J].
[[nodiscard]] inline double kinetic_gain(double multiplier, double normal_velocity, double compliance) {
  return multiplier * (normal_velocity + 0.5 * multiplier * compliance);
}

}  // namespace terrace
