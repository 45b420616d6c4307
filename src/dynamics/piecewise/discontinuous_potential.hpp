// Integrators of potentials with steps: M. Tao and S. Jin, "Accurate and efficient simulations of Hamiltonian
// mechanical systems with discontinuous potentials".
#pragma once

#include <optional>
#include <vector>

#include "dynamics/piecewise/quadratic_arcs.hpp"
#include "dynamics/piecewise/smooth_flow.hpp"
#include "dynamics/piecewise/step_interfaces.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/choices.hpp"

namespace terrace {

/// Integrates H = K + U + W in equal steps of time. U is smooth; W is constant but for steps, at which nodes
/// are refracted or reflected. The whole system is on rank 0, and the other ranks are told of each step.
class DiscontinuousPotential : public Integrator {
 public:
  /// Collective. Throws Error(input) for a step that is not positive, held nodes, DP2 with anything but one
  /// coordinate and one interface, and the penalty with an infinite step or a region that has a formula; and
  /// Error(run) for a start behind a wall. The penalty's steepness must be positive, which the deck's reader
  /// asks for.
  DiscontinuousPotential(const Lagrangian& system, State& state, const StepMethodChoice& choice, double step);

  bool advance(State& state, double until) override;
  void bring_up_to_date(State& state) override;

  /// U + W at the end of the last step; with the penalty the smoothed W.
  [[nodiscard]] std::optional<double> conserved_potential() const override { return potential_; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] std::int64_t reflections() const override { return reflections_; }
  [[nodiscard]] double average_step() const override { return step_; }
  /// Warns of steps whose first impact is not certain.
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void report(ContactExtremes& /*extremes*/) const override {}
  void share() override;
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void take_step();
  void drift_with_impacts(Phase& phase, double duration);
  void step_with_impacts();
  [[nodiscard]] Phase smooth_step(const Phase& phase, double step) const;
  [[nodiscard]] MotionBound bound_of(const Phase& start, const Phase& end, double step);
  void count(const StepInterfaces::Crossing& crossing, Phase& phase);

  const Lagrangian& system_;
  StepMethodChoice choice_;
  SmoothForces forces_;
  StepInterfaces interfaces_;
  std::optional<QuadraticArcs> arcs_;  // of DP2
  double step_, start_;
  std::int64_t steps_ = 0, reflections_ = 0, uncertain_ = 0;
  double potential_ = 0;
  Phase phase_;  // of all nodes, on rank 0; on others as last shared
};

}  // namespace terrace
