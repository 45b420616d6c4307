// Explicit methods of equal steps on small systems, from splitting_steps.hpp.
#include "hamiltonian/compositions.hpp"
#include "hamiltonian/dense_motion.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/splitting_steps.hpp"

namespace terrace {

namespace {

/// Equal steps, each a composition of steps that kick and drift.
template <class Step>
class EqualSteps final : public Method {
 public:
  EqualSteps(HamiltonianSystem& system, double step, int order, Step of_one)
      : system_(system), step_(step), order_(order), of_one_(of_one) {}

  void step(DenseState& state) override {
    DenseMotion motion(system_, state, known_);
    compose(symmetric_composition(order_), step_, [&](double h) { of_one_(motion, h); });
  }
  [[nodiscard]] double equal_step() const override { return step_; }

 private:
  HamiltonianSystem& system_;
  double step_;
  int order_;
  Step of_one_;
  KnownGradient known_;
};

template <class Step>
MadeMethod equal_steps(HamiltonianSystem& system, const MethodSettings& settings, int order, Step step) {
  return std::make_unique<EqualSteps<Step>>(system, settings.time_step, order, step);
}

}  // namespace

MadeMethod make_symplectic_euler(HamiltonianSystem& system, const MethodSettings& settings) {
  const bool drift_first = settings.variant == "coordinates";
  return equal_steps(system, settings, 2, [drift_first](DenseMotion& motion, double h) {
    drift_first ? drift_kick(motion, h) : kick_drift(motion, h);
  });
}

MadeMethod make_verlet(HamiltonianSystem& system, const MethodSettings& settings) {
  return equal_steps(system, settings, settings.order,
                     [](DenseMotion& motion, double h) { kick_drift_kick(motion, h); });
}

MadeMethod make_forced_splitting(HamiltonianSystem& system, const MethodSettings& settings) {
  return equal_steps(system, settings, settings.order,
                     [](DenseMotion& motion, double h) { drift_kick_drift(motion, h); });
}

}  // namespace terrace
