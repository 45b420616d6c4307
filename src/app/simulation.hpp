// One run: from a valid deck to an output directory.
#pragma once

#include "io/deck.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Meshes on rank 0, distributes, integrates to the end and writes the output directory of DESIGN.md 7.
/// Collective. Throws Error: input before anything is written, run afterwards.
void run_simulation(const Deck& deck, Communicator& communicator);

/// Everything but the time loop: prints mesh quality, masses, stable Newmark step, subdomains, layout balance
/// and a suggested energy step on rank 0. Collective.
void check_simulation(const Deck& deck, Communicator& communicator);

/// Meshes and writes all bodies to a .vtu file. Collective.
void write_mesh(const Deck& deck, Communicator& communicator, const std::string& path);

}  // namespace terrace
