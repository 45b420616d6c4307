// How strongly a terrace's surface pushes: (4.32) of the thesis.
#pragma once

#include <cmath>

namespace terrace {

/// λ of (4.32), in the form without cancellation; a reflection when the surface cannot be crossed, and always
/// where the jump is infinite. `normal_velocity`: v_n = n·v; `compliance`: s = nᵀ M⁻¹ n; `jump` [J]: of V_h
/// in the direction of advance. Tells in `reflected` which of the two it is.
inline double jump_multiplier(double normal_velocity, double compliance, double jump, bool& reflected) {
  // n is the gradient of the distance: a pair that rounding took for closing separates already.
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
