// The semi-explicit method on small systems: semi_explicit_step.hpp, with equal steps or by the stiffness it
// meets.
#include <algorithm>
#include <cmath>
#include <limits>

#include "hamiltonian/dense_motion.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/semi_explicit_step.hpp"

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
    const double h = tolerance_ > 0 ? std::min(next_, h_) : h_;
    const Values v = system_.velocity(state.p);
    Values before;
    if (tolerance_ > 0)
      before = system_.force(state.q, v, state.time, HamiltonianSystem::Part::explicit_part);
    SplitMotion motion(system_, state, newton_);
    semi_explicit_step(motion, h, alpha_, beta_);
    if (tolerance_ > 0) control(plus(motion.held(), -1, before), v, h);
  }
  [[nodiscard]] double equal_step() const override { return tolerance_ > 0 ? 0 : h_; }

  [[nodiscard]] MethodRecord record() const override { return record_of(newton_); }

 private:
  // h² σ ≤ tolerance with the stiffness along the motion, σ = |A_{n+α} − A_n| / (α h |v|): (15) of paper V.
  void control(View change, View v, double h) {
    double of_change = 0;
    for (std::size_t i = 0; i < change.size(); ++i) {
      const double acceleration = change[i] / system_.masses[i];
      of_change += acceleration * acceleration;
    }
    const double speed = std::sqrt(dot(v, v)), moved = alpha_ * h * speed;
    const double stiffness = moved > 0 ? std::sqrt(of_change) / moved : 0;
    next_ = stiffness > 0 ? std::sqrt(tolerance_ / stiffness) : h_;
  }

  HamiltonianSystem& system_;
  double h_, alpha_, beta_, tolerance_;
  double next_ = std::numeric_limits<double>::infinity();
  NewtonSolver newton_;
};

}  // namespace

MadeMethod make_semi_explicit(HamiltonianSystem& system, const MethodSettings& settings) {
  return std::make_unique<SemiExplicit>(system, settings);
}

}  // namespace terrace
