// The boxes found are those that a look at every box finds, each once; in a crowd few are looked at.
#include "geometry/still_boxes.hpp"

#include <gtest/gtest.h>

#include <random>

#include "numerics/infinity.hpp"

namespace terrace::still_boxes_test {
namespace {

Box random_box(std::mt19937_64& random, double far, double most) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&](double size) {
    return Vector3{size * uniform(random), size * uniform(random), size * uniform(random)};
  };
  const Vector3 place = vector(far);
  Box box;
  box.include(place);
  box.include(place + vector(most));
  return box;
}

std::vector<std::int32_t> found_near(const StillBoxes& boxes, const Box& box, double distance) {
  std::vector<std::int32_t> found;
  boxes.visit_near(box, distance, [&](std::int32_t i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

TEST(StillBoxes, FindsWhatALookAtEveryBoxFinds) {
  constexpr unsigned seed = 5;
  std::mt19937_64 random(seed);
  std::size_t found = 0, large_ones = 0;
  for (const std::size_t questions : {1000u, 1u}) {
    std::vector<Box> boxes;
    for (int i = 0; i < 500; ++i) boxes.push_back(random_box(random, 10, i % 50 == 0 ? 15 : 1));
    boxes[3] = {};  // of no point
    boxes[7].high[1] = infinity;
    boxes[8].low[2] = -1e200;
    boxes[9] = {{1e18, 0, 0}, {1e18 + 1000, 1, 1}};
    const StillBoxes still(boxes, questions);
    ASSERT_EQ(still.size(), boxes.size());
    for (int round = 0; round < 1000; ++round) {
      Box box = round < 500 ? boxes[static_cast<std::size_t>(round)]
                            : random_box(random, 12, round % 9 == 0 ? 9 : 1);
      const double distance = round % 2 == 0 ? 0 : 0.7;
      std::vector<std::int32_t> expected;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].overlaps(box, distance)) expected.push_back(static_cast<std::int32_t>(i));
      ASSERT_EQ(found_near(still, box, distance), expected) << "seed " << seed << ", round " << round;
      found += expected.size();
      large_ones += static_cast<std::size_t>(std::count(expected.begin(), expected.end(), 50));
    }
  }
  EXPECT_GT(found, 2500u);
  EXPECT_GT(large_ones, 50u);
}

// A box that is exactly as far as asked for counts; one on the other side of a cell's border too.
TEST(StillBoxes, FindsWhatJustTouches) {
  std::vector<Box> boxes;
  for (int i = 0; i < 100; ++i) boxes.push_back({{2.0 * i, 0, 0}, {2.0 * i + 1, 1, 1}});
  const StillBoxes still(boxes, 100);
  for (std::int32_t i = 1; i < 99; ++i) {
    EXPECT_EQ(found_near(still, still[i], 0), std::vector<std::int32_t>({i}));
    EXPECT_EQ(found_near(still, still[i], 1), std::vector<std::int32_t>({i - 1, i, i + 1}));
  }
}

}  // namespace
}  // namespace terrace::still_boxes_test
