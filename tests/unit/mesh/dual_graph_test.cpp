// Which tetrahedra share a face, against a comparison of every pair of tetrahedra.
#include "mesh/dual_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/shapes.hpp"

namespace terrace::dual_graph_test {
namespace {

std::size_t common_nodes(const Tetrahedron& a, const Tetrahedron& b) {
  return static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](std::int32_t node) { return std::find(b.begin(), b.end(), node) != b.end(); }));
}

std::vector<std::int32_t> neighbours(const DualGraph& graph, std::size_t e) {
  return {graph.neighbours.begin() + graph.first[e], graph.neighbours.begin() + graph.first[e + 1]};
}

TEST(DualGraph, NeighboursAreThoseThatShareThreeNodes) {
  const TetrahedralMesh mesh = make_mesh(LatticeShape{{1, 1, 1}, {2, 3, 2}}, "test");
  const DualGraph graph = dual_graph(mesh.tetrahedra, static_cast<std::int32_t>(mesh.nodes.size()));
  ASSERT_EQ(graph.first.size(), mesh.tetrahedra.size() + 1);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    std::vector<std::int32_t> expected;
    for (std::size_t other = 0; other < mesh.tetrahedra.size(); ++other)
      if (other != e && common_nodes(mesh.tetrahedra[e], mesh.tetrahedra[other]) == 3)
        expected.push_back(static_cast<std::int32_t>(other));
    std::vector<std::int32_t> found = neighbours(graph, e);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << e;
  }
}

// METIS visits neighbours in the order of the list. Another order would give other partitions, hence another
// model.
TEST(DualGraph, NeighboursAtTheFirstNodeComeFirst) {
  // Around the tetrahedron 2 of the nodes 0, 1, 2, 3: 0 is opposite node 0, 1 opposite 3, 3 opposite 1.
  const std::vector<Tetrahedron> tetrahedra = {{1, 2, 3, 4}, {0, 1, 2, 5}, {0, 1, 2, 3}, {0, 2, 3, 6}};
  EXPECT_EQ(neighbours(dual_graph(tetrahedra, 7), 2), (std::vector<std::int32_t>{1, 3, 0}));
}

TEST(DualGraph, OfNothingIsEmpty) {
  EXPECT_EQ(dual_graph({}, 0).first, std::vector<std::int32_t>{0});
  EXPECT_TRUE(dual_graph({}, 0).neighbours.empty());
}

}  // namespace
}  // namespace terrace::dual_graph_test
