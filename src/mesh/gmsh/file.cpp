// Reads meshes and geometries from files with Gmsh.
#include <fmt/core.h>
#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "mesh/gmsh/meshers.hpp"
#include "mesh/gmsh/session.hpp"
#include "mesh/size_limits.hpp"
#include "numerics/sort_each_once.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Name of a physical surface or volume; its number where it has no name.
std::string group_name(int dimension, int number) {
  std::string name;
  gmsh::model::getPhysicalName(dimension, number, name);
  return name.empty() ? std::to_string(number) : name;
}

/// Throws Error(input) if `group` names several groups: a physical surface and a volume may have the same
/// number, and a name may look like a number.
void require_one_group(int found, const std::string& expected, const std::string& group,
                       const std::string& where) {
  if (found > 1) reject(where, expected, fmt::format("\"{}\" of {}", group, found));
}

/// Gmsh's volumes that make up the physical volume `group`; empty, which means all volumes, if `group` is.
std::vector<int> volumes_of_group(const std::string& group, const std::string& where) {
  std::vector<int> volumes;
  if (group.empty()) return volumes;
  std::vector<std::pair<int, int>> groups;
  gmsh::model::getPhysicalGroups(groups, 3);
  std::string names;
  int found = 0;
  for (const auto& [dimension, number] : groups) {
    const std::string name = group_name(dimension, number);
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
    if (name != group) continue;
    ++found;
    gmsh::model::getEntitiesForPhysicalGroup(3, number, volumes);
  }
  require_one_group(found, "the name, or number without a name, of one physical volume", group, where);
  if (volumes.empty())
    reject(
        where,
        names.empty() ? "a file with physical volumes" : fmt::format("one of the physical volumes {}", names),
        fmt::format("\"{}\"{}", group,
                    names.empty() ? " asked for, and no physical volume in the file" : ""));
  return volumes;
}

/// The nodes of a physical surface or volume, ascending, as places in `used`, which holds Gmsh's numbers of
/// the mesh's nodes.
std::vector<std::int32_t> nodes_of_group(const std::string& group, const std::vector<std::size_t>& used,
                                         const std::string& where) {
  std::vector<std::int32_t> nodes;
  std::string names;
  int found = 0;
  for (const int dimension : {2, 3}) {
    std::vector<std::pair<int, int>> groups;
    gmsh::model::getPhysicalGroups(groups, dimension);
    for (const auto& [same, number] : groups) {
      const std::string name = group_name(dimension, number);
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
      if (name != group) continue;
      ++found;
      std::vector<std::size_t> numbers;
      std::vector<double> coordinates;
      gmsh::model::mesh::getNodesForPhysicalGroup(dimension, number, numbers, coordinates);
      for (const std::size_t node : numbers) {
        const auto place = std::lower_bound(used.begin(), used.end(), node);
        if (place != used.end() && *place == node)
          nodes.push_back(static_cast<std::int32_t>(place - used.begin()));
      }
    }
  }
  require_one_group(found, "the name, or number without a name, of one physical surface or volume", group,
                    where);
  if (nodes.empty())
    reject(where,
           names.empty()
               ? "a file with physical surfaces or volumes"
               : fmt::format("one of the physical surfaces and volumes {} with nodes of the body", names),
           fmt::format("\"{}\" for a support", group));
  sort_each_once(nodes);
  return nodes;
}

/// Largest extent of the bounding box of the geometry.
double largest_extent() {
  Vector3 low, high;
  gmsh::model::getBoundingBox(-1, -1, low[0], low[1], low[2], high[0], high[1], high[2]);
  const Vector3 extent = high - low;
  return *std::max_element(extent.begin(), extent.end());
}

bool has_cells() {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 3);
  return !types.empty();
}

void set_size(double size) {
  gmsh::option::setNumber("Mesh.MeshSizeMin", size);
  gmsh::option::setNumber("Mesh.MeshSizeMax", size);
}

/// Throws Error(input) if a mesh of the geometry with elements of `size` would be too large. If the bounding
/// box does not settle that, a coarse mesh tells the volume. `extent`: the longest side of the box.
void require_room_for(GmshSession& session, double size, double extent, const std::string& where) {
  constexpr double surely_fits = 1e6;
  if (elements_in(extent * extent * extent, size) <= surely_fits) return;
  constexpr double coarse = 0.1;
  set_size(std::max(size, coarse * extent));
  gmsh::model::mesh::generate(3);
  const TetrahedralMesh mesh = collect_tetrahedra(session, {}, where).mesh;
  double volume = 0;
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra) volume += std::abs(signed_volume(mesh, tetrahedron));
  gmsh::model::mesh::clear();
  require_room(elements_in(volume, size), "an element size", where);
}

void mesh_geometry(GmshSession& session, const FileShape& shape, const std::string& where) {
  if (shape.size > 0) {
    if (has_cells())
      reject(where, "no size of a geometry that meshes itself", fmt::format("{:g}", shape.size));
    const double size = shape.size / shape.scale, extent = largest_extent();
    if (size > extent)
      reject(where, fmt::format("an element size no larger than the body ({:g})", shape.scale * extent),
             fmt::format("{:g}", shape.size));
    require_room_for(session, size, extent, where);
    set_size(size);
  }
  if (!has_cells()) gmsh::model::mesh::generate(3);
}

}  // namespace

NumberedMesh gmsh_file(const FileShape& shape, const std::string& where) {
  GmshSession session(where);
  session.attempt("a file that Gmsh can read", [&] { gmsh::open(shape.path); });
  std::vector<int> volumes;
  session.attempt("a physical volume", [&] { volumes = volumes_of_group(shape.group, where); });
  if (std::filesystem::path(shape.path).extension() != ".msh")
    session.attempt("a geometry that Gmsh can mesh", [&] { mesh_geometry(session, shape, where); });
  NumberedMesh numbered = collect_tetrahedra(session, volumes, where);
  for (const std::string& group : shape.node_groups)
    numbered.mesh.node_groups[group] = nodes_of_group(group, numbered.node_numbers, where);
  return numbered;
}

}  // namespace terrace
