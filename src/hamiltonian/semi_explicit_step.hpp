// Forces that are dear and soft explicitly, those that are cheap and stiff implicitly (Modin 2009, paper V).
#pragma once

#include "hamiltonian/motion.hpp"

namespace terrace {

/// q += h v + h²/2 a, v += h a, a = A(q + α h v, v, t + α h) + B((1 − β) z + β z′), z = (q, v, t): (5) of the
/// paper. One evaluation of A and no derivative of it; B as implicit as β says, undamped at β = ½, damped
/// above. Order 2 for α = β = ½ where A does not depend on velocities, otherwise 1. Stable for h² k_A < 4 (α
/// = ½), whatever B.
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
