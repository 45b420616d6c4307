#include "parallel/error.hpp"

#include <fmt/core.h>

namespace terrace {

static std::string sentence(const std::string& where, const std::string& expected, const std::string& found) {
  std::string text = where.empty() ? std::string{} : where + ": ";
  text += "expected " + expected;
  if (!found.empty()) text += ", found " + found;
  return text;
}

Error::Error(Kind kind, const std::string& where, const std::string& expected, const std::string& found,
             Reach reach)
    : std::runtime_error(sentence(where, expected, found)),
      kind_(kind),
      reach_(reach),
      where_(where),
      expected_(expected),
      found_(found) {}

bool is_known_to_all(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  return known != nullptr && known->on_all_ranks();
}

std::string at_time(double time) { return fmt::format("time {:.9g}", time); }

}  // namespace terrace
