// What the energies of subdomains are never below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/touching_bodies.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Of the subdomains there are at the start. Pairs of bodies that come up later have energies of contact,
/// which are not negative.
class LowestValues {
 public:
  /// Collective.
  void find(const Lagrangian& lagrangian) {
    values_.clear();
    for (const Subdomain& subdomain : lagrangian.subdomains) {
      values_.push_back(0);
      for (const Potential* potential : subdomain.potentials) values_.back() += potential->infimum();
    }
    lagrangian.communicator->sum(values_);
  }
  /// Of a subdomain, or of all that are one with it as bodies touch [J]; −∞ allowed.
  [[nodiscard]] double of(std::int32_t number, const TouchingBodies& touching) const {
    double sum = 0;
    touching.visit_members(number, [&](std::int32_t member) {
      if (static_cast<std::size_t>(member) < values_.size()) sum += at(values_, member);
    });
    return sum;
  }

 private:
  std::vector<double> values_;
};

}  // namespace terrace
