// Explicit integrators with variable steps, the same for all nodes, that depend on the potential energy.
#pragma once

#include <memory>

#include "dynamics/state/integrator.hpp"
#include "dynamics/steps/system_motion.hpp"
#include "hamiltonian/adaptive_steps.hpp"

namespace terrace {

/// Methods with variable steps that keep the geometric properties of equal ones; named as in the registry.
enum class AdaptiveMethod {
  time_transformed_splitting,  ///< SYMP(T, V) (Modin 2009, paper III), symplectic
  step_density,                ///< SYMM (Hairer and Söderlind 2005), reversible
  adaptive_variational         ///< met2 (Modin and Führer 2006), symplectic, of first order
};

/// Steps of length step · ((V + c)/c)^exponent: `step` where V = 0, and, with a negative exponent, shorter
/// the more energy is stored.
struct ScalingSettings {
  double step = 0;         ///< ε [s]
  int order = 2;           ///< of the splitting: 2, 4, 6 or 8
  double exponent = -0.5;  ///< that of springs whose stiffness grows with their energy
  double shift = 0;        ///< c [J], of the sign of V; 0: a tenth of the energy at the start
};

/// λ(V) = ((V + c)/c)^exponent, the length of a step in units of ScalingSettings::step.
class PotentialPower {
 public:
  PotentialPower(double exponent, double shift) : exponent_(exponent), shift_(shift) {}
  /// λ and its derivative by V at `potential` [J]. Throws Error(run) on all ranks, naming `time`, where V + c
  /// does not have the sign of c.
  [[nodiscard]] ScalingOfPotential at(double potential, double time) const;

 private:
  double exponent_, shift_;
};

/// One of the AdaptiveMethods for any system; the same bits on any number of ranks.
class AdaptiveIntegrator : public Integrator {
 public:
  /// Collective. Throws Error(input) for a step that is not positive, for supports that move, for an order
  /// above 2 where bodies may touch each other, and where no shift is given and there is no energy at the
  /// start to choose it by.
  AdaptiveIntegrator(AdaptiveMethod method, Lagrangian& lagrangian, State& state,
                     const ScalingSettings& settings);

  /// Throws Error(run) where a step has no solution.
  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override { return std::nullopt; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override;
  [[nodiscard]] std::int64_t element_evaluations() const override { return motion_.element_evaluations(); }
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return motion_.gradient_evaluations(); }
  [[nodiscard]] std::optional<StepRecord> step_record() const override { return record_; }
  void report(ContactExtremes& extremes) const override { motion_.report(extremes); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void split_in_scaled_time();
  [[nodiscard]] bool step_by_density();
  [[nodiscard]] bool step_variationally();

  AdaptiveMethod method_;
  ScalingSettings settings_;
  SystemMotion motion_;
  double start_, time_, last_step_;
  bool has_lowest_potential_;  ///< V does not fall without bound
  double energy_ = 0, density_ = 0;
  PotentialPower scaling_{0, 1};
  std::int64_t steps_ = 0;
  StepRecord record_;
};

}  // namespace terrace
