// Whose forces are whose, for integrators that go through all potentials without their subdomains.
#pragma once

#include <vector>

#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// For each of Lagrangian::potentials whose ledger its forces go to; −1: internal.
[[nodiscard]] std::vector<int> reactions_of_potentials(const Lagrangian& system);

}  // namespace terrace
