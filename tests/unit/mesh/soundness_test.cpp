// verify_sound accepts meshes that are one body and refuses others, naming the place of the fault.
#include "mesh/soundness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/shapes.hpp"
#include "parallel/error.hpp"

namespace terrace::soundness_test {
namespace {

using testing::HasSubstr;

std::string complaint(const TetrahedralMesh& mesh) {
  try {
    verify_mesh(mesh, "body b");
    verify_sound(mesh, "body b");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::vector<Vector3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TetrahedralMesh with(std::vector<Vector3> more, std::vector<Tetrahedron> tetrahedra) {
  TetrahedralMesh mesh{corner, std::move(tetrahedra)};
  mesh.nodes.insert(mesh.nodes.end(), more.begin(), more.end());
  return mesh;
}

TEST(Soundness, AcceptsWhatIsOneBody) {
  EXPECT_EQ(complaint({corner, {{0, 1, 2, 3}}}), "");
  EXPECT_EQ(complaint(make_mesh(LatticeShape{{1, 2, 3}, {2, 3, 1}}, "")), "");
  EXPECT_EQ(complaint(make_mesh(BallShape{1, 0.4, {}}, "")), "");
  EXPECT_EQ(complaint(make_mesh(BlockShape{{1, 1, 0.05}, 0.05, {}}, "")), "") << "thin";
  EXPECT_EQ(complaint(with({{0, 0, -1}}, {{0, 1, 2, 3}, {0, 2, 1, 4}})), "") << "a common face";
}

TEST(Soundness, RefusesPiecesThatShareNoNode) {
  EXPECT_THAT(complaint(with({{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}}, {{0, 1, 2, 3}, {4, 5, 6, 7}})),
              HasSubstr("one body, whose tetrahedra hang together (else a physical volume, and `group`, for "
                        "each), found pieces that share no node, one at (0, 0, 0), one at (5, 0, 0)"));
}

TEST(Soundness, RefusesNodesOnTrianglesThatDoNotHaveThem) {
  // Node 4 is in the middle of the edge from 0 to 1. Only the two tetrahedra below have it, the one above has
  // the whole edge.
  EXPECT_THAT(complaint(with({{0.5, 0, 0}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 2, 4, 5}, {4, 2, 1, 5}})),
              HasSubstr("nodes at the corners of triangles, each once, found a node at (0.5, 0, 0) on a "
                        "triangle that does not have it (a hanging node, or parts that were never merged)"));
  EXPECT_EQ(complaint(with({{0.5, -0.001, -0.01}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 2, 4, 5}})), "")
      << "beside it";
  // Two halves that have only node 0 in common: nodes 4 and 5 are at the places of 1 and 2.
  EXPECT_THAT(complaint(with({{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 5, 4, 6}})),
              HasSubstr("(1, 0, 0) on a triangle that does not have it"));
}

TEST(Soundness, RefusesABoundaryThatGoesThroughItself) {
  EXPECT_THAT(
      complaint(with({{0.2, 0.2, -1}, {0.3, 0.2, -1}, {0.2, 0.3, -1}}, {{0, 1, 2, 3}, {3, 5, 4, 6}})),
      HasSubstr("a body that does not overlap itself, found one whose boundary goes through itself at (0.1"));
}

TEST(Soundness, RefusesTetrahedraThatOverlap) {
  // Two tetrahedra on the same side of their common face: their boundaries meet at common nodes alone.
  EXPECT_THAT(
      complaint(with({{0.9, 0.9, 0.9}}, {{0, 1, 2, 3}, {0, 1, 2, 4}})),
      HasSubstr("one tetrahedron on each side of a face, found two on one side of that of nodes 0, 1, 2 "
                "(elements listed twice, or overlapping)"));
  EXPECT_THAT(complaint({corner, {{0, 1, 2, 3}, {0, 1, 2, 3}}}), HasSubstr("one tetrahedron on each side"));
  // The second is inside the first, with node 0 in common.
  EXPECT_THAT(
      complaint(with({{0.2, 0.1, 0.1}, {0.1, 0.2, 0.1}, {0.1, 0.1, 0.2}}, {{0, 1, 2, 3}, {0, 4, 5, 6}})),
      HasSubstr("that do not overlap"));
  // Two tetrahedra on either side of the plane z = 0 share an edge, and touch in parts of two faces that do
  // not have the same nodes. That counts as an overlap.
  EXPECT_THAT(complaint(with({{0.5, -0.001, 0}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 2, 4, 5}})),
              HasSubstr("tetrahedra that do not overlap, found two at (0.12"));
}

}  // namespace
}  // namespace terrace::soundness_test
