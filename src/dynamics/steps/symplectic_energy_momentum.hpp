// The symplectic-energy-momentum method SEM of Kane, Marsden and Ortiz (J. Math. Phys. 40, 1999).
#pragma once

#include <memory>
#include <string>

#include "dynamics/steps/implicit_integrator.hpp"
#include "dynamics/steps/system_energies.hpp"

namespace terrace {

/// The implicit midpoint rule, each of whose steps is as long as it takes to keep the discrete energy E_d = ½
/// (D/h)ᵀM (D/h) + V(middle) (γ = ½ in (IV.4) and (IV.6) of the paper): variational, so also symplectic in
/// space and time, with exact momenta. h follows the third root of −4/h ∂E_d/∂h = vᵀ∇∇V v + ∇VᵀM⁻¹∇V; an
/// energy that no step from half to twice the last one gives is let go: the step is then as long as the last,
/// and E_d its own from there on (the paper's variant a posteriori). What is reported as energy is E_d.
class SymplecticEnergyMomentum : public Integrator {
 public:
  /// `settings.step`: the first step, whose E_d is kept. Collective. Throws Error(input) for a step that is
  /// not positive, for supports that move, and for potentials without a Hessian; Error(run) where the first
  /// step's equations are not solved.
  SymplecticEnergyMomentum(Lagrangian& lagrangian, State& state, const ImplicitSettings& settings);

  bool advance(State& state, double until) override;

  /// E_d less the kinetic energy at the nodes' present velocities.
  [[nodiscard]] std::optional<double> conserved_potential() const override { return discrete_ - kinetic_; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override;
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::optional<StepRecord> step_record() const override { return record_; }
  [[nodiscard]] std::map<std::string, double> seconds_by_part() const override;
  /// Tells of energies that no step gave.
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void report(ContactExtremes& extremes) const override { lines_.report(extremes); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  [[nodiscard]] bool solve(const State& state, double step);
  void find_discrete_energy(const State& state);
  [[nodiscard]] bool find_step(const State& state, double& step);

  Lines lines_;
  MidpointForce force_;
  SubdomainGradient gradient_;
  SystemEnergies energies_;
  double tolerance_;
  double start_, time_, step_;  // step_: the last
  double energy_ = 0;           // E_d to keep [J]
  double discrete_ = 0;         // E_d as it came out
  double kinetic_ = 0;          // at the nodes, now
  double scale_ = 0;            // of energies, the largest seen
  double largest_change_ = 0;   // of E_d by unsolved steps [J]
  std::int64_t steps_ = 0;
  StepRecord record_;
  std::vector<NodeLine> middle_;
  ImplicitStep implicit_;
};

}  // namespace terrace
