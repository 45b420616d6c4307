// METIS partitions of the tetrahedra.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Splits tetrahedra into `parts` of nearly equal number with few shared nodes, by METIS on the dual graph.
/// The seed is fixed, so the same input gives the same parts. Returns the part of each tetrahedron, 0 …
/// parts − 1. Node indices must be below `node_count`. parts = 1 is legal, and so are more parts than
/// tetrahedra; some parts are then empty. The memory of tetrahedra that are moved in is freed before METIS
/// begins. Throws Error(run) for wrong arguments and when METIS fails.
std::vector<std::int32_t> partition_tetrahedra(std::vector<Tetrahedron> tetrahedra, std::int32_t node_count,
                                               int parts, int seed = 1);

}  // namespace terrace
