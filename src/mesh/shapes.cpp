#include "mesh/shapes.hpp"

#include <fmt/core.h>

#include <cstddef>

#include "mesh/child_process.hpp"
#include "mesh/shape_meshers.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// One mesher for each alternative of `Shape`.
struct Mesher {
  const std::string& where;
  TetrahedralMesh operator()(const BallShape& shape) const { return mesh_ball(shape, where); }
  TetrahedralMesh operator()(const BlockShape& shape) const { return mesh_block(shape, where); }
  TetrahedralMesh operator()(const LatticeShape& shape) const { return mesh_lattice(shape, where); }
  TetrahedralMesh operator()(const FileShape& shape) const { return mesh_file(shape, where); }
};

/// What begins an error message about the chosen shapes together: that of the first, and how many more.
std::string where_of(std::span<const NamedShape> shapes, std::span<const std::size_t> chosen) {
  const std::string& first = shapes[chosen.front()].where;
  return chosen.size() == 1 ? first : fmt::format("{}, or one of {} more", first, chosen.size() - 1);
}

}  // namespace

void require_positive(double value, const std::string& quantity, const std::string& where) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(Error::Kind::input, where, fmt::format("{} that is finite and positive", quantity),
                fmt::format("{:g}", value));
}

TetrahedralMesh make_mesh(const Shape& shape, const std::string& where) {
  TetrahedralMesh mesh = std::visit(Mesher{where}, shape);
  verify_mesh(mesh, where);
  return mesh;
}

// One child process makes all of Gmsh's meshes, as Gmsh takes a fifth of a second to load.
std::vector<TetrahedralMesh> make_meshes(std::span<const NamedShape> shapes) {
  std::vector<TetrahedralMesh> meshes(shapes.size());
  std::vector<std::size_t> of_gmsh;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (std::holds_alternative<LatticeShape>(*shapes[i].shape))
      meshes[i] = make_mesh(*shapes[i].shape, shapes[i].where);
    else
      of_gmsh.push_back(i);
  }
  if (of_gmsh.empty()) return meshes;
  const auto mesh_all = [&] {
    ByteWriter writer;
    for (const std::size_t i : of_gmsh) {
      const TetrahedralMesh mesh = make_mesh(*shapes[i].shape, shapes[i].where);
      writer(mesh.nodes, mesh.tetrahedra, mesh.node_groups);
    }
    return writer.take();
  };
  const std::vector<std::byte> bytes =
      in_child_process(where_of(shapes, of_gmsh), "a shape that Gmsh can mesh", {}, mesh_all);
  ByteReader reader(bytes);
  for (const std::size_t i : of_gmsh) reader(meshes[i].nodes, meshes[i].tetrahedra, meshes[i].node_groups);
  return meshes;
}

}  // namespace terrace
