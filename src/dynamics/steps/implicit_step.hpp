// One step of an implicit method: its equations solved, then a motion with exact momentum.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/state/integrator.hpp"
#include "dynamics/steps/step_equations.hpp"

namespace terrace {

/// Solves for D, and then kicks, drifts and kicks by h/2 and h with the same G(D): p′ = p − h G, u′ = u + h
/// M⁻¹ (p + p′)/2. Kicks are integer impulses, so that linear momentum is exact to the quantum whatever the
/// solver leaves, and ledgers of what acts from outside close.
class ImplicitStep {
 public:
  /// All outlive this. Collective.
  ImplicitStep(const Lagrangian& lagrangian, StepForce& force, SubdomainGradient& gradient, double tolerance);

  /// To the time `end`: in one step, or, where its equations are not solved, in two halves, and so on.
  /// Collective. Throws Error(run) on all ranks where even the shortest are not solved.
  void advance(State& state, double end, StepRecord& record) { advance(state, end, record, 0); }

  /// Solves for a step to `end` and leaves the state as it is; true if solved, and V has a value where it
  /// ends.
  [[nodiscard]] bool solve(const State& state, double end, StepRecord& record);
  /// Goes on by the last solution, whose step ends at `end`.
  void apply(State& state, double end);

  [[nodiscard]] StepEquations& equations() { return equations_; }
  [[nodiscard]] const StepEquations& equations() const { return equations_; }
  /// Why the last one that was not solved was not.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// What warnings to come tell of: everything else is made anew for each step.
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
