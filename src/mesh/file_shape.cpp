// The mesher of FileShape: meshes and geometries from files.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "mesh/child_process.hpp"
#include "mesh/geo_script.hpp"
#include "mesh/gmsh_module.hpp"
#include "mesh/msh_counts.hpp"
#include "mesh/msh_file.hpp"
#include "mesh/orientation.hpp"
#include "mesh/shape_meshers.hpp"
#include "mesh/soundness.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

std::string extension_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

bool is_mesh(const std::string& path) { return extension_of(path) == ".msh"; }

void check_readable(const std::string& path, const std::string& where) {
  // Upper and lower case count: Gmsh runs a file whose extension it does not know as a script.
  const std::string extension = extension_of(path);
  const std::vector<std::string> known{".msh", ".geo", ".step", ".stp"};
  if (std::find(known.begin(), known.end(), extension) == known.end())
    reject(where, "a file ending in .msh, .geo, .step or .stp", fmt::format("\"{}\"", path));
  std::error_code reason;
  if (!std::filesystem::is_regular_file(path, reason))
    reject(where, "a readable file",
           fmt::format("\"{}\": {}", path, reason ? reason.message() : "it is not a regular file"));
  if (!std::ifstream(path, std::ios::binary))
    reject(where, "a readable file", fmt::format("\"{}\", which cannot be opened", path));
}

/// As `verify_mesh`, but naming the node by its number in the file.
void check_coordinates(const NumberedMesh& numbered, const std::string& where) {
  for (std::size_t a = 0; a < numbered.mesh.nodes.size(); ++a) {
    const auto& [x, y, z] = numbered.mesh.nodes[a];
    if (!(std::isfinite(x) && std::isfinite(y) && std::isfinite(z)))
      reject(fmt::format("{}, node {}", where, numbered.node_numbers[a]), "finite coordinates",
             fmt::format("({}, {}, {})", x, y, z));
  }
}

/// As `verify_mesh`, but naming the element by its number in the file.
void check_orientation(const NumberedMesh& numbered, const std::string& where) {
  for (std::size_t e = 0; e < numbered.mesh.tetrahedra.size(); ++e) {
    const double relative = relative_volume(numbered.mesh, numbered.mesh.tetrahedra[e]);
    if (relative > flat_relative_volume) continue;
    reject(fmt::format("{}, element {}", where, numbered.element_numbers[e]),
           "a tetrahedron of positive volume",
           fmt::format("{} element", relative < -flat_relative_volume ? "an inverted" : "a flat"));
  }
}

/// The mesh that Gmsh makes of the file, checked and multiplied by the scale.
TetrahedralMesh read_with(const GmshMeshers& gmsh, const FileShape& shape, const std::string& file) {
  NumberedMesh numbered = gmsh.file(shape, file);
  check_coordinates(numbered, file);  // first: with coordinates that are no numbers volumes are none either
  check_orientation(numbered, file);
  verify_sound(numbered.mesh, file);
  for (Vector3& node : numbered.mesh.nodes) node = shape.scale * node;
  return std::move(numbered.mesh);
}

/// Limits for reading a mesh, in proportion to the size of its file; none for a geometry, whose mesh may have
/// any size.
ChildLimits limits_of(const std::string& path) {
  constexpr std::uint64_t least_memory = std::uint64_t{1} << 30, memory_of_a_byte = 100;
  constexpr std::uint64_t least_seconds = 60, bytes_in_a_second = 1 << 18;
  if (!is_mesh(path)) return {};
  const std::uint64_t size = std::filesystem::file_size(path);
  return {least_memory + memory_of_a_byte * size, least_seconds + size / bytes_in_a_second};
}

/// The lowest dimension of the physical groups that the shape asks for: 2 if it asks for nodes of supports,
/// which may be surfaces, 3 if for a volume alone; none without groups.
std::optional<int> dimension_of_groups(const FileShape& shape) {
  if (!shape.node_groups.empty()) return 2;
  if (!shape.group.empty()) return 3;
  return std::nullopt;
}

}  // namespace

TetrahedralMesh mesh_file(const FileShape& shape, const std::string& where) {
  require_positive(shape.scale, "a scale", where);
  if (shape.size != 0) require_positive(shape.size, "an element size (or 0: the file's own)", where);
  check_readable(shape.path, where);
  if (is_mesh(shape.path)) {
    check_first_section(shape.path, where);
    check_last_section_closed(shape.path, where);
    check_counts(shape.path, where, dimension_of_groups(shape));
  }
  if (extension_of(shape.path) == ".geo") check_geo_script(shape.path, where);

  const std::string file = fmt::format("{}{}{}", where, where.empty() ? "" : ", ", shape.path);
  const GmshMeshers& gmsh = gmsh_meshers(file);
  // In a process of its own, as Gmsh crashes on some files that it cannot read.
  const std::vector<std::byte> bytes =
      in_child_process(file, "a file that Gmsh can read", limits_of(shape.path), [&] {
        const TetrahedralMesh mesh = read_with(gmsh, shape, file);
        ByteWriter writer;
        writer(mesh.nodes, mesh.tetrahedra, mesh.node_groups);
        return writer.take();
      });
  TetrahedralMesh mesh;
  ByteReader reader(bytes);
  reader(mesh.nodes, mesh.tetrahedra, mesh.node_groups);
  return mesh;
}

}  // namespace terrace
