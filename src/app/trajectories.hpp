// The trajectories of particles along a run, gathered on rank 0.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "dynamics/state/state.hpp"
#include "io/deck.hpp"
#include "io/vtk_trajectories.hpp"

namespace terrace {

/// Gathers trajectories and writes trajectories.vtu. Does nothing for meshes, nor where the trajectories
/// would have more than `most` points, as they are kept in memory.
class TrajectoryOutput {
 public:
  static constexpr double most = 5e6;
  /// `interval`: time between the points of a trajectory.
  TrajectoryOutput(const Deck& deck, double interval, const Lagrangian& system, const Model& model);

  /// Call on rank 0. Continues the file that an earlier run left, as Trajectories::resume. Where there would
  /// now be too many points, removes the file, with a warning.
  void resume(double time);
  /// Collective. Adds positions and velocities of the particles at the state's time.
  void add(const State& state);
  /// Call on rank 0. Writes the trajectories so far.
  void write() const;

 private:
  const Lagrangian& system_;
  std::filesystem::path file_;
  bool wanted_;
  std::size_t count_;
  std::optional<Trajectories> ways_;  // of rank 0
};

}  // namespace terrace
