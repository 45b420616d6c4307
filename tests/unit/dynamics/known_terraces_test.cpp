// What ranks know of all bodies' terraces, and what they tell each other of one.
#include "dynamics/known_terraces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace terrace {
namespace {

using testing::ElementsAre;

ToldTerrace told(std::vector<std::int32_t> bodies, std::int64_t last) {
  ClockedTerrace terrace;
  terrace.bodies = std::move(bodies);
  terrace.clock.last = last;
  return ToldTerrace(terrace);
}

std::vector<std::vector<std::int32_t>> all_of(const KnownTerraces& known) {
  std::vector<std::vector<std::int32_t>> all;
  known.visit([&](const ToldTerrace& terrace) { all.push_back(terrace.bodies); });
  return all;
}

TEST(KnownTerraces, BodiesThatMeetAndPartLeaveNoFormerTerraceBehind) {
  KnownTerraces known(5);
  EXPECT_FALSE(known.knows(3));
  for (const std::int32_t body : {4, 0, 3, 1, 2}) known.learn(told({body}, 10 + body));
  EXPECT_TRUE(known.knows(3));
  EXPECT_THAT(all_of(known),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3), ElementsAre(4)));
  EXPECT_EQ(known.of(3).clock.last, 13);

  known.learn(told({1, 3, 4}, 20));
  EXPECT_THAT(all_of(known), ElementsAre(ElementsAre(0), ElementsAre(1, 3, 4), ElementsAre(2)));
  EXPECT_THAT(known.first_of(), ElementsAre(0, 1, 2, 1, 1));
  EXPECT_EQ(known.of(4).clock.last, 20);

  // The first leaves, the others stay together, told of in either order.
  known.learn(told({3, 4}, 31));
  known.learn(told({1}, 30));
  EXPECT_THAT(all_of(known), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3, 4)));
  EXPECT_EQ(known.of(1).clock.last, 30);
  EXPECT_EQ(known.of(4).clock.last, 31);
  known.learn(told({3}, 40));
  known.learn(told({4}, 41));
  EXPECT_THAT(known.first_of(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(known.of(3).clock.last, 40);

  known.learn(told({3}, 50));
  EXPECT_EQ(known.of(3).clock.last, 50);
  known.forget_all();
  EXPECT_FALSE(known.knows(3));
  EXPECT_THAT(all_of(known), ElementsAre());
}

TEST(ToldTerrace, HoldsAllThatDecidesItsFuture) {
  ClockedTerrace terrace;
  terrace.bodies = {2, 7};
  terrace.touches = {{{2, 7}, 3}};
  terrace.clock.running = true;
  terrace.clock.next = 99;
  terrace.clock.stored = -12345;
  terrace.state.terrace.energy_step = 0.25;
  terrace.state.origin = 1.5;
  terrace.state.horizon = 2.5;
  terrace.state.looks_apart = 4;
  terrace.event_at = 3.5;
  terrace.none_before = 2.75;
  ByteWriter writer;
  const ToldTerrace sent(terrace);
  writer(sent);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes);
  ToldTerrace received;
  reader(received);
  EXPECT_TRUE(reader.at_end());
  const ClockedTerrace again = received.terrace();
  EXPECT_EQ(again.bodies, terrace.bodies);
  EXPECT_EQ(again.touches, terrace.touches);
  EXPECT_EQ(again.clock.hash(1), terrace.clock.hash(1));
  EXPECT_EQ(again.clock.next, 99);
  EXPECT_EQ(again.state.terrace.energy_step, 0.25);
  EXPECT_EQ(again.state.origin, 1.5);
  EXPECT_EQ(again.state.horizon, 2.5);
  EXPECT_EQ(again.state.looks_apart, 4);
  EXPECT_EQ(again.event_at, 3.5);
  EXPECT_EQ(again.none_before, 2.75);
}

TEST(ToldTerrace, ChangesByEventsAlone) {
  ClockedTerrace terrace;
  terrace.bodies = {2, 7};
  terrace.touches = {{{2, 7}, 3}};
  const ToldTerrace before(terrace);
  EXPECT_TRUE(before.is_still(terrace));
  ClockedTerrace searched = terrace;
  searched.event_at = 1;
  searched.state.horizon = 7;
  EXPECT_TRUE(before.is_still(searched)) << "a search is no event";
  const auto expect_changed = [&](auto change) {
    ClockedTerrace other = terrace;
    change(other);
    EXPECT_FALSE(before.is_still(other));
  };
  expect_changed([](ClockedTerrace& other) { other.bodies = {2}; });
  expect_changed([](ClockedTerrace& other) { other.touches[0].looks_apart = 2; });
  expect_changed([](ClockedTerrace& other) { other.clock.next = 1; });
  expect_changed([](ClockedTerrace& other) { other.clock.last = 1; });
  expect_changed([](ClockedTerrace& other) { other.clock.running = true; });
}

}  // namespace
}  // namespace terrace
