// The reaction of every potential, for integrators that go through all potentials regardless of subdomains.
#pragma once

#include <vector>

#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// For each of Lagrangian::potentials the reaction whose ledger its forces go to; −1: internal forces.
[[nodiscard]] std::vector<int> reactions_of_potentials(const Lagrangian& system);

}  // namespace terrace
