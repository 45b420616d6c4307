#include "mesh/msh_counts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel/error.hpp"
#include "parallel/hash.hpp"

namespace terrace {
namespace {

/// Number of nodes of an element, by its type in the format's list, from type 1 on.
constexpr std::array<std::uint64_t, 31> nodes_of_type = {2,  3,  4,  4, 8, 6,  5,  3,  6, 9,  10,
                                                         27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12,
                                                         15, 15, 21, 4, 5, 6,  20, 35, 56};

/// Dimension of an element, likewise by its type.
constexpr std::array<int, 31> dimension_of_type = {1, 2, 2, 3, 3, 3, 3, 1, 2, 2, 3, 3, 3, 3, 0, 2,
                                                   3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 3, 3, 3};

enum class Section { nodes, elements };
const char* name_of(Section section) { return section == Section::nodes ? "Nodes" : "Elements"; }

/// The bytes of a file from some place on; every read tells whether there were enough of them.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  template <class T>
  std::optional<T> next() {
    if (rest_.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  /// Skips `count` entries of `size` bytes each; false if there are fewer.
  bool skip(std::uint64_t count, std::uint64_t size) {
    if (size > 0 && count > rest_.size() / size) return false;
    rest_.remove_prefix(count * size);
    return true;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::string_view line_of(std::string_view text) { return text.substr(0, text.find('\n')); }
bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](unsigned char letter) { return std::isspace(letter) != 0; });
}
void remove_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
}
void skip_blank(std::string_view& text) {
  while (!text.empty() && is_blank(line_of(text))) remove_line(text);
}

/// The integers with which a line begins.
std::vector<std::int64_t> integers(std::string_view line) {
  const std::string text(line);
  std::vector<std::int64_t> numbers;
  const char* from = text.c_str();
  for (char* to = nullptr;; from = to) {
    const long long number = std::strtoll(from, &to, 10);
    if (to == from) return numbers;
    numbers.push_back(number);
  }
}

/// The entities of a file of version 2 and the physical groups of their elements. An element's first tag is
/// its physical group, its second tag its entity. Gmsh gives a whole entity to each group that occurs in it.
class Entities {
 public:
  /// Adds an element. There may be fewer than two `tags`; missing ones count as 0.
  void add(std::int64_t type, std::span<const std::int64_t> tags, std::span<const std::int64_t> nodes) {
    if (type < 1 || type > static_cast<std::int64_t>(dimension_of_type.size())) return;  // Gmsh refuses it
    const int dimension = dimension_of_type[static_cast<std::size_t>(type - 1)];
    const std::int64_t group = tags.empty() ? 0 : tags[0], entity = tags.size() < 2 ? 0 : tags[1];
    std::uint64_t of_nodes = 0;
    for (const std::int64_t node : nodes) of_nodes += mix(static_cast<std::uint64_t>(node));
    elements_[{dimension, entity}][group] += mix(of_nodes);
  }

  /// Describes an entity of at least this dimension whose elements are not all in the same groups, if there
  /// is one. An element of several groups is in the file once for each of them.
  [[nodiscard]] std::optional<std::string> torn(int lowest_dimension) const {
    for (const auto& [place, groups] : elements_)
      for (const auto& [group, hash] : groups)
        if (place.first >= lowest_dimension && hash != groups.begin()->second)
          return fmt::format("elements of the physical groups {} and {} in the entity {} of dimension {}",
                             groups.begin()->first, group, place.second, place.first);
    return std::nullopt;
  }

 private:
  /// By dimension and entity, and then by group: the sum of the hashes of the group's elements.
  std::map<std::pair<int, std::int64_t>, std::map<std::int64_t, std::uint64_t>> elements_;
};

/// The node or element numbers of a file of version 2, each with a hash of the thing that has it. Of two
/// things with the same number Gmsh takes only one.
class Numbers {
 public:
  void add(std::int64_t number, std::uint64_t thing) {
    things_.emplace_back(number, thing);
    highest_ = std::max(highest_, number);
  }
  [[nodiscard]] std::int64_t highest() const { return highest_; }

  /// The lowest number that two different things have, if any. An element of several groups, which is in the
  /// file once for each, may have the same number each time.
  [[nodiscard]] std::optional<std::int64_t> of_two() {
    std::sort(things_.begin(), things_.end());
    for (std::size_t i = 1; i < things_.size(); ++i)
      if (things_[i - 1].first == things_[i].first && things_[i - 1].second != things_[i].second)
        return things_[i].first;
    return std::nullopt;
  }

 private:
  std::vector<std::pair<std::int64_t, std::uint64_t>> things_;
  std::int64_t highest_ = 0;
};

/// The check of one file; see check_counts.
class Checker {
 public:
  Checker(std::string contents, std::string where, std::optional<int> groups_from)
      : contents_(std::move(contents)), where_(std::move(where)), groups_from_(groups_from) {}

  void check() {
    std::string_view text = contents_;
    while (!text.empty()) {
      const std::string_view line = line_of(text);
      remove_line(text);
      if (!line.starts_with("$") || line.starts_with("$End")) continue;
      if (line.starts_with("$MeshFormat")) read_format(text);
      if (line.starts_with("$Nodes")) {
        check_section(Section::nodes, text);
        if (const auto node = nodes_.of_two())
          reject("node numbers that are used once", fmt::format("node {} twice, at different places", *node));
      }
      if (line.starts_with("$Elements")) check_section(Section::elements, text);
      if (line.starts_with("$PhysicalNames") && groups_from_) check_names(text);
      if (line.starts_with("$Comments")) text.remove_prefix(std::min(text.find("$EndComments"), text.size()));
    }
    if (const auto element = elements_.of_two())
      reject("element numbers that are used once",
             fmt::format("element {} twice, with different nodes", *element));
    if (!groups_from_) return;
    if (const auto found = entities_.torn(*groups_from_))
      reject("all elements of an entity (their second tag) in the same physical groups (their first)",
             *found);
  }

 private:
  [[noreturn]] void reject(const std::string& expected, const std::string& found) const {
    throw Error(Error::Kind::input, where_, expected, found);
  }

  void read_format(std::string_view text) {
    const std::string line(line_of(text));
    char* end = nullptr;
    version_ = std::strtod(line.c_str(), &end);
    const bool known = (version_ >= 2 && version_ < 3) || version_ == 4 || version_ == 4.1;
    if (!known) reject("a .msh file of version 2, 4 or 4.1", fmt::format("\"{:.40}\"", line));
    binary_ = std::strtol(end, nullptr, 10) != 0;
    remove_line(text);
    swapped_ = binary_ && Bytes(text).next<std::int32_t>() != 1;
  }

  // Of two groups with the same dimension and name, Gmsh forgets one.
  void check_names(std::string_view text) const {
    std::map<std::string, std::int64_t> numbers;
    for (remove_line(text); !text.empty() && !text.starts_with("$"); remove_line(text)) {
      const std::string_view line = line_of(text), name = line.substr(std::min(line.find('"'), line.size()));
      const std::vector<std::int64_t> words = integers(line);
      if (words.size() < 2 || words[0] < *groups_from_) continue;
      const std::string key = fmt::format("{} {}", words[0], name.substr(0, name.rfind('"')));
      if (numbers.emplace(key, words[1]).first->second != words[1])
        reject("physical groups of different names, of which one is asked for",
               fmt::format("two of dimension {} of the name {}", words[0], name));
    }
  }

  void check_section(Section section, std::string_view text) {
    // Of faults in version 4.0 and in files with the other byte order Gmsh itself finds more.
    if (version_ == 0 || version_ == 4 || swapped_) return;
    if (binary_)
      check_binary(section, text);
    else
      check_lines(section, text);
  }

  // ASCII: there must be as many lines as announced, and then the section's end.
  void check_lines(Section section, std::string_view text) {
    skip_blank(text);
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    const bool blocks = version_ > 4;
    if (head.size() < (blocks ? 2u : 1u) || *std::min_element(head.begin(), head.end()) < 0)
      reject(fmt::format("counts in the first line of ${}", name_of(section)),
             head.empty() ? "none" : fmt::format("{}", head[0]));
    if (blocks && head.size() > 3) require_number(head[3]);
    const std::int64_t announced = blocks ? head[1] : head[0];
    const std::int64_t lines_of_one = blocks && section == Section::nodes ? 2 : 1;
    std::int64_t lines = 0;
    for (; !text.empty() && !line_of(text).starts_with("$"); remove_line(text))
      if (!is_blank(line_of(text))) {
        ++lines;
        if (blocks) continue;
        if (section == Section::elements)
          note_element(integers(line_of(text)));
        else
          note_node(line_of(text));
      }
    const std::int64_t of_blocks = blocks ? std::min(head[0], lines) : 0;
    const std::int64_t found = (lines - of_blocks) / lines_of_one;
    if (found != announced || (lines - of_blocks) % lines_of_one != 0)
      reject(fmt::format("{} entries in ${}, as it says", announced, name_of(section)),
             fmt::format("{}", found));
    require_end(section, text);
  }

  // A node's line of version 2: number, coordinates.
  void note_node(std::string_view line) {
    const std::string text(line);
    char* rest = nullptr;
    const std::int64_t number = std::strtoll(text.c_str(), &rest, 10);
    std::array<double, 3> place{};
    for (double& coordinate : place) coordinate = std::strtod(rest, &rest);
    note_node(number, place);
  }

  // Gmsh truncates larger numbers, and crashes or takes one node or element for another.
  void require_number(std::int64_t number) const {
    constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
    if (number > highest || number < 0)
      reject(fmt::format("numbers of nodes and elements up to {}", highest),
             fmt::format("{}", static_cast<std::uint64_t>(number)));
  }

  void note_node(std::int64_t number, const std::array<double, 3>& place) {
    require_number(number);
    std::uint64_t hash = 0;
    for (const double coordinate : place) hash = chain(hash, coordinate + 0.0);  // −0 is 0
    nodes_.add(number, hash);
  }

  // An element of version 2: number, type, count of tags, tags, nodes.
  void note_element(std::span<const std::int64_t> words) {
    if (words.size() < 3 || words[2] < 0 || static_cast<std::uint64_t>(words[2]) > words.size() - 3) return;
    const std::size_t tags = static_cast<std::size_t>(words[2]);
    const std::span<const std::int64_t> nodes = words.subspan(3 + tags);
    // Of too many nodes Gmsh takes the first. Of too few, and of unknown types, it complains itself.
    if (words[1] >= 1 && words[1] <= std::ssize(nodes_of_type) &&
        nodes.size() > nodes_of(static_cast<std::int32_t>(words[1])))
      throw Error(Error::Kind::input, fmt::format("{}, element {}", where_, words[0]),
                  fmt::format("{} nodes after its tags", nodes_of(static_cast<std::int32_t>(words[1]))),
                  fmt::format("{}", nodes.size()));
    std::uint64_t hash = mix(static_cast<std::uint64_t>(words[1]));
    for (const std::int64_t node : nodes) {
      if (node > nodes_.highest() && nodes_.highest() > 0)
        throw Error(Error::Kind::input, fmt::format("{}, element {}", where_, words[0]),
                    fmt::format("nodes listed in the file (up to {})", nodes_.highest()),
                    fmt::format("node {}", node));
      hash = chain(hash, static_cast<std::uint64_t>(node));
    }
    elements_.add(words[0], hash);
    if (groups_from_) entities_.add(words[1], words.subspan(3, tags), nodes);
  }

  void check_binary(Section section, std::string_view text) {
    const std::optional<std::string_view> rest = version_ > 4                ? after_blocks(section, text)
                                                 : section == Section::nodes ? after_nodes_of_2(text)
                                                                             : after_elements_of_2(text);
    if (!rest)
      reject(fmt::format("as many entries in ${} as it says", name_of(section)), "the end of the file");
    require_end(section, *rest);
  }

  void require_end(Section section, std::string_view text) const {
    if (!text.empty() && text.front() == '\n') text.remove_prefix(1);
    const std::string end = fmt::format("$End{}", name_of(section));
    if (!text.starts_with(end))
      reject(fmt::format("{} after the entries that ${} announces", end, name_of(section)), "something else");
  }

  std::optional<std::string_view> after_nodes_of_2(std::string_view text) {
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    Bytes bytes(text);
    const std::uint64_t size = sizeof(std::int32_t) + 3 * sizeof(double);
    Bytes nodes = bytes;
    if (head.empty() || head[0] < 0 || !bytes.skip(static_cast<std::uint64_t>(head[0]), size))
      return std::nullopt;
    for (std::int64_t node = 0; node < head[0]; ++node) {
      const std::int32_t number = nodes.next<std::int32_t>().value_or(0);
      std::array<double, 3> place{};
      for (double& coordinate : place) coordinate = nodes.next<double>().value_or(0);
      note_node(number, place);
    }
    return bytes.rest();
  }

  std::optional<std::string_view> after_elements_of_2(std::string_view text) {
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    Bytes bytes(text);
    if (head.empty()) return std::nullopt;
    for (std::int64_t left = head[0]; left > 0;) {
      const auto type = bytes.next<std::int32_t>(), count = bytes.next<std::int32_t>(),
                 tags = bytes.next<std::int32_t>();
      if (!tags || *count <= 0 || *tags < 0) return std::nullopt;
      const std::uint64_t numbers = 1 + static_cast<std::uint64_t>(*tags) + nodes_of(*type);
      Bytes elements = bytes;
      if (!bytes.skip(static_cast<std::uint64_t>(*count), numbers * sizeof(std::int32_t)))
        return std::nullopt;
      for (std::int32_t element = 0; element < *count; ++element) {
        std::vector<std::int64_t> words = {elements.next<std::int32_t>().value_or(0), *type, *tags};
        for (std::uint64_t i = 1; i < numbers; ++i)
          words.push_back(elements.next<std::int32_t>().value_or(0));
        note_element(words);
      }
      left -= *count;
      if (left < 0) return std::nullopt;
    }
    return bytes.rest();
  }

  // Version 4.1, binary: blocks of one entity each. Returns what follows them; nothing if the file ends
  // before.
  std::optional<std::string_view> after_blocks(Section section, std::string_view text) const {
    Bytes bytes(text);
    const auto blocks = bytes.next<std::uint64_t>(), announced = bytes.next<std::uint64_t>();
    const auto lowest = bytes.next<std::uint64_t>(), highest = bytes.next<std::uint64_t>();
    if (!announced || !lowest || !highest) return std::nullopt;
    require_number(static_cast<std::int64_t>(*highest));
    std::uint64_t found = 0;
    for (std::uint64_t block = 0; block < *blocks; ++block) {
      const auto dimension = bytes.next<std::int32_t>(), entity = bytes.next<std::int32_t>(),
                 third = bytes.next<std::int32_t>();  // parametric, or the type of the elements
      const auto count = bytes.next<std::uint64_t>();
      if (!entity || !count || *dimension < 0 || *dimension > 3) return std::nullopt;
      const std::uint64_t numbers = section == Section::elements
                                        ? 1 + nodes_of(*third)
                                        : 4 + (*third != 0 ? static_cast<std::uint64_t>(*dimension) : 0);
      if (!bytes.skip(*count, numbers * sizeof(std::uint64_t))) return std::nullopt;
      found += *count;
    }
    if (found != *announced)
      reject(fmt::format("{} entries in ${}, as it says", *announced, name_of(section)),
             fmt::format("{}", found));
    return bytes.rest();
  }

  [[nodiscard]] std::uint64_t nodes_of(std::int32_t type) const {
    if (type < 1 || type > static_cast<std::int32_t>(nodes_of_type.size()))
      reject(fmt::format("types of elements from 1 to {}", nodes_of_type.size()), fmt::format("{}", type));
    return nodes_of_type[static_cast<std::size_t>(type - 1)];
  }

  std::string contents_, where_;
  double version_ = 0;
  std::optional<int> groups_from_;
  bool binary_ = false, swapped_ = false;
  Entities entities_;
  Numbers nodes_, elements_;
};

}  // namespace

void check_counts(const std::string& path, const std::string& where, std::optional<int> groups_from) {
  std::ifstream file(path, std::ios::binary);
  Checker({std::istreambuf_iterator<char>(file), {}}, fmt::format("{}, {}", where, path), groups_from)
      .check();
}

}  // namespace terrace
