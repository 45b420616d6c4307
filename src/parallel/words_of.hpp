// The text that tells a user of an exception that is not an Error.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

namespace terrace {

/// The exception's own text, valid as long as `error` lives. If memory ran out, a fixed text, which needs no
/// memory.
inline const char* words_of(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;
  return is_memory ? "need of more memory than there is" : error.what();
}

}  // namespace terrace
