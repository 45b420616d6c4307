// Bytes of all ranks on one, of any length.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace terrace {

/// The bytes of rank 0, of rank 1, … on rank 0, nothing on the others. Collective. Throws Error(run) when MPI
/// fails.
[[nodiscard]] std::vector<std::vector<std::byte>> gathered_at_root(MPI_Comm communicator,
                                                                   std::span<const std::byte> mine);

/// The same on rank 0 for one rank after the other, of which only one's are there at a time.
void visit_gathered(MPI_Comm communicator, std::span<const std::byte> mine,
                    const std::function<void(int rank, std::span<const std::byte> bytes)>& visit);

}  // namespace terrace
