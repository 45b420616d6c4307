// The places of the nodes of some tetrahedra in the ascending list of these nodes.
#include "potentials/elastic/node_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "parallel/error.hpp"

namespace terrace::node_places_test {
namespace {

TEST(NodePlacesTest, AreThoseInAnAscendingListOfEachOnce) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    for (const int count : {4, 60, 70, 5000}) {  // dense or sparse numbers, of one or many words of 64 bits
      std::vector<Tetrahedron> tetrahedra(40);
      std::set<std::int32_t> expected;
      const auto first = static_cast<std::int32_t>(random() % 1000);
      for (Tetrahedron& tetrahedron : tetrahedra)
        for (std::int32_t& node : tetrahedron) {
          node = first + static_cast<std::int32_t>(random() % static_cast<unsigned>(count));
          expected.insert(node);
        }
      const NodePlaces places(tetrahedra, 10000);
      ASSERT_THAT(places.nodes(), testing::ElementsAreArray(expected)) << "seed " << seed << ", " << count;
      std::int32_t place = 0;
      for (const std::int32_t node : expected) EXPECT_EQ(places.of(node), place++);
    }
  }
}

TEST(NodePlacesTest, NumbersThatAreNoNodesAreRefused) {
  for (const std::int32_t node : {-1, 5})
    EXPECT_THAT(([&] {
                  return NodePlaces(std::vector<Tetrahedron>{{0, 1, 2, node}}, 5);
                }),
                testing::ThrowsMessage<Error>(testing::HasSubstr("node numbers below 5")));
  EXPECT_THAT(NodePlaces({}, 5).nodes(), testing::IsEmpty());
}

}  // namespace
}  // namespace terrace::node_places_test
