// The model from the rank that made it to all ranks.
#pragma once

#include <mpi.h>

#include "mesh/model.hpp"

namespace terrace {

/// Collective: afterwards every rank holds rank 0's model. Throws Error(run) when MPI fails.
void broadcast(Model& model, MPI_Comm communicator);

}  // namespace terrace
