// Work that one rank does for all.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace terrace {

/// Collective. The last rank runs `work`, which must not communicate and returns `count` numbers; all ranks
/// get them. It is the last rank because rank 0 already holds what the mesher and the files need. If `work`
/// throws, every rank throws an Error of the same kind and text (together.hpp).
[[nodiscard]] std::vector<std::int32_t> on_last_rank(MPI_Comm communicator, std::size_t count,
                                                     const std::function<std::vector<std::int32_t>()>& work);

}  // namespace terrace
