// Integer momenta added up over ranks.
#pragma once

#include <vector>

#include "dynamics/exact_momentum.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Makes of each the sum over the ranks, which all have as many. Exact, as long as the sum has room in 128
/// bits. Collective.
void add_up_momenta(Communicator& communicator, std::vector<IntegerMomentum>& momenta);

}  // namespace terrace
