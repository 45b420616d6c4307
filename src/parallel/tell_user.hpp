// Messages to the user that do not end the run.
#pragma once

#include <fmt/core.h>

#include <cstdio>

namespace terrace {

/// Writes a message to stderr, formatted as fmt does. It is no error if that fails, as with a log on a full
/// disk.
template <class... Values>
void tell_user(fmt::format_string<const Values&...> words, const Values&... values) {
  std::fputs(fmt::format(words, values...).c_str(), stderr);
}

}  // namespace terrace
