// Balls and blocks of about size 1, for which Gmsh's absolute tolerances are made.
#include <gmsh.h>

#include <array>

#include "mesh/gmsh/meshers.hpp"
#include "mesh/gmsh/session.hpp"

namespace terrace {
namespace {

/// Meshes the shape of about size 1 that `build` puts into a new model, with elements of `size`.
template <class Build>
TetrahedralMesh mesh_with_gmsh(const ElementSize& size, const std::string& where, Build build) {
  GmshSession session(where);
  session.attempt("a shape that Gmsh can mesh", [&] {
    gmsh::model::add("terrace");
    build();
    for (const char* source : {"Mesh.MeshSizeFromPoints", "Mesh.MeshSizeExtendFromBoundary"})
      gmsh::option::setNumber(source, 0);
    gmsh::model::mesh::setSizeCallback([&size](int, int, double x, double y, double z) {
      return size({x, y, z});
    });
    gmsh::model::mesh::generate(3);
    gmsh::model::mesh::removeSizeCallback();
  });
  return collect_tetrahedra(session, {}, where).mesh;
}

/// Builds the unit ball; its surface is eight spherical triangles between the six points on the axes. Each of
/// these points, where beads of a chain touch, is then a node, and no parametrisation is singular there, as
/// one by latitude and longitude is at the poles.
void build_unit_ball() {
  namespace geo = gmsh::model::geo;
  constexpr std::array<int, 2> signs{1, -1};
  const int centre = geo::addPoint(0, 0, 0);
  std::array<std::array<int, 2>, 3> pole;  // [axis][0: positive, 1: negative]
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side) {
      Vector3 point{};
      point[axis] = signs[side];
      pole[axis][side] = geo::addPoint(point[0], point[1], point[2]);
    }
  // arc[axis][s][t]: from pole (axis, s) to pole (axis + 1, t).
  std::array<std::array<std::array<int, 2>, 2>, 3> arc;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t t = 0; t < 2; ++t)
        arc[axis][s][t] = geo::addCircleArc(pole[axis][s], centre, pole[(axis + 1) % 3][t]);
  std::vector<int> octants;
  for (std::size_t x = 0; x < 2; ++x)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t z = 0; z < 2; ++z) {
        const int loop = geo::addCurveLoop({arc[0][x][y], arc[1][y][z], arc[2][z][x]});
        octants.push_back(geo::addSurfaceFilling({loop}, -1, centre));
      }
  geo::addVolume({geo::addSurfaceLoop(octants)});
  geo::synchronize();
}

}  // namespace

TetrahedralMesh gmsh_unit_ball(const ElementSize& size, const std::string& where) {
  return mesh_with_gmsh(size, where, build_unit_ball);
}

TetrahedralMesh gmsh_block(const Vector3& half_extent, const ElementSize& size, const std::string& where) {
  return mesh_with_gmsh(size, where, [&half_extent] {
    const auto& [x, y, z] = half_extent;
    gmsh::model::occ::addBox(-x, -y, -z, 2 * x, 2 * y, 2 * z);
    gmsh::model::occ::synchronize();
  });
}

}  // namespace terrace
