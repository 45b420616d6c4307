// Sums of integer momenta over ranks.
#pragma once

#include <vector>

#include "dynamics/state/wide_momentum.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Replaces each momentum by its sum over all ranks, exactly. All ranks give as many. Collective.
void add_up_momenta(Communicator& communicator, std::vector<WideMomentum>& momenta);

}  // namespace terrace
