// Approach: the room that is left between two bodies that come nearer to each other.
#include "dynamics/terraces/approach.hpp"

#include <gtest/gtest.h>

namespace terrace::approach_test {
namespace {

constexpr double hardly = 1e-9;

TEST(Approach, EachLineUsesUpWhatItsOwnSpeedMay) {
  Approach approach{.left = 10, .time = 1, .speed = 2};
  EXPECT_DOUBLE_EQ(approach.end(), 6);
  approach.go_on(3, 0.5);
  EXPECT_NEAR(approach.left, 6, hardly);
  EXPECT_LT(approach.left, 6) << "rounding is not given back";
  EXPECT_NEAR(approach.end(), 3 + 6 / 0.5, hardly);
  approach.go_on(5, 0);
  EXPECT_NEAR(approach.left, 5, hardly);
  EXPECT_EQ(approach.end(), infinity);
  approach.go_on(105, 3);
  EXPECT_NEAR(approach.left, 5, hardly) << "nothing came nearer";
}

TEST(Approach, NothingIsLeftOfRoomThatIsUsedUp) {
  Approach approach{.left = 1, .time = 0, .speed = 1};
  approach.go_on(2, 1);
  EXPECT_EQ(approach.left, 0);
  EXPECT_EQ(approach.end(), 2);
}

TEST(Approach, GoingBackByRoundingGivesNoRoomBack) {
  Approach approach{.left = 1, .time = 1, .speed = 1};
  approach.go_on(1 - 1e-3, 1);
  EXPECT_LT(approach.left, 1 - 0.9e-3);
}

TEST(Approach, WhatStraysFromFlightsIsAllowedForOnce) {
  Approach approach{.left = 10, .time = 0, .speed = 1};
  approach.go_by_flights(3);
  EXPECT_NEAR(approach.left, 7, hardly);
  approach.go_by_flights(3);
  EXPECT_NEAR(approach.left, 7, hardly);
  approach.is_of_flights = false;  // it was of lines meanwhile
  approach.go_by_flights(8);
  EXPECT_EQ(approach.left, 0);
}

}  // namespace
}  // namespace terrace::approach_test
