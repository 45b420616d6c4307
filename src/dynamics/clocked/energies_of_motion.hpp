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

/// The same in the deck's frame.
[[nodiscard]] std::vector<double> energies_of_motion(const Lagrangian& system, const State& state,
                                                     std::span<const std::int32_t> subdomains);

}  // namespace terrace
