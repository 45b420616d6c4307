// The impulse of an event of clocked energy-stepping: leapfrog's kick, corrected so that energy balances.
#pragma once

namespace terrace {

/// What a terrace knows at its event. Impulses are λ n with n = ∇V.
struct KickData {
  double value = 0;               ///< V [J]
  double normal_velocity = 0;     ///< v_n = n·v before the kick
  double compliance = 0;          ///< s = nᵀ M⁻¹ n
  double stored = 0;              ///< U before the kick [J]
  double offset = 0;              ///< b [J]
  double bend = 0;                ///< C: what leapfrog's modified energy has beside the tangent of V [J]
  double weight = 0;              ///< w: leapfrog's kick is λ = −w [s]
  double ahead = 0;               ///< a: half the step to the next event [s]
  double largest_correction = 0;  ///< κ: |λ + w| ≤ κ w
};

/// λ, and what is not balanced by it.
struct BalancedKick {
  double multiplier = 0;  ///< λ [s]
  double imbalance = 0;   ///< of leapfrog's own kick: the error of its modified energy, and debts [J]
  double debt = 0;       ///< U + b − (V + a n·v + C) after the kick [J]; 0 but for rounding if not clipped
  bool clipped = false;  ///< κ did not allow the root, or there is none
};

/// After the kick the stored energy is to be what leapfrog's modified energy has beside K
/// (modified_energy.hpp), the tangent of V half a step ahead and the bend: with λ = −w + δ
///   U − (λ v_n + λ² s/2) + b = V + a (v_n + λ s) + C,
/// and δ is the root next to 0. For quadratic V and equal steps it is 0: leapfrog conserves K + V + a n·v + C
/// itself.
[[nodiscard]] BalancedKick balanced_kick(const KickData& data);

/// What the kinetic energy gains by λ: λ v_n + λ² s/2 [J].
[[nodiscard]] inline double kinetic_gain(double multiplier, double normal_velocity, double compliance) {
  return multiplier * (normal_velocity + 0.5 * multiplier * compliance);
}

}  // namespace terrace
