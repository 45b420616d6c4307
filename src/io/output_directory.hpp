// The directory a run writes to.
#pragma once

#include <cstddef>
#include <filesystem>

#include "io/directory_lock.hpp"

namespace terrace {

/// Throws Error(input) unless a new run may have `path`: when it is no directory, cannot be written, or has
/// anything in it without `overwrite`. Changes nothing.
void require_free_directory(const std::filesystem::path& path, bool overwrite);

/// Throws Error(input) where `path` is a directory that cannot be written.
void require_writable_directory(const std::filesystem::path& path);

/// Makes `path` (and the directories above it) ready for a new run, which has it while the lock lives; call
/// on rank 0. With `overwrite` the files that an earlier run of terrace wrote there are removed, and all
/// others left alone. Throws Error(input) as require_free_directory, when another run has the directory, or
/// when it cannot be made.
DirectoryLock create_output_directory(const std::filesystem::path& path, bool overwrite);

/// Whether there are frames of a run in `path`. Throws Error(input) where that cannot be found out.
[[nodiscard]] bool has_frames(const std::filesystem::path& path);

/// Makes `path` ready for a run that goes on. Removes files that a killed run has left aside (.part), its
/// frames from the number `frames` on, and what the part of the run before wrote at its end: summary, tables
/// of subdomains and traces. Throws Error(input) when that is not possible.
void remove_unfinished(const std::filesystem::path& path, std::size_t frames);

}  // namespace terrace
