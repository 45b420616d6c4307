// One run of a small system: from a valid deck to an output directory.
#pragma once

#include "io/deck.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Rank 0 does it all; collective. Returns the exit status: 1 where a signal stopped it, else 0. Throws
/// Error: input before anything is written (`resumes` is refused), run afterwards, and then the history so
/// far and a summary.json whose status says why are there.
int run_small_system(const Deck& deck, bool resumes, Communicator& communicator);

/// Prints on rank 0 what a run would do: the system, its energies and its properties, the method and what is
/// claimed of it.
void check_small_system(const Deck& deck, Communicator& communicator);

}  // namespace terrace
