// Rows are due at whole multiples of their interval; multiples that a step passes are not made up for.
#include "app/output_clock.hpp"

#include <gtest/gtest.h>

namespace terrace::output_clock_test {
namespace {

TEST(OutputClock, IsDueAtMultiplesAndPassesAllThatWereReached) {
  OutputClock clock(0.25);
  EXPECT_EQ(clock.next(), 0.25) << "the start is the caller's";
  clock.pass(0.2);
  EXPECT_EQ(clock.next(), 0.25);
  clock.pass(0.25);
  EXPECT_EQ(clock.next(), 0.5);
  clock.pass(1.1);
  EXPECT_EQ(clock.next(), 1.25) << "a step may pass several";
}

}  // namespace
}  // namespace terrace::output_clock_test
