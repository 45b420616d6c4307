// What `terrace run --trace` records, whatever the layout.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/operation_table.hpp"
#include "app/simulation.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"

namespace terrace {

/// Records for each rank, in memory until the end, what it did in each window, or without windows what its
/// operations took. Records nothing unless asked to.
class Traces {
 public:
  /// Make it before the first stage begins. `layout`: the deck's, which may still be automatic.
  Traces(const RunOptions& options, LayoutKind layout) : options_(options) {
    if (options.traces && layout != LayoutKind::windows) operations_.emplace();
  }
  /// Records the windows of this integrator, which must outlive it.
  void follow(WindowedEnergyStepping& windows);
  /// Gathers the records on rank 0, at the end of the run. Collective.
  void gather(const Lagrangian& system);
  /// Writes what was gathered. Call on rank 0. Throws Error(run) where that fails.
  void write(const std::filesystem::path& directory) const;

 private:
  RunOptions options_;
  WindowedEnergyStepping* windows_ = nullptr;
  std::optional<OperationTrace> operations_;
  WindowTraces of_windows_;
  std::vector<OperationRow> of_operations_;
};

}  // namespace terrace
