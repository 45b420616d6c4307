// Work that is still tried after a run has failed: writing what there is of its results.
#pragma once

#include <cstdio>
#include <exception>
#include <string_view>

#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

/// Calls `work` after a run has failed with the message `told`; returns whether it succeeded. An exception of
/// `work` is only a warning on stderr, from a rank that `says` any: it must neither hide the first error nor
/// keep the remaining results from being written. An exception with the message `told` is not reported again.
template <class Work>
bool attempt(Work work, std::string_view told, bool says = true) noexcept {
  try {
    work();
    return true;
  } catch (const std::exception& second) {
    if (says && words_of(second) != told)
      std::fprintf(stderr, "\nwarning: the results of the failed run are incomplete: %s\n", words_of(second));
    return false;
  }
}

/// As attempt, for collective work; rank 0 alone warns. When `work` fails, sets `is_known` to whether all
/// ranks know of that: false where this rank alone failed, for which the others wait.
template <class Work>
bool attempt_together(Work work, std::string_view told, const Communicator& communicator,
                      bool& is_known) noexcept {
  const auto noting = [&] {
    try {
      work();
    } catch (const std::exception& error) {
      is_known = communicator.size() == 1 || is_known_to_all(error);
      throw;
    }
  };
  return attempt(noting, told, communicator.rank() == 0);
}

}  // namespace terrace
