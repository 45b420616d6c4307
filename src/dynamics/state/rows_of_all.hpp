// The nodes of a system that is divided among ranks, brought together.
#pragma once

#include "dynamics/state/state.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// The rows of all nodes of the model into `whole`, which has room for each of them under its number; from
/// the rank that counts it in `share`, of which `state` is. Times and ledgers stay as they are. Collective.
void bring_rows_of_all(const Lagrangian& share, const State& state, State& whole);

}  // namespace terrace
