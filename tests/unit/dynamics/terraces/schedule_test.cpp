// Schedule::ask and understand, whose sums travel with another reduction: searches come to the same result as
// with reductions of their own.
#include "dynamics/terraces/schedule.hpp"

#include <gtest/gtest.h>

#include "support/small_system.hpp"

namespace terrace::schedule_test {
namespace {

/// A turning cube whose next crossing is searched.
struct Searching {
  explicit Searching(LayoutKind kind)
      : cube(build_model(spinning_cube(2)), {}, {LocalizationKind::global}, 1e-5, kind),
        states(1),
        schedule(cube.lagrangian, states, lines) {
    lines.for_each(cube.lagrangian.subdomains[0], [&](OnLine& line) { line.set_line(cube.state.lines, 0); });
    states[0].terrace = {1e-5, 0, 0};
    states[0].horizon = 1e-3;  // a certificate on so short an interval holds
    schedule.renew(0, only);
  }
  [[nodiscard]] std::vector<std::byte> bytes() const {
    ByteWriter writer;
    writer(states[0]);
    return writer.take();
  }
  static constexpr std::array<std::int32_t, 1> only = {0};
  SmallSystem cube;
  SubdomainStates states;
  Lines lines;
  Schedule schedule;
};

constexpr double soon = 1e-6, late = 1e3;

TEST(Schedule, AnswersWithoutAReductionOfItsOwn) {
  for (const LayoutKind kind : {LayoutKind::own, LayoutKind::slice}) {
    Searching searching(kind);
    const std::int64_t before = searching.cube.communicator.collectives();
    const std::vector<double> numbers = searching.schedule.ask(soon);
    EXPECT_TRUE(searching.schedule.understand(numbers));
    EXPECT_EQ(searching.cube.communicator.collectives(), before);
    EXPECT_TRUE(searching.schedule.is_idle_until(soon));
    EXPECT_TRUE(searching.schedule.ask(soon).empty()) << "nothing is left to ask";
  }
}

TEST(Schedule, GoesOnWhereOneSampleIsNotEnough) {
  for (const LayoutKind kind : {LayoutKind::own, LayoutKind::slice}) {
    Searching asked(kind), searched(kind);
    EXPECT_FALSE(asked.schedule.understand(asked.schedule.ask(late))) << "the cube crosses a level before";
    EXPECT_EQ(asked.schedule.next(late), 0);
    EXPECT_EQ(searched.schedule.next(late), 0);
    EXPECT_EQ(asked.schedule.time_of(0), searched.schedule.time_of(0));
    EXPECT_EQ(asked.bytes(), searched.bytes());
  }
}

TEST(Schedule, WhatIsWithdrawnWasNeverAsked) {
  for (const LayoutKind kind : {LayoutKind::own, LayoutKind::slice}) {
    Searching searching(kind);
    const auto before = searching.bytes();
    (void)searching.schedule.ask(late);
    searching.schedule.withdraw();
    EXPECT_EQ(searching.bytes(), before);
  }
}

}  // namespace
}  // namespace terrace::schedule_test
