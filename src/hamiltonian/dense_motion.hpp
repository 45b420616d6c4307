// A small system as the explicit methods see it: kicks and drifts (motion.hpp).
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"
#include "hamiltonian/newton.hpp"

namespace terrace {

/// A gradient that is known from the end of one step to the start of the next.
struct KnownGradient {
  Values q, gradient;
  double time = 0;
};

/// The state of a system whose energy is T(p) + V(q, t), and what motion.hpp asks of it. Forces without a
/// potential act in kicks with the velocity of the moment.
class DenseMotion {
 public:
  /// All must outlive this.
  DenseMotion(const HamiltonianSystem& system, DenseState& state, KnownGradient& known)
      : time(state.time), system_(system), state_(state), known_(known) {}

  void kick(double duration);
  void drift(double duration);
  [[nodiscard]] double kinetic_energy() const { return system_.kinetic(state_.p); }
  [[nodiscard]] double potential_energy() const { return system_.potential(state_.q, state_.time); }
  [[nodiscard]] double power() { return dot(gradient(), system_.velocity(state_.p)); }
  /// ∇VᵀM⁻¹∇V.
  [[nodiscard]] double squared_force();

  double& time;
  [[nodiscard]] const DenseState& state() const { return state_; }
  [[nodiscard]] const HamiltonianSystem& system() const { return system_; }

 private:
  const Values& gradient();
  const HamiltonianSystem& system_;
  DenseState& state_;
  KnownGradient& known_;
};

/// The same of forces in two parts (SemiExplicitMotion): those marked implicit by Newton's method.
class SplitMotion {
 public:
  SplitMotion(const HamiltonianSystem& system, DenseState& state, NewtonSolver& newton)
      : system_(system), state_(state), newton_(newton) {}

  void drift(double duration);
  void hold_explicit_force();
  void solve_acceleration(double duration, double beta);
  void accelerate(double duration);
  /// F^A as it was held.
  [[nodiscard]] const Values& held() const { return held_; }

 private:
  const HamiltonianSystem& system_;
  DenseState& state_;
  NewtonSolver& newton_;
  Values held_, acceleration_;
};

}  // namespace terrace
