// Checked access to the tables of an input deck: every getter either returns a value of the right type and
// range or throws Error(input) naming the line, the full key, what was expected and what was found.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// The numbers that a key may take: an interval, and the words for it in messages. Infinity and NaN are in
/// none.
struct Range {
  double low, high;
  bool low_allowed, high_allowed;
  std::string text;  ///< "a number > 0"

  static Range any();
  static Range positive();
  static Range not_negative();
  static Range between_exclusive(double low, double high);
  static Range above(double low, const std::string& text);
  [[nodiscard]] bool contains(double value) const;
};

/// One table of the deck, for example [time] or the second [[bodies]].
class TableReader {
 public:
  struct Content;  ///< the TOML value (deck_content.hpp)

  /// `name` is how messages call the table ("integrator", "bodies[1]"); empty for the whole deck.
  TableReader(std::shared_ptr<const Content> content, std::string name, std::string where);

  [[nodiscard]] const std::string& where() const { return where_; }   ///< "deck.toml:12"
  [[nodiscard]] std::string where(const std::string& key) const;      ///< of the key; of the table if absent
  [[nodiscard]] std::string full_name(const std::string& key) const;  ///< "integrator.energy_step"
  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> keys() const;  ///< sorted

  /// Throws Error(input) for the first key that is not in `allowed`; suggests the nearest and lists all
  /// allowed.
  void allow_only(const std::vector<std::string>& allowed) const;

  [[nodiscard]] double number(const std::string& key, const Range& range) const;
  [[nodiscard]] double number(const std::string& key, const Range& range, double fallback) const;
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high) const;
  [[nodiscard]] bool flag(const std::string& key, bool fallback) const;
  [[nodiscard]] std::string text(const std::string& key) const;  ///< a string that is not empty
  [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
  [[nodiscard]] Vector3 vector(const std::string& key) const;
  [[nodiscard]] Vector3 vector(const std::string& key, const Vector3& fallback) const;
  [[nodiscard]] Vector3 nonzero_vector(const std::string& key) const;
  [[nodiscard]] Vector3 positive_vector(const std::string& key) const;
  [[nodiscard]] std::array<int, 3> counts(const std::string& key) const;  ///< three integers ≥ 1

  /// An array of `size` finite numbers, or of any number of them (`size` 0, at least one).
  [[nodiscard]] std::vector<double> numbers(const std::string& key, std::size_t size) const;
  /// An array of arrays of numbers, at least one, all of the same length from `shortest` to `longest`.
  [[nodiscard]] std::vector<std::vector<double>> rows(const std::string& key, std::size_t shortest,
                                                      std::size_t longest) const;
  /// An array of `size` strings.
  [[nodiscard]] std::vector<std::string> names(const std::string& key, std::size_t size) const;
  [[nodiscard]] bool is_array(const std::string& key) const;

  /// The lowest and the highest corner of a box, [[x, y, z], [x, y, z]].
  [[nodiscard]] std::array<Vector3, 2> corners(const std::string& key) const;
  /// An array of vectors that are not zero, at least one; none if absent.
  [[nodiscard]] std::vector<Vector3> directions(const std::string& key) const;
  /// Two positive numbers, the smaller first.
  [[nodiscard]] std::array<double, 2> positive_range(const std::string& key) const;
  /// Which of "x", "y", "z" a list names, each once and at least one; all if absent.
  [[nodiscard]] std::array<bool, 3> components(const std::string& key) const;

  /// An array of arrays of two strings; none if absent.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> name_pairs(const std::string& key) const;

  [[nodiscard]] TableReader table(const std::string& key) const;
  [[nodiscard]] std::optional<TableReader> optional_table(const std::string& key) const;
  [[nodiscard]] std::vector<TableReader> tables(
      const std::string& key) const;  ///< array of tables; none if absent

  /// The choice that the key's string names, one of `available`.
  template <class Enum>
  [[nodiscard]] Enum choice(const std::string& key,
                            const std::vector<std::pair<std::string, Enum>>& available) const {
    std::vector<std::string> names;
    for (const auto& entry : available) names.push_back(entry.first);
    return available[choice_index(key, names)].second;
  }

  /// Throws Error(input) at `key` (or at the table if the key is absent).
  [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& found) const;

 private:
  [[nodiscard]] std::size_t choice_index(const std::string& key,
                                         const std::vector<std::string>& available) const;
  void require(const std::string& key, const std::string& kind) const;

  std::shared_ptr<const Content> content_;
  std::string name_;
  std::string where_;
};

/// A deck as parsed, with the command line's settings applied, before its sections are checked.
struct DeckDocument {
  TableReader root;
  std::string text;  ///< valid TOML that gives the same deck again without the settings
};

/// Reads the file `path` and applies --set key.path=value settings. Throws Error(input) for a missing file, a
/// directory, wrong TOML syntax (the message shows the line) and a setting whose path leads nowhere.
DeckDocument parse_deck(const std::string& path, const std::vector<std::string>& settings);

/// The names in quotes, joined by commas.
std::string quoted_list(const std::vector<std::string>& names);

/// " (did you mean "x"?)" for the first name that begins with `found`, or the nearest one if that is near,
/// else empty.
std::string did_you_mean(const std::string& found, const std::vector<std::string>& names);

}  // namespace terrace
