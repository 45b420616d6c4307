// Integer momenta added up over ranks.
#pragma once

#include <vector>

#include "dynamics/state/wide_momentum.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Makes of each the sum over the ranks, which all have as many. Exact. Collective.
void add_up_momenta(Communicator& communicator, std::vector<WideMomentum>& momenta);

}  // namespace terrace
