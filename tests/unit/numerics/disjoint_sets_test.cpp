// Disjoint sets of numbers that are united step by step.
#include "numerics/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace terrace::disjoint_sets_test {
namespace {

TEST(DisjointSets, AreNamedByTheirLeastMember) {
  DisjointSets sets(6);
  for (std::int32_t number = 0; number < 6; ++number) EXPECT_EQ(sets.of(number), number);
  sets.unite(5, 3);
  sets.unite(3, 3);
  sets.unite(4, 1);
  EXPECT_EQ(sets.of(5), 3);
  EXPECT_EQ(sets.of(4), 1);
  sets.unite(4, 5);
  for (const std::int32_t number : {1, 3, 4, 5}) EXPECT_EQ(sets.of(number), 1) << number;
  EXPECT_EQ(sets.of(0), 0);
  EXPECT_EQ(sets.of(2), 2);
}

// 200,000 numbers are united to one chain, in an order that jumps about. If each search went from link to
// link, the time would grow with the square of their number.
TEST(DisjointSets, AChainIsJoinedAtOnce) {
  constexpr std::int32_t count = 200000, step = 617;  // without a common divisor
  DisjointSets sets(count);
  for (std::int64_t i = 0, link = 0; i < count; ++i, link = (link + step) % count)
    if (link + 1 < count) sets.unite(static_cast<std::int32_t>(link), static_cast<std::int32_t>(link + 1));
  EXPECT_EQ(sets.of(count - 1), 0);
}

}  // namespace
}  // namespace terrace::disjoint_sets_test
