// at(table, number) is a reference to table[number], for any type of table and of number.
#include "numerics/at.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace terrace::at_test {
namespace {

TEST(At, IsTheElementOfAnyTable) {
  std::vector<double> list = {1, 2, 3};
  at(list, std::int32_t{1}) = 7;
  EXPECT_EQ(list, (std::vector<double>{1, 7, 3}));
  const std::array<int, 2> two = {4, 5};
  EXPECT_EQ(at(two, 1u), 5);
  static_assert(std::is_same_v<decltype(at(two, 0)), const int&>);
  EXPECT_EQ(&at(std::span(list), 2), &list[2]);
  std::vector<bool> bits(3);
  at(bits, 2) = true;
  EXPECT_TRUE(bits[2]);
}

#ifdef TERRACE_ASSERTIONS
TEST(At, KnowsItsTableInDebugBuilds) {
  const std::vector<int> list(3);
  EXPECT_THROW((void)at(list, -1), BrokenContract);
  EXPECT_THROW((void)at(list, 3), BrokenContract);
}
#endif

}  // namespace
}  // namespace terrace::at_test
