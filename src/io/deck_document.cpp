// From the file and the command line to one TOML value.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>

#include "dynamics/integrators.hpp"
#include "hamiltonian/methods.hpp"
#include "io/deck_content.hpp"
#include "io/text_bytes.hpp"
#include "io/whole_file.hpp"
#include "numerics/memory_watch.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

static const std::string setting_prefix = "--set ";

std::string where_in_deck(const TomlValue& value) {
  const toml::source_location location = value.location();
  const std::string& file = location.file_name();
  if (file.rfind(setting_prefix, 0) == 0) return file;
  return fmt::format("{}:{}", file, location.line());
}

/// Where the comment or the quoted text that begins at `begin` in TOML ends; `begin` where none begins.
static std::size_t end_of_words(const std::string& toml, std::size_t begin) {
  const char mark = toml[begin];
  if (mark == '#') return std::min(toml.find('\n', begin), toml.size());
  if (mark != '"' && mark != '\'') return begin;
  const std::string three(3, mark);
  const bool has_lines = toml.compare(begin, 3, three) == 0;
  const std::string closing = has_lines ? three : std::string(1, mark);
  for (std::size_t i = begin + closing.size(); i < toml.size(); ++i) {
    if (!has_lines && toml[i] == '\n') return i;  // it has no end, which the parser reports
    if (mark == '"' && toml[i] == '\\') {
      ++i;
    } else if (toml.compare(i, closing.size(), closing) == 0) {
      i += closing.size();
      // Up to two quotes right before the closing three belong to the text.
      for (int more = 0; has_lines && more < 2 && i < toml.size() && toml[i] == mark; ++more) ++i;
      return i;
    }
  }
  return toml.size();
}

// The parser recurses with every bracket and every part of a key, and the stack is finite.
static void require_shallow(const std::string& text, const std::string& name) {
  constexpr int most = 200;
  int depth = 0, dots = 0;
  std::ptrdiff_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (std::size_t end = end_of_words(text, i); end > i; end = end_of_words(text, i)) {
      line += std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                         text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      i = end;
      if (i == text.size()) return;
    }
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = 0;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') depth = std::max(depth - 1, 0);
    if (c == '.') ++dots;
    if (c == ' ' || c == ',') dots = 0;  // the dots before were in numbers
    if (depth > most || dots > most)
      throw Error(Error::Kind::input, fmt::format("{}:{}", name, line),
                  fmt::format("tables and arrays at most {} deep", most), "deeper ones");
  }
}

/// Throws Error(input) for a text that is not UTF-8, of which the parser would say that it lacks memory.
/// `where(place)`: the words for the place of the first wrong byte.
template <class Where>
static void require_utf8(const std::string& text, const Where& where) {
  const std::size_t place = first_that_is_not_utf8(text);
  if (place < text.size())
    throw Error(Error::Kind::input, where(place), "valid UTF-8",
                fmt::format("the byte {:#04x}", static_cast<unsigned char>(text[place])));
}

static TomlValue parse(const std::string& text, const std::string& name) {
  require_shallow(text, name);
  const MemoryWatch memory;
  std::istringstream stream(text);
  TomlValue value = toml::parse<toml::discard_comments, std::map, std::vector>(stream, name);
  memory.require_enough();
  return value;
}

static TomlValue parse_file_text(const std::string& text, const std::string& path) {
  require_utf8(text, [&](std::size_t place) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(place);
    return fmt::format("{}:{}", path, 1 + std::count(text.begin(), end, '\n'));
  });
  const std::string expected = "valid TOML";
  try {
    return parse(text, path);
  } catch (const toml::exception& error) {
    throw Error(Error::Kind::input, fmt::format("{}:{}", path, error.location().line()), expected,
                fmt::format("\n{}", error.what()));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(Error::Kind::input, path, expected, words_of(error));
  }
}

static std::string read_text(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string expected = "a readable input deck (a TOML file)";
  if (const std::string reason = why_not_found(path); !reason.empty())
    throw Error(Error::Kind::input, path, expected, reason);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error(Error::Kind::input, path, expected, "a directory");
  try {
    return read_whole_file(path);
  } catch (const Error&) {
    throw Error(Error::Kind::input, path, expected, "a file that cannot be read");
  }
}

/// One --set key.path=value.
struct Setting {
  std::string where;              ///< "--set key.path=value"
  std::vector<std::string> path;  ///< keys, or indices into arrays
  std::string value;
};

/// Throws Error(input) for characters that a bare word may not hold, as TOML's strings of one line may not.
static void require_visible(const std::string& argument) {
  const std::string where = setting_prefix + shown_in_full(argument);
  require_utf8(argument, [&](std::size_t) -> const std::string& { return where; });
  for (const char letter : argument)
    if (is_control_character(letter) && letter != '\t' && letter != '\n')
      throw Error(Error::Kind::input, where, "a value without control characters",
                  fmt::format("the character {:#04x}", static_cast<unsigned char>(letter)));
}

static Setting split_setting(const std::string& argument) {
  require_visible(argument);
  Setting setting{setting_prefix + argument, {}, {}};
  const std::string expected = "key.path=value, keys of letters, digits, _ and -";
  const std::size_t equal_sign = argument.find('=');
  if (equal_sign == std::string::npos) throw Error(Error::Kind::input, setting.where, expected, "no \"=\"");
  setting.value = argument.substr(equal_sign + 1);
  const std::string keys = argument.substr(0, equal_sign) + ".";
  for (std::size_t begin = 0; begin < keys.size();) {
    const std::size_t dot = keys.find('.', begin);
    const std::string key = keys.substr(begin, dot - begin);
    begin = dot + 1;
    const auto is_key_character = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
    if (key.empty() || !std::all_of(key.begin(), key.end(), is_key_character))
      throw Error(Error::Kind::input, setting.where, expected, fmt::format("the key \"{}\"", key));
    setting.path.push_back(key);
  }
  if (setting.value.find('\n') != std::string::npos)
    throw Error(Error::Kind::input, setting.where, "a value on one line", "a line break");
  return setting;
}

/// Parses the setting as a TOML document of its own, so that its values name the setting as the place they
/// come from.
static TomlValue parse_setting(const Setting& setting) {
  const std::string left = fmt::format("{} = ", fmt::join(setting.path, "."));
  std::string message = "nothing after \"=\"";
  const auto parsed = [&](const std::string& value) -> std::optional<TomlValue> {
    try {
      return parse(left + value, setting.where);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      message = error.what();
      return {};
    }
  };
  std::optional<TomlValue> document;
  if (!setting.value.empty()) document = parsed(setting.value);
  // A bare word needs no quotes: the shell would have taken them away.
  const bool is_word = !setting.value.empty() && setting.value.find_first_of("\"'[]{}#") == std::string::npos;
  if (!document && is_word) document = parsed(fmt::format("'{}'", setting.value));
  if (!document) throw Error(Error::Kind::input, setting.where, "a TOML value", message);
  return *document;
}

/// The value in `target` to which key number `depth` of the setting's path leads; nullptr if the table has no
/// such key yet.
static TomlValue* step_into(TomlValue& target, const Setting& setting, std::size_t depth) {
  const std::string& key = setting.path[depth];
  const std::string parent = fmt::format(
      "{}", fmt::join(setting.path.begin(), setting.path.begin() + static_cast<std::ptrdiff_t>(depth), "."));
  if (target.is_table()) {
    auto& entries = target.as_table();
    const auto place = entries.find(key);
    return place == entries.end() ? nullptr : &place->second;
  }
  if (!target.is_array())
    throw Error(Error::Kind::input, setting.where, fmt::format("{} to be a table or an array", parent),
                "a single value there");
  auto& elements = target.as_array();
  const bool is_index = key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
  if (!is_index || std::stoul(key) >= elements.size())
    throw Error(Error::Kind::input, setting.where,
                elements.empty()
                    ? fmt::format("a key other than of {}, which is empty", parent)
                    : fmt::format("an index from 0 to {} after \"{}.\"", elements.size() - 1, parent),
                fmt::format("\"{}\"", key));
  return &elements[std::stoul(key)];
}

static void apply_setting(TomlValue& deck, const Setting& setting) {
  const TomlValue document = parse_setting(setting);
  const TomlValue* source = &document;
  TomlValue* target = &deck;
  for (std::size_t depth = 0; depth < setting.path.size(); ++depth) {
    const std::string& key = setting.path[depth];
    source = &source->as_table().at(key);
    TomlValue* next = step_into(*target, setting, depth);
    if (next == nullptr) {  // the rest of the path is new: take it over as a whole
      target->as_table()[key] = *source;
      return;
    }
    target = next;
  }
  *target = *source;
}

static bool is_from_command_line(const TomlValue& value) {
  return where_in_deck(value).starts_with(setting_prefix);
}

/// Drops the file's choice of implicit forces, for methods that do not tell forces apart.
static void drop_implicit_forces(TomlValue& deck) {
  TomlValue& system = deck.as_table().at("system");
  if (!system.is_table() || !system.as_table().contains("forces")) return;
  TomlValue& forces = system.as_table().at("forces");
  if (!forces.is_table()) return;
  for (auto& [name, force] : forces.as_table()) {
    if (!force.is_table()) continue;
    const auto entry = force.as_table().find("implicit");
    if (entry != force.as_table().end() && !is_from_command_line(entry->second))
      force.as_table().erase(entry);
  }
}

/// Drops the file's executor of many events at once, for methods that cannot have it.
static void drop_concurrent_executor(std::map<std::string, TomlValue>& integrator) {
  const auto entry = integrator.find("executor");
  if (entry == integrator.end() || !entry->second.is_string() || is_from_command_line(entry->second)) return;
  const std::string& executor = entry->second.as_string().str;
  if (executor == "concurrent" || executor == "validating") integrator.erase(entry);
}

/// Where the command line chooses the method, drops the file's keys that belong to other methods only: they
/// mean nothing.
static void drop_keys_of_the_files_method(TomlValue& deck) {
  if (!deck.is_table() || !deck.as_table().contains("integrator")) return;
  TomlValue& section = deck.as_table().at("integrator");
  if (!section.is_table() || !section.as_table().contains("method")) return;
  auto& entries = section.as_table();
  const TomlValue method = entries.at("method");
  if (!method.is_string() || !is_from_command_line(method)) return;
  const auto drop = [&](const auto* chosen, const auto& all) {
    if (chosen == nullptr) return;
    for (const auto& other : all)
      for (const std::string& key : other.keys) {
        const auto entry = entries.find(key);
        const bool theirs = std::find(chosen->keys.begin(), chosen->keys.end(), key) == chosen->keys.end();
        if (theirs && entry != entries.end() && !is_from_command_line(entry->second)) entries.erase(entry);
      }
  };
  // Methods of small systems may have the names of other methods, but have keys of their own.
  if (deck.as_table().contains("system")) {
    const MethodEntry* const chosen = find_method(method.as_string().str);
    drop(chosen, methods());
    if (chosen != nullptr && !has_key(*chosen, "implicit_weight")) drop_implicit_forces(deck);
    return;
  }
  const IntegratorEntry* const chosen = find_integrator(method.as_string().str);
  drop(chosen, integrators());
  if (chosen != nullptr && chosen->name != "energy-stepping") drop_concurrent_executor(entries);
  if (chosen == nullptr || chosen->needs.energy_steps || !deck.as_table().contains("contact")) return;
  TomlValue& contact = deck.as_table().at("contact");
  if (contact.is_table() && contact.as_table().contains("energy_step") &&
      !is_from_command_line(contact.as_table().at("energy_step")))
    contact.as_table().erase("energy_step");
}

/// Where the command line chooses the localization, drops the file's number of parts unless the kind has
/// parts.
static void drop_parts_of_the_files_kind(TomlValue& deck) {
  if (!deck.is_table() || !deck.as_table().contains("localization")) return;
  TomlValue& section = deck.as_table().at("localization");
  if (!section.is_table() || !section.as_table().contains("kind")) return;
  auto& entries = section.as_table();
  const TomlValue& kind = entries.at("kind");
  const auto parts = entries.find("parts");
  if (!kind.is_string() || !is_from_command_line(kind) || parts == entries.end()) return;
  const std::string& chosen = kind.as_string().str;
  if (chosen != "metis" && chosen != "clusters" && !is_from_command_line(parts->second)) entries.erase(parts);
}

DeckDocument parse_deck(const std::string& path, const std::vector<std::string>& settings) {
  std::string text = read_text(path);
  TomlValue deck = parse_file_text(text, path);
  for (const std::string& argument : settings) apply_setting(deck, split_setting(argument));
  drop_keys_of_the_files_method(deck);
  drop_parts_of_the_files_kind(deck);
  // On lines of any length: the library spoils strings that it wraps.
  if (!settings.empty()) {
    const MemoryWatch memory;
    text = toml::format(deck, std::numeric_limits<std::size_t>::max());
    memory.require_enough();
  }
  return {TableReader(std::make_shared<TableReader::Content>(TableReader::Content{deck}), "", path), text};
}

}  // namespace terrace
