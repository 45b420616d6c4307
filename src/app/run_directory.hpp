// The output directory of a run, held while it runs.
#pragma once

#include "io/deck.hpp"
#include "io/directory_lock.hpp"

namespace terrace {

/// Makes the deck's output directory, or, if the run `resumes`, takes the one that is there. No other run may
/// have it while the lock lives. Call on rank 0. Throws Error(input) as create_output_directory.
[[nodiscard]] DirectoryLock take_output_directory(const OutputEntry& output, bool resumes);

}  // namespace terrace
