// From the deck's particles to a model without tetrahedra.
#pragma once

#include "io/deck.hpp"

namespace terrace {

/// A body for each table [[particles]]. Throws Error(input) for particles behind walls and for a kinetic
/// energy that is no number.
[[nodiscard]] Model build_particles(const Deck& deck);

}  // namespace terrace
