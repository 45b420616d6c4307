// METIS partitions of the tetrahedra.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Splits tetrahedra into `parts` of nearly equal number with few shared nodes (METIS, dual graph, fixed
/// seed, so the same input gives the same parts). Returns the part of each tetrahedron, 0 … parts − 1.
/// `node_count` bounds the node indices. parts = 1 and parts larger than the number of tetrahedra are legal
/// (some parts are then empty). Tetrahedra that are moved in are given up before METIS begins. Throws
/// Error(run) when METIS fails.
std::vector<std::int32_t> partition_tetrahedra(std::vector<Tetrahedron> tetrahedra, std::int32_t node_count,
                                               int parts, int seed = 1);

}  // namespace terrace
