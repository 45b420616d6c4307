// BoxIndex finds the boxes that a comparison with every box finds, each once. In a crowd it compares with few
// boxes, whatever their sizes.
#include "geometry/box_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "numerics/infinity.hpp"

namespace terrace::box_index_test {
namespace {

using Numbers = std::vector<std::int32_t>;

class Boxes {
 public:
  explicit Boxes(unsigned seed) : random_(seed) {}
  /// A box at a random place with coordinates within ±10; its diagonal has components up to a random size
  /// from `least` to `most`.
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

Numbers brute_force(const std::vector<Box>& boxes, const Box& box, double distance) {
  Numbers found;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].overlaps(box, distance)) found.push_back(static_cast<std::int32_t>(i));
  return found;
}

Numbers visited(const BoxIndex& index, const Box& box, double distance) {
  Numbers found;
  index.visit_near(box, distance, [&](std::int32_t i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

/// Cubes at random places in a cube of twice their volume. One in ten is `ratio` times as long as the others,
/// whose length is 1.
std::vector<Box> packing(std::size_t count, double ratio, unsigned seed) {
  const auto length = [&](std::size_t i) { return i % 10 == 0 ? ratio : 1.0; };
  double volume = 0;
  for (std::size_t i = 0; i < count; ++i) volume += length(i) * length(i) * length(i);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, std::cbrt(2 * volume));
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 corner{uniform(random), uniform(random), uniform(random)};
    boxes.push_back({corner, corner + length(i) * Vector3{1, 1, 1}});
  }
  return boxes;
}

/// The mean number of boxes that a query compares with, when the boxes near each box are asked for once.
double looks(const std::vector<Box>& boxes) {
  BoxIndex index;
  index.build(boxes);
  for (const Box& box : boxes) EXPECT_FALSE(index.near(box, 0.05).empty());
  return static_cast<double>(index.comparisons()) / static_cast<double>(boxes.size());
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
    if (round % 30 == 0) boxes[i] = {boxes[i].low, boxes[i].low};
    index.replace(static_cast<std::int32_t>(i), boxes[i]);
    const Box query = round % 3 == 0 ? boxes[(i + 1) % 400] : random(0, 2);
    const double distance = round % 2 == 0 ? 0 : 0.7;
    const auto expected = brute_force(boxes, query, distance);
    ASSERT_EQ(index.near(query, distance), expected) << "seed " << seed << ", round " << round;
    ASSERT_EQ(visited(index, query, distance), expected) << "seed " << seed << ", round " << round;
    found += expected.size();
  }
  EXPECT_GT(found, 1500u);
}

// Boxes from a millionth to a thousand long, an empty one and infinite ones, near the origin and far from it.
TEST(BoxIndex, FindsBoxesOfAnySize) {
  constexpr unsigned seed = 5;
  Boxes random(seed);
  std::vector<Box> boxes;
  for (int i = 0; i < 500; ++i) boxes.push_back(random(0, std::pow(10.0, i % 10 - 6)));
  boxes[3] = {};
  boxes[7].high[1] = infinity;
  boxes[8].low[2] = -1e200;
  boxes[9] = {{1e18, 0, 0}, {1e18 + 1000, 1, 1}};
  boxes[10] = {{0, 0, 0}, {5e-324, 0, 0}};
  boxes[11] = {{-1e308, -1, -1}, {7e307, 1, 1}};
  boxes[12] = {{1e11, 0, 0}, {1e11 + 1, 1, 1}};
  boxes[13] = {{1e11 + 1, 1, 1}, {1e11 + 2, 2, 2}};
  BoxIndex index;
  index.build(boxes);
  ASSERT_EQ(index.size(), boxes.size());
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    const Box query =
        round < 500 ? boxes[static_cast<std::size_t>(round)] : random(0, std::pow(10.0, round % 8 - 5));
    const double distance = round % 2 == 0 ? 0 : 0.3;
    const auto expected = brute_force(boxes, query, distance);
    ASSERT_EQ(visited(index, query, distance), expected) << "seed " << seed << ", round " << round;
    found += expected.size();
  }
  EXPECT_GT(found, 10000u);
  EXPECT_EQ(visited(index, boxes[12], 0), brute_force(boxes, boxes[12], 0));
}

// Boxes in a row whose gaps are exactly the distance asked for; faces are at whole numbers, such as the
// borders of cells may be.
TEST(BoxIndex, ABoxAtExactlyTheDistanceIsNear) {
  std::vector<Box> row;
  for (int i = 0; i < 100; ++i) row.push_back({{2.0 * i, 0, 0}, {2.0 * i + 1, 1, 1}});
  BoxIndex index;
  index.build(row);
  for (std::int32_t i = 1; i < 99; ++i) {
    EXPECT_EQ(index.near(index[i], 0), (Numbers{i}));
    EXPECT_EQ(index.near(index[i], 1), (Numbers{i - 1, i, i + 1}));
    EXPECT_EQ(index.near(index[i], 0.999), (Numbers{i}));
  }
}

TEST(BoxIndex, LooksNoFurtherThanToTheOneThatPassesTheTest) {
  BoxIndex index;
  index.build(std::vector<Box>(20, Box{{0, 0, 0}, {1, 1, 1}}));
  int asked = 0;
  EXPECT_TRUE(index.any(index[0], 0, [&](std::int32_t) { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_FALSE(index.any(index[0], 0, [&](std::int32_t) { return ++asked == 3; }));
  EXPECT_EQ(asked, 23);
}

TEST(BoxIndex, NothingIsNearAmongNoBoxes) {
  BoxIndex index;
  EXPECT_TRUE(index.near(Box{{0, 0, 0}, {1, 1, 1}}, 5).empty());
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

// With four times as many boxes a query compares with about as many boxes as before, whether they have one
// size or two.
TEST(BoxIndex, TwoSizesAreNotQuadratic) {
  constexpr unsigned seed = 1;
  for (const double ratio : {1.0, 8.0, 16.0}) {
    const double few = looks(packing(4000, ratio, seed)), many = looks(packing(16000, ratio, seed));
    EXPECT_LT(many, 1.3 * few) << "ratio " << ratio << ", seed " << seed;
    EXPECT_LT(many, 150) << "ratio " << ratio << ", seed " << seed;
  }
}

// One box is a thousand times as long as the others, like a floor under grains, or a thousandth as long.
TEST(BoxIndex, OneOfAnotherSizeCostsNoMoreThanALookAtEach) {
  for (const double length : {1e3, 1e-3}) {
    std::vector<Box> boxes = packing(4000, 1, 2);
    boxes[0] = {{0, 0, 0}, {length, length, length}};
    EXPECT_LT(looks(boxes), 60) << length;
    BoxIndex index;
    index.build(boxes);
    EXPECT_EQ(index.near(boxes[0], 0), brute_force(boxes, boxes[0], 0));
    EXPECT_LE(index.comparisons(), boxes.size());
  }
}

}  // namespace
}  // namespace terrace::box_index_test
