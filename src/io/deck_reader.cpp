#include "io/deck_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/deck_content.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

Range Range::any() { return {-infinity, infinity, false, false, "a finite number"}; }
Range Range::positive() { return above(0, "a number > 0"); }
Range Range::not_negative() { return {0, infinity, true, false, "a number >= 0"}; }
Range Range::above(double low, const std::string& text) { return {low, infinity, false, false, text}; }
Range Range::between_exclusive(double low, double high) {
  return {low, high, false, false, fmt::format("a number between {} and {}, both excluded", low, high)};
}
bool Range::contains(double value) const {
  const bool above_low = value > low || (low_allowed && value == low);
  const bool below_high = value < high || (high_allowed && value == high);
  return above_low && below_high;
}

static std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string quoted_list(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

std::string did_you_mean(const std::string& found, const std::vector<std::string>& names) {
  std::string best;
  // Often only the first word of a long name is written.
  for (const std::string& name : names)
    if (best.empty() && found.size() > 2 && name.starts_with(found)) best = name;
  std::size_t nearest = best.empty() ? std::max<std::size_t>(2, found.size() / 3) + 1 : 0;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(found, name);
    if (distance < nearest && distance < name.size()) {
      nearest = distance;
      best = name;
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", best);
}

static std::string describe(const TomlValue& value, const char* of_reals = "") {
  switch (value.type()) {
    case toml::value_t::boolean:
      return value.as_boolean() ? "the boolean true" : "the boolean false";
    case toml::value_t::integer:
      return fmt::format("{}", value.as_integer());
    case toml::value_t::floating:
      return fmt::format("{}{}", of_reals, value.as_floating());
    case toml::value_t::string:
      return fmt::format("the string \"{}\"", value.as_string().str);
    case toml::value_t::array:
      return fmt::format("an array of {} elements", value.as_array().size());
    case toml::value_t::table:
      return "a table";
    case toml::value_t::empty:
      return "nothing";
    default:
      return "a date or time";
  }
}

constexpr const char* no_integer = "the real number ";  // before 1e3, which is printed as an integer is
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// Throws Error(input) at the element, which may come from the command line where its array does not.
[[noreturn]] static void refuse_element(const TomlValue& element, const std::string& expected,
                                        const std::string& found) {
  throw Error(Error::Kind::input, where_in_deck(element), expected, found);
}

TableReader::TableReader(std::shared_ptr<const Content> content, std::string name, std::string where)
    : content_(std::move(content)), name_(std::move(name)), where_(std::move(where)) {}

std::string TableReader::where(const std::string& key) const {
  return has(key) ? where_in_deck(content_->at(key)) : where_;
}

std::string TableReader::full_name(const std::string& key) const {
  return name_.empty() ? key : name_ + "." + key;
}

bool TableReader::has(const std::string& key) const { return content_->entries().count(key) > 0; }

std::vector<std::string> TableReader::keys() const {
  std::vector<std::string> names;
  for (const auto& entry : content_->entries()) names.push_back(entry.first);
  return names;
}

void TableReader::fail(const std::string& key, const std::string& expected, const std::string& found) const {
  throw Error(Error::Kind::input, where(key), expected, found);
}

void TableReader::allow_only(const std::vector<std::string>& allowed) const {
  const std::string place = name_.empty() ? "the deck" : name_;
  for (const std::string& key : keys())
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      fail(key, fmt::format("a key of {}: {}", place, quoted_list(allowed)),
           fmt::format("the unknown key \"{}\"{}", key, did_you_mean(key, allowed)));
}

void TableReader::require(const std::string& key, const std::string& kind) const {
  if (!has(key)) fail(key, fmt::format("the key {}, {}", full_name(key), kind), "no such key");
}

/// The TOML library reads a number that its type cannot hold as the nearest one: throws Error(input).
static void refuse_saturated(const TomlValue& value, const std::string& label) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (value.is_integer() && (value.as_integer() == Limits::max() || value.as_integer() == Limits::min()))
    throw Error(Error::Kind::input, where_in_deck(value), label + " to be an integer of less than 64 bits",
                "one that is larger");
  if (value.is_floating() && std::abs(value.as_floating()) == std::numeric_limits<double>::max())
    throw Error(Error::Kind::input, where_in_deck(value), label + " to be a finite number",
                "one that is larger than any");
}

/// A number of either TOML type, in the range; `label` names it in the message of the Error(input).
static double finite_number(const TomlValue& value, const std::string& label, const Range& range) {
  refuse_saturated(value, label);
  const bool is_number = value.is_floating() || value.is_integer();
  const double number = value.is_floating()  ? value.as_floating()
                        : value.is_integer() ? static_cast<double>(value.as_integer())
                                             : 0;
  if (!is_number || !std::isfinite(number) || !range.contains(number))
    throw Error(Error::Kind::input, where_in_deck(value), fmt::format("{} to be {}", label, range.text),
                describe(value));
  return number;
}

double TableReader::number(const std::string& key, const Range& range) const {
  require(key, range.text);
  return finite_number(content_->at(key), full_name(key), range);
}

double TableReader::number(const std::string& key, const Range& range, double fallback) const {
  return has(key) ? number(key, range) : fallback;
}

std::int64_t TableReader::integer(const std::string& key, std::int64_t low, std::int64_t high) const {
  const std::string kind = high == std::numeric_limits<std::int64_t>::max()
                               ? fmt::format("an integer >= {}", low)
                               : fmt::format("an integer from {} to {}", low, high);
  require(key, kind);
  const TomlValue& value = content_->at(key);
  refuse_saturated(value, full_name(key));
  if (!value.is_integer() || value.as_integer() < low || value.as_integer() > high)
    fail(key, fmt::format("{} to be {}", full_name(key), kind), describe(value, no_integer));
  return value.as_integer();
}

bool TableReader::flag(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  const TomlValue& value = content_->at(key);
  if (!value.is_boolean()) fail(key, full_name(key) + " to be true or false", describe(value));
  return value.as_boolean();
}

/// How to write a word of the command line as a string, where TOML takes it for something else.
static std::string in_quotes(const TomlValue& value) {
  const std::string setting = where_in_deck(value);
  if (value.is_string() || !setting.starts_with("--set ")) return "";
  const std::size_t begin = setting.find('=') + 1;
  return fmt::format("; as a string: {}'\"{}\"'", setting.substr(0, begin), setting.substr(begin));
}

std::string TableReader::text(const std::string& key) const {
  require(key, "a string");
  const TomlValue& value = content_->at(key);
  if (!value.is_string() || value.as_string().str.empty())
    fail(key, full_name(key) + " to be a string that is not empty", describe(value) + in_quotes(value));
  return value.as_string().str;
}

std::string TableReader::text(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

static const std::vector<TomlValue>& elements(const TomlValue& value, const std::string& expected,
                                              std::size_t least, std::size_t most) {
  if (!value.is_array() || value.as_array().size() < least || value.as_array().size() > most)
    refuse_element(value, expected, describe(value));
  return value.as_array();
}

static Vector3 vector_of(const TomlValue& value, const std::string& label, const Range& range) {
  const auto& numbers = elements(value, label + " to be an array of three numbers, [x, y, z]", 3, 3);
  Vector3 vector{};
  for (std::size_t i = 0; i < 3; ++i)
    vector[i] = finite_number(numbers[i], fmt::format("{}[{}]", label, i), range);
  return vector;
}

Vector3 TableReader::vector(const std::string& key) const {
  require(key, "an array of three numbers, [x, y, z]");
  return vector_of(content_->at(key), full_name(key), Range::any());
}

Vector3 TableReader::vector(const std::string& key, const Vector3& fallback) const {
  return has(key) ? vector(key) : fallback;
}

Vector3 TableReader::nonzero_vector(const std::string& key) const {
  const Vector3 result = vector(key);
  if (result == Vector3{}) fail(key, full_name(key) + " to be a vector that is not zero", "[0, 0, 0]");
  return result;
}

Vector3 TableReader::positive_vector(const std::string& key) const {
  require(key, "an array of three numbers > 0");
  return vector_of(content_->at(key), full_name(key), Range::positive());
}

std::array<int, 3> TableReader::counts(const std::string& key) const {
  const std::string kind = "an array of three integers from 1 to 10000";
  require(key, kind);
  const std::string expected = full_name(key) + " to be " + kind;
  const auto& entries = elements(content_->at(key), expected, 3, 3);
  std::array<int, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const TomlValue& entry = entries[i];
    if (!entry.is_integer() || entry.as_integer() < 1 || entry.as_integer() > 10000)
      refuse_element(entry, expected, fmt::format("{} at place {}", describe(entry, no_integer), i));
    result[i] = static_cast<int>(entry.as_integer());
  }
  return result;
}

static std::vector<double> numbers_of(const TomlValue& value, const std::string& label, std::size_t shortest,
                                      std::size_t longest) {
  const std::string kind = shortest == longest ? fmt::format("an array of {} numbers", shortest)
                                               : fmt::format("an array of at least {} number", shortest);
  const std::string expected = fmt::format("{} to be {}", label, kind);
  std::vector<double> numbers;
  for (const TomlValue& entry : elements(value, expected, shortest, longest))
    numbers.push_back(finite_number(entry, fmt::format("{}[{}]", label, numbers.size()), Range::any()));
  return numbers;
}

bool TableReader::is_array(const std::string& key) const { return has(key) && content_->at(key).is_array(); }

std::vector<std::string> TableReader::names(const std::string& key, std::size_t size) const {
  const std::string kind = fmt::format("an array of {} names", size);
  require(key, kind);
  const std::string expected = fmt::format("{} to be {}", full_name(key), kind);
  std::vector<std::string> names;
  for (const TomlValue& entry : elements(content_->at(key), expected, size, size)) {
    if (!entry.is_string()) refuse_element(entry, expected, describe(entry) + " in it");
    names.push_back(entry.as_string().str);
  }
  return names;
}

std::vector<double> TableReader::numbers(const std::string& key, std::size_t size) const {
  require(key, size > 0 ? fmt::format("an array of {} numbers", size) : "an array of numbers");
  return numbers_of(content_->at(key), full_name(key), std::max<std::size_t>(size, 1),
                    size > 0 ? size : any_number);
}

std::vector<std::vector<double>> TableReader::rows(const std::string& key, std::size_t shortest,
                                                   std::size_t longest) const {
  const std::string size =
      shortest == longest ? fmt::format("{}", shortest) : fmt::format("{} to {}", shortest, longest);
  const std::string kind = fmt::format("an array of arrays of {} numbers", size);
  require(key, kind);
  const std::string expected = fmt::format("{} to be {}", full_name(key), kind);
  std::vector<std::vector<double>> rows;
  for (const TomlValue& row : elements(content_->at(key), expected, 1, any_number)) {
    const std::string label = fmt::format("{}[{}]", full_name(key), rows.size());
    if (!row.is_array() || row.as_array().size() < shortest || row.as_array().size() > longest)
      refuse_element(row, fmt::format("{} to be an array of {} numbers", label, size), describe(row));
    const std::size_t length = rows.empty() ? row.as_array().size() : rows.front().size();
    rows.push_back(numbers_of(row, label, length, length));
  }
  return rows;
}

std::array<Vector3, 2> TableReader::corners(const std::string& key) const {
  const std::string kind = "a box, [[x, y, z], [x, y, z]], lowest corner first";
  require(key, kind);
  const std::string expected = full_name(key) + " to be " + kind;
  const auto& entries = elements(content_->at(key), expected, 2, 2);
  std::array<Vector3, 2> result{};
  for (std::size_t i = 0; i < 2; ++i)
    result[i] = vector_of(entries[i], fmt::format("{}[{}]", full_name(key), i), Range::any());
  for (std::size_t d = 0; d < 3; ++d)
    if (result[0][d] > result[1][d])
      fail(key, expected, fmt::format("{} before {}", result[0][d], result[1][d]));
  return result;
}

std::vector<Vector3> TableReader::directions(const std::string& key) const {
  if (!has(key)) return {};
  const std::string expected =
      full_name(key) + " to be an array of vectors that are not zero, [[x, y, z], …]";
  std::vector<Vector3> result;
  for (const TomlValue& entry : elements(content_->at(key), expected, 1, any_number)) {
    result.push_back(vector_of(entry, fmt::format("{}[{}]", full_name(key), result.size()), Range::any()));
    if (result.back() == Vector3{}) refuse_element(entry, expected, "[0, 0, 0]");
  }
  return result;
}

std::array<double, 2> TableReader::positive_range(const std::string& key) const {
  const std::string kind = "two positive numbers, the smaller first";
  require(key, kind);
  const std::string expected = full_name(key) + " to be " + kind;
  const auto& entries = elements(content_->at(key), expected, 2, 2);
  std::array<double, 2> result{};
  for (std::size_t i = 0; i < 2; ++i)
    result[i] = finite_number(entries[i], fmt::format("{}[{}]", full_name(key), i), Range::positive());
  if (!(result[0] < result[1])) fail(key, expected, fmt::format("{} before {}", result[0], result[1]));
  return result;
}

std::array<bool, 3> TableReader::components(const std::string& key) const {
  if (!has(key)) return {true, true, true};
  const std::string expected = full_name(key) + R"( to be an array of different ones of "x", "y", "z")";
  std::array<bool, 3> result{};
  for (const TomlValue& entry : elements(content_->at(key), expected, 1, any_number)) {
    const std::string letter = entry.is_string() ? entry.as_string().str : "";
    const std::size_t d = letter == "x" ? 0 : letter == "y" ? 1 : letter == "z" ? 2 : 3;
    if (d == 3 || result[d])
      refuse_element(entry, expected, describe(entry) + (d == 3 ? " in it" : " twice"));
    result[d] = true;
  }
  return result;
}

TableReader TableReader::table(const std::string& key) const {
  require(key, "a table");
  const TomlValue& value = content_->at(key);
  if (!value.is_table()) fail(key, full_name(key) + " to be a table", describe(value));
  return {std::make_shared<Content>(Content{value}), full_name(key), where_in_deck(value)};
}

std::optional<TableReader> TableReader::optional_table(const std::string& key) const {
  return has(key) ? std::optional<TableReader>(table(key)) : std::nullopt;
}

std::vector<std::pair<std::string, std::string>> TableReader::name_pairs(const std::string& key) const {
  if (!has(key)) return {};
  const std::string expected = full_name(key) + " to be an array of pairs of names, [[\"a\", \"b\"], …]";
  std::vector<std::pair<std::string, std::string>> result;
  for (const TomlValue& entry : elements(content_->at(key), expected, 1, any_number)) {
    if (!entry.is_array() || entry.as_array().size() != 2)
      refuse_element(entry, expected, describe(entry) + " in it");
    for (const TomlValue& name : entry.as_array())
      if (!name.is_string()) refuse_element(name, expected, describe(name) + " in it");
    result.emplace_back(entry.as_array()[0].as_string().str, entry.as_array()[1].as_string().str);
  }
  return result;
}

std::vector<TableReader> TableReader::tables(const std::string& key) const {
  if (!has(key)) return {};
  const std::string expected = fmt::format("{} to be an array of tables", full_name(key)) +
                               (name_.empty() ? fmt::format(", each begun by [[{}]]", key) : "");
  std::vector<TableReader> result;
  for (const TomlValue& entry : elements(content_->at(key), expected, 0, any_number)) {
    if (!entry.is_table()) refuse_element(entry, expected, describe(entry) + " in it");
    result.emplace_back(std::make_shared<Content>(Content{entry}),
                        fmt::format("{}[{}]", full_name(key), result.size()), where_in_deck(entry));
  }
  return result;
}

std::size_t TableReader::choice_index(const std::string& key,
                                      const std::vector<std::string>& available) const {
  require(key, "one of " + quoted_list(available));
  const std::string found = text(key);
  const auto place = std::find(available.begin(), available.end(), found);
  if (place != available.end()) return static_cast<std::size_t>(place - available.begin());
  fail(key, fmt::format("{} to be one of {}", full_name(key), quoted_list(available)),
       fmt::format("\"{}\"{}", found, did_you_mean(found, available)));
}

}  // namespace terrace
