// Hashes that tell whether two runs had the same mesh, and the same model.
#pragma once

#include <cstdint>

#include "mesh/model.hpp"

namespace terrace {

/// Hash of the reference positions, to the last bit, and the nodes of the tetrahedra, in their order; for
/// particles also of their masses. Materials, velocities and names do not count. If two runs of one deck have
/// different states but the same mesh hash, this program made the difference; if the hashes differ, the
/// mesher.
[[nodiscard]] std::uint64_t mesh_hash(const Model& model);

/// Hash of all that the files named in a deck may change in its model: the mesh, velocities, masses, bodies
/// with their outer surfaces and materials, and supports with their nodes. A run resumes only with the same
/// hash.
[[nodiscard]] std::uint64_t model_hash(const Model& model);

}  // namespace terrace
