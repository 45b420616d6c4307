// Volume, boundary, quality and verification of tetrahedral meshes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "mesh/shapes.hpp"
#include "mesh/tetrahedral_mesh.hpp"
#include "parallel/error.hpp"

namespace terrace::tetrahedral_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TetrahedralMesh reference_tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
}

std::string rejection_of(const TetrahedralMesh& mesh) {
  try {
    verify_mesh(mesh, "body cube");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "accepted";
}

TEST(TetrahedralMesh, ReferenceTetrahedronHasVolumeOneSixthAndItsMirrorImageMinusThat) {
  const TetrahedralMesh mesh = reference_tetrahedron();
  EXPECT_DOUBLE_EQ(signed_volume(mesh, {0, 1, 2, 3}), 1.0 / 6);
  EXPECT_DOUBLE_EQ(signed_volume(mesh, {1, 0, 2, 3}), -1.0 / 6);
}

TEST(TetrahedralMesh, BoundaryOfOneTetrahedronPointsAwayFromItsCentroid) {
  const TetrahedralMesh mesh = reference_tetrahedron();
  const std::vector<Triangle> boundary = boundary_triangles(mesh.tetrahedra);
  ASSERT_EQ(boundary.size(), 4U);
  const Vector3 centroid{0.25, 0.25, 0.25};
  for (const auto& [i, j, k] : boundary) {
    const auto at = [&](int node) { return mesh.nodes[static_cast<std::size_t>(node)]; };
    EXPECT_GT(dot(cross(at(j) - at(i), at(k) - at(i)), at(i) - centroid), 0);
  }
}

TEST(TetrahedralMesh, BoundaryDoesNotDependOnTheOrderOfTheTetrahedra) {
  TetrahedralMesh mesh = make_mesh(LatticeShape{{1, 1, 1}, {2, 3, 2}}, "test");
  const std::vector<Triangle> boundary = boundary_triangles(mesh.tetrahedra);
  std::reverse(mesh.tetrahedra.begin(), mesh.tetrahedra.end());
  EXPECT_EQ(boundary_triangles(mesh.tetrahedra), boundary);
  EXPECT_EQ(boundary.size(), 4U * 2 * (2 * 3 + 3 * 2 + 2 * 2));
}

TEST(TetrahedralMesh, SharedFaceOfTwoTetrahedraIsNotBoundary) {
  const std::vector<Triangle> boundary = boundary_triangles({{0, 1, 2, 3}, {1, 2, 3, 4}});
  EXPECT_EQ(boundary.size(), 6U);
  for (const Triangle& triangle : boundary) {
    const std::set<std::int32_t> nodes(triangle.begin(), triangle.end());
    EXPECT_NE(nodes, (std::set<std::int32_t>{1, 2, 3}));
  }
}

TEST(MeshQuality, RegularTetrahedronHasRadiusRatioOneAtEveryLengthUnit) {
  for (const double edge : {1e-6, 1.0, 1e6}) {
    const double s = edge / std::sqrt(8.0);
    const MeshQuality quality =
        measure_quality({{{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}}, {{0, 2, 1, 3}}});
    EXPECT_NEAR(quality.smallest_radius_ratio, 1, 1e-12);
    EXPECT_NEAR(quality.mean_radius_ratio, 1, 1e-12);
    EXPECT_NEAR(quality.smallest_edge / edge, 1, 1e-12);
    EXPECT_NEAR(quality.largest_edge / edge, 1, 1e-12);
    EXPECT_NEAR(std::abs(quality.volume) / std::pow(edge, 3), 1 / (6 * std::sqrt(2.0)), 1e-12);
  }
}

TEST(MeshQuality, CornerOfACubeHasItsKnownRadii) {
  // Three legs of length 1: r_in = 1 / (3 + √3), r_circ = √3 / 2.
  const MeshQuality quality = measure_quality(reference_tetrahedron());
  EXPECT_NEAR(quality.smallest_radius_ratio, 3 / (3 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2), 1e-12);
  EXPECT_DOUBLE_EQ(quality.largest_edge, std::sqrt(2.0));
}

TEST(MeshQuality, FlatTetrahedronHasRadiusRatioZero) {
  const MeshQuality quality = measure_quality({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}});
  EXPECT_EQ(quality.smallest_radius_ratio, 0);
}

TEST(VerifyMesh, AcceptsASoundMeshAtAnyLengthUnit) {
  for (const double unit : {1e-100, 1e-6, 1.0, 1e100}) {
    TetrahedralMesh mesh = reference_tetrahedron();
    for (Vector3& node : mesh.nodes) node = unit * node;
    EXPECT_EQ(rejection_of(mesh), "accepted") << unit;
  }
}

TEST(VerifyMesh, NamesTheBodyAndTheInvertedElement) {
  TetrahedralMesh mesh = make_mesh(LatticeShape{{1, 1, 1}, {1, 1, 1}}, "test");
  std::swap(mesh.tetrahedra[7][0], mesh.tetrahedra[7][1]);
  EXPECT_THAT(
      rejection_of(mesh),
      HasSubstr("body cube, element 7: expected a tetrahedron of positive volume, found an inverted element "
                "of volume -0.04"));
}

TEST(VerifyMesh, RejectsAFlatElementAtEveryLengthUnit) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    TetrahedralMesh mesh = reference_tetrahedron();
    mesh.nodes[3] = {0.3, 0.3, 1e-14};
    for (Vector3& node : mesh.nodes) node = unit * node;
    EXPECT_THAT(rejection_of(mesh), AllOf(HasSubstr("element 0"), HasSubstr("flat"))) << unit;
  }
}

TEST(VerifyMesh, RejectsWhatIsNoMesh) {
  EXPECT_THAT(rejection_of({}), HasSubstr("a mesh with at least one tetrahedron, found an empty mesh"));

  TetrahedralMesh mesh = reference_tetrahedron();
  mesh.tetrahedra[0][2] = 4;
  EXPECT_THAT(rejection_of(mesh), HasSubstr("element 0: expected node indices from 0 to 3, found 4"));

  mesh = reference_tetrahedron();
  mesh.nodes[2][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(rejection_of(mesh), HasSubstr("node 2: expected finite coordinates, found (0, nan, 0)"));

  mesh = reference_tetrahedron();
  mesh.nodes.push_back({2, 2, 2});
  EXPECT_THAT(
      rejection_of(mesh),
      HasSubstr("node 4: expected every node to belong to a tetrahedron, found a node that belongs to none"));

  mesh = reference_tetrahedron();
  mesh.tetrahedra.resize(3, mesh.tetrahedra[0]);
  EXPECT_THAT(
      rejection_of(mesh),
      HasSubstr("at most two tetrahedra at a face, found 3 at the face of nodes 0, 1, 2 (elements listed "
                "twice, or overlapping)"));
}

}  // namespace
}  // namespace terrace::tetrahedral_test
