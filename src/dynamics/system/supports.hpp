// Nodes that supports hold: their mass is infinite, and what they would be pushed goes to a ledger.
#pragma once

#include <span>

#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// Adds the model's supports to a rank's share: names, velocities, and what holds its nodes: the builder's
/// second step.
void hold_nodes(const Model& model, SystemBuilder& builder);

/// Those components of a force on a node that set it in motion.
[[nodiscard]] inline Vector3 free_part(const Vector3& force, const HeldBy& held_by) {
  Vector3 free = force;
  for (std::size_t d = 0; d < 3; ++d)
    if (held_by[d] != nothing_holds) free[d] = 0;
  return free;
}

/// For methods that keep, or follow, the energy of the bodies alone. Throws Error(input) naming a support
/// that moves.
void require_supports_at_rest(const Lagrangian& system);

/// The work that moving supports have done [energy]: −Σ (momentum received) · velocity, as velocities are
/// constant. `received`: of all reactions, over all ranks.
[[nodiscard]] double work_of_supports(const Lagrangian& system, std::span<const Vector3> received);

}  // namespace terrace
