#include "io/particle_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

const std::vector<std::string>& known_columns() {
  static const std::vector<std::string> names = {"x", "y", "z", "vx", "vy", "vz", "mass"};
  return names;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = line.find(',', begin);
    std::string cell = line.substr(begin, end == std::string::npos ? end : end - begin);
    const auto first = cell.find_first_not_of(" \t\r"), last = cell.find_last_not_of(" \t\r");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    if (end == std::string::npos) return cells;
    begin = end + 1;
  }
}

/// For each column of the file, its place in known_columns.
std::vector<std::size_t> columns_of(const std::string& header, const std::string& where) {
  std::vector<std::size_t> columns;
  for (const std::string& name : cells_of(header)) {
    const auto place = std::find(known_columns().begin(), known_columns().end(), name);
    const auto number = static_cast<std::size_t>(place - known_columns().begin());
    const bool twice = std::find(columns.begin(), columns.end(), number) != columns.end();
    if (place == known_columns().end() || twice)
      throw Error(Error::Kind::input, where, "names of columns, each once, of x, y, z, vx, vy, vz, mass",
                  fmt::format("\"{}\"{}", name, twice && place != known_columns().end() ? " twice" : ""));
    columns.push_back(number);
  }
  return columns;
}

std::size_t dimension_of(const std::vector<std::size_t>& columns, const std::string& where) {
  const auto has = [&](std::size_t column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  const std::size_t dimension = has(2) ? 3 : has(1) ? 2 : 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (has(d) != (d < dimension) || (has(3 + d) && d >= dimension))
      throw Error(Error::Kind::input, where,
                  "the columns x, or x and y, or x, y and z, and velocities of the same components only",
                  fmt::format("{} \"{}\"", has(d) != (d < dimension) ? "no" : "also",
                              known_columns()[has(d) != (d < dimension) ? d : 3 + d]));
  return dimension;
}

double number_of(const std::string& cell, const std::string& column, const std::string& where) {
  double value = 0;
  const char* begin = cell.data();
  // std::from_chars knows no plus sign, which many programs write.
  if (cell.size() > 1 && cell[0] == '+' &&
      (std::isdigit(static_cast<unsigned char>(cell[1])) != 0 || cell[1] == '.'))
    ++begin;
  const auto [end, error] = std::from_chars(begin, cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value) ||
      (column == "mass" && !(value > 0)))
    throw Error(
        Error::Kind::input, where,
        fmt::format("a {} in the column {}", column == "mass" ? "number > 0" : "finite number", column),
        fmt::format("\"{}\"", cell));
  return value;
}

/// Takes the first line off `rest` and returns it, without its end.
std::string_view taken_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

}  // namespace

ParticleFile read_particle_file(const std::string& deck_file, const std::string& file,
                                const std::string& where, const std::string& key) {
  const std::filesystem::path path = std::filesystem::path(deck_file).parent_path() / file;
  std::error_code ignored;
  if (!std::ifstream(path) || std::filesystem::is_directory(path, ignored))
    throw Error(Error::Kind::input, where, key + " to name a table of particles, relative to the deck",
                fmt::format("\"{}\", no file {} that can be read", file, path.string()));
  const std::string text = read_whole_file(path);
  std::string_view rest = text;
  std::string line(taken_line(rest));
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // which spreadsheets write
  if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  const std::string first = fmt::format("{}:1", path.string());
  const std::vector<std::size_t> columns = columns_of(line, first);
  ParticleFile particles;
  particles.dimension = dimension_of(columns, first);
  for (int number = 2; !rest.empty(); ++number) {
    line = taken_line(rest);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string here = fmt::format("{}:{}", path.string(), number);
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns.size())
      throw Error(Error::Kind::input, here, fmt::format("{} values, one for each column", columns.size()),
                  fmt::format("{}", cells.size()));
    Vector3 position{}, velocity{};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double value = number_of(cells[c], known_columns()[columns[c]], here);
      if (columns[c] < 3)
        position[columns[c]] = value;
      else if (columns[c] < 6)
        velocity[columns[c] - 3] = value;
      else
        particles.masses.push_back(value);
    }
    particles.positions.push_back(position);
    particles.velocities.push_back(velocity);
  }
  if (particles.positions.empty())
    throw Error(Error::Kind::input, path.string(), "a row for every particle after the first", "none");
  return particles;
}

}  // namespace terrace
