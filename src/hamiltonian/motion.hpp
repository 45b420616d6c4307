// What explicit methods ask of a system whose energy is T(p) + V(q): the same methods then move a pendulum
// and a mesh of finite elements.
#pragma once

#include <concepts>

namespace terrace {

/// A state that splits into two flows. `kick(s)`: p −= s ∇V(q), at the present time where V depends on it;
/// `drift(s)`: q += s ∇T(p) and `time` += s. Both take steps s of any sign.
template <class T>
concept Motion = requires(T& motion, const T& seen, double step) {
  motion.kick(step);
  motion.drift(step);
  { seen.time } -> std::convertible_to<double>;
};

/// It also knows its energies: T(p), V(q) and dV/dt = ∇V · ∇T(p), each of the state as it is.
template <class T>
concept EnergeticMotion = Motion<T> && requires(T& motion) {
  { motion.kinetic_energy() } -> std::convertible_to<double>;
  { motion.potential_energy() } -> std::convertible_to<double>;
  { motion.power() } -> std::convertible_to<double>;
};

/// And its kinetic energy is ½ pᵀM⁻¹p: `squared_force()` is ∇VᵀM⁻¹∇V, so that T after a kick is known before
/// it.
template <class T>
concept QuadraticMotion = EnergeticMotion<T> && requires(T& motion) {
  { motion.squared_force() } -> std::convertible_to<double>;
};

/// M q̈ = F^A + F^B, where F^A is dear and soft, F^B cheap and stiff (Modin 2009, paper V).
///   hold_explicit_force()      remembers F^A(q, v, t) of the state as it is
///   solve_acceleration(h, β)   remembers a: M a = F^A + F^B(q + β h² a/2, v + β h a, t), F^A the one held
///   accelerate(h)              v += h a
///   drift(s)                   as of any motion
template <class T>
concept SemiExplicitMotion = requires(T& motion, double step) {
  motion.drift(step);
  motion.hold_explicit_force();
  motion.solve_acceleration(step, step);
  motion.accelerate(step);
};

}  // namespace terrace
