// Which tetrahedra share a face: the graph that METIS cuts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Compressed rows: the neighbours of tetrahedron e are neighbours[first[e]] … neighbours[first[e + 1] − 1].
/// First come the neighbours through the three faces at its first node, ascending, then the one through the
/// face opposite. METIS_MeshToDual has the same order; another order would give another partition.
struct DualGraph {
  std::vector<std::int32_t> first;       ///< one entry more than there are tetrahedra
  std::vector<std::int32_t> neighbours;  ///< two entries for each inner face
};

/// The dual graph of tetrahedra whose node numbers are below `node_count`, which the caller has checked.
/// While it works it takes 20 bytes a tetrahedron and 4 a node, besides the graph's 20 a tetrahedron.
[[nodiscard]] DualGraph dual_graph(std::span<const Tetrahedron> tetrahedra, std::int32_t node_count);

}  // namespace terrace
