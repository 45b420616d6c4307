// Words to the user that end nothing.
#pragma once

#include <fmt/core.h>

#include <cstdio>

namespace terrace {

/// On stderr, formatted as fmt does. That it cannot be written there, as a log on a full disk, is no error.
template <class... Values>
void tell_user(fmt::format_string<const Values&...> words, const Values&... values) {
  std::fputs(fmt::format(words, values...).c_str(), stderr);
}

}  // namespace terrace
