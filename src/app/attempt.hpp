// What is still done of a run that failed.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "parallel/words_of.hpp"

namespace terrace {

/// Does `work`, of which an exception is no more than a warning, if this rank `says` any: it must not hide
/// the error before, nor keep the rest from being written.
template <class Work>
void attempt(Work work, bool says = true) noexcept {
  try {
    work();
  } catch (const std::exception& second) {
    if (says)
      fmt::print(stderr, "\nwarning: the results of the failed run are incomplete: {}\n", words_of(second));
  }
}

}  // namespace terrace
