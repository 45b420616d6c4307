// The nodes of a surface, the areas of its triangles, and their shares by node.
#include "mesh/boundary.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace terrace::boundary_test {
namespace {

// Two triangles of area 2 and 6 on the common edge of the nodes 3 and 7; the other nodes are on no surface.
const std::vector<Triangle> triangles{{7, 3, 1}, {3, 7, 5}};

std::vector<Vector3> positions() {
  std::vector<Vector3> all(9, Vector3{100, -100, 50});
  all[3] = {1, 0, 0};
  all[7] = {1, 4, 0};
  all[1] = {0, 0, 0};
  all[5] = {1, 0, 3};
  return all;
}

TEST(Boundary, NodesAscendAndAppearOnce) {
  EXPECT_EQ(surface_nodes(triangles), (std::vector<std::int32_t>{1, 3, 5, 7}));
  EXPECT_TRUE(surface_nodes({}).empty());
}

TEST(Boundary, AreaDoesNotDependOnTheTurnOfTheTriangle) {
  EXPECT_EQ(triangle_area(triangles[0], positions()), 2);
  EXPECT_EQ(triangle_area({1, 3, 7}, positions()), 2);
  EXPECT_EQ(triangle_area(triangles[1], positions()), 6);
}

TEST(Boundary, NodesShareTheAreasOfTheirTriangles) {
  const std::vector<double> areas = node_areas(triangles, surface_nodes(triangles), positions());
  ASSERT_EQ(areas.size(), 4u);
  const std::vector<double> expected{2.0 / 3, 8.0 / 3, 2, 8.0 / 3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(areas[i], expected[i]);
  EXPECT_DOUBLE_EQ(std::accumulate(areas.begin(), areas.end(), 0.0), 8);
}

}  // namespace
}  // namespace terrace::boundary_test
