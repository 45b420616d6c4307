// One run: from a valid deck to an output directory.
#pragma once

#include <span>

#include "io/deck.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// What the command line asks for besides the deck.
struct RunOptions {
  bool resumes = false;
  bool traces = false;  ///< what ranks do: in windows, into trace.csv; else trace_operations.csv
  int trace_for = 0;    ///< windows as so many ranks would have them; 0: those that run
};

/// Meshes on rank 0, distributes, integrates to the end and writes the output directory of DESIGN.md 7.
/// Collective. Throws Error: input before anything is written, run afterwards. A run that fails in its time
/// loop leaves summary.json with the status "failed: …", subdomains.csv and steps.csv, written by a rank that
/// knows of the error, and the frames so far. If all ranks know (an inverted element or a force that is not
/// finite, on any rank; every error of a run on one rank), the histories are complete and a last frame shows
/// the state that failed; if one rank alone does, the histories end with their last flush, two seconds or one
/// per cent of the run before.
/// With `options.resumes` it goes on from the directory's restart file (app/restart.hpp). Returns the
/// program's exit status: 1 where a signal stopped it, else 0.
int run_simulation(const Deck& deck, const RunOptions& options, Communicator& communicator);

/// Everything but the time loop: prints mesh quality, masses, stable Newmark step, subdomains, layout balance
/// and a suggested energy step on rank 0. Collective.
void check_simulation(const Deck& deck, Communicator& communicator);

/// Prints on rank 0, as CSV, what ranks would hold if there were so many of them
/// (dynamics/system/shares.hpp), for each of `numbers_of_ranks`. Collective. Throws Error(input) for a deck
/// without meshes.
void print_shares(const Deck& deck, Communicator& communicator, std::span<const int> numbers_of_ranks);

/// Meshes and writes all bodies to a .vtu file. Collective.
void write_mesh(const Deck& deck, Communicator& communicator, const std::string& path);

}  // namespace terrace
