// WindowPlanner: how long windows are, the work that is foreseen in them, and which rank takes which cluster.
#include "dynamics/windows/window_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "support/planned_windows.hpp"

namespace terrace::window_plan_test {
namespace {

TEST(WindowPlan, WorkIsDividedAndBodiesStayWhereTheyWere) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowOutlook outlook = free_flight(8, 2);
  Window window = plan.window(1e-3, outlook);
  EXPECT_EQ(window.rank_of, outlook.rank) << "where it was is as good as anywhere";
  EXPECT_NEAR(window.balance, 1, 1e-12);
  // One body as heavy as all others: a rank of its own.
  outlook.work[3] = 700;
  window = plan.window(1e-3, outlook);
  for (std::size_t body = 0; body < 8; ++body)
    EXPECT_EQ(window.rank_of[body] == window.rank_of[3], body == 3) << body;
  EXPECT_NEAR(window.balance, 1, 1e-12);
  outlook.work[3] = 1400;
  EXPECT_NEAR(plan.window(1e-3, outlook).balance, 0.75, 1e-12) << "2,100 on two ranks, 1,400 on one";
}

// A window has no length where a run goes on at an instant at which a row is due.
TEST(WindowPlan, AWindowOfNoLengthHasItsRanksToo) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 3);
  WindowOutlook outlook = free_flight(8, 3);
  outlook.elements.assign(8, 100);
  outlook.work.assign(8, 10);
  outlook.group[1] = outlook.group[0];
  outlook.rank[0] = 0;
  outlook.rank[1] = 1;  // one of them comes to the other
  const Window window = plan.window(0, outlook);
  EXPECT_EQ(window.rank_of.size(), 8u);
  EXPECT_EQ(window.flights.size(), 8u);
  EXPECT_EQ(window.end, window.begin);
}

// Taking a body over costs 4 for each of its elements (TakenOver::cost), as much as four of its events.
TEST(WindowPlan, BodiesMoveWhereThatTakesLessTimeThanItSaves) {
  std::mt19937 random(seed);
  constexpr double length = 1e-3;
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.work.assign(8, 1);
  outlook.work[0] = 1000;
  outlook.work[1] = 100;
  for (const std::size_t body : {2u, 4u, 6u}) outlook.elements[body] = 1.01 * length / 4;
  Window window = plan.window(length, outlook);
  EXPECT_EQ(window.rank_of, outlook.rank) << "rank 0 has no room, but there is hardly anything to be saved";
  EXPECT_NEAR(window.balance, 1106.0 / (2 * 1003), 1e-12);
  outlook.elements[4] = 0.98 * length / 4;
  window = plan.window(length, outlook);
  for (std::size_t body = 0; body < 8; ++body)
    EXPECT_EQ(window.rank_of[body] == outlook.rank[body], body != 4) << body;
  // A body stays where it was if the other rank, which has to take it over, would be done with it later.
  outlook.work[1] = 970;
  outlook.work[2] = 960;
  outlook.elements[2] = 950 * length / 4;
  EXPECT_EQ(plan.window(length, outlook).rank_of[2], 0);
  outlook.elements[2] = 20 * length / 4;
  window = plan.window(length, outlook);
  EXPECT_EQ(window.rank_of[2], 1);
  EXPECT_NEAR(window.balance, 2935 / (2 * (970 + 960 + 20.0)), 1e-12) << "with what rank 1 has to take over";
}

// Else windows that end just before the bodies meet, and in which no rank need take any over, would get
// shorter and shorter without end (WindowOutlook::stay).
TEST(WindowPlan, BodiesOfDifferentRanksComeTogetherThoughThatCostsMoreThanAWindow) {
  Deck deck = soft_deck({});
  for (const double side : {-1.0, 1.0}) {
    BodyEntry cube = cube_entry(side < 0 ? "left" : "right", 1, {2 * side, 0, 0});
    cube.velocity = {-side, 0, 0};
    deck.bodies.push_back(cube);
  }
  deck.contact.model = ContactModel::barrier;
  const Planned plan(deck, 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  WindowOutlook outlook = free_flight(2, 2);
  outlook.work[0] = 1000;  // the ranks are not in balance: windows look closely
  outlook.elements.assign(2, 1e5);
  const double step = outlook.stay = plan.system.lagrangian.stable_step;
  double begin = 0;
  constexpr double until = 1.6;  // on these lines they go through each other from 1.5 on
  while (begin < until) {
    const Window window = planner.plan(plan.system.state.lines, begin, until, outlook);
    outlook.rank = window.rank_of;
    ASSERT_TRUE(window.end == until || window.end - begin > 1e-4 * step) << begin << " to " << window.end;
    begin = window.end;
  }
  EXPECT_EQ(outlook.rank[0], outlook.rank[1]);
}

TEST(WindowPlan, WhoComesNotNearToWhatAnotherHasToDoAnywayKeepsItsBodies) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 3);
  WindowOutlook outlook = free_flight(8, 3);
  outlook.work = {3000, 500, 500, 500, 500, 10, 10, 10};
  outlook.rank = {0, 1, 1, 1, 1, 2, 2, 2};
  EXPECT_EQ(plan.window(1e-3, outlook).rank_of, outlook.rank);
  outlook.work[0] = 2000;
  EXPECT_EQ(plan.window(1e-3, outlook).rank_of, (std::vector<int>{0, 1, 1, 1, 2, 2, 2, 2}));
}

// In twice the time the bodies come within reach of each other, and one of the two ranks has all the work.
TEST(WindowPlan, WindowsAreLongerWhereWhatTheyCostBesidesIsMore) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 2.5), 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.work.assign(8, 1e6);
  outlook.touched.assign(8, 0);  // whatever their surfaces
  const double of_small = plan.window(1e9, outlook).end;
  outlook.surface.assign(8, 1e12);
  const double of_large = plan.window(1e9, outlook).end;
  EXPECT_GE(of_large, 2 * of_small);
}

TEST(WindowPlan, WhatRestsAmongOthersWillMoveAndCostsMoreThanAlone) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowOutlook outlook = free_flight(8, 2);
  // Bodies 0 and 7 touch and are at rest: they count as moving for half of the window (touched_share). Body 3
  // rests alone. Looks at neighbours add 0.4 (1 − n^(−1/3)) for n bodies of a cluster (foresee_work).
  outlook.group[7] = outlook.group[0];
  outlook.work[0] = outlook.work[7] = outlook.work[3] = 1;
  outlook.touched[0] = 800;
  outlook.touched[7] = 600;
  const Window window = plan.window(1e-3, outlook);
  const double dearer = 1 + 0.4 * (1 - std::pow(2.0, -1.0 / 3));
  EXPECT_NEAR(window.work[0], 400 * dearer, 1e-9);
  EXPECT_NEAR(window.work[7], 300 * dearer, 1e-9);
  EXPECT_EQ(window.work[3], 1);
  EXPECT_EQ(window.work[1], 100);
  for (const std::size_t body : {1u, 2u, 3u, 4u, 5u, 6u}) EXPECT_NE(window.rank_of[body], window.rank_of[0]);
  EXPECT_NEAR(window.balance, (700 * dearer + 501) / (2 * 700 * dearer), 1e-12);
}

TEST(WindowPlan, ContactMakesEventsDearer) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.group[7] = outlook.group[0];
  outlook.touches[0] = outlook.touches[7] = 0.5;  // one pair
  // Contact costs 7 per node of the surface and touching pair: 7 · 24 / 48 = 3.5 and 7 · 24 / 480 = 0.35,
  // relative to the elements.
  outlook.surface[0] = outlook.surface[7] = 24;
  outlook.elements[0] = 48;
  outlook.elements[7] = 480;
  const Window window = plan.window(1e-3, outlook);
  const double neighbours = 0.4 * (1 - std::pow(2.0, -1.0 / 3));
  EXPECT_NEAR(window.work[0], 100 * (1 + 3.5 * 0.5 + neighbours), 1e-9);
  EXPECT_NEAR(window.work[7], 100 * (1 + 0.35 * 0.5 + neighbours), 1e-9);
  EXPECT_EQ(window.work[1], 100);
}

// Clusters are worth while on one rank too, as bodies of different clusters need not be looked at.
TEST(WindowPlan, WindowsAreAsLongAsIsWorthWhile) {
  for (const double work : {1.0, 1e5}) {
    std::mt19937 random(seed);
    Planned plan(loose_cubes(random, 3, 2.2), 1);
    WindowPlanner planner(plan.system.lagrangian, plan.pairs, 1);
    WindowOutlook outlook = free_flight(27, 1);
    outlook.work.assign(27, work);
    outlook.touched = outlook.work;
    Window window;
    for (int trial = 0; trial < 20; ++trial) window = planner.plan(plan.system.state.lines, 0, 1e9, outlook);
    EXPECT_EQ(window.balance, 1);
    if (work > 1)
      EXPECT_GT(window.clusters, 1) << "to " << window.end;
    else
      EXPECT_EQ(window.clusters, 1) << "an exchange is dearer than all that is done until " << window.end;
  }
}

/// Asks that each window is twice as long as the one before. The bodies of `plan` meet nobody.
void expect_to_get_longer(WindowPlanner& planner, const Planned& plan, const WindowOutlook& outlook) {
  double last = planner.plan(plan.system.state.lines, 0, 1e9, outlook).end;
  for (int window = 0; window < 8; ++window) {
    const double next = planner.plan(plan.system.state.lines, 0, 1e9, outlook).end;
    EXPECT_DOUBLE_EQ(next, 2 * last) << "window " << window;
    last = next;
  }
}

TEST(WindowPlan, WindowsOfBodiesFarApartGetLongerHoweverLittleThatGains) {
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.work.assign(8, 100 / plan.system.lagrangian.stable_step);
  outlook.touched = outlook.work;
  expect_to_get_longer(planner, plan, outlook);
}

// Windows of bodies that meet nobody would double for ever. The bounds, 2e7 elements or 2e5 events of a rank,
// are about two seconds.
TEST(WindowPlan, NoWindowTakesMoreThanSomeSeconds) {
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  WindowOutlook outlook = free_flight(8, 2);
  for (const double work : {1e3, 1e9}) {  // of each of eight bodies, for two ranks
    outlook.work.assign(8, work);
    outlook.touched = outlook.work;
    Window window;
    for (int plans = 0; plans < 40; ++plans) window = planner.plan(plan.system.state.lines, 0, 1e9, outlook);
    EXPECT_LE(4 * work * window.end, 2e7 * (1 + 1e-9));
    EXPECT_GE(4 * work * window.end, 1e7 * (1 - 1e-9));
  }
  outlook.pace.assign(8, 1e9);  // of small bodies: events take time besides their elements
  const double end = planner.plan(plan.system.state.lines, 0, 1e9, outlook).end;
  EXPECT_LE(4 * 1e9 * end, 2e5 * (1 + 1e-9));
  EXPECT_GT(end, 0);
}

// A velocity that all bodies have in common must not matter, unless something stands in the deck's frame.
TEST(WindowPlan, KnowsNoFrameButThatOfWalls) {
  const auto widths = [](double common_speed, bool has_wall) {
    std::mt19937 random(seed);
    Deck deck = loose_cubes(random, 2, 10);
    for (BodyEntry& body : deck.bodies) body.velocity[0] += common_speed;
    if (has_wall) deck.walls.push_back({"wall", {1e6, 0, 0}, {-1, 0, 0}, 1e3});
    std::vector<double> found;
    for (const Flight& flight : Planned(deck, 2).window(10, free_flight(8, 2)).flights)
      found.push_back(flight.radius);
    return found;
  };
  const std::vector<double> at_rest = widths(0, false), moving = widths(300, false);
  ASSERT_EQ(at_rest.size(), 8u);
  for (std::size_t body = 0; body < 8; ++body) {
    EXPECT_NEAR(moving[body] / at_rest[body], 1, 1e-6);
    EXPECT_NEAR(widths(0, true)[body] / at_rest[body], 1, 0.5);
    EXPECT_GT(widths(300, true)[body], 10 * at_rest[body]);
  }
}

TEST(WindowPlan, OneFastBodyMakesNobodyElseLookFarther) {
  std::mt19937 random(seed);
  Deck deck = loose_cubes(random, 3, 10);
  deck.bodies.back().velocity = {1000, 1000, 1000};  // away from all
  const Planned plan(deck, 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  const WindowOutlook outlook = free_flight(27, 2);
  planner.look(plan.system.state.lines, 0, 0.0025, outlook);
  const std::vector<std::int32_t> first = {0};
  EXPECT_EQ(planner.near(first), first);
}

// Bodies at rest in a cluster may come to move. The work that they would have then bounds the window.
TEST(WindowPlan, WhatMayComeToMoveBoundsAWindow) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 1);
  WindowOutlook outlook = free_flight(8, 1);
  outlook.group.assign(8, 0);
  outlook.work.assign(8, 1);
  outlook.touched.assign(8, 1);
  const double light = plan.window(1e9, outlook).end;
  outlook.touched.assign(8, 1e8 / light);
  EXPECT_LT(plan.window(1e9, outlook).end, 0.5 * light);
}

TEST(WindowPlan, WhatATeamDoesMakesNoRankTheBusiest) {
  constexpr int ranks = 4;
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), ranks);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, ranks);
  planner.use_teams(TeamUse::where_worth_while);
  WindowOutlook outlook = heavy_group(8, ranks);
  for (std::vector<double>* of_bodies : {&outlook.work, &outlook.touched, &outlook.pace})
    for (double& each : *of_bodies) each *= 1e-7;  // else windows would soon take seconds
  const Window window = planner.plan(plan.system.state.lines, 0, 1e9, outlook);
  EXPECT_EQ(window.clusters, 1);
  EXPECT_GT(window.balance, 0.8) << "the team's ranks have as much to do";
  expect_to_get_longer(planner, plan, outlook);
}

TEST(WindowPlan, ATeamGoesOnWhereAnotherWouldHaveTooMuchToTakeOver) {
  constexpr int ranks = 4;
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), ranks);
  WindowOutlook outlook = heavy_group(8, ranks);
  const auto ranks_of = [&] {
    WindowPlanner planner(plan.system.lagrangian, plan.pairs, ranks);
    planner.use_teams(TeamUse::where_worth_while);
    return planner.plan(plan.system.state.lines, 0, 1e9, outlook).rank_of;
  };
  const std::vector<int> alone(8, 2), in_team = {1, 3, 1, 3, 1, 3, 1, 3};
  outlook.rank = alone;
  EXPECT_NE(ranks_of(), alone) << "there is nothing to take over";
  outlook.elements.assign(8, 1e10);
  EXPECT_EQ(ranks_of(), alone);
  outlook.rank = in_team;
  outlook.cluster.assign(8, 5);
  EXPECT_EQ(ranks_of(), in_team);
  outlook.cluster = {0, 0, 2, 2, 2, 2, 2, 2};
  EXPECT_EQ(ranks_of(), in_team) << "two other teams had the same ranks";
}

// Of eight bodies that a team had, two touch and the others rest. Whether the two are divided depends on
// their pace: each of their events costs messages.
TEST(WindowPlan, NoTeamGoesOnThatHasNothingToDivide) {
  constexpr int ranks = 4;
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), ranks);
  WindowOutlook outlook = free_flight(8, ranks);
  outlook.work.assign(8, 0);
  outlook.work[0] = outlook.work[1] = 1e9;
  outlook.touched = outlook.work;
  outlook.elements.assign(8, 1e10);
  outlook.group[1] = 0;
  outlook.cluster.assign(8, 5);
  for (std::size_t body = 0; body < 8; ++body) outlook.rank[body] = static_cast<int>(body) % 2;
  const auto is_divided = [&](double pace) {
    outlook.pace.assign(8, pace);
    WindowPlanner planner(plan.system.lagrangian, plan.pairs, ranks);
    planner.use_teams(TeamUse::where_worth_while);
    const Window window = planner.plan(plan.system.state.lines, 0, 1e9, outlook);
    return window.rank_of[0] != window.rank_of[1];
  };
  EXPECT_TRUE(is_divided(10));
  EXPECT_FALSE(is_divided(2e9 / 250)) << "its messages take longer";
}

TEST(WindowPlan, WhoWasInATeamHasAllOfItToTakeOverToBeAlone) {
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.work.assign(8, 1e9);
  outlook.touched = outlook.work;
  outlook.elements = {1e10, 0, 0, 0, 0, 0, 0, 0};
  const auto balance = [&] {
    WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
    planner.use_teams(TeamUse::where_worth_while);
    return planner.plan(plan.system.state.lines, 0, 1e9, outlook).balance;
  };
  EXPECT_GT(balance(), 0.95);
  outlook.cluster.assign(8, 5);
  EXPECT_LT(balance(), 0.5);
}

TEST(WindowPlan, WindowsThatWereCutGetShorter) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  const WindowOutlook outlook = free_flight(8, 2);
  const double first = planner.plan(plan.system.state.lines, 0, 1e9, outlook).end;
  planner.shorten();
  planner.shorten();
  planner.shorten();
  EXPECT_LT(planner.plan(plan.system.state.lines, 0, 1e9, outlook).end, 0.5 * first);
}

// All windows end at `until`, so that only the width of tubes changes from one to the next.
TEST(WindowPlan, FlightsOfSeveralRanksNarrowUntilTheyCutAWindow) {
  constexpr double until = 1e-7;
  std::mt19937 random(seed);
  const Planned plan(loose_cubes(random, 2, 1e4), 2);
  const WindowOutlook of_one = free_flight(8, 1), of_two = free_flight(8, 2);
  std::vector<std::int32_t> all(8);
  std::iota(all.begin(), all.end(), 0);
  WindowPlanner one_rank(plan.system.lagrangian, plan.pairs, 1);
  const auto radius = [&](WindowPlanner& planner, int windows = 1) {
    const WindowOutlook& outlook = &planner == &one_rank ? of_one : of_two;
    Window window;
    for (int i = 0; i < windows; ++i) {
      planner.look(plan.system.state.lines, 0, until, outlook);
      window = planner.choose(planner.meetings(all));
    }
    EXPECT_EQ(window.end, until);
    return window.flights.front().radius;
  };
  const double wide = radius(one_rank);
  EXPECT_EQ(radius(one_rank, 50), wide) << "it has nothing of narrow ones";
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  const double first = radius(planner);
  EXPECT_LT(first, wide);
  EXPECT_LT(radius(planner, 5), first);
  const double narrowest = radius(planner, 1000);
  EXPECT_EQ(radius(planner), narrowest) << "some room there is always";
  // The width grows linearly with the caution c, from 0.05 (narrowest) to 1 (wide): the share is
  // (c − 0.05) / 0.95. The other factors are those of WindowPlanner::shorten and narrow_flights.
  const auto share = [&](double width) { return (width - narrowest) / (wide - narrowest); };
  for (int i = 0; i < 8; ++i) planner.shorten();
  const double again = share(radius(planner)), later = share(radius(planner, 80));
  constexpr double least = 0.05;  // of all caution
  const double too_narrow = least * std::pow(1.3, 7);
  EXPECT_NEAR(again, (0.985 * 1.3 * too_narrow - least) / (1 - least), 0.001)
      << "a third more than what was too narrow, and a window later";
  EXPECT_NEAR(later, (std::pow(0.997, 80) * 1.1 * too_narrow - least) / (1 - least), 0.002)
      << "what was too narrow is remembered";
  EXPECT_EQ(radius(planner, 1000), narrowest) << "and forgotten";
  for (int i = 0; i < 20; ++i) {
    planner.shorten();
    EXPECT_LE(radius(planner), wide);
  }
}

TEST(WindowPlan, HowBodiesDepartFromTheirLinesIsKnownFromWindowsThatPushedThem) {
  EXPECT_EQ(departure_after(infinity, 0, 0.1), infinity) << "never pushed";
  EXPECT_DOUBLE_EQ(departure_after(infinity, 0.02, 0.1), 2);
  EXPECT_EQ(departure_after(2, 0, 0.1), 2) << "not pushed this time";
  EXPECT_EQ(departure_after(2, 0, 0), 2);
  EXPECT_DOUBLE_EQ(departure_after(2, 0.05, 0.1), 5);
  EXPECT_DOUBLE_EQ(departure_after(2, 1e-6, 0.1), 1) << "pushed at the very end, perhaps";
}

// Nodes leave their own lines by the square of time. From the flight of the whole they stray by the amplitude
// of vibrations at most. So the flight node by node is narrower in short windows, the other in long ones.
TEST(WindowPlan, BodiesGoOnNodeByNodeInShortWindowsAndAsAWholeInLongOnes) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 1e4), 2);
  WindowOutlook outlook = free_flight(8, 2);
  const auto first_flight = [&](double until) { return plan.window(until, outlook).flights.front(); };
  EXPECT_FALSE(first_flight(1e-6).node_by_node) << "nothing is known of their lines";
  let_vibrate(plan, outlook, random, 0.5);
  outlook.deviation.assign(8, 0.5);
  outlook.departure.assign(8, 1e3);
  double narrower = 1;
  for (const double until : {1e-7, 1e-6, 1e-5, 1e-4}) {
    const Flight flight = first_flight(until);
    EXPECT_TRUE(flight.node_by_node) << until;
    WindowOutlook of_wholes = outlook;
    of_wholes.departure.assign(8, infinity);
    narrower = std::min(narrower, flight.radius / plan.window(until, of_wholes).flights.front().radius);
  }
  EXPECT_LT(narrower, 0.1);
  outlook.departure.assign(8, 1e9);
  const Flight in_a_long_one = first_flight(1e-3);
  EXPECT_FALSE(in_a_long_one.node_by_node);
  outlook.departure.assign(8, infinity);
  EXPECT_EQ(in_a_long_one.radius, first_flight(1e-3).radius);
}

}  // namespace
}  // namespace terrace::window_plan_test
