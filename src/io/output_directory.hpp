// The directory a run writes to.
#pragma once

#include <cstddef>
#include <filesystem>

#include "io/directory_lock.hpp"

namespace terrace {

/// Whether a new run may have `path`, of which nothing is changed: an existing directory with anything in it
/// is refused unless `overwrite`. Throws Error(input) when refused, when `path` is no directory or when it
/// cannot be written.
void require_free_directory(const std::filesystem::path& path, bool overwrite);

/// Throws Error(input) where `path` is a directory that cannot be written.
void require_writable_directory(const std::filesystem::path& path);

/// Makes `path` (and the directories above it) ready for a new run, whose it is while the lock lives; call on
/// rank 0. Where `overwrite` the files an earlier run of terrace wrote there are removed and all others left
/// alone. Throws Error(input) as require_free_directory, when another run has it or when it cannot be made.
DirectoryLock create_output_directory(const std::filesystem::path& path, bool overwrite);

/// Whether a run has left frames in `path`. Throws Error(input) where that cannot be found out.
[[nodiscard]] bool has_frames(const std::filesystem::path& path);

/// Removes what a run that was killed has left aside, its frames from the number `frames` on, and what is
/// written at the end, of the part of the run before: summary, tables of subdomains and traces. Throws
/// Error(input) when that is not possible.
void remove_unfinished(const std::filesystem::path& path, std::size_t frames);

}  // namespace terrace
