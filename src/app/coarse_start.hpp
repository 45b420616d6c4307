// Warnings, known at the start, about bodies, nodes or particles that are too slight beside the rest of the
// deck.
#pragma once

#include <vector>

#include "dynamics/records/records.hpp"
#include "io/deck.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Warns, for the deck's method, where
/// - the energy step is above a tenth of the energy that a body has, which can then hardly feel any force;
/// - a node or particle has so little momentum that its impulses come in few multiples of the momentum
///   quantum;
/// - nodes are so light that forces on them are coarse on the one grid to which methods of whole steps round
///   all forces.
/// Each warning names the worst case.
[[nodiscard]] std::vector<Warning> coarse_at_start(const Deck& deck, const Model& model);

}  // namespace terrace
