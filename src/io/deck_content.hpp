// The TOML library, kept to the three source files that include this: deck_reader.cpp, deck_document.cpp and
// deck_difference.cpp.
#pragma once

#include <map>
#include <string>
#include <toml.hpp>
#include <vector>

#include "io/deck_reader.hpp"

namespace terrace {

/// A parsed TOML value that knows the file and line it came from; tables are sorted by key, so that the order
/// in which they are visited does not depend on the machine.
using TomlValue = toml::basic_value<toml::discard_comments, std::map, std::vector>;

/// File and line of a value, "deck.toml:12", or the whole "--set key.path=value" it was set by.
std::string where_in_deck(const TomlValue& value);

struct TableReader::Content {
  TomlValue value;  ///< a table

  [[nodiscard]] const std::map<std::string, TomlValue>& entries() const { return value.as_table(); }
  [[nodiscard]] const TomlValue& at(const std::string& key) const { return value.as_table().at(key); }
};

}  // namespace terrace
