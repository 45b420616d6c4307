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
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Nodes of an element by its type in the format's list, from type 1 on.
constexpr std::array<std::uint64_t, 31> nodes_of_type = {2,  3,  4,  4, 8, 6,  5,  3,  6, 9,  10,
                                                         27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12,
                                                         15, 15, 21, 4, 5, 6,  20, 35, 56};

enum class Section { nodes, elements };
const char* name_of(Section section) { return section == Section::nodes ? "Nodes" : "Elements"; }

/// The bytes of a file from some place on; every read says whether there were enough.
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
  /// `count` entries of `size` bytes each.
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

/// The numbers of a line.
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

class Checker {
 public:
  Checker(std::string contents, std::string where)
      : contents_(std::move(contents)), where_(std::move(where)) {}

  void check() {
    std::string_view text = contents_;
    while (!text.empty()) {
      const std::string_view line = line_of(text);
      remove_line(text);
      if (!line.starts_with("$") || line.starts_with("$End")) continue;
      if (line.starts_with("$MeshFormat")) read_format(text);
      if (line.starts_with("$Nodes")) check_section(Section::nodes, text);
      if (line.starts_with("$Elements")) check_section(Section::elements, text);
      if (line.starts_with("$Comments")) text.remove_prefix(std::min(text.find("$EndComments"), text.size()));
    }
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

  void check_section(Section section, std::string_view text) const {
    // Of 4.0, and of another machine's bytes, Gmsh itself finds out more.
    if (version_ == 0 || version_ == 4 || swapped_) return;
    if (binary_)
      check_binary(section, text);
    else
      check_lines(section, text);
  }

  // As many lines as announced, then the section's end.
  void check_lines(Section section, std::string_view text) const {
    skip_blank(text);
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    const bool blocks = version_ > 4;
    if (head.size() < (blocks ? 2u : 1u) || *std::min_element(head.begin(), head.end()) < 0)
      reject(fmt::format("counts in the first line of ${}", name_of(section)),
             head.empty() ? "none" : fmt::format("{}", head[0]));
    const std::int64_t announced = blocks ? head[1] : head[0];
    const std::int64_t lines_of_one = blocks && section == Section::nodes ? 2 : 1;
    std::int64_t lines = 0;
    for (; !text.empty() && !line_of(text).starts_with("$"); remove_line(text))
      if (!is_blank(line_of(text))) ++lines;
    const std::int64_t of_blocks = blocks ? std::min(head[0], lines) : 0;
    const std::int64_t found = (lines - of_blocks) / lines_of_one;
    if (found != announced || (lines - of_blocks) % lines_of_one != 0)
      reject(fmt::format("{} entries in ${}, as it says", announced, name_of(section)),
             fmt::format("{}", found));
    require_end(section, text);
  }

  void check_binary(Section section, std::string_view text) const {
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

  std::optional<std::string_view> after_nodes_of_2(std::string_view text) const {
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    Bytes bytes(text);
    const std::uint64_t size = sizeof(std::int32_t) + 3 * sizeof(double);
    if (head.empty() || head[0] < 0 || !bytes.skip(static_cast<std::uint64_t>(head[0]), size))
      return std::nullopt;
    return bytes.rest();
  }

  std::optional<std::string_view> after_elements_of_2(std::string_view text) const {
    const std::vector<std::int64_t> head = integers(line_of(text));
    remove_line(text);
    Bytes bytes(text);
    if (head.empty()) return std::nullopt;
    for (std::int64_t left = head[0]; left > 0;) {
      const auto type = bytes.next<std::int32_t>(), count = bytes.next<std::int32_t>(),
                 tags = bytes.next<std::int32_t>();
      if (!tags || *count <= 0 || *tags < 0) return std::nullopt;
      const std::uint64_t numbers = 1 + static_cast<std::uint64_t>(*tags) + nodes_of(*type);
      if (!bytes.skip(static_cast<std::uint64_t>(*count), numbers * sizeof(std::int32_t)))
        return std::nullopt;
      left -= *count;
      if (left < 0) return std::nullopt;
    }
    return bytes.rest();
  }

  // Of version 4.1: blocks of one entity each.
  std::optional<std::string_view> after_blocks(Section section, std::string_view text) const {
    Bytes bytes(text);
    const auto blocks = bytes.next<std::uint64_t>(), announced = bytes.next<std::uint64_t>();
    if (!announced || !bytes.skip(2, sizeof(std::uint64_t))) return std::nullopt;
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
  bool binary_ = false, swapped_ = false;
};

}  // namespace

void check_counts(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary);
  Checker({std::istreambuf_iterator<char>(file), {}}, fmt::format("{}, {}", where, path)).check();
}

}  // namespace terrace
