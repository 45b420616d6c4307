// How strongly a terrace's surface pushes: (4.32) of the thesis.
#pragma once

#include <cmath>

namespace terrace {

/// Returns λ of (4.32), in a form without cancellation, and sets `reflected`: true for a reflection, which
/// happens when the kinetic energy does not suffice to cross the surface, and always where the jump is
/// infinite. `normal_velocity`: v_n = n·v; `compliance`: s = nᵀ M⁻¹ n; `jump`: of V_h in the direction of
/// motion [J].
inline double jump_multiplier(double normal_velocity, double compliance, double jump, bool& reflected) {
  // Here n is the gradient of the distance. With v_n ≥ 0 the pair separates already; only rounding took it
  // for closing.
  if (std::isinf(jump) && normal_velocity >= 0) {
    reflected = true;
    return 0;
  }
  const double kinetic = normal_velocity * normal_velocity - 2 * jump * compliance;
  reflected = kinetic < 0;
  if (reflected) return -2 * normal_velocity / compliance;
  return -2 * jump / (normal_velocity + std::copysign(std::sqrt(kinetic), normal_velocity));
}

}  // namespace terrace
