// Work that may fail on one rank and must then fail on all.
#pragma once

#include <mpi.h>

#include <functional>

namespace terrace {

/// Collective. Runs `work` on every rank and then agrees on its success. If it threw on some ranks, every
/// rank throws an Error of the kind and text that the lowest of them threw, so that no rank is left waiting
/// for one that gave up. `work` must not communicate. Costs one small all-reduce if all went well.
void together(MPI_Comm communicator, const std::function<void()>& work);

}  // namespace terrace
