// An order of subdomains that all ranks have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// As all ranks have them, whose numbers of pairs and groups may be others.
inline void sort_by_order(const Lagrangian& system, std::vector<std::int32_t>& subdomains) {
  if (system.communicator->size() == 1) return;
  std::ranges::sort(subdomains, {}, [&](std::int32_t j) { return at(system.subdomains, j).order; });
}

}  // namespace terrace
