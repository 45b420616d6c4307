#include "mesh/msh_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "parallel/error.hpp"

namespace terrace {

void check_first_section(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  if (line.starts_with("\xEF\xBB\xBF"))  // a separate message, as no terminal shows the mark
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

}  // namespace terrace
