// One run: from a valid deck to an output directory.
#pragma once

#include <span>

#include "io/deck.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// What the command line asks for besides the deck.
struct RunOptions {
  bool resumes = false;
  bool traces = false;  ///< record what ranks do: with windows in trace.csv, else in trace_operations.csv
  int trace_for = 0;    ///< plan windows as for so many ranks, on one; 0: for the ranks that run
};

/// Meshes on rank 0, distributes, integrates to the end and writes the output directory (README.md, Reading
/// the results). Collective. Throws Error: input before anything is written, run afterwards.
///
/// A run that fails in its time loop leaves summary.json with the status "failed: …", subdomains.csv and
/// steps.csv, written by a rank that knows of the error, and the frames so far. If all ranks know (an
/// inverted element or a force that is not finite, on any rank; every error of a run on one rank), the
/// histories are complete and a last frame shows the state that failed. If one rank alone knows, the
/// histories end with their last flush (Histories::flush_if_due: every two seconds, with a row).
///
/// With `options.resumes` the run goes on from the directory's restart file (app/restart.hpp). Returns the
/// program's exit status: 1 where a signal stopped the run, else 0.
int run_simulation(const Deck& deck, const RunOptions& options, Communicator& communicator);

/// Does everything but the time loop, and prints on rank 0 mesh quality, masses, the stable Newmark step,
/// subdomains, the balance of the layout, a suggested energy step and warnings. Collective.
void check_simulation(const Deck& deck, Communicator& communicator);

/// Prints on rank 0, as CSV, what ranks would hold if there were so many of them
/// (dynamics/system/shares.hpp), a row for each of `numbers_of_ranks`. Collective. Throws Error(input) for a
/// deck without meshes.
void print_shares(const Deck& deck, Communicator& communicator, std::span<const int> numbers_of_ranks);

/// Meshes and writes all bodies to `path`, a .vtu or a .msh file. Collective. Throws Error(input) for a deck
/// without meshes, and for a path with another ending or of a file that the deck reads.
void write_mesh(const Deck& deck, Communicator& communicator, const std::string& path);

}  // namespace terrace
