// The energy-momentum method of LaBudde and Greenspan (thesis (3.83)), of second order, implicit.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/state/integrator.hpp"

namespace terrace {

/// q′ = q + Δt/2 (v + v′), v′ = v − Δt M⁻¹ Σ ΔU/Δ(r²) (d′ + d). The sum is over terms U of one distance r =
/// |d| each, between two nodes or from a node to a point. Energy and angular momentum are exact but for
/// rounding, and so is linear momentum where all terms are of pairs. The equations are iterated to the last
/// digits. Rank 0 has the whole system; other ranks only count the steps.
class LaBuddeGreenspan : public Integrator {
 public:
  /// Collective. Throws Error(input) for a step that is not positive, for supports, and for potentials that
  /// are no functions of single distances, which it names.
  LaBuddeGreenspan(const Lagrangian& system, State& state, double step);

  /// Throws Error(run) where a step is too long for its equations to be solved by iteration.
  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override { return std::nullopt; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override { return step_; }
  void report(ContactExtremes& /*extremes*/) const override {}
  void share() override;
  void save(ByteWriter& writer) const override { writer(steps_, start_, positions_, velocities_); }
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void take_step();
  void add_impulses(std::span<const Vector3> ends, std::span<Vector3> velocities);
  void list_terms(double margin);

  const Lagrangian& system_;
  std::vector<std::unique_ptr<RadialTerms>> potentials_;
  std::vector<int> reactions_;  // as Subdomain::reaction_of_potential, by place in potentials_
  double step_, start_;
  std::int64_t steps_ = 0;
  std::vector<Vector3> positions_, velocities_;  // of rank 0's nodes
  std::vector<Vector3> received_;   // momentum that each reaction received in the last step [kg m/s]
  std::vector<Vector3> listed_at_;  // positions for which terms were listed; empty: not yet
  double margin_ = 0;               // of the list [length]
};

}  // namespace terrace
