// The sphere that the boundary nodes of a mesh lie on, and the loads and middles of patches on it.
#include "potentials/contact/sphere_patch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "mesh/boundary.hpp"
#include "mesh/shapes.hpp"

namespace terrace::sphere_patch_test {
namespace {

constexpr double patch_radius = 0.1;
const Vector3 pole{0, 0.6, 0.8};

/// A ball of radius 2 about (5, −3, 1), fine at `pole`.
struct BallMesh {
  TetrahedralMesh mesh = make_mesh(BallShape{2, 0.8, {{2 * pole, 0.02, 2.0}}}, "ball");
  std::vector<Triangle> boundary = boundary_triangles(mesh.tetrahedra);
  std::vector<std::int32_t> nodes = surface_nodes(boundary);
  Sphere sphere{{5, -3, 1}, 2};
  BallMesh() {
    for (Vector3& x : mesh.nodes) x += sphere.centre;
  }
  static const BallMesh& get() {
    static const BallMesh ball;
    return ball;
  }
};

TEST(SphereThrough, FindsCentreAndRadiusOfABall) {
  const auto sphere = sphere_through(BallMesh::get().mesh.nodes, BallMesh::get().nodes);
  ASSERT_TRUE(sphere);
  EXPECT_NEAR(norm(sphere->centre - Vector3{5, -3, 1}), 0, 1e-8);
  EXPECT_NEAR(sphere->radius, 2, 1e-8);
}

TEST(SphereThrough, IsNothingForABlockAnEllipsoidAndFewNodes) {
  const TetrahedralMesh block = make_mesh(LatticeShape{{1, 1, 1}, {2, 2, 2}}, "block");
  EXPECT_FALSE(sphere_through(block.nodes, surface_nodes(boundary_triangles(block.tetrahedra))));
  std::vector<Vector3> stretched = BallMesh::get().mesh.nodes;
  for (Vector3& x : stretched) x[0] *= 1.001;
  EXPECT_FALSE(sphere_through(stretched, BallMesh::get().nodes));
  const std::vector<std::int32_t> three{0, 1, 2};
  EXPECT_FALSE(sphere_through(block.nodes, three));
  const std::vector<Vector3> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_FALSE(sphere_through(flat, std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(SpherePatch, CarriesHertzsPressure) {
  const BallMesh& ball = BallMesh::get();
  const SpherePatch patch = sphere_patch(ball.mesh.nodes, ball.boundary, ball.sphere, pole, patch_radius);
  EXPECT_EQ(patch.nodes, ball.nodes);
  EXPECT_GT(patch.inside, 20);
  EXPECT_LT(patch.inside, 90) << "of elements of 0.02 and more";
  double load = 0, middle = 0, square = 0, height = 0;
  Vector3 centre{}, place{};
  for (std::size_t i = 0; i < patch.nodes.size(); ++i) {
    const Vector3 x = ball.mesh.nodes[static_cast<std::size_t>(patch.nodes[i])] - ball.sphere.centre;
    load += patch.load[i];
    middle += patch.middle[i];
    centre += patch.middle[i] * x;
    place += patch.load[i] * x;
    const double along = dot(x, pole);
    square += patch.load[i] * (dot(x, x) - along * along);
    height += patch.load[i] * along;
    if (patch.load[i] != 0) {
      EXPECT_GT(along, 1.9);
      EXPECT_LT(norm(cross(x, pole)), 2 * patch_radius);
    }
  }
  EXPECT_NEAR(load, 1, 1e-14);
  EXPECT_NEAR(middle, 1, 1e-14);
  EXPECT_NEAR(norm(centre), 0, 0.02) << "facets, of 0.8";
  EXPECT_NEAR(norm(cross(centre, pole)), 0, 1e-12) << "on the axis";
  EXPECT_NEAR(norm(cross(place, pole)), 0, 1e-12) << "no moment about the axis";
  // The mean of r² under √(1 − r²/b²) is 2b²/5; shape functions add the nodes' distance from it, a few
  // percent.
  EXPECT_NEAR(square, 0.4 * patch_radius * patch_radius, 0.04 * patch_radius * patch_radius);
  EXPECT_NEAR(height, 2 - square / 4, 1e-4 * patch_radius) << "half of r²/R below the pole";
}

TEST(SpherePatch, LiesWhereItsAxisPointsAndNowhereElse) {
  const BallMesh& ball = BallMesh::get();
  const SpherePatch behind =
      sphere_patch(ball.mesh.nodes, ball.boundary, ball.sphere, -1 * pole, patch_radius);
  // There the elements are far larger than the patch.
  EXPECT_LE(behind.inside, 1);
  double load = 0;
  for (const double share : behind.load) load += share;
  EXPECT_NEAR(load, 1, 1e-14);
  for (std::size_t i = 0; i < behind.nodes.size(); ++i) {
    if (behind.load[i] == 0) continue;
    EXPECT_LT(dot(ball.mesh.nodes[static_cast<std::size_t>(behind.nodes[i])] - ball.sphere.centre, pole),
              -1.5);
  }
}

}  // namespace
}  // namespace terrace::sphere_patch_test
