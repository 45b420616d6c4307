#include "mesh/geo_script.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Commands of Gmsh's language that do more than describe a geometry and its mesh, or turn texts into
/// commands.
constexpr std::array<std::string_view, 20> forbidden = {"SystemCall",   "NonBlockingSystemCall",
                                                        "System",       "Exit",
                                                        "Abort",        "Sleep",
                                                        "Include",      "Open",
                                                        "Save",         "Print",
                                                        "CreateDir",    "Plugin",
                                                        "Onelab",       "OnelabRun",
                                                        "Parse",        "BackgroundMesh",
                                                        "StringToName", "ShapeFromFile",
                                                        "SyncModel",    "S2N"};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string_view without_space(std::string_view text) {
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  return text.substr(static_cast<std::size_t>(first - text.begin()));
}

/// Whether `rest`, what follows `Merge`, begins with the name of a file whose extension Gmsh knows as that of
/// data. All other files it runs as scripts.
bool merges_data(std::string_view rest) {
  constexpr std::array<std::string_view, 6> known = {".step", ".stp", ".iges", ".igs", ".brep", ".stl"};
  rest = without_space(rest);
  if (rest.empty() || rest.front() != '"') return false;
  const std::size_t end = rest.find('"', 1);
  constexpr std::size_t longest = 500;  // Gmsh cuts long texts
  if (end == std::string_view::npos || end > longest) return false;
  const std::string_view name = rest.substr(1, end - 1);
  return std::find(known.begin(), known.end(), std::filesystem::path(name).extension().string()) !=
         known.end();
}

/// Whether `rest`, what follows `Printf`, is its arguments and a semicolon, without a file to write to.
bool prints_to_terminal(std::string_view rest) {
  char quote = 0;
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '/' && i + 1 < rest.size() && (rest[i + 1] == '/' || rest[i + 1] == '*')) return false;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && --depth == 0) {
      rest = without_space(rest.substr(i + 1));
      return !rest.empty() && rest.front() == ';';
    }
  }
  return false;
}

/// Gmsh's fields of element sizes that read no file and start no program.
constexpr std::array<std::string_view, 25> fields = {"Attractor",
                                                     "AttractorAnisoCurve",
                                                     "Ball",
                                                     "BoundaryLayer",
                                                     "Box",
                                                     "Constant",
                                                     "Curvature",
                                                     "Cylinder",
                                                     "Distance",
                                                     "Extend",
                                                     "Frustum",
                                                     "Gradient",
                                                     "IntersectAniso",
                                                     "Laplacian",
                                                     "LonLat",
                                                     "MathEval",
                                                     "MathEvalAniso",
                                                     "Max",
                                                     "MaxEigenHessian",
                                                     "Mean",
                                                     "Min",
                                                     "MinAniso",
                                                     "Param",
                                                     "Restrict",
                                                     "Threshold"};

/// Whether `rest`, what follows `Field`, makes no field, or one of `fields`: `Field[1] = Box;`.
bool is_field_without_files(std::string_view rest) {
  rest = without_space(rest);
  if (rest.empty() || rest.front() == '=') return true;  // `Background Field = 1;`
  if (rest.front() != '[' && rest.front() != '(') return false;
  rest.remove_prefix(1);
  // The field's number. Texts and comments are refused: a bracket in them would not close it.
  const auto closing = std::find_if_not(
      rest.begin(), rest.end(), [](char c) { return is_of_name(c) || is_space(c) || c == '+' || c == '-'; });
  if (closing == rest.end() || (*closing != ']' && *closing != ')')) return false;
  rest = without_space(rest.substr(static_cast<std::size_t>(closing - rest.begin()) + 1));
  if (rest.empty()) return false;
  if (rest.front() == '.' || rest.front() == ';') return true;  // an option of a field; `Delete Field [1];`
  if (rest.front() != '=') return false;
  rest = without_space(rest.substr(1));
  const auto last = std::find_if_not(rest.begin(), rest.end(), is_of_name);
  const std::string_view kind = rest.substr(0, static_cast<std::size_t>(last - rest.begin()));
  return std::find(fields.begin(), fields.end(), kind) != fields.end();
}

/// The first line of `text`, cut to at most `most` characters.
std::string_view line_of_at_most(std::string_view text, std::size_t most) {
  return text.substr(0, std::min(text.find_first_of("\r\n"), most));
}

/// Whether a script may have `word`, followed by `rest`.
bool is_allowed(std::string_view word, std::string_view rest) {
  if (word == "Field") return is_field_without_files(rest);
  if (word.substr(0, 5) == "Merge") return merges_data(rest);
  if (word == "Printf") return prints_to_terminal(rest);
  return std::find(forbidden.begin(), forbidden.end(), word) == forbidden.end();
}

}  // namespace

// Comments and quoted texts count too: what is a comment depends on what Gmsh skips (`If (0)`), which could
// serve to hide a command.
void check_geo_script(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary);
  const std::string script{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string_view text = script;
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    if (!begins_name(text[i])) {
      if (text[i++] == '\n') ++line;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (!is_allowed(word, text.substr(end)))
      throw Error(
          Error::Kind::input, fmt::format("{}, {}:{}", where, path, line),
          "a geometry, which starts no program and reads and writes no files (but \"Merge\" of a STEP, "
          "IGES, BREP or STL file), nor says so in a comment",
          fmt::format("\"{}\"", word == "Field" ? line_of_at_most(text.substr(i), 60) : word));
    i = end;
  }
}

}  // namespace terrace
