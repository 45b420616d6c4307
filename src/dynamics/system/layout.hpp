// Layout: which rank works on which tetrahedra and contact terms. It decides the speed, never the trajectory
// (P6).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/system/localization.hpp"

namespace terrace {

struct Layout {
  std::string name;  ///< "own", "slice", "windows" or "one rank"
  std::vector<std::int32_t> rank_of_tetrahedron;
  std::vector<std::int32_t> rank_of_subdomain;  ///< where its contact and wall terms are
};

/// All on rank 0, for methods that cannot divide a system.
Layout lay_out_on_one_rank(const Model& model, const Localization& localization);

/// `own`: whole subdomains on ranks, the largest first, each to the rank with least work so far. `slice`:
/// every elastic term cut by METIS over all ranks. `windows`: whole subdomains, in a row on each rank, for
/// what others see and for the start (WindowedEnergyStepping). `automatic`: slice, see automatic_layout.hpp.
/// Ranks may be left without elements. Collective over `communicator`, whose last rank alone runs METIS for
/// all; it may have another size.
Layout lay_out(const Model& model, const Localization& localization, LayoutKind kind, int ranks,
               MPI_Comm communicator = MPI_COMM_SELF);

/// As many one after the other to each rank as are its share of the work: what stands side by side in a deck
/// often does in space. The rank of each. `work`: none is negative.
[[nodiscard]] std::vector<std::int32_t> ranks_in_a_row(const std::vector<double>& work, int ranks);

}  // namespace terrace
