// The union of many lists against a set.
#include "numerics/union_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace terrace::union_of_test {
namespace {

TEST(UnionOf, HoldsWhatASetHolds) {
  constexpr unsigned seed = 3;
  std::mt19937 random(seed);
  // Numbers close together and far apart; some ranges end next to the end of a word of 64 bits.
  for (const std::int32_t largest : {0, 1, 63, 64, 65, 5000, 2'000'000'000})
    for (int trial = 0; trial < 50; ++trial) {
      std::uniform_int_distribution<std::int32_t> number(largest / 3, largest);
      std::vector<std::int32_t> some(60);  // so that many stand in several lists
      for (std::int32_t& x : some) x = number(random);
      std::uniform_int_distribution<std::size_t> place(0, some.size() - 1);
      std::set<std::int32_t> all;
      std::vector<std::vector<std::int32_t>> lists(std::uniform_int_distribution<std::size_t>(0, 9)(random));
      for (std::vector<std::int32_t>& list : lists) {
        std::set<std::int32_t> own;
        for (int left = std::uniform_int_distribution<int>(0, 40)(random); left > 0; --left)
          own.insert(some[place(random)]);
        list.assign(own.begin(), own.end());
        all.insert(own.begin(), own.end());
      }
      const std::vector<std::span<const std::int32_t>> spans(lists.begin(), lists.end());
      EXPECT_THAT(union_of(spans), testing::ElementsAreArray(all))
          << "to " << largest << ", trial " << trial << ", seed " << seed;
    }
}

TEST(UnionOf, OfNoListsIsEmpty) { EXPECT_TRUE(union_of({}).empty()); }

}  // namespace
}  // namespace terrace::union_of_test
