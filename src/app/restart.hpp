// Saving a run, and going on with one that was saved.
#pragma once

#include <set>
#include <string>

#include "app/fields.hpp"
#include "app/measurements.hpp"
#include "app/trajectories.hpp"
#include "io/deck.hpp"
#include "io/histories.hpp"

namespace terrace {

/// How far the output of a run has been written.
struct OutputProgress {
  double last_row = -1, last_bodies = -1, last_frame = -1;  ///< times of the last ones
  double reached = 0;                                       ///< every row and frame due up to here is there
  double end = 0;                                           ///< time.end of the run that was saved
  std::set<std::string> warned;                             ///< subjects of the warnings that were told
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [last_row, last_bodies, last_frame, reached, end, warned] = self;
    archive(last_row, last_bodies, last_frame, reached, end, warned);
  }
};

/// The parts of a run that are saved and restored.
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

/// Restores a run from the deck's output directory: from the last restart file, or from the one before if the
/// last is damaged. Rank 0 chooses for all ranks, and warns of a damaged one. Collective. Throws Error(run)
/// where another rank cannot read the file. Throws Error(input) where there is none; where it was written by
/// another version, for another mesh or other files that the deck names; where the deck differs in more than
/// a run that goes on may change (with the key), or asks for an end or a number of events that the run has
/// passed.
void resume_run(const RunParts& run);

/// The output that is continued when a run goes on.
struct RunOutput {
  Histories* histories;  ///< on rank 0, else null
  TrajectoryOutput& trajectories;
  FieldOutput& fields;
};

/// Continues the tables and frames that are there, up to what `progress` says was written when the run was
/// saved. Changes none of them unless all can be continued. Collective. Throws as their `resume`.
void resume_output(const RunOutput& output, const OutputProgress& progress, Communicator& communicator);

}  // namespace terrace
