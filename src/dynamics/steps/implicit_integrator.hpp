// Implicit integrators of equal steps: the midpoint rule, the energy-momentum method, the semi-explicit one.
#pragma once

#include <memory>
#include <string>

#include "dynamics/steps/implicit_step.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// Settings of implicit integrators.
struct ImplicitSettings {
  double step = 0;           ///< [s]
  double tolerance = 1e-12;  ///< of a step's equations, as a share of the step's momenta
};

/// An implicit integrator of equal steps with one of the StepForces. Linear momentum is exact; what else is
/// conserved or damped depends on the force. Results on different numbers of ranks agree to the solver's
/// tolerance.
class ImplicitIntegrator : public Integrator {
 public:
  /// `lines`: the Lines that `force` evaluates contact with. Collective. Throws Error(input) for a step that
  /// is not positive.
  ImplicitIntegrator(Lagrangian& lagrangian, State& state, const ImplicitSettings& settings,
                     std::unique_ptr<Lines> lines, std::unique_ptr<StepForce> force);

  /// Throws Error(run) where a step's equations are not solved even in the shortest parts.
  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override { return std::nullopt; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override { return step_; }
  [[nodiscard]] std::int64_t element_evaluations() const override;
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::optional<StepRecord> step_record() const override { return record_; }
  [[nodiscard]] std::map<std::string, double> seconds_by_part() const override;
  /// Warns of steps that were halved.
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void report(ContactExtremes& extremes) const override { lines_->report(extremes); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  const Lagrangian& lagrangian_;
  std::unique_ptr<Lines> lines_;
  std::unique_ptr<StepForce> force_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;  // of pairs of bodies that are near each other; none share terraces
  double step_, start_;
  std::int64_t steps_ = 0;
  StepRecord record_;
  ImplicitStep implicit_;
};

}  // namespace terrace
