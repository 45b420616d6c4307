// Gathers bytes of all ranks, of any length, on rank 0.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace terrace {

/// On rank 0 the bytes of rank 0, rank 1, …; on the other ranks nothing. Collective. Throws Error(run) when
/// MPI fails.
[[nodiscard]] std::vector<std::vector<std::byte>> gathered_at_root(MPI_Comm communicator,
                                                                   std::span<const std::byte> mine);

/// Calls visit(rank, bytes) on rank 0 for one rank after the other. Rank 0 holds the bytes of only one other
/// rank at a time. Collective. Throws Error(run) when MPI fails.
void visit_gathered(MPI_Comm communicator, std::span<const std::byte> mine,
                    const std::function<void(int rank, std::span<const std::byte> bytes)>& visit);

}  // namespace terrace
