#include "io/deck_difference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "io/deck_content.hpp"
#include "numerics/memory_watch.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {
namespace {

constexpr std::array may_change = {"title", "time.", "output.", "layout.", "integrator.executor"};

/// Adds every single value to `all`, as text, by its key.
void flatten(const TomlValue& value, const std::string& key, std::map<std::string, std::string>& all) {
  const std::string inside = key.empty() ? "" : key + ".";
  if (value.is_table()) {
    for (const auto& [name, entry] : value.as_table()) flatten(entry, inside + name, all);
  } else if (value.is_array()) {
    std::size_t number = 0;
    for (const TomlValue& entry : value.as_array()) flatten(entry, inside + std::to_string(number++), all);
  } else if (value.is_floating()) {
    all[key] = fmt::format("{}", value.as_floating() + 0.0);  // makes -0.0 equal to 0.0
  } else if (value.is_integer()) {
    all[key] = fmt::format("{}", static_cast<double>(value.as_integer()));
  } else {
    all[key] = value.is_string() ? value.as_string().str : toml::format(value);
  }
}

std::map<std::string, std::string> values_of(const std::string& text) {
  const MemoryWatch memory;
  std::istringstream stream(text);
  std::map<std::string, std::string> all;
  try {
    flatten(toml::parse<toml::discard_comments, std::map, std::vector>(stream, "deck"), "", all);
    memory.require_enough();
  } catch (const std::exception& error) {
    throw Error(Error::Kind::input, "deck", "valid TOML", words_of(error));
  }
  std::erase_if(all, [](const auto& entry) {
    return std::any_of(may_change.begin(), may_change.end(),
                       [&](const char* start) { return entry.first.starts_with(start); });
  });
  return all;
}

}  // namespace

std::optional<std::string> first_difference(const std::string& before, const std::string& now) {
  const std::map<std::string, std::string> old_values = values_of(before), new_values = values_of(now);
  const auto [left, right] =
      std::mismatch(old_values.begin(), old_values.end(), new_values.begin(), new_values.end());
  if (left == old_values.end() && right == new_values.end()) return std::nullopt;
  if (left == old_values.end()) return right->first;
  if (right == new_values.end()) return left->first;
  return std::min(left->first, right->first);
}

}  // namespace terrace
