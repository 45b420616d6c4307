// The symplectic-energy-momentum method SEM of Kane, Marsden and Ortiz (J. Math. Phys. 40, 1999).
#pragma once

#include <memory>
#include <string>

#include "dynamics/steps/implicit_integrator.hpp"
#include "dynamics/steps/system_energies.hpp"

namespace terrace {

/// The implicit midpoint rule with steps whose length h conserves the discrete energy E_d = ½ (D/h)ᵀM (D/h) +
/// V(middle) (γ = ½ in (IV.4) and (IV.6) of the paper). It is variational, so also symplectic in space and
/// time, with exact momenta. h³ times −4/h ∂E_d/∂h = vᵀ∇∇V v + ∇VᵀM⁻¹∇V stays about constant. Where no step
/// from half to twice the last one gives the energy, the step is as long as the last, and its E_d is the one
/// to conserve from then on (the paper's variant a posteriori). E_d is what is reported as energy.
class SymplecticEnergyMomentum : public Integrator {
 public:
  /// `settings.step`: length of the first step, whose E_d is conserved. Collective. Throws Error(input) for a
  /// step that is not positive, for supports that move, and for potentials without a Hessian; Error(run)
  /// where the first step's equations are not solved.
  SymplecticEnergyMomentum(Lagrangian& lagrangian, State& state, const ImplicitSettings& settings);

  bool advance(State& state, double until) override;

  /// E_d less the kinetic energy of the nodes' present velocities [J].
  [[nodiscard]] std::optional<double> conserved_potential() const override { return discrete_ - kinetic_; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override;
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::optional<StepRecord> step_record() const override { return record_; }
  [[nodiscard]] std::map<std::string, double> seconds_by_part() const override;
  /// Warns of steps that could not conserve E_d.
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
  double start_, time_, step_;  // step_: length of the last step
  double energy_ = 0;           // E_d to conserve [J]
  double discrete_ = 0;         // E_d of the last step [J]
  double kinetic_ = 0;          // of the nodes' present velocities [J]
  double scale_ = 0;            // largest energy seen [J]
  double largest_change_ = 0;   // of E_d by unsolved steps [J]
  std::int64_t steps_ = 0;
  StepRecord record_;
  std::vector<NodeLine> middle_;
  ImplicitStep implicit_;
};

}  // namespace terrace
