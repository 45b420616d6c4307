// The boxes found are those that a look at every box finds; in a crowd few are looked at.
#include "geometry/box_index.hpp"

#include <gtest/gtest.h>

#include <random>

#include "numerics/infinity.hpp"

namespace terrace::box_index_test {
namespace {

class Boxes {
 public:
  explicit Boxes(unsigned seed) : random_(seed) {}
  /// Of any size from `least` to `most`, anywhere within 10 of the origin.
  Box operator()(double least, double most) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vector3{uniform(random_), uniform(random_), uniform(random_)}; };
    const Vector3 centre = 10 * vector();
    const double size = least + (most - least) * std::abs(uniform(random_));
    Box box;
    box.include(centre);
    box.include(centre + size * vector());
    return box;
  }

 private:
  std::mt19937_64 random_;
};

std::vector<std::int32_t> brute_force(const std::vector<Box>& boxes, const Box& box, double distance) {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].overlaps(box, distance)) found.push_back(static_cast<std::int32_t>(i));
  return found;
}

TEST(BoxIndex, FindsWhatALookAtEveryBoxFindsWhileBoxesChange) {
  constexpr unsigned seed = 3;
  Boxes random(seed);
  std::vector<Box> boxes;
  for (int i = 0; i < 400; ++i) boxes.push_back(random(0, i % 50 == 0 ? 30 : 1));
  boxes[7].high[1] = infinity;
  BoxIndex index;
  index.build(boxes);
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto i = static_cast<std::size_t>(round * 7 % 400);
    boxes[i] = random(0, round % 40 == 0 ? 30 : 1);
    if (round % 100 == 0) boxes[i].low[0] = round % 200 == 0 ? -infinity : -1e200;
    index.replace(static_cast<std::int32_t>(i), boxes[i]);
    const Box query = round % 3 == 0 ? boxes[(i + 1) % 400] : random(0, 2);
    const double distance = round % 2 == 0 ? 0 : 0.7;
    const auto expected = brute_force(boxes, query, distance);
    ASSERT_EQ(index.near(query, distance), expected) << "seed " << seed << ", round " << round;
    found += expected.size();
  }
  EXPECT_GT(found, 1500u);
}

// Faces that meet on the borders of cells, at the very distance asked for.
TEST(BoxIndex, ABoxAtExactlyTheDistanceIsNear) {
  std::vector<Box> row(30);
  for (int i = 0; i < 30; ++i) {
    row[static_cast<std::size_t>(i)].include({2.0 * i, 0, 0});
    row[static_cast<std::size_t>(i)].include({2.0 * i + 1, 1, 1});
  }
  BoxIndex index;
  index.build(row);
  EXPECT_EQ(index.near(row[9], 0), (std::vector<std::int32_t>{9}));
  EXPECT_EQ(index.near(row[9], 1), (std::vector<std::int32_t>{8, 9, 10}));
  EXPECT_EQ(index.near(row[9], 0.999), (std::vector<std::int32_t>{9}));
}

TEST(BoxIndex, NothingIsNearAmongNoBoxes) {
  BoxIndex index;
  index.build({});
  EXPECT_TRUE(index.near(Box{{0, 0, 0}, {1, 1, 1}}, 5).empty());
}

// All pairs of 20 000 bodies in a packing: each meets 26 others. All with all would be 200 million.
TEST(BoxIndex, TheSetUpOfTwentyThousandBodiesIsNotQuadratic) {
  std::vector<Box> packing;
  for (int i = 0; i < 20000; ++i) {
    const Vector3 corner = {1.0 * (i % 27), 1.0 * (i / 27 % 27), 1.0 * (i / 729)};
    packing.push_back({corner, corner + Vector3{1, 1, 1}});
  }
  BoxIndex index;
  index.build(packing);
  std::size_t near = 0;
  for (const Box& box : packing) near += index.near(box, 0.01).size();
  EXPECT_GT(near, 20u * 20000);
  EXPECT_LE(near, 27u * 20000);
  EXPECT_LT(index.comparisons(), 300u * 20000);
}

}  // namespace
}  // namespace terrace::box_index_test
