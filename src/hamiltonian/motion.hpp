// What explicit methods ask of a system whose energy is T(p) + V(q). The same methods move a pendulum and a
// mesh of finite elements.
#pragma once

#include <concepts>

namespace terrace {

/// A state that moves by two flows. `kick(s)`: p −= s ∇V(q), at the present time if V depends on time.
/// `drift(s)`: q += s ∇T(p) and `time` += s. Steps s may have any sign.
template <class T>
concept Motion = requires(T& motion, const T& seen, double step) {
  motion.kick(step);
  motion.drift(step);
  { seen.time } -> std::convertible_to<double>;
};

/// A Motion that also knows T(p), V(q) and the power dV/dt = ∇V · ∇T(p) of its present state.
template <class T>
concept EnergeticMotion = Motion<T> && requires(T& motion) {
  { motion.kinetic_energy() } -> std::convertible_to<double>;
  { motion.potential_energy() } -> std::convertible_to<double>;
  { motion.power() } -> std::convertible_to<double>;
};

/// An EnergeticMotion whose kinetic energy is ½ pᵀM⁻¹p. `squared_force()` is ∇VᵀM⁻¹∇V, from which T after a
/// kick is known before the kick.
template <class T>
concept QuadraticMotion = EnergeticMotion<T> && requires(T& motion) {
  { motion.squared_force() } -> std::convertible_to<double>;
};

/// A state with M q̈ = F^A + F^B, where F^A is costly and soft, F^B cheap and stiff (Modin 2009, paper V).
///   hold_explicit_force()      stores F^A(q, v, t) of the present state
///   solve_acceleration(h, β)   stores a with M a = F^A + F^B(q + β h² a/2, v + β h a, t), F^A as stored
///   accelerate(h)              v += h a
///   drift(s)                   as that of a Motion
template <class T>
concept SemiExplicitMotion = requires(T& motion, double step) {
  motion.drift(step);
  motion.hold_explicit_force();
  motion.solve_acceleration(step, step);
  motion.accelerate(step);
};

}  // namespace terrace
