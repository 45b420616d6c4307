#include "dynamics/steps/adaptive_integrator.hpp"

#include <fmt/core.h>

#include <cmath>

#include "dynamics/system/supports.hpp"
#include "hamiltonian/compositions.hpp"
#include "hamiltonian/splitting_steps.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"

namespace terrace {

ScalingOfPotential PotentialPower::at(double potential, double time) const {
  const double base = (potential + shift_) / shift_;
  if (!(base > 0) || !std::isfinite(base))
    throw Error(Error::Kind::run, at_time(time),
                "a potential energy plus integrator.scaling_shift that keeps its sign: choose a larger one",
                fmt::format("{:g} and {:g}", potential, shift_), Error::Reach::all_ranks);
  const double value = numerics::exp(exponent_ * numerics::log(base));
  return {value, exponent_ * value / (base * shift_)};
}

AdaptiveIntegrator::AdaptiveIntegrator(AdaptiveMethod method, Lagrangian& lagrangian, State& state,
                                       const ScalingSettings& settings)
    : method_(method),
      settings_(settings),
      motion_(lagrangian),
      start_(state.time),
      time_(state.time),
      last_step_(positive_step(settings.step)),
      has_lowest_potential_(lagrangian.gravity == Vector3{}) {
  require_supports_at_rest(lagrangian);
  if (settings.order > 2 && lagrangian.contact_pairs != nullptr)
    throw Error(Error::Kind::input, "integrator.order",
                "2 where bodies may touch each other: compositions also step back in time",
                fmt::format("{}", settings.order));
  motion_.start(state);
  motion_.look_at(state);
  const double potential = motion_.potential_energy();
  energy_ = motion_.kinetic_energy() + potential;
  // Particles that attract each other have a negative V. Bodies at rest store rounding errors of either sign.
  const bool attracts = potential < -1e-3 * std::abs(energy_);
  if (settings_.shift == 0) settings_.shift = (attracts ? -0.1 : 0.1) * std::abs(energy_);
  if (settings_.shift == 0)
    throw Error(Error::Kind::input, "integrator.scaling_shift", "an energy, as there is none at the start",
                "none");
  scaling_ = PotentialPower(settings_.exponent, settings_.shift);
  density_ = 1 / scaling_.at(potential, time_).value;
}

void AdaptiveIntegrator::split_in_scaled_time() {
  const auto scaling = [&](double /*kinetic*/, double potential) {
    return scaling_.at(potential, motion_.time).value;
  };
  compose(symmetric_composition(settings_.order), settings_.step,
          [&](double epsilon) { time_transformed_step(motion_, epsilon, energy_, scaling); });
}

// Steps h are to be ε/Q with Q = 1/λ(V).
bool AdaptiveIntegrator::step_by_density() {
  const auto rate = [&](SystemMotion& motion) {
    const ScalingOfPotential scaling = scaling_.at(motion.potential_energy(), motion.time);
    return -scaling.derivative / scaling.value * motion.power();
  };
  const double step = settings_.step / density_;
  // `rate` is d(log Q)/dt, by which the density ε/h follows Q.
  const bool taken =
      step_density_step(motion_, density_, settings_.step, rate,
                        [](SystemMotion& motion, double duration) { kick_drift_kick(motion, duration); });
  // Where V + c is about to change its sign, steps grow without bound and a smaller ε would not help: at()
  // throws the error that says so.
  if (!taken && !has_lowest_potential_)
    (void)scaling_.at(motion_.potential_energy() + step * motion_.power(), motion_.time);
  return taken;
}

bool AdaptiveIntegrator::step_variationally() {
  return adaptive_variational_step(motion_, settings_.step, energy_,
                                   [&](double potential) { return scaling_.at(potential, motion_.time); });
}

bool AdaptiveIntegrator::advance(State& state, double until) {
  state.time = time_;
  if (time_ >= until - 1e-9 * last_step_) return false;
  motion_.look_at(state);
  bool taken = true;
  switch (method_) {
    case AdaptiveMethod::time_transformed_splitting:
      split_in_scaled_time();
      break;
    case AdaptiveMethod::step_density:
      taken = step_by_density();
      break;
    case AdaptiveMethod::adaptive_variational:
      taken = step_variationally();
      break;
  }
  if (!taken)
    throw Error(Error::Kind::run, at_time(time_), "a step with a solution: lower integrator.time_step",
                "none", Error::Reach::all_ranks);
  last_step_ = state.time - time_;
  time_ = state.time;
  record_.note_step(last_step_);
  ++steps_;
  return true;
}

double AdaptiveIntegrator::average_step() const {
  return steps_ > 0 ? (time_ - start_) / static_cast<double>(steps_) : settings_.step;
}

void AdaptiveIntegrator::save(ByteWriter& writer) const {
  motion_.save(writer);
  writer(start_, time_, last_step_, energy_, density_, settings_.shift, steps_, record_);
}

void AdaptiveIntegrator::restore(const State& /*state*/, ByteReader& reader) {
  motion_.restore(reader);
  reader(start_, time_, last_step_, energy_, density_, settings_.shift, steps_, record_);
  scaling_ = PotentialPower(settings_.exponent, settings_.shift);
}

std::uint64_t AdaptiveIntegrator::hash() const { return mix(static_cast<std::uint64_t>(steps_)); }

}  // namespace terrace
