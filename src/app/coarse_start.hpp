// What is coarse from the start for what is slight beside other bodies of the deck.
#pragma once

#include <vector>

#include "dynamics/records/records.hpp"
#include "io/deck.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Of the deck's method: energy steps that are a tenth and more of the energy that a body has, which can
/// hardly be felt by it; and forces on what is so light or slow beside the rest that they come in few
/// multiples of the quantum of momentum, or of the one grid that all forces of whole steps are rounded to. Of
/// each the worst is named.
[[nodiscard]] std::vector<Warning> coarse_at_start(const Deck& deck, const Model& model);

}  // namespace terrace
