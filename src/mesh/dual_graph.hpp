// Which tetrahedra share a face: the graph that METIS cuts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Compressed rows: the neighbours of tetrahedron e are neighbours[first[e]] … neighbours[first[e + 1] − 1].
/// Each has those through faces at the first of its four nodes before the one through the face opposite, the
/// former ascending, as METIS_MeshToDual has them: another order would be another partition.
struct DualGraph {
  std::vector<std::int32_t> first;       ///< one more than there are tetrahedra
  std::vector<std::int32_t> neighbours;  ///< as many as there are sides of inner faces
};

/// Of tetrahedra whose nodes are numbered below `node_count`; to be checked before. Memory while it works:
/// 20 bytes a tetrahedron and 4 a node, besides the graph's 20 a tetrahedron.
[[nodiscard]] DualGraph dual_graph(std::span<const Tetrahedron> tetrahedra, std::int32_t node_count);

}  // namespace terrace
