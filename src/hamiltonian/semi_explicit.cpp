// The semi-explicit method (semi_explicit_step.hpp) on small systems, with equal steps or with steps that
// follow the stiffness it meets.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "hamiltonian/dense_motion.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/semi_explicit_step.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

namespace {

class SemiExplicit final : public Method {
 public:
  SemiExplicit(HamiltonianSystem& system, const MethodSettings& settings)
      : system_(system),
        h_(settings.time_step),
        alpha_(settings.explicit_weight),
        beta_(settings.implicit_weight),
        tolerance_(settings.tolerance),
        newton_(system.size()) {}

  void step(DenseState& state) override {
    if (tolerance_ > 0) return controlled_step(state);
    SplitMotion motion(system_, state, newton_);
    semi_explicit_step(motion, h_, alpha_, beta_);
  }
  [[nodiscard]] double equal_step() const override { return tolerance_ > 0 ? 0 : h_; }

  [[nodiscard]] MethodRecord record() const override {
    MethodRecord record = record_of(newton_);
    record.rejected = rejected_;
    return record;
  }

 private:
  // Takes a step h with h² σ ≤ tolerance, σ the stiffness along the motion that the last step met. If this
  // step meets far more stiffness (the first one: any more), it is taken again, shorter.
  void controlled_step(DenseState& state) {
    constexpr double much = 4;  // the step is twice as long as it should be
    for (double h = std::min(next_, h_);;) {
      DenseState trial = state;
      SplitMotion motion(system_, trial, newton_);
      semi_explicit_step(motion, h, alpha_, beta_);
      const double stiffness = stiffness_along(state, motion.held(), h);
      const bool is_first = std::isinf(next_);
      next_ = stiffness > 0 ? std::sqrt(tolerance_ / stiffness) : h_;
      if (!(h * h * stiffness > (is_first ? 1 : much) * tolerance_) || !(next_ < h)) {
        state = std::move(trial);
        return;
      }
      ++rejected_;
      h = next_;
    }
  }

  // σ = |A_{n+α} − A_n| / (α h |v|), (15) of paper V, where A_{n+α} is taken after the way α h v. Near rest
  // this way is too short: then A is evaluated at the place to which the forces have also moved the system by
  // then.
  double stiffness_along(const DenseState& state, View held, double h) const {
    const Values v = system_.velocity(state.p), before = explicit_force(state.q, v, state.time);
    const double time = alpha_ * h;
    Values way(v.begin(), v.end()),
        accelerated =
            plus(before, 1, system_.force(state.q, v, state.time, HamiltonianSystem::Part::implicit_part));
    for (std::size_t i = 0; i < way.size(); ++i) {
      way[i] *= time;
      accelerated[i] *= 0.5 * time * time / system_.masses[i];
    }
    if (dot(accelerated, accelerated) <= dot(way, way))
      return change(before, held) / std::sqrt(dot(way, way));
    way = plus(way, 1, accelerated);
    const double length = std::sqrt(dot(way, way));
    return length > 0 ? change(before, explicit_force(plus(state.q, 1, way), v, state.time)) / length : 0;
  }

  Values explicit_force(View q, View v, double time) const {
    return system_.force(q, v, time, HamiltonianSystem::Part::explicit_part);
  }

  // Norm of the difference of accelerations, given the forces.
  double change(View before, View after) const {
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double acceleration = (after[i] - before[i]) / system_.masses[i];
      sum += acceleration * acceleration;
    }
    return std::sqrt(sum);
  }

  HamiltonianSystem& system_;
  double h_, alpha_, beta_, tolerance_;
  double next_ = infinity;
  std::int64_t rejected_ = 0;
  NewtonSolver newton_;
};

}  // namespace

MadeMethod make_semi_explicit(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<SemiExplicit>(system, settings);
}

}  // namespace terrace
