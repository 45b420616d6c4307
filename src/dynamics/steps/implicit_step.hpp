// One step of an implicit method: solves its equations, then moves the state with exact momentum.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/state/integrator.hpp"
#include "dynamics/steps/step_equations.hpp"

namespace terrace {

/// Solves for D, and then kicks by h/2, drifts by h and kicks by h/2, all with the same G(D): p′ = p − h G,
/// u′ = u + h M⁻¹ (p + p′)/2. Kicks are integer impulses, so that linear momentum, ledgers of what acts from
/// outside included, is exact to the quantum whatever residual the solver leaves.
class ImplicitStep {
 public:
  /// All arguments must outlive this. `tolerance`: as StepEquations. Collective.
  ImplicitStep(const Lagrangian& lagrangian, StepForce& force, SubdomainGradient& gradient, double tolerance);

  /// Moves `state` to the time `end` [s] in one step; where its equations are not solved, in two halves, and
  /// so on up to ten times. Throws Error(run) on all ranks where even the shortest step is not solved.
  /// Collective.
  void advance(State& state, double end, StepRecord& record) { advance(state, end, record, 0); }

  /// Solves for a step to `end` [s] without changing the state. True if it is solved, and V has a value where
  /// the step ends. Collective.
  [[nodiscard]] bool solve(const State& state, double end, StepRecord& record);
  /// Moves the state by the last solution, whose step ends at `end`. Collective.
  void apply(State& state, double end);

  [[nodiscard]] StepEquations& equations() { return equations_; }
  [[nodiscard]] const StepEquations& equations() const { return equations_; }
  /// Why the last step that failed did so; for messages.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// Only the reason, which later warnings name: everything else is made anew for each step.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.reason_);
  }

 private:
  void advance(State& state, double end, StepRecord& record, int halvings);
  [[nodiscard]] bool ends_with_energy(const State& state);

  const Lagrangian& lagrangian_;
  StepForce& force_;
  SubdomainGradient& gradient_;
  StepEquations equations_;
  std::string reason_;
  std::vector<std::int32_t> nodes_;
  std::vector<std::uint8_t> changed_;
  std::vector<Vector3> end_;
};

}  // namespace terrace
