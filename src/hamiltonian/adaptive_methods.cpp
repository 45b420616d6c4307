// Explicit methods whose steps adapt to the state: SYMP(T, V), SYMM and SYMP(q).
#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "hamiltonian/adaptive_steps.hpp"
#include "hamiltonian/compositions.hpp"
#include "hamiltonian/dense_motion.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/scalings.hpp"
#include "hamiltonian/splitting_steps.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

namespace {

/// SYMP(T, V): compositions of `time_transformed_step`.
class TimeTransformed final : public Method {
 public:
  TimeTransformed(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        epsilon_(settings.step_parameter),
        order_(settings.order),
        energy_(system.energy(system.initial)),
        scaling_(system, settings) {}

  void step(DenseState& state) override {
    DenseMotion motion(system_, state, known_);
    compose(symmetric_composition(order_), epsilon_, [&](double epsilon) {
      time_transformed_step(motion, epsilon, energy_,
                            [&](double kinetic, double potential) { return scaling_(kinetic, potential); });
    });
  }

 private:
  HamiltonianSystem& system_;
  double epsilon_;
  int order_;
  double energy_;
  EnergyScaling scaling_;
  KnownGradient known_;
};

/// SYMM: Verlet with `step_density_step`. Q = 1/l(q), l the scaling of time.
class StepDensity final : public Method {
 public:
  StepDensity(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        epsilon_(settings.step_parameter),
        scaling_(scaling_by_place(system, settings)),
        unit_(settings.unit_density) {
    if (settings.scaling == ScalingKind::potential)
      of_potential_.emplace(settings.scaling_exponent, settings.scaling_shift,
                            system.potential(system.initial.q, 0));
  }

  void step(DenseState& state) override {
    if (density_ == 0) {
      density_ = unit_ ? 1 : 1 / scaling_->value(state.q);
      constant_ = std::log(density_ * scaling_->value(state.q));
    }
    DenseMotion motion(system_, state, known_);
    const double start = state.time;
    // ξ = −d/dt log l. If l = λ(V), it uses the gradient that the kicks need anyway.
    const auto rate = [&](DenseMotion& seen) {
      if (of_potential_) {
        const double potential = seen.potential_energy();
        return -of_potential_->derivative(potential) * seen.power() / of_potential_->value(potential);
      }
      const Values& q = seen.state().q;
      return -dot(scaling_->gradient(q), system_.velocity(seen.state().p)) / scaling_->value(q);
    };
    const bool taken = step_density_step(motion, density_, epsilon_, rate,
                                         [](DenseMotion& moved, double h) { kick_drift_kick(moved, h); });
    if (!taken)
      throw Error(Error::Kind::run, at_time(start), "a step density above 0; take a smaller step parameter",
                  fmt::format("{}", density_), Error::Reach::all_ranks);
    // The exact flow keeps Q/ρ.
    drift_ = std::max(drift_, std::abs(std::log(density_ * scaling_->value(state.q)) - constant_));
  }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record;
    record.largest["density_drift"] = drift_;
    return record;
  }

 private:
  HamiltonianSystem& system_;
  double epsilon_;
  std::shared_ptr<const TimeScaling> scaling_;
  bool unit_;
  std::optional<SignedPower> of_potential_;
  double density_ = 0, constant_ = 0, drift_ = 0;
  KnownGradient known_;
};

/// SYMP(q) (Modin 2009, paper III, 2.2): two copies z⁰, z¹ of the state, each of which scales the time of the
/// other.
class DoubledPhaseSpace final : public Method {
 public:
  DoubledPhaseSpace(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        epsilon_(settings.step_parameter),
        energy_(system.energy(system.initial)),
        scaling_(scaling_by_place(system, settings)),
        zero_(system.initial),
        one_(system.initial) {}

  void step(DenseState& state) override {
    strang(one_, zero_);
    strang(zero_, one_);
    const Values apart = plus(one_.q, -1, zero_.q), apart_p = plus(one_.p, -1, zero_.p);
    const double gap = norm(apart, apart_p);
    gap_ = std::max(gap_, gap);
    if (!(gap < 0.5 * (norm(zero_.q, zero_.p) + norm(one_.q, one_.p))))
      throw Error(Error::Kind::run, at_time(state.time),
                  "the two copies of the state to stay together; take a smaller step parameter",
                  fmt::format("{:.3g} between them", gap), Error::Reach::all_ranks);
    const double before = scaling_->value(state.q);
    state.q = plus(zero_.q, 0.5, apart);
    state.p = plus(zero_.p, 0.5, apart_p);
    state.time += 0.5 * epsilon_ * (before + scaling_->value(state.q));
  }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record;
    record.largest["copies_apart"] = gap_;
    return record;
  }

 private:
  // φ_E^{ε/2} ∘ φ_F^ε ∘ φ_E^{ε/2}: l at `clock` scales the time of `moved`.
  void strang(DenseState& clock, DenseState& moved) {
    drift(clock, moved, 0.5 * epsilon_);
    const double scale = scaling_->value(clock.q);
    const double potential = system_.potential(moved.q, 0) - energy_;
    clock.p = plus(clock.p, -epsilon_ * potential, scaling_->gradient(clock.q));
    moved.p = plus(moved.p, -epsilon_ * scale, system_.gradient(moved.q, 0));
    drift(clock, moved, 0.5 * epsilon_);
  }
  static double norm(View q, View p) { return std::sqrt(dot(q, q) + dot(p, p)); }
  void drift(DenseState& clock, DenseState& moved, double a) {
    moved.q = plus(moved.q, a * scaling_->value(clock.q), system_.velocity(moved.p));
    clock.p = plus(clock.p, -a * system_.kinetic(moved.p), scaling_->gradient(clock.q));
  }

  HamiltonianSystem& system_;
  double epsilon_, energy_;
  std::shared_ptr<const TimeScaling> scaling_;
  DenseState zero_, one_;
  double gap_ = 0;
};

}  // namespace

MadeMethod make_time_transformed(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<TimeTransformed>(system, settings);
}

MadeMethod make_step_density(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<StepDensity>(system, settings);
}

MadeMethod make_doubled_phase_space(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<DoubledPhaseSpace>(system, settings);
}

}  // namespace terrace
