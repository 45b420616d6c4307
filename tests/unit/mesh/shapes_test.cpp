// Meshes of lattices, balls and blocks: volume, boundary, symmetry, refinement, and numbers that are refused.
#include "mesh/shapes.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "mesh/size_limits.hpp"
#include "parallel/error.hpp"

namespace terrace::shapes_test {
namespace {

using testing::HasSubstr;

const Vector3& node_of(const TetrahedralMesh& mesh, std::int32_t node) {
  return mesh.nodes[static_cast<std::size_t>(node)];
}

/// Vertices − edges + faces of the boundary: 2 for one body without holes.
int boundary_euler_characteristic(const TetrahedralMesh& mesh) {
  const std::vector<Triangle> triangles = boundary_triangles(mesh.tetrahedra);
  std::set<std::int32_t> vertices;
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  for (const Triangle& triangle : triangles)
    for (std::size_t a = 0; a < 3; ++a) {
      vertices.insert(triangle[a]);
      edges.insert(std::minmax({triangle[a], triangle[(a + 1) % 3]}));
    }
  return static_cast<int>(vertices.size()) - static_cast<int>(edges.size()) +
         static_cast<int>(triangles.size());
}

struct BoundaryIntegrals {
  Vector3 area{};     ///< ∮ n dA, zero for a closed surface
  double volume = 0;  ///< ∮ x·n dA / 3
};

BoundaryIntegrals integrate_boundary(const TetrahedralMesh& mesh) {
  BoundaryIntegrals integrals;
  for (const auto& [i, j, k] : boundary_triangles(mesh.tetrahedra)) {
    const Vector3 area =
        0.5 * cross(node_of(mesh, j) - node_of(mesh, i), node_of(mesh, k) - node_of(mesh, i));
    integrals.area += area;
    integrals.volume += dot(node_of(mesh, i), area) / 3;
  }
  return integrals;
}

Vector3 centre_of_volume(const TetrahedralMesh& mesh) {
  Vector3 moment{};
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra)
    for (const std::int32_t node : tetrahedron)
      moment += signed_volume(mesh, tetrahedron) / 4 * node_of(mesh, node);
  return 1 / measure_quality(mesh).volume * moment;
}

std::string rejection_of(const Shape& shape) {
  try {
    make_mesh(shape, "deck.toml:7, body b");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_THAT(error.what(), HasSubstr("deck.toml:7, body b"));
    return error.what();
  }
  return "accepted";
}

bool has_node(const TetrahedralMesh& mesh, const Vector3& position, double tolerance) {
  return std::any_of(mesh.nodes.begin(), mesh.nodes.end(),
                     [&](const Vector3& node) { return norm(node - position) <= tolerance; });
}

TEST(Lattice, HasTheCountsOfTheSpinningCube) {
  const TetrahedralMesh cube = make_mesh(LatticeShape{{1, 1, 1}, {8, 8, 8}}, "test");
  EXPECT_EQ(cube.tetrahedra.size(), 12288U);
  EXPECT_EQ(cube.nodes.size(), 2969U);
  const TetrahedralMesh small = make_mesh(LatticeShape{{1, 1, 1}, {2, 2, 2}}, "test");
  EXPECT_EQ(small.tetrahedra.size(), 192U);
  EXPECT_EQ(small.nodes.size(), 71U);
}

TEST(Lattice, FillsItsBlockWithEqualTetrahedra) {
  const TetrahedralMesh mesh = make_mesh(LatticeShape{{2, 3, 0.5}, {4, 2, 3}}, "test");
  EXPECT_NEAR(measure_quality(mesh).volume, 3, 1e-12);
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra)
    EXPECT_NEAR(signed_volume(mesh, tetrahedron), 3.0 / (24 * 24), 1e-15);
  EXPECT_EQ(boundary_euler_characteristic(mesh), 2);
  EXPECT_NEAR(integrate_boundary(mesh).volume, 3, 1e-12);
}

TEST(Lattice, IsSymmetricAboutTheOriginToTheLastBit) {
  const TetrahedralMesh mesh = make_mesh(LatticeShape{{0.1, 0.7, 1.3}, {3, 5, 7}}, "test");
  const std::set<Vector3> nodes(mesh.nodes.begin(), mesh.nodes.end());
  for (const Vector3& node : mesh.nodes) {
    EXPECT_TRUE(nodes.contains(-1.0 * node));
    EXPECT_TRUE(nodes.contains({-node[0], node[1], node[2]}));
  }
  EXPECT_TRUE(nodes.contains({0.05, 0.35, 0.65}));
}

TEST(Ball, HasAClosedBoundaryOnTheSphereAndNearlyItsVolume) {
  const double radius = 0.025;
  const TetrahedralMesh mesh = make_mesh(BallShape{radius, 0.0035, {}}, "test");
  const double sphere_volume = 4 * std::numbers::pi / 3 * std::pow(radius, 3);
  const double volume = measure_quality(mesh).volume;
  EXPECT_LT(volume, sphere_volume);
  EXPECT_GT(volume, 0.97 * sphere_volume);
  EXPECT_EQ(boundary_euler_characteristic(mesh), 2);
  const BoundaryIntegrals integrals = integrate_boundary(mesh);
  EXPECT_LT(norm(integrals.area), 1e-14 * radius * radius);
  EXPECT_NEAR(integrals.volume / volume, 1, 1e-12);
  for (const Triangle& triangle : boundary_triangles(mesh.tetrahedra))
    for (const std::int32_t node : triangle) EXPECT_NEAR(norm(node_of(mesh, node)) / radius, 1, 1e-15);
  EXPECT_LT(norm(centre_of_volume(mesh)), 0.01 * radius);
}

TEST(Ball, HasANodeOnEveryAxis) {
  const TetrahedralMesh mesh = make_mesh(BallShape{25, 7, {}}, "test");
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-25.0, 25.0}) {
      Vector3 pole{};
      pole[axis] = side;
      EXPECT_TRUE(has_node(mesh, pole, 0)) << axis << ' ' << side;
    }
}

TEST(Ball, IsTheSameMeshInEveryLengthUnit) {
  const TetrahedralMesh metres = make_mesh(BallShape{25e-3, 7e-3, {{{25e-3, 0, 0}, 2e-3, 15e-3}}}, "test");
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const double s = 1e3 * unit;
    const TetrahedralMesh other =
        make_mesh(BallShape{25e-3 * s, 7e-3 * s, {{{25e-3 * s, 0, 0}, 2e-3 * s, 15e-3 * s}}}, "test");
    ASSERT_EQ(other.tetrahedra, metres.tetrahedra) << unit;
    for (std::size_t a = 0; a < other.nodes.size(); ++a)
      EXPECT_LE(norm(1 / s * other.nodes[a] - metres.nodes[a]), 1e-17) << unit;
  }
}

TEST(Ball, IsTheSameMeshEveryTimeWhateverWasMeshedBefore) {
  const BallShape ball{1, 0.3, {{{0, 0, 1}, 0.05, 0.5}}};
  const TetrahedralMesh first = make_mesh(ball, "test");
  make_mesh(BlockShape{{1, 2, 1}, 0.5, {}}, "test");
  const TetrahedralMesh second = make_mesh(ball, "test");
  EXPECT_EQ(first.nodes, second.nodes);
  EXPECT_EQ(first.tetrahedra, second.tetrahedra);
}

TEST(Ball, RefinementMakesSmallElementsAtItsPointOnly) {
  const Vector3 contact{1, 0, 0};
  const TetrahedralMesh mesh = make_mesh(BallShape{1, 0.3, {{contact, 0.03, 0.6}}}, "test");
  double largest_near = 0, smallest_far = 1;
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra) {
    const double distance = norm(node_of(mesh, tetrahedron[0]) - contact);
    const double edge = norm(node_of(mesh, tetrahedron[1]) - node_of(mesh, tetrahedron[0]));
    if (distance < 0.03) largest_near = std::max(largest_near, edge);
    if (distance > 1) smallest_far = std::min(smallest_far, edge);
  }
  EXPECT_GT(largest_near, 0);
  EXPECT_LT(largest_near, 0.1);
  EXPECT_GT(smallest_far, 0.12);
}

TEST(Ball, SmallerElementsFillTheSphereBetterAndAreOfFairShape) {
  const MeshQuality coarse = measure_quality(make_mesh(BallShape{1, 0.4, {}}, "test"));
  const MeshQuality fine = measure_quality(make_mesh(BallShape{1, 0.12, {}}, "test"));
  EXPECT_GT(fine.volume, coarse.volume);
  EXPECT_GT(coarse.smallest_radius_ratio, 0.15);
  EXPECT_GT(fine.smallest_radius_ratio, 0.15);
  EXPECT_GT(fine.mean_radius_ratio, 0.7);
}

TEST(Block, HasItsExtentsExactlyAndItsVolume) {
  const Vector3 extent{0.3, 0.1, 0.7};
  const TetrahedralMesh mesh = make_mesh(BlockShape{extent, 0.08, {}}, "test");
  EXPECT_NEAR(measure_quality(mesh).volume / (0.3 * 0.1 * 0.7), 1, 1e-12);
  EXPECT_EQ(boundary_euler_characteristic(mesh), 2);
  for (const Triangle& triangle : boundary_triangles(mesh.tetrahedra)) {
    bool in_a_plane = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bool in_this_plane = true;
      for (const std::int32_t node : triangle)
        in_this_plane = in_this_plane && std::abs(node_of(mesh, node)[axis]) == extent[axis] / 2;
      in_a_plane = in_a_plane || in_this_plane;
    }
    EXPECT_TRUE(in_a_plane);
  }
}

TEST(Block, IsTheSameMeshInEveryLengthUnit) {
  const TetrahedralMesh metres = make_mesh(BlockShape{{1e-3, 2e-3, 3e-3}, 0.7e-3, {}}, "test");
  for (const double s : {1e-3, 1e3, 1e6}) {
    const TetrahedralMesh other =
        make_mesh(BlockShape{{1e-3 * s, 2e-3 * s, 3e-3 * s}, 0.7e-3 * s, {}}, "test");
    EXPECT_EQ(other.tetrahedra, metres.tetrahedra) << s;
  }
}

TEST(Shapes, RejectImpossibleNumbers) {
  EXPECT_THAT(rejection_of(BallShape{1, 0, {}}), HasSubstr("found 0"));
  EXPECT_THAT(rejection_of(BallShape{-1, 0.1, {}}), HasSubstr("radius of the ball"));
  EXPECT_THAT(rejection_of(BallShape{1, 2.5, {}}), HasSubstr("an element size no larger than the body (2)"));
  EXPECT_THAT(rejection_of(BallShape{1, 1e-6, {}}),
              HasSubstr("an element size that gives at most 5e+08 elements, found about 4e+19"));
  EXPECT_THAT(rejection_of(BallShape{1, 0.2, {{{1, 0, 0}, 0.3, 0.1}}}),
              HasSubstr("an element size of the refinement no larger than the body's (0.2)"));
  EXPECT_THAT(rejection_of(BallShape{1, 0.2, {{{1, 0, 0}, 0, 0.1}}}),
              HasSubstr("an element size of the refinement that is finite and positive, found 0"));
  EXPECT_THAT(rejection_of(BallShape{1, 0.2, {{{1, 0, 0}, 0.1, -2}}}),
              HasSubstr("a radius of the refinement that is finite and positive, found -2"));
  EXPECT_THAT(rejection_of(BallShape{1, 0.2, {{{1, 0, 0}, 1e-5, 100}}}),
              HasSubstr("an element size of the refinement that gives at most 5e+08 elements"));
  EXPECT_THAT(rejection_of(BallShape{1, 0.2, {{{1, std::nan(""), 0}, 0.1, 0.1}}}),
              HasSubstr("a finite point of refinement, found nan"));
  EXPECT_THAT(rejection_of(BlockShape{{1, 0, 1}, 0.1, {}}), HasSubstr("an extent of the block"));
  EXPECT_THAT(rejection_of(LatticeShape{{1, -1, 1}, {1, 1, 1}}), HasSubstr("an extent of the block"));
  EXPECT_THAT(rejection_of(LatticeShape{{1, 1, 1}, {1, 0, 1}}), HasSubstr("at least one cell"));
  EXPECT_THAT(rejection_of(LatticeShape{{1, 1, 1}, {2000, 2000, 2000}}),
              HasSubstr("a number of cells that gives at most 5e+08 elements, found about 2e+11"));
  const double memory = available_memory();
  const int along = static_cast<int>(std::cbrt(memory / 500 / 24));
  if (24.0 * (along + 2) * (along + 2) * (along + 2) < 5e8) {
    EXPECT_THAT(rejection_of(LatticeShape{{1, 1, 1}, {along + 2, along + 2, along + 2}}),
                HasSubstr(fmt::format(", which fit into {:.0f} gigabytes of memory", memory / 1e9)));
  }
  EXPECT_THAT(rejection_of(LatticeShape{{1, std::nan(""), 1}, {1, 1, 1}}), HasSubstr("nan"));
}

}  // namespace
}  // namespace terrace::shapes_test
