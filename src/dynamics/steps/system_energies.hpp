// Energies of the whole system for integrators by steps, as exact sums: the same bits on any number of ranks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/system/by_serial_number.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

/// All functions are collective.
class SystemEnergies {
 public:
  explicit SystemEnergies(const Lagrangian& lagrangian);

  /// ½ Σ p·v [J]
  [[nodiscard]] double kinetic(const State& state);
  /// V [J] with the nodes where their lines are at `instant` [s]; NaN or +∞ where V has no value.
  [[nodiscard]] double potential(std::span<const NodeLine> lines, double instant);
  /// dV/dt = Σ n·v, and nᵀM⁻¹n of the components that are not held, with n = `gradient`, by local node
  /// [force].
  struct Products {
    double power = 0, squared_force = 0;
  };
  [[nodiscard]] Products products(const State& state, std::span<const Vector3> gradient);
  /// Elements of this rank whose energies were evaluated.
  [[nodiscard]] std::int64_t element_evaluations() const { return evaluations_; }

 private:
  const Lagrangian& lagrangian_;
  double terms_;
  std::int64_t evaluations_ = 0;
  std::unordered_set<const Potential*> is_elastic_;
  std::vector<ElementMeasures> elements_;
  BySerialNumber<EnergyTerms> terms_of_others_;  // of potentials that are not elastic
  std::vector<double> first_, second_;
};

}  // namespace terrace
