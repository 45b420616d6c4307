// What subdomains have of kinetic energy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// K [J] of each of these subdomains' nodes about their mean velocity, the same bits however they are
/// divided. Collective over the ranks of the system's communicator.
[[nodiscard]] std::vector<double> energies_about_mean(const Lagrangian& system, const State& state,
                                                      std::span<const std::int32_t> subdomains);

/// K [J] of the subdomain's nodes in the deck's frame, likewise; collective but for a subdomain that is
/// everywhere.
[[nodiscard]] double energy_of_motion(const Lagrangian& system, const State& state, std::int32_t subdomain);

}  // namespace terrace
