// Nodes that supports hold: their mass is infinite, and what they would be pushed goes to a ledger.
#pragma once

#include <span>

#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// Adds the model's supports to a rank's share: names, velocities, and what holds its nodes: the builder's
/// second step.
void hold_nodes(const Model& model, SystemBuilder& builder);

/// For methods that keep, or follow, the energy of the bodies alone. Throws Error(input) naming a support
/// that moves.
void require_supports_at_rest(const Lagrangian& system);

/// The work that moving supports have done [energy]: −Σ (momentum received) · velocity, as velocities are
/// constant. `received`: of all reactions, over all ranks.
[[nodiscard]] double work_of_supports(const Lagrangian& system, std::span<const Vector3> received);

}  // namespace terrace
