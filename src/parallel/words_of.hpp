// What an exception that is no Error says to a user.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

namespace terrace {

/// Its own words, for as long as it lives; of memory that there is not, plain ones, for which none is needed.
inline const char* words_of(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;
  return is_memory ? "need of more memory than there is" : error.what();
}

}  // namespace terrace
