// The energies of a potential at a sequence of configurations.
#pragma once

#include <memory>
#include <vector>

#include "potentials/displacements.hpp"

namespace terrace {

/// Evaluates Potential::energies at one configuration after another, and may keep data (lists of near pairs)
/// from one to the next. The potential must outlive it.
class EnergyTerms {
 public:
  EnergyTerms() = default;
  EnergyTerms(const EnergyTerms&) = delete;
  EnergyTerms& operator=(const EnergyTerms&) = delete;
  virtual ~EnergyTerms() = default;

  /// Returns Potential::energies at these displacements, in any order.
  [[nodiscard]] virtual std::vector<double> at(const Displacements& displacements) = 0;
};

class Potential;
/// An EnergyTerms that keeps nothing from one configuration to the next.
[[nodiscard]] std::unique_ptr<EnergyTerms> energy_terms_of_nothing_kept(const Potential& potential);

}  // namespace terrace
