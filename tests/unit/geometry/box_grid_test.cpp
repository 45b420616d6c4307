// The grid's answers against a look at every box.
#include "geometry/box_grid.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace terrace::box_grid_test {
namespace {

using Indices = std::set<std::size_t>;

Box random_box(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> uniform(0, 1);
  Box box;
  const Vector3 corner{uniform(random), uniform(random), uniform(random)};
  box.include(corner);
  box.include(corner + size * Vector3{uniform(random), uniform(random), uniform(random)});
  return box;
}

Indices found(const BoxGrid& grid, const Box& query) {
  Indices indices;
  EXPECT_FALSE(grid.any(query, [&](std::size_t i) {
    indices.insert(i);
    return false;
  }));
  return indices;
}

// Boxes and queries of many cells as of one: a box is in every cell it meets.
TEST(BoxGrid, FindsExactlyTheBoxesThatMeetTheQueryInTheRegion) {
  constexpr unsigned seed = 5;
  std::mt19937_64 random(seed);
  Box region;
  region.include({0, 0, 0});
  region.include({1, 1, 1});
  int met = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<Box> boxes;
    for (int i = 0; i < 60; ++i) boxes.push_back(random_box(random, i % 5 == 0 ? 0.8 : 0.1));
    BoxGrid grid;
    grid.build(boxes, region);
    for (int i = 0; i < 20; ++i) {
      const Box query = random_box(random, i % 2 == 0 ? 0.5 : 0.02).intersection(region);
      Indices expected;
      for (std::size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].overlaps(query)) expected.insert(b);
      met += static_cast<int>(expected.size());
      EXPECT_EQ(found(grid, query), expected) << "seed " << seed << ", round " << round << ", query " << i;
    }
  }
  EXPECT_GT(met, 300);
}

}  // namespace
}  // namespace terrace::box_grid_test
