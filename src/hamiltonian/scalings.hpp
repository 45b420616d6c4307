// Scalings of time as the deck asks for them.
#pragma once

#include "hamiltonian/method.hpp"

namespace terrace {

/// |x + shift|^exponent and its derivative by x. Throws Error(run), without a place, where x + shift has
/// not the sign it began with, `sign`: time would stop or run away.
class SignedPower {
 public:
  SignedPower(double exponent, double shift, double first);
  [[nodiscard]] double value(double x) const;
  [[nodiscard]] double derivative(double x) const;
  [[nodiscard]] double second_derivative(double x) const;

 private:
  [[nodiscard]] double size(double x) const;
  double exponent_, shift_, sign_;
};

/// l(q) of the deck: of the potential energy, or the system's own. `start` is the first state.
[[nodiscard]] std::shared_ptr<const TimeScaling> scaling_by_place(const HamiltonianSystem& system,
                                                                  const MethodSettings& settings);

/// g(T, V) of the deck, for `scaling.kind` other than system.
class EnergyScaling {
 public:
  EnergyScaling(const HamiltonianSystem& system, const MethodSettings& settings);
  [[nodiscard]] double operator()(double kinetic, double potential) const;

 private:
  ScalingKind kind_;
  SignedPower power_;
};

}  // namespace terrace
