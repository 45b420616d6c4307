// KnownTerraces and ToldTerrace: what ranks know of the terraces of all bodies, and what they tell of one.
#include "dynamics/windows/known_terraces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"

namespace terrace::known_terraces_test {
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
  EXPECT_THROW((void)known.of(3), BrokenContract);
  for (const std::int32_t body : {4, 0, 3, 1, 2}) known.learn(told({body}, 10 + body));
  EXPECT_THAT(all_of(known),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3), ElementsAre(4)));
  EXPECT_EQ(known.of(3).clock.last, 13);

  known.learn(told({1, 3, 4}, 20));
  EXPECT_THAT(all_of(known), ElementsAre(ElementsAre(0), ElementsAre(1, 3, 4), ElementsAre(2)));
  EXPECT_THAT(known.first_of(), ElementsAre(0, 1, 2, 1, 1));
  EXPECT_EQ(known.of(4).clock.last, 20);

  // Body 1 leaves its group and 3 and 4 stay together. The two new terraces may be told of in either order.
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
  EXPECT_THAT(known.first_of(), ElementsAre(-1, -1, -1, -1, -1));
  EXPECT_THROW((void)known.of(3), BrokenContract);
  EXPECT_THAT(all_of(known), ElementsAre());
}

TEST(KnownTerraces, TheyAreOfBodiesThatThereAre) {
  KnownTerraces known(3);
  for (const auto& bodies : std::vector<std::vector<std::int32_t>>{{}, {-1}, {3}, {2, 1}, {0, 5}})
    EXPECT_THROW(known.learn(told(bodies, 0)), BrokenContract);
  known.learn(told({0, 1}, 0));
  known.learn(told({0}, 1));  // of the other nobody tells
  EXPECT_THROW((void)known.of(1), BrokenContract);
  EXPECT_THROW((void)known.of(2), BrokenContract);
  EXPECT_EQ(known.of(0).clock.last, 1);
}

template <class Value>
std::vector<std::byte> bytes_of(const Value& value) {
  ByteWriter writer;
  writer(value);
  return writer.take();
}

TEST(ToldTerrace, HoldsAllThatDecidesItsFuture) {
  ClockedTerrace terrace;
  terrace.bodies = {2, 7};
  terrace.touches = {{{2, 7}, 3}};
  terrace.clock.running = false;
  terrace.clock.next = 99;
  terrace.clock.stored = -12345;
  SubdomainState& state = terrace.state;
  state.terrace.energy_step = 0.25;
  state.origin = 1.5;
  state.horizon = 2.5;
  state.search_start = 1.25;
  state.search = FirstCrossing{state.terrace, true, 1, 2, 3, 4};
  state.next.certain_until = 7;
  state.line_sums.revisions.resize(2);
  state.gradient_grids.contact_terms = 77;
  terrace.event_at = 3.5;
  terrace.none_before = 2.75;

  const std::vector<std::byte> bytes = bytes_of(ToldTerrace(terrace));
  ByteReader reader(bytes);
  ToldTerrace received;
  reader(received);
  EXPECT_TRUE(reader.at_end());
  const ClockedTerrace again = received.terrace();
  EXPECT_EQ(again.bodies, terrace.bodies);
  EXPECT_EQ(again.touches, terrace.touches);
  EXPECT_EQ(bytes_of(again.clock), bytes_of(terrace.clock));
  EXPECT_EQ(bytes_of(again.state), bytes_of(terrace.state));
  EXPECT_EQ(again.event_at, 3.5);
  EXPECT_EQ(again.none_before, 2.75);

  terrace.clock.running = true;  // then nothing of its search is told
  const ClockedTerrace running = ToldTerrace(terrace).terrace();
  SubdomainState left;
  left.origin = 1.5;
  left.gradient_grids.contact_terms = 77;
  EXPECT_EQ(bytes_of(running.state), bytes_of(left));
  EXPECT_EQ(running.event_at, infinity);
  EXPECT_EQ(running.none_before, infinity);
  EXPECT_LT(2 * ToldTerrace(terrace).rest.size(), received.rest.size());

  received.rest.push_back(std::byte{0});
  try {
    (void)received.terrace();
    ADD_FAILURE() << "more was taken for a terrace";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "a terrace that was told");
    EXPECT_EQ(error.expected(), "an end after all that it has");
  }
  received.rest.resize(received.rest.size() - 2);
  EXPECT_THROW((void)received.terrace(), Error) << "less than a terrace has";
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
}  // namespace terrace::known_terraces_test
