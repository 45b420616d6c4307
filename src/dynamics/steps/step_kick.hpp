// The kick of a step whose length was chosen beforehand.
#pragma once

#include <cstdint>
#include <span>

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"

namespace terrace {

/// What a kick needs beside the state: the forces on all nodes, and which nodes there are.
struct KickForces {
  const SubdomainGradient& gradient;     ///< of all potentials, as SubdomainGradient::evaluate_all left it
  double grid;                           ///< of these forces [force]; 0: there are none yet
  std::span<const std::int32_t> nodes;   ///< local numbers of all nodes
  std::span<const std::uint8_t> booked;  ///< for each node, whether this rank books what its reactions get
};

/// p −= duration · ∇V for all nodes, exactly on the momentum grid, and the same into the ledgers of walls,
/// supports and fields. Every node's line starts anew at `instant`. `changed` [nodes] is scratch space.
/// Throws as State::apply_impulse, with a message that also names the time step: if that is too long, nodes
/// may move far into contact within one step, where forces are beyond all bounds.
void kick(State& state, double instant, double duration, const KickForces& forces,
          std::span<std::uint8_t> changed);

}  // namespace terrace
