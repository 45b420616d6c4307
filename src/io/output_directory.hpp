// The directory a run writes to.
#pragma once

#include <cstddef>
#include <filesystem>

namespace terrace {

/// Makes `path` (and the directories above it) ready for a new run; call on rank 0. An existing directory
/// with anything in it is refused unless `overwrite`; then the files an earlier run of terrace wrote there
/// are removed and all others left alone. Throws Error(input) when refused, when `path` is no directory or
/// when it cannot be made or written.
void create_output_directory(const std::filesystem::path& path, bool overwrite);

/// Removes what a run that was killed has left aside, its frames from the number `frames` on, and what is
/// written at the end, of the part of the run before: summary, tables of subdomains and traces. Throws
/// Error(input) when that is not possible.
void remove_unfinished(const std::filesystem::path& path, std::size_t frames);

}  // namespace terrace
