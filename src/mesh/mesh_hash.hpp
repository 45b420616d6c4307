// Numbers that tell whether two runs had the same mesh, and the same of everything.
#pragma once

#include <cstdint>

#include "mesh/model.hpp"

namespace terrace {

/// Of the reference positions, to the last bit, and the nodes of the tetrahedra, in their order; not of
/// materials, velocities, or names. Runs of one deck whose states differ although their meshes agree were
/// made different by this program; where the meshes differ, by the mesher.
[[nodiscard]] std::uint64_t mesh_hash(const Model& model);

/// Of all that files which a deck names may change in a model of it: the mesh, velocities, masses, bodies
/// with their outer surfaces and materials, and supports with their nodes. A run goes on with the same alone.
[[nodiscard]] std::uint64_t model_hash(const Model& model);

}  // namespace terrace
