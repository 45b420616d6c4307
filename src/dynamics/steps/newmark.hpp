// Explicit Newmark, β = 0, γ = ½ (thesis (3.82)), which is velocity Verlet.
#pragma once

#include "dynamics/state/integrator.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// The stable step of the undeformed bodies with smooth contact and walls [s]. Uses that the ω² of an element
/// and the contact springs on its nodes together is at most the sum of both.
[[nodiscard]] double stable_newmark_step(const Lagrangian& lagrangian);

/// Explicit Newmark: half kick, drift, half kick. Kicks are integer impulses, so that the total momentum is
/// exact here too. The step is fixed. Every ten steps it is compared with a step that is safe for the
/// deformed elements, without contact and walls.
class Newmark : public Integrator {
 public:
  /// Collective. Throws Error(input) for a step that is not positive.
  Newmark(Lagrangian& lagrangian, State& state, double step);

  bool advance(State& state, double until) override;

  [[nodiscard]] std::optional<double> conserved_potential() const override { return std::nullopt; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return steps_; }
  [[nodiscard]] double average_step() const override { return step_; }
  [[nodiscard]] std::int64_t element_evaluations() const override { return gradient_.element_evaluations(); }
  [[nodiscard]] std::int64_t gradient_evaluations() const override { return gradient_.element_evaluations(); }
  /// Warns where the step is longer than the shortest safe one seen so far.
  void describe_trouble(std::vector<Warning>& warnings) const override;
  void report(ContactExtremes& extremes) const override { lines_.report(extremes); }
  void save(ByteWriter& writer) const override;
  void restore(const State& state, ByteReader& reader) override;
  [[nodiscard]] std::uint64_t hash() const override;

 private:
  void watch_stable_step(const State& state);
  void kick(State& state, double duration);

  const Lagrangian& lagrangian_;
  Lines lines_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;  // of pairs of bodies that are near each other; none share terraces
  NearPairs& near_pairs_;
  double step_, start_, grid_ = 0;
  std::int64_t steps_ = 0;
  double least_stable_step_, least_stable_time_ = 0;
  std::vector<std::int32_t> nodes_;
  std::vector<std::uint8_t> changed_;
  std::vector<Vector3> positions_;
};

}  // namespace terrace
