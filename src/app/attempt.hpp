// What is still done of a run that failed.
#pragma once

#include <cstdio>
#include <exception>
#include <string_view>

#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

/// Does `work`, of which an exception is no more than a warning, if this rank `says` any: it must not hide
/// the error before, nor keep the rest from being written. What that error told is not told again. Whether it
/// came to its end.
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

/// The same of work of all ranks. `is_known` is no longer so where this one alone failed, for which the
/// others wait.
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
