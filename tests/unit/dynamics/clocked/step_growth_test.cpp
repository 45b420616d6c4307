// longer_step: by how much steps of clocked energy-stepping grow.
#include "dynamics/clocked/step_growth.hpp"

#include <gtest/gtest.h>

namespace terrace::step_growth_test {
namespace {

constexpr std::int64_t whole = std::int64_t{1} << 24;

// The length of a tick depends on the other bodies of a deck. The new step must not: with ticks 2, 2^10 or
// 2^20 times as fine it has as many times more ticks.
TEST(StepGrowth, IsTheSameWhateverATickIs) {
  for (std::int64_t digits = 4096; digits < 8192; digits += 13)
    for (const bool young : {false, true}) {
      const std::int64_t longer = longer_step(digits * 4096, young);
      for (const std::int64_t finer : {2, 1024, 1 << 20})
        EXPECT_EQ(longer_step(digits * 4096 * finer, young), longer * finer) << digits << ' ' << finer;
    }
}

TEST(StepGrowth, IsTwofoldForYoungClocksAndInTwoStepsForOthers) {
  EXPECT_EQ(longer_step(whole, true), 2 * whole);
  const std::int64_t once = longer_step(whole, false), twice = longer_step(once, false);
  EXPECT_NEAR(static_cast<double>(once) / whole, 1.41421356, 3e-4);
  EXPECT_LE(twice, 2 * whole);
  EXPECT_GT(static_cast<double>(twice) / whole, 1.999);
}

TEST(StepGrowth, DoesNotComeToAStandstill) {
  for (std::int64_t step = 1; step < 20; ++step) EXPECT_GT(longer_step(step, false), step);
}

}  // namespace
}  // namespace terrace::step_growth_test
