// What `terrace run --trace` takes down, whatever the layout.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/operation_table.hpp"
#include "app/simulation.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"

namespace terrace {

/// Of windows what each did, else what operations took; in memory until the end. Nothing unless asked for.
class Traces {
 public:
  /// Before the first stage begins; `layout` as the deck has it, which may leave it open.
  Traces(const RunOptions& options, LayoutKind layout) : options_(options) {
    if (options.traces && layout != LayoutKind::windows) operations_.emplace();
  }
  /// Must outlive this.
  void follow(WindowedEnergyStepping& windows);
  /// At the end. Collective.
  void gather(const Lagrangian& system);
  /// What was gathered, on rank 0. Throws Error(run) where that fails.
  void write(const std::filesystem::path& directory) const;

 private:
  RunOptions options_;
  WindowedEnergyStepping* windows_ = nullptr;
  std::optional<OperationTrace> operations_;
  WindowTraces of_windows_;
  std::vector<OperationRow> of_operations_;
};

}  // namespace terrace
