// The scalings of time that a deck asks for.
#pragma once

#include "hamiltonian/method.hpp"

namespace terrace {

/// |x + shift|^exponent and its derivatives by x. They throw Error(run), with an empty `where`, if x + shift
/// is 0 or has not the sign that first + shift had: time would stop or run away.
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

/// The scaling l(q) that the deck asks for: a power of the potential energy, or the system's own.
[[nodiscard]] std::shared_ptr<const TimeScaling> scaling_by_place(const HamiltonianSystem& system,
                                                                  const MethodSettings& settings);

/// The scaling g(T, V) that the deck asks for; `settings.scaling` must not be `system`.
class EnergyScaling {
 public:
  EnergyScaling(const HamiltonianSystem& system, const MethodSettings& settings);
  [[nodiscard]] double operator()(double kinetic, double potential) const;

 private:
  ScalingKind kind_;
  SignedPower power_;
};

}  // namespace terrace
