// One run of a small system: from a valid deck to an output directory.
#pragma once

#include "io/deck.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Runs the deck's small system on rank 0 while the others wait; collective. Returns the exit status: 1 where
/// a signal stopped the run, else 0. Throws Error: input before anything is written (`resumes` is refused),
/// run afterwards; then the history so far and a summary.json whose status says why are there.
int run_small_system(const Deck& deck, bool resumes, Communicator& communicator);

/// Prints on rank 0 what a run would do: the system, its energy and its forces, the method and what it is
/// claimed to keep. Collective. Throws Error(input) for what no run can do.
void check_small_system(const Deck& deck, Communicator& communicator);

}  // namespace terrace
