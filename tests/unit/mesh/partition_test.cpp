// METIS partitions: they are balanced, have short common boundaries, and are the same for the same seed.
#include "mesh/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mesh/shapes.hpp"
#include "parallel/error.hpp"

namespace terrace::partition_test {
namespace {

TetrahedralMesh cube(int cells) { return make_mesh(LatticeShape{{1, 1, 1}, {cells, cells, cells}}, "test"); }

std::vector<std::int32_t> partition(const TetrahedralMesh& mesh, int parts, int seed = 1) {
  return partition_tetrahedra(mesh.tetrahedra, static_cast<std::int32_t>(mesh.nodes.size()), parts, seed);
}

TEST(Partition, IsBalancedAndLeavesNoPartEmpty) {
  const TetrahedralMesh mesh = cube(4);
  for (const int parts : {2, 3, 7, 8, 32, 100, 700, 1535}) {
    const std::vector<std::int32_t> part_of = partition(mesh, parts);
    ASSERT_EQ(part_of.size(), mesh.tetrahedra.size());
    std::vector<double> sizes(static_cast<std::size_t>(parts), 0);
    for (const std::int32_t part : part_of) sizes.at(static_cast<std::size_t>(part)) += 1;
    const double mean = static_cast<double>(part_of.size()) / parts;
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), std::max(1.06 * mean, mean + 2)) << parts;
    EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 1) << parts;
  }
}

TEST(Partition, IsTheSameForTheSameSeed) {
  const TetrahedralMesh mesh = cube(4);
  const std::vector<std::int32_t> first = partition(mesh, 8);
  partition(mesh, 5, 17);
  EXPECT_EQ(partition(mesh, 8), first);
}

TEST(Partition, TwoPartsOfACubeShareAboutACrossSection) {
  const TetrahedralMesh mesh = cube(8);
  const std::vector<std::int32_t> part_of = partition(mesh, 2);
  std::vector<std::set<std::int32_t>> parts_of_node(mesh.nodes.size());
  for (std::size_t e = 0; e < part_of.size(); ++e)
    for (const std::int32_t node : mesh.tetrahedra[e])
      parts_of_node[static_cast<std::size_t>(node)].insert(part_of[e]);
  const auto shared = std::count_if(parts_of_node.begin(), parts_of_node.end(),
                                    [](const std::set<std::int32_t>& parts) { return parts.size() > 1; });
  const int nodes_of_a_cross_section = 9 * 9 + 8 * 8;
  EXPECT_LE(shared, 2 * nodes_of_a_cross_section);
}

TEST(Partition, OnePartHoldsEverything) {
  const TetrahedralMesh mesh = cube(1);
  EXPECT_EQ(partition(mesh, 1), std::vector<std::int32_t>(24, 0));
}

TEST(Partition, MorePartsThanTetrahedraGiveEachItsOwn) {
  const TetrahedralMesh mesh = cube(1);
  for (const int parts : {24, 25, 1000}) {
    const std::vector<std::int32_t> part_of = partition(mesh, parts);
    EXPECT_EQ(std::set<std::int32_t>(part_of.begin(), part_of.end()).size(), 24U);
    EXPECT_LT(*std::max_element(part_of.begin(), part_of.end()), parts);
  }
  EXPECT_TRUE(partition_tetrahedra({}, 0, 3).empty());
}

TEST(Partition, RejectsNodesOutOfRangeAndNoParts) {
  EXPECT_THROW(partition_tetrahedra({{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}, 5, 2), Error);
  EXPECT_THROW(partition_tetrahedra({{0, 1, 2, 3}}, 4, 0), Error);
}

}  // namespace
}  // namespace terrace::partition_test
