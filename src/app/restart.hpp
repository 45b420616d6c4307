// A run that is saved, and one that goes on.
#pragma once

#include <set>
#include <string>

#include "app/fields.hpp"
#include "app/measurements.hpp"
#include "app/trajectories.hpp"
#include "io/deck.hpp"
#include "io/histories.hpp"

namespace terrace {

/// What has been told so far.
struct OutputProgress {
  double last_row = -1, last_bodies = -1, last_frame = -1;  ///< times
  double reached = 0;                                       ///< every row and frame due up to here is there
  double end = 0;                                           ///< time.end of the run that was saved
  std::set<std::string> warned;                             ///< subjects
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [last_row, last_bodies, last_frame, reached, end, warned] = self;
    archive(last_row, last_bodies, last_frame, reached, end, warned);
  }
};

/// All that makes a run; what is saved of it and goes on.
struct RunParts {
  const Deck& deck;
  const std::string& mesh_hash;
  const std::string& model_hash;
  const Lagrangian& system;
  State& state;
  Integrator& integrator;
  Measurements& measurements;
  OutputProgress& progress;
};

/// Writes restart.h5 into the deck's output directory. Collective. Throws as write_restart.
void save_run(const RunParts& run);

/// Goes on from the deck's output directory: the last restart file, or the one before if that one is damaged,
/// of which rank 0, which chooses for all, warns. Collective. Throws Error(run) where another rank cannot
/// read it, Error(input) where there is none, where it was written for another mesh, for other files that the
/// deck names, or for a deck that differs in more than a run that goes on may change (with the key).
void resume_run(const RunParts& run);

/// All that a run writes as it goes on.
struct RunOutput {
  Histories* histories;  ///< of rank 0
  TrajectoryOutput& trajectories;
  FieldOutput& fields;
};

/// Goes on with the tables and frames that are there up to what had been told when the run was saved. Only
/// when all can go on anything of them is changed. Collective. Throws as their `resume`.
void resume_output(const RunOutput& output, const OutputProgress& progress, Communicator& communicator);

}  // namespace terrace
