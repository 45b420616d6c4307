// An order of subdomains that is the same on all ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Sorts subdomains by Subdomain::order, which is the same on all ranks, while the numbers of pairs and
/// groups may differ. One rank alone leaves them as they are.
inline void sort_by_order(const Lagrangian& system, std::vector<std::int32_t>& subdomains) {
  if (system.communicator->size() == 1) return;
  std::ranges::sort(subdomains, {}, [&](std::int32_t j) { return at(system.subdomains, j).order; });
}

}  // namespace terrace
