// Steps of explicit methods, made of kicks and drifts alone.
#pragma once

#include "hamiltonian/motion.hpp"

namespace terrace {

/// Symplectic Euler, momenta first: kick, drift. Order 1, symplectic.
template <Motion State>
void kick_drift(State& state, double h) {
  state.kick(h);
  state.drift(h);
}

/// The adjoint of `kick_drift`: drift, kick.
template <Motion State>
void drift_kick(State& state, double h) {
  state.drift(h);
  state.kick(h);
}

/// Velocity Verlet (Newmark β = 0, γ = ½): half kick, drift, half kick. Order 2, symplectic, symmetric.
template <Motion State>
void kick_drift_kick(State& state, double h) {
  state.kick(0.5 * h);
  state.drift(h);
  state.kick(0.5 * h);
}

/// Position Verlet: half drift, kick with the loads at the middle of the step, half drift. With a load f(t)
/// it is the splitting that keeps the load's frequencies (Modin and Söderlind, BIT 51, 2011). Order 2,
/// symplectic, symmetric.
template <Motion State>
void drift_kick_drift(State& state, double h) {
  state.drift(0.5 * h);
  state.kick(h);
  state.drift(0.5 * h);
}

}  // namespace terrace
