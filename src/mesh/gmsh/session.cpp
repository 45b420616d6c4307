#include "mesh/gmsh/session.hpp"

#include <fmt/core.h>
#include <gmsh.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr int linear_tetrahedron = 4;  ///< Gmsh's number of this element type

struct GmshElement {
  std::size_t number;
  std::array<std::size_t, 4> nodes;
};

std::string type_name(int type) {
  std::string name;
  int dimension = 0, order = 0, nodes = 0, corner_nodes = 0;
  std::vector<double> coordinates;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, nodes, coordinates, corner_nodes);
  return name;
}

/// Removes copies of elements: a file of version 2 may hold an element once for each physical group of its
/// volume, each time with another number.
void keep_one_for_all_groups(int volume, std::vector<GmshElement>& elements) {
  std::vector<int> groups;
  gmsh::model::getPhysicalGroupsForEntity(3, volume, groups);
  if (groups.size() < 2) return;
  std::ranges::sort(elements, {}, [](const GmshElement& e) { return std::pair(e.nodes, e.number); });
  const auto are_one = [](const GmshElement& a, const GmshElement& b) { return a.nodes == b.nodes; };
  elements.erase(std::unique(elements.begin(), elements.end(), are_one), elements.end());
}

/// Appends the tetrahedra of one volume.
void append_elements(int volume, const std::string& where, std::vector<GmshElement>& all) {
  std::vector<GmshElement> elements;
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> numbers, nodes;
  gmsh::model::mesh::getElements(types, numbers, nodes, 3, volume);
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (types[t] != linear_tetrahedron)
      throw Error(Error::Kind::input, fmt::format("{}, element {}", where, numbers[t].front()),
                  "linear tetrahedra (\"Tetrahedron 4\") as the only 3-D cells",
                  fmt::format("{} cells of type \"{}\"", numbers[t].size(), type_name(types[t])));
    for (std::size_t e = 0; e < numbers[t].size(); ++e)
      elements.push_back(
          {numbers[t][e], {nodes[t][4 * e], nodes[t][4 * e + 1], nodes[t][4 * e + 2], nodes[t][4 * e + 3]}});
  }
  keep_one_for_all_groups(volume, elements);
  all.insert(all.end(), elements.begin(), elements.end());
}

/// All volumes except those of ghost cells, which are copies that the parts of a partitioned mesh hold of
/// each other's elements.
std::vector<int> all_volumes() {
  std::vector<std::pair<int, int>> entities;
  gmsh::model::getEntities(entities, 3);
  std::vector<int> volumes;
  for (const auto& [dimension, volume] : entities) {
    std::string type;
    gmsh::model::getType(dimension, volume, type);
    if (type != "Ghost volume") volumes.push_back(volume);
  }
  return volumes;
}

std::vector<GmshElement> elements_of(const std::vector<int>& volumes, const std::string& where) {
  std::vector<GmshElement> elements;
  for (const int volume : volumes.empty() ? all_volumes() : volumes) append_elements(volume, where, elements);
  if (elements.empty()) throw Error(Error::Kind::input, where, "tetrahedra", "none");
  if (elements.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 4)
    throw Error(Error::Kind::input, where, "at most 2^29 tetrahedra", std::to_string(elements.size()));
  std::sort(elements.begin(), elements.end(),
            [](const GmshElement& a, const GmshElement& b) { return a.number < b.number; });
  return elements;
}

/// Gmsh's numbers of the nodes that the elements use, ascending. A node's place in this list is its index in
/// the mesh.
std::vector<std::size_t> used_nodes(const std::vector<GmshElement>& elements) {
  std::vector<std::size_t> used;
  used.reserve(4 * elements.size());
  for (const GmshElement& element : elements)
    used.insert(used.end(), element.nodes.begin(), element.nodes.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// The positions of the nodes with Gmsh's numbers `used`, in that order.
std::vector<Vector3> positions_of(const std::vector<std::size_t>& used, const std::string& where) {
  std::vector<std::size_t> numbers;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(numbers, coordinates, parametric, -1, -1, false, false);
  std::vector<Vector3> positions(used.size());
  std::size_t found = 0;
  for (std::size_t a = 0; a < numbers.size(); ++a) {
    const auto place = std::lower_bound(used.begin(), used.end(), numbers[a]);
    if (place == used.end() || *place != numbers[a]) continue;
    at(positions, place - used.begin()) = {coordinates[3 * a], coordinates[3 * a + 1],
                                           coordinates[3 * a + 2]};
    ++found;
  }
  if (found != used.size())
    throw Error(Error::Kind::input, where, fmt::format("coordinates of {} nodes", used.size()),
                fmt::format("{}", found));
  return positions;
}

NumberedMesh renumbered(const std::vector<GmshElement>& elements, const std::string& where) {
  const std::vector<std::size_t> used = used_nodes(elements);
  NumberedMesh result;
  result.mesh.nodes = positions_of(used, where);
  for (const GmshElement& element : elements) {
    Tetrahedron tetrahedron;
    for (std::size_t a = 0; a < 4; ++a)
      tetrahedron[a] = static_cast<std::int32_t>(
          std::lower_bound(used.begin(), used.end(), element.nodes[a]) - used.begin());
    result.mesh.tetrahedra.push_back(tetrahedron);
    result.element_numbers.push_back(element.number);
  }
  result.node_numbers = used;
  return result;
}

}  // namespace

GmshSession::GmshSession(std::string where) : where_(std::move(where)) {
  constexpr bool read_configuration_files = false;
  gmsh::initialize(0, nullptr, read_configuration_files);
  gmsh::option::setNumber("General.Terminal", 0);
  // Gmsh's parsers do not survive an exception; `attempt` takes errors from the log instead.
  gmsh::option::setNumber("General.AbortOnError", 0);
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::option::setNumber("Mesh.RandomSeed", 1);
  gmsh::option::setNumber("Mesh.Algorithm", 6);    // Frontal-Delaunay for surfaces
  gmsh::option::setNumber("Mesh.Algorithm3D", 1);  // Delaunay
  gmsh::option::setNumber("Mesh.Optimize", 1);
  gmsh::logger::start();
}

GmshSession::~GmshSession() {
  try {
    gmsh::logger::stop();
    gmsh::finalize();
  } catch (...) {  // a destructor can do nothing about it
  }
}

std::string GmshSession::logged_errors() {
  constexpr std::size_t most_lines = 3;
  std::vector<std::string> log;
  gmsh::logger::get(log);
  std::string errors;
  std::size_t lines = 0;
  for (const std::string& line : log) {
    if (line.rfind("Error", 0) != 0 || ++lines > most_lines) continue;
    errors += (errors.empty() ? "" : "; ") + line;
  }
  if (lines > most_lines) errors += fmt::format("; and {} more", lines - most_lines);
  return errors;
}

void GmshSession::fail(const std::string& expected, const std::string& found) const {
  throw Error(Error::Kind::input, where_, expected, "Gmsh's " + found);
}

NumberedMesh collect_tetrahedra(GmshSession& session, const std::vector<int>& volumes,
                                const std::string& where) {
  NumberedMesh result;
  session.attempt("a mesh of tetrahedra", [&] { result = renumbered(elements_of(volumes, where), where); });
  return result;
}

}  // namespace terrace
