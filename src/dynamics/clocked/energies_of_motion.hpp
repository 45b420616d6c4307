// The kinetic energies of subdomains.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// For each of these subdomains, the kinetic energy of its nodes about their mean velocity (the momentum over
/// the mass) [J]. The same bits however ranks divide the nodes. Collective over the system's communicator.
[[nodiscard]] std::vector<double> energies_about_mean(const Lagrangian& system, const State& state,
                                                      std::span<const std::int32_t> subdomains);

/// The same, of the velocities in the deck's frame.
[[nodiscard]] std::vector<double> energies_of_motion(const Lagrangian& system, const State& state,
                                                     std::span<const std::int32_t> subdomains);

}  // namespace terrace
