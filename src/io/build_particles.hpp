// From the deck's particles to a model without tetrahedra.
#pragma once

#include "io/deck.hpp"

namespace terrace {

/// Makes a body of each table [[particles]]. Throws Error(input) for masses, positions and kinetic energies
/// that are no normal numbers, for particles behind walls, and for particles that a step potential cannot
/// place on one of its sides, or whose region, if it is a wall, holds them.
[[nodiscard]] Model build_particles(const Deck& deck);

}  // namespace terrace
