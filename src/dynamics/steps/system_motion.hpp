// A system as explicit methods need it: kicks, drifts and energies (hamiltonian/motion.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/steps/system_energies.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// A QuadraticMotion of any Lagrangian. Kicks are integer impulses, so that linear momentum is exact to the
/// quantum, and energies are exact sums: the same bits on any number of ranks. The gradient is evaluated when
/// it is first needed, once for each configuration. Kicks, drifts and energies need look_at() first and are
/// collective.
class SystemMotion {
 public:
  explicit SystemMotion(Lagrangian& lagrangian);

  /// Makes `state` the one that moves, from state.time on; it must outlive its use.
  void look_at(State& state);
  /// Finds the pairs of bodies that are near each other at the start.
  void start(const State& state) { graph_.near_pairs().start(state.lines, state.time); }

  void kick(double duration);
  void drift(double duration);
  double time = 0;

  [[nodiscard]] double kinetic_energy() { return energies_.kinetic(*state_); }
  [[nodiscard]] double potential_energy();
  [[nodiscard]] double power() { return products().power; }
  [[nodiscard]] double squared_force() { return products().squared_force; }

  [[nodiscard]] std::int64_t element_evaluations() const {
    return gradient_.element_evaluations() + energies_.element_evaluations();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const { return gradient_.element_evaluations(); }
  void report(ContactExtremes& extremes) const { lines_.report(extremes); }
  void save(ByteWriter& writer) const;
  void restore(ByteReader& reader);

 private:
  void find_gradient();
  [[nodiscard]] SystemEnergies::Products products();
  void leave();

  const Lagrangian& lagrangian_;
  State* state_ = nullptr;
  Lines lines_;
  SubdomainGradient gradient_;
  TerraceGraph graph_;  // of pairs of bodies that are near each other; none share terraces
  SystemEnergies energies_;
  // Of the present configuration, once they are evaluated: the quantum of the gradient's grid, and V.
  std::optional<double> grid_, potential_;
  std::vector<std::int32_t> nodes_;
  std::vector<std::uint8_t> changed_;
};

}  // namespace terrace
