// The ways of particles along a run, gathered on rank 0.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "dynamics/state/state.hpp"
#include "io/deck.hpp"
#include "io/vtk_trajectories.hpp"

namespace terrace {

/// Nothing for meshes, and where the ways would have more points than `most`: they are kept in memory.
class TrajectoryOutput {
 public:
  static constexpr double most = 5e6;
  /// `interval`: between the points of a way.
  TrajectoryOutput(const Deck& deck, double interval, const Lagrangian& system, const Model& model);

  /// Rank 0's alone; as Trajectories::resume. Where there would be too many points now, the file goes.
  void resume(double time);
  /// Collective.
  void add(const State& state);
  /// Rank 0's alone.
  void write() const;

 private:
  const Lagrangian& system_;
  std::filesystem::path file_;
  bool wanted_;
  std::size_t count_;
  std::optional<Trajectories> ways_;  // of rank 0
};

}  // namespace terrace
