// Work that may fail on one rank and must then fail on all.
#pragma once

#include <mpi.h>

#include <functional>

namespace terrace {

/// Collective. Runs `work` on every rank and then agrees on its success. When it threw on some ranks, every
/// rank throws an Error of the kind and text of the lowest of them, so that no rank is left waiting for one
/// that gave up. `work` must not communicate. One small all-reduce when all went well.
void together(MPI_Comm communicator, const std::function<void()>& work);

}  // namespace terrace
