// The energies of a potential at one configuration after the other.
#pragma once

#include <memory>
#include <vector>

#include "potentials/displacements.hpp"

namespace terrace {

/// With what it keeps from one to the next. The potential that it was made of must outlive it.
class EnergyTerms {
 public:
  EnergyTerms() = default;
  EnergyTerms(const EnergyTerms&) = delete;
  EnergyTerms& operator=(const EnergyTerms&) = delete;
  virtual ~EnergyTerms() = default;

  /// Potential::energies there, in any order.
  [[nodiscard]] virtual std::vector<double> at(const Displacements& displacements) = 0;
};

class Potential;
/// Keeps nothing.
[[nodiscard]] std::unique_ptr<EnergyTerms> energy_terms_of_nothing_kept(const Potential& potential);

}  // namespace terrace
