// Nodes that supports hold: held components have infinite mass, and impulses on them go to a ledger.
#pragma once

#include <span>

#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// Adds the model's supports to a rank's share, in the builder's second step: their names and velocities, and
/// which of the rank's nodes they hold.
void hold_nodes(const Model& model, SystemBuilder& builder);

/// Throws Error(input) that names a support that moves, for methods that keep or follow the energy of the
/// bodies alone.
void require_supports_at_rest(const Lagrangian& system);

/// The work that moving supports have done [energy]: −Σ (momentum received) · velocity, as velocities are
/// constant. `received`: the momentum of each reaction, summed over all ranks.
[[nodiscard]] double work_of_supports(const Lagrangian& system, std::span<const Vector3> received);

}  // namespace terrace
