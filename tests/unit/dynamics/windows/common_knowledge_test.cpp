// CommonKnowledge: what plans of windows are made from, after what ranks have told each other.
#include "dynamics/windows/common_knowledge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "support/small_system.hpp"

namespace terrace::common_knowledge_test {
namespace {

using testing::ElementsAre;

const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

/// Three cubes of one, eight and one cells, with clocks.
struct Cubes {
  static Deck deck() {
    Deck deck = soft_deck({});
    for (int i = 0; i < 3; ++i)
      deck.bodies.push_back(
          cube_entry(std::string(1, static_cast<char>('a' + i)), i == 1 ? 2 : 1, {3.0 * i, 0, 0}));
    deck.contact.model = ContactModel::barrier;
    return deck;
  }
  SmallSystem system{deck(), touching};
  ClockedEnergyStepping clocks{system.lagrangian, system.state, {}};
  CommonKnowledge common{system.lagrangian, clocks};

  void tell(std::vector<std::int32_t> bodies, const Clock& clock, std::size_t touches = 0) {
    ClockedTerrace terrace;
    terrace.bodies = std::move(bodies);
    terrace.clock = clock;
    terrace.touches.resize(touches);
    common.learn(ToldTerrace(terrace));
  }
};

Clock running(std::int64_t step, std::int64_t longest, bool is_young = false) {
  Clock clock;
  clock.running = true;
  clock.step = step;
  clock.longest = longest;
  clock.young = is_young;
  return clock;
}

TEST(CommonKnowledge, ForeseesWhatClocksDoOfElements) {
  Cubes cubes;
  CommonKnowledge& common = cubes.common;
  ASSERT_EQ(common.bodies(), 3);
  EXPECT_THROW((void)common.look_ahead({0, 0, 0}), BrokenContract);  // nobody has told of any terrace
  cubes.tell({0, 2}, running(8, 64), 1);
  cubes.tell({1}, Clock{});
  const double tick = cubes.clocks.tick(), stable = cubes.system.lagrangian.subdomains[1].stable_step;
  EXPECT_DOUBLE_EQ(common.pace(0), 1 / (8 * tick));
  EXPECT_DOUBLE_EQ(common.pace(2), 1 / (8 * tick));
  EXPECT_DOUBLE_EQ(common.pace(1), 0.01 / stable) << "a look now and then at what rests";

  const WindowOutlook& outlook = common.look_ahead({2, 1, 0});
  EXPECT_EQ(&outlook, &common.outlook());
  const double small = cubes.system.lagrangian.subdomains[0].elements;
  EXPECT_EQ(cubes.system.lagrangian.subdomains[1].elements, 8 * small);
  EXPECT_THAT(outlook.elements, ElementsAre(small, 8 * small, small));
  EXPECT_DOUBLE_EQ(outlook.work[2], small / (8 * tick));
  EXPECT_DOUBLE_EQ(outlook.work[1], 8 * small * 0.01 / stable);
  for (const std::int32_t body : {0, 1, 2})
    EXPECT_DOUBLE_EQ(outlook.touched[static_cast<std::size_t>(body)],
                     cubes.system.lagrangian.subdomains[static_cast<std::size_t>(body)].elements *
                         cubes.clocks.events_per_time(body));
  EXPECT_GT(outlook.touched[1], outlook.work[1]) << "as if it moved";
  EXPECT_THAT(outlook.touches, ElementsAre(0.5, 0, 0.5)) << "one pair for two bodies";
  EXPECT_THAT(outlook.group, ElementsAre(0, 1, 0));
  EXPECT_THAT(outlook.rank, ElementsAre(2, 1, 0));
  EXPECT_THAT(outlook.surface, ElementsAre(8 + 6, 26 + 24, 8 + 6))
      << "corners of cells, and middles of their faces";

  cubes.tell({0, 2}, running(8, 64, true));
  EXPECT_DOUBLE_EQ(common.pace(0), 1 / (64 * tick)) << "short steps at first are soon longer";
}

TEST(CommonKnowledge, HoldersAreThoseOfThePlanUntilSomebodyTells) {
  Cubes cubes;
  CommonKnowledge& common = cubes.common;
  common.begin({0, 1, 1});
  EXPECT_THAT(common.bodies_of(1), ElementsAre(1, 2));
  for (const std::int32_t body : {0, 1, 2}) cubes.tell({body}, running(4, 4));
  EXPECT_TRUE(common.look_ahead({0, 1, 1}).cluster.empty());
  Window window;
  window.rank_of = {1, 1, 0};
  window.cluster_of = {0, 0, 2};
  EXPECT_EQ(common.follow(window), 2) << "bodies that had been another's";
  EXPECT_THAT(common.holders(), ElementsAre(1, 1, 0));
  common.set_holder(1, 3);
  EXPECT_THAT(common.bodies_of(3), ElementsAre(1));
  EXPECT_EQ(common.follow(window), 1);
  EXPECT_THAT(common.look_ahead({0, 0, 0}).cluster, ElementsAre(0, 0, 2));

  common.learn_departure(2, 5, 7);
  EXPECT_EQ(common.departure(1), infinity) << "of a window that nobody went through";
  common.set_speeds({100, 50});
  const WindowOutlook& outlook = common.look_ahead({0, 0, 0});
  EXPECT_THAT(outlook.deviation, ElementsAre(0, 0, 5));
  EXPECT_THAT(outlook.departure, ElementsAre(infinity, infinity, 7));
  ASSERT_EQ(outlook.slowness.size(), 2u);
  EXPECT_GT(outlook.slowness[1], outlook.slowness[0]);

  common.begin({0, 0, 0});
  EXPECT_THROW((void)common.terraces().of(0), BrokenContract) << "another start";
  for (const std::int32_t body : {0, 1, 2}) cubes.tell({body}, running(4, 4));
  EXPECT_TRUE(common.look_ahead({0, 0, 0}).cluster.empty());
}

}  // namespace
}  // namespace terrace::common_knowledge_test
