// The line that a user sees while a run goes on.
#include "app/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace terrace::progress_test {
namespace {

TEST(ProgressLine, TellsWhatIsLeftOnceItIsKnown) {
  EXPECT_EQ(progress_line({2, 1, 2, 5, 100, 120, 1e-9}),
            "t = 2 of 5  120 events  10/s  6 s left  energy drift 1.0e-09");
  EXPECT_THAT(progress_line({0.9, 1, 2, 5, 100, 1000, 0}), testing::Not(testing::HasSubstr("left")));
  EXPECT_THAT(progress_line({20, 1, 2, 5, 100, 119, 0}), testing::Not(testing::HasSubstr("left")));
}

TEST(ProgressLine, OneEventIsNotSeveral) {
  EXPECT_EQ(progress_line({0.5, 0, 2, 5, 0, 1, 0}), "t = 2 of 5  1 event  energy drift 0.0e+00");
}

}  // namespace
}  // namespace terrace::progress_test
