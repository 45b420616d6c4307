#include "hamiltonian/scalings.hpp"

#include <fmt/core.h>

#include <cmath>

#include "hamiltonian/powers.hpp"
#include "parallel/error.hpp"

namespace terrace {

SignedPower::SignedPower(double exponent, double shift, double first)
    : exponent_(exponent), shift_(shift), sign_(std::copysign(1.0, first + shift)) {}

double SignedPower::size(double x) const {
  const double signed_size = sign_ * (x + shift_);
  if (!(signed_size > 0))
    throw Error(
        Error::Kind::run, "",
        "an energy plus integrator.scaling_shift that keeps its sign; choose another shift or a smaller "
        "step parameter",
        fmt::format("{}", x + shift_), Error::Reach::all_ranks);
  return signed_size;
}

double SignedPower::value(double x) const { return power(size(x), exponent_); }

double SignedPower::derivative(double x) const {
  const double of = size(x);
  return sign_ * exponent_ * power(of, exponent_) / of;
}

double SignedPower::second_derivative(double x) const {
  const double of = size(x);
  return exponent_ * (exponent_ - 1) * power(of, exponent_) / (of * of);
}

namespace {

/// λ(V(q)).
class PotentialScaling final : public TimeScaling {
 public:
  PotentialScaling(const HamiltonianSystem& system, const SignedPower& scaling)
      : system_(system), power_(scaling) {}
  [[nodiscard]] double value(View q) const override { return power_.value(system_.potential(q, 0)); }
  [[nodiscard]] Values gradient(View q) const override {
    return plus(Values(q.size(), 0.0), power_.derivative(system_.potential(q, 0)), system_.gradient(q, 0));
  }
  void add_hessian(View q, double factor, Matrix& hessian) const override {
    const double potential = system_.potential(q, 0);
    const double first = factor * power_.derivative(potential);
    const double second = factor * power_.second_derivative(potential);
    const Values gradient = system_.gradient(q, 0);
    Matrix of_potential(q.size());
    system_.add_hessian(q, 0, of_potential);
    for (std::size_t i = 0; i < q.size(); ++i)
      for (std::size_t j = 0; j < q.size(); ++j)
        hessian(i, j) += first * of_potential(i, j) + second * gradient[i] * gradient[j];
  }

 private:
  const HamiltonianSystem& system_;
  SignedPower power_;
};

}  // namespace

std::shared_ptr<const TimeScaling> scaling_by_place(const HamiltonianSystem& system,
                                                    const MethodSettings& settings) {
  if (settings.scaling == ScalingKind::system) return system.scaling;
  const double first = system.potential(system.initial.q, system.initial.time);
  return std::make_shared<PotentialScaling>(
      system, SignedPower(settings.scaling_exponent, settings.scaling_shift, first));
}

static double argument_of(ScalingKind kind, double kinetic, double potential) {
  if (kind == ScalingKind::kinetic) return kinetic;
  return kind == ScalingKind::action ? kinetic - potential : potential;
}

EnergyScaling::EnergyScaling(const HamiltonianSystem& system, const MethodSettings& settings)
    : kind_(settings.scaling),
      power_(settings.scaling_exponent, settings.scaling_shift,
             argument_of(settings.scaling, system.kinetic(system.initial.p),
                         system.potential(system.initial.q, system.initial.time))) {}

double EnergyScaling::operator()(double kinetic, double potential) const {
  return power_.value(argument_of(kind_, kinetic, potential));
}

}  // namespace terrace
