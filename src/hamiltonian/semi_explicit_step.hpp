// A step that takes costly, soft forces explicitly and cheap, stiff forces implicitly (Modin 2009, paper V).
#pragma once

#include "hamiltonian/motion.hpp"

namespace terrace {

/// q += h v + h²/2 a, v += h a, with a = A(q + α h v, v, t + α h) + B((1 − β) z + β z′), z = (q, v, t) before
/// and z′ after the step: (5) of the paper. It takes one evaluation of A and no derivative of it. β says how
/// implicit B is: undamped at β = ½, damped above. Order 2 for α = β = ½ if A does not depend on velocities,
/// otherwise 1. Stable for h² k_A < 4 (α = ½), whatever B.
template <SemiExplicitMotion State>
void semi_explicit_step(State& state, double h, double alpha, double beta) {
  state.drift(alpha * h);
  state.hold_explicit_force();
  state.drift((beta - alpha) * h);
  state.solve_acceleration(h, beta);
  state.drift((0.5 - beta) * h);
  state.accelerate(h);
  state.drift(0.5 * h);
}

}  // namespace terrace
