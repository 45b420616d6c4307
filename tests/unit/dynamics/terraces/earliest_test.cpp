// The tournament tree of times against a plain list.
#include "dynamics/terraces/earliest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "numerics/infinity.hpp"

namespace terrace::earliest_test {
namespace {

TEST(Earliest, KnowsWhatAPlainListKnows) {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<int> time(0, 12);  // equal times are frequent
  Earliest earliest;
  std::vector<double> list;
  for (int step = 0; step < 4000; ++step) {
    if (step % 200 == 0) {
      list.resize(list.size() + 7, infinity);
      earliest.resize(list.size());
    }
    const std::size_t i = std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random);
    const int chosen = time(random);
    list[i] = chosen == 12 ? infinity : chosen;
    earliest.set(i, list[i]);
    const auto least = std::min_element(list.begin(), list.end());
    ASSERT_EQ(earliest.time(), *least) << step;
    if (*least < infinity) {
      ASSERT_EQ(earliest.index(), static_cast<std::size_t>(least - list.begin())) << step;
    }
    const double limit = time(random);
    std::vector<std::size_t> expected, found;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k] <= limit) expected.push_back(k);
    earliest.visit_until(limit, [&](std::size_t k) { found.push_back(k); });
    ASSERT_EQ(found, expected) << step;
  }
}

TEST(Earliest, StartsWithOneTimeForAll) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 8U, 13U, 512U}) {
    Earliest earliest;
    earliest.resize(7);
    earliest.set(6, -1);
    earliest.assign(count, 2);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(earliest.time(), 2) << count << ", " << i;
      ASSERT_EQ(earliest.index(), i) << count;
      ASSERT_EQ(earliest.at(i), 2) << count;
      earliest.set(i, 3);
    }
    EXPECT_EQ(earliest.time(), 3) << count;
    for (std::size_t i = 0; i < count; ++i) earliest.set(i, infinity);
    EXPECT_EQ(earliest.time(), infinity) << count << ": there are no others";
  }
}

}  // namespace
}  // namespace terrace::earliest_test
