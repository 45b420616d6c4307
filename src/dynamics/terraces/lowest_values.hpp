// Lower bounds of the potential energies of subdomains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/touching_bodies.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Lower bounds for the subdomains that exist at the start. Contact pairs are added later; their energies are
/// never negative, and their bound is 0.
class LowestValues {
 public:
  /// Sums the bounds of all potentials of each subdomain over ranks. Collective.
  void find(const Lagrangian& lagrangian) {
    values_.clear();
    for (const Subdomain& subdomain : lagrangian.subdomains) {
      values_.push_back(0);
      for (const Potential* potential : subdomain.potentials) values_.back() += potential->infimum();
    }
    lagrangian.communicator->sum(values_);
  }
  /// The lower bound of a subdomain's V [J], of a group the sum over its members; −∞ allowed.
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
