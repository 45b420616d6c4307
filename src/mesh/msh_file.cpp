#include "mesh/msh_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Moves to the line after `$section`; false when the file has none.
bool find_section(std::ifstream& file, const std::string& section) {
  for (std::string line; std::getline(file, line);)
    if (line.rfind(section, 0) == 0) return true;
  return false;
}

/// Highest node number of the section $Nodes; 0 when the section cannot be read, which Gmsh reports.
long highest_node(std::ifstream& file) {
  long count = 0, highest = 0;
  if (!find_section(file, "$Nodes") || !(file >> count)) return 0;
  for (long a = 0; a < count; ++a) {
    long node = 0;
    std::string x, y, z;
    if (!(file >> node >> x >> y >> z)) return 0;
    highest = std::max(highest, node);
  }
  return highest;
}

/// Throws when a line of the section $Elements (number, type, count of tags, tags, nodes) has a node above
/// `highest`.
void check_elements(std::ifstream& file, long highest, const std::string& where) {
  std::string line;
  if (!find_section(file, "$Elements")) return;
  std::getline(file, line);  // how many elements
  while (std::getline(file, line) && line[0] != '$') {
    std::istringstream words(line);
    long number = 0, type = 0, tags = 0, word = 0;
    words >> number >> type >> tags;
    for (long t = 0; t < tags && words; ++t) words >> word;
    while (words >> word)
      if (word > highest)
        throw Error(Error::Kind::input, fmt::format("{}, element {}", where, number),
                    fmt::format("nodes listed in the file (up to {})", highest),
                    fmt::format("node {}", word));
  }
}

}  // namespace

void check_first_section(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  if (line.starts_with("\xEF\xBB\xBF"))  // which no terminal shows
    throw Error(Error::Kind::input, fmt::format("{}, {}", where, path), "$MeshFormat as the first line",
                "a byte order mark before $MeshFormat");
  if (line == "$NOD")
    throw Error(Error::Kind::input, fmt::format("{}, {}", where, path), "a .msh file of version 2, 4 or 4.1",
                "version 1");
  if (line != "$MeshFormat" && line != "$Comments")
    throw Error(Error::Kind::input, fmt::format("{}, {}", where, path), "$MeshFormat as the first line",
                fmt::format("\"{:.40}\"", line));
}

void check_last_section_closed(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  constexpr std::streamoff longest_tail = 256;
  const std::streamoff length = file.tellg(), tail_length = std::min(length, longest_tail);
  std::string tail(static_cast<std::size_t>(tail_length), ' ');
  file.seekg(length - tail_length);
  file.read(tail.data(), tail_length);
  tail.erase(tail.find_last_not_of(" \t\r\n") + 1);
  const std::size_t last_line = tail.rfind('\n') + 1;  // 0 when there is one line only
  if (tail.compare(last_line, 4, "$End") != 0)
    throw Error(Error::Kind::input, where, "a .msh file whose last line closes a section ($End…)",
                fmt::format("\"{}\" cut off after {} bytes", path, length));
}

void check_nodes_of_version_2(const std::string& path, const std::string& where) {
  std::ifstream file(path);
  double version = 0;
  int binary = 0;
  if (!find_section(file, "$MeshFormat") || !(file >> version >> binary)) return;
  if (version < 2 || version >= 3 || binary != 0) return;
  if (const long highest = highest_node(file); highest > 0) check_elements(file, highest, where);
}

}  // namespace terrace
