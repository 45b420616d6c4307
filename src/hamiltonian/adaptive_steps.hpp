// Explicit methods whose steps adapt to the state and still are symplectic or reversible, as equal steps are:
// Modin (2009, papers II and III), Hairer and Söderlind (2005).
#pragma once

#include <cmath>
#include <optional>

#include "hamiltonian/motion.hpp"

namespace terrace {

/// A step of the time-transformed splitting SYMP(T, V) (Modin 2009, paper III, 2.1): a kick of ε/2 U, a drift
/// of ε S and a kick of ε/2 U, where U(q) = g(H₀ − V, V) and S(p) = g(T, H₀ − T). Each is the flow of a part
/// of one separable Hamiltonian, so the step is symplectic, symmetric and of order 2 (compositions have
/// higher orders). It takes one gradient. `scaling(T, V)` is g > 0, the time that a unit of the step
/// parameter lasts; `energy` is H₀, that of the initial state.
template <EnergeticMotion State, class Scaling>
void time_transformed_step(State& state, double epsilon, double energy, Scaling&& scaling) {
  const auto of_potential = [&] {
    const double potential = state.potential_energy();
    return scaling(energy - potential, potential);
  };
  state.kick(0.5 * epsilon * of_potential());
  const double kinetic = state.kinetic_energy();
  state.drift(epsilon * scaling(kinetic, energy - kinetic));
  state.kick(0.5 * epsilon * of_potential());
}

/// A step of Hairer and Söderlind's step-density controller SYMM (SIAM J. Sci. Comput. 26, 2005; Modin 2009,
/// algorithm 3.2.1): ρ += ε/2 ξ, a symmetric step of ε/ρ, ρ += ε/2 ξ. `density` is ρ. `rate(state)` is
/// ξ = (d/dt Q)/Q, where h Q = const is wanted of the steps h. `step(state, h)` is the symmetric method; with
/// Verlet all is explicit. Order 2, reversible if Q(q, −p) = Q(q, p), not symplectic. Returns false if the
/// density does not stay positive: ε is too large.
template <Motion State, class Rate, class Step>
[[nodiscard]] bool step_density_step(State& state, double& density, double epsilon, Rate&& rate,
                                     Step&& step) {
  const double middle = density + 0.5 * epsilon * rate(state);
  if (!(middle > 0)) return false;
  step(state, epsilon / middle);
  density = middle + 0.5 * epsilon * rate(state);
  return density > 0;
}

/// The value of a scaling of time λ(V) and its derivative by V.
struct ScalingOfPotential {
  double value, derivative;
};

/// How a step of `scaled_explicit_step` moves: p −= kick ∇V, then a drift of `duration`.
struct ScaledStep {
  double kick, duration;
};

/// The explicit adaptive variational step met2 (F̄^{0,0} of Modin and Führer, ZAMM 86, 2006) for a scaling of
/// time l = λ(V): ∇l is parallel to ∇V, so the step is one kick and one drift. `power` = ∇V · M⁻¹p and
/// `squared_force` = ∇VᵀM⁻¹∇V are those of the state, `energy` is E₀, that of the initial state. Returns
/// nothing if the step parameter is too large for a solution.
inline std::optional<ScaledStep> scaled_explicit_step(double epsilon, double energy, double kinetic,
                                                      double potential, double power, double squared_force,
                                                      const ScalingOfPotential& scaling) {
  const double h = epsilon * scaling.value, ratio = scaling.derivative / scaling.value;
  const double kick = epsilon * (potential - energy) * scaling.derivative + h;
  // w = h M⁻¹(p − kick ∇V); s = ΔᵀMΔ is the small root of a s² − b s + wᵀMw = 0, Δ = w − s/2 M⁻¹∇l / l.
  const double w_squared = 2 * h * h * (kinetic - kick * power + 0.5 * kick * kick * squared_force);
  const double a = 0.25 * ratio * ratio * squared_force;
  const double b = 1 + ratio * h * (power - kick * squared_force);
  const double discriminant = b * b - 4 * a * w_squared;
  if (!(discriminant >= 0) || !(b > 0)) return std::nullopt;
  const double s = 2 * w_squared / (b + std::sqrt(discriminant));
  return ScaledStep{kick + 0.5 * s * ratio / h, h};
}

/// Moves a state by `scaled_explicit_step`. `scaling(V)` returns λ and λ′. Symplectic, of order 1. Returns
/// false and leaves the state as it was if there is no solution.
template <QuadraticMotion State, class Scaling>
[[nodiscard]] bool adaptive_variational_step(State& state, double epsilon, double energy, Scaling&& scaling) {
  const double potential = state.potential_energy();
  const auto step = scaled_explicit_step(epsilon, energy, state.kinetic_energy(), potential, state.power(),
                                         state.squared_force(), scaling(potential));
  if (!step) return false;
  state.kick(step->kick);
  state.drift(step->duration);
  return true;
}

}  // namespace terrace
