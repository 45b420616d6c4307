// Layout: which rank works on which tetrahedra and contact terms. It decides the speed, never the trajectory
// (P6).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/system/localization.hpp"

namespace terrace {

/// Which rank works on what. The same on all ranks.
struct Layout {
  std::string name;  ///< "own", "slice", "windows" or "one rank"
  std::vector<std::int32_t> rank_of_tetrahedron;
  std::vector<std::int32_t> rank_of_subdomain;  ///< where its contact and wall terms are
};

/// The layout with everything on rank 0, for methods that cannot divide a system.
Layout lay_out_on_one_rank(const Model& model, const Localization& localization);

/// The layout of this kind for so many ranks. `own`: whole subdomains on ranks, the largest first, each to
/// the rank with least work so far. `slice`: every elastic term cut by METIS over all ranks. `windows`: whole
/// subdomains, consecutive ones on each rank; this holds at the start and for output, measurements and
/// restart (WindowedEnergyStepping). `automatic`: as slice; callers ask automatic_layout.hpp before. Ranks
/// may be left without elements. Collective over `communicator`, whose last rank alone runs METIS for all;
/// its size may differ from `ranks`.
Layout lay_out(const Model& model, const Localization& localization, LayoutKind kind, int ranks,
               MPI_Comm communicator = MPI_COMM_SELF);

/// The rank of each item where every rank gets consecutive items, as many as make up its share of the work:
/// what stands side by side in a deck often does in space. `work`: of each item, not negative.
[[nodiscard]] std::vector<std::int32_t> ranks_in_a_row(const std::vector<double>& work, int ranks);

}  // namespace terrace
