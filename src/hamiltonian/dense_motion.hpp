// Small systems as Motions (motion.hpp), which the explicit methods move by kicks and drifts.
#pragma once

#include "hamiltonian/hamiltonian_system.hpp"
#include "hamiltonian/newton.hpp"

namespace terrace {

/// The last gradient of V and where and when it was taken: it serves at the end of one step and at the start
/// of the next.
struct KnownGradient {
  Values q, gradient;
  double time = 0;
};

/// A QuadraticMotion (motion.hpp) of a system whose energy is T(p) + V(q, t). Forces without a potential act
/// in kicks, with the velocity before the kick.
class DenseMotion {
 public:
  /// All arguments must outlive this.
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

/// A SemiExplicitMotion (motion.hpp) of a system; forces marked `implicit` are solved for by Newton's method.
class SplitMotion {
 public:
  SplitMotion(const HamiltonianSystem& system, DenseState& state, NewtonSolver& newton)
      : system_(system), state_(state), newton_(newton) {}

  void drift(double duration);
  void hold_explicit_force();
  void solve_acceleration(double duration, double beta);
  void accelerate(double duration);
  /// F^A, as the last `hold_explicit_force` found it.
  [[nodiscard]] const Values& held() const { return held_; }

 private:
  const HamiltonianSystem& system_;
  DenseState& state_;
  NewtonSolver& newton_;
  Values held_, acceleration_;
};

}  // namespace terrace
