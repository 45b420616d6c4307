// The trace of a run in windows, as tables.
#pragma once

#include <filesystem>

#include "dynamics/windows/window_trace.hpp"

namespace terrace {

/// Writes trace.csv, a row for each window and cluster, and trace_ranks.csv, one for each window and rank;
/// each file whole or not at all. Throws Error(run) naming the file and the reason.
void write_window_tables(const std::filesystem::path& directory, const WindowTraces& traces);

}  // namespace terrace
