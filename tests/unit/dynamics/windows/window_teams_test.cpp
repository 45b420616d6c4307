// How many ranks a cluster of bodies is worth, and which bodies are whose.
#include "dynamics/windows/window_teams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "dynamics/windows/window_plan.hpp"

namespace terrace::window_teams_test {
namespace {

/// Bodies that touch, each with so much work in an event; one event in a unit of time.
std::vector<TerraceTotals> chain(int bodies, double work_of_body) {
  return {{.bodies = static_cast<double>(bodies), .surface = 0, .work = work_of_body * bodies, .events = 1}};
}

TEST(WindowTeams, AnEventTakesAsLongAsItsLargestShareAndMessages) {
  const std::vector<TerraceTotals> cluster = chain(8, 1e6);
  EXPECT_EQ(time_of_team(cluster, 1), 8e6);
  // Two unknowns, what every rank follows and what messages take, are found from the times on two and on four
  // ranks. Both costs were chosen by experience; the test asks for their order of magnitude and for
  // `expected` below.
  const double on_two = time_of_team(cluster, 2), on_four = time_of_team(cluster, 4);
  const double followed = 12 * (on_four - 2e6 - 4.0 / 3 * (on_two - 4e6)),
               message = (on_two - 4e6 - followed / 2) / 1.2;
  EXPECT_GT(message, 10);
  EXPECT_LT(message, 1e4);
  EXPECT_GT(followed, 8 * 10) << "surfaces without a node";
  EXPECT_LT(followed, 8 * 1e3);
  // The largest share of what is divided, and messages: a fifth more for each further rank.
  const auto expected = [&](double share, int ranks) {
    return followed + (8e6 - followed) * share + (1 + 0.2 * (ranks - 1)) * message;
  };
  EXPECT_NEAR(time_of_team(cluster, 3), expected(3.0 / 8, 3), 1e-3) << "three bodies of eight";
  EXPECT_NEAR(time_of_team(cluster, 8), expected(1.0 / 8, 8), 1e-3);
  // Ten times as many events for the same work: messages, and what is followed, count ten times.
  std::vector<TerraceTotals> more = cluster;
  more[0].events = 10;
  EXPECT_NEAR(time_of_team(more, 2), 4e6 + 10 * (on_two - 4e6), 1e-3);
}

TEST(WindowTeams, TheLargestShareIsThatOfWhoHasMostBodies) {
  std::vector<TerraceTotals> cluster = chain(8, 1e6);
  cluster[0].surface = 8e3;
  const double all = largest_share(cluster[0], 8), least = largest_share(cluster[0], 0);
  EXPECT_DOUBLE_EQ(all, 1);
  EXPECT_GT(least, 8e3 / 8e6) << "of a rank that only follows";
  EXPECT_LT(least, 8e4 / 8e6);
  EXPECT_DOUBLE_EQ(largest_share(cluster[0], 2), least + (1 - least) / 4);
  cluster[0].work = 0;
  EXPECT_EQ(largest_share(cluster[0], 1), 1);
}

TEST(WindowTeams, WhatEveryRankFollowsIsNotDivided) {
  std::vector<TerraceTotals> cluster = chain(2, 1e6);
  const double without = time_of_team(cluster, 2);
  cluster[0].surface = 1000;
  const double with = time_of_team(cluster, 2);
  EXPECT_GT(with, without + 500);
  EXPECT_LT(with, without + 5000);
  cluster[0].surface = 1e9;
  EXPECT_EQ(time_of_team(cluster, 2), 2e6) << "each does all of it";
  EXPECT_FALSE(is_divided(cluster[0], 2));
}

TEST(WindowTeams, BodiesThatTouchNoOtherAndSmallGroupsAreEveryRanks) {
  std::vector<TerraceTotals> cluster = chain(4, 1e6);
  cluster.push_back({.bodies = 1, .surface = 0, .work = 1e6, .events = 1});
  cluster.push_back({.bodies = 2, .surface = 0, .work = 20, .events = 1});
  EXPECT_TRUE(is_divided(cluster[0], 2));
  EXPECT_FALSE(is_divided(cluster[1], 2));
  EXPECT_FALSE(is_divided(cluster[2], 2)) << "a sum takes longer";
  EXPECT_DOUBLE_EQ(time_of_team(cluster, 2), time_of_team(chain(4, 1e6), 2) + 1e6 + 20);
  EXPECT_FALSE(is_divided(cluster[0], 1));
}

TEST(WindowTeams, AClusterIsWorthAsManyRanksAsAreEnough) {
  const std::vector<TerraceTotals> cluster = chain(64, 1e6);
  EXPECT_EQ(worthwhile_ranks(cluster, 100, 64e6), 1) << "one is enough";
  EXPECT_EQ(worthwhile_ranks(cluster, 100, 33e6), 2);
  EXPECT_EQ(worthwhile_ranks(cluster, 100, 9e6), 8);
  EXPECT_EQ(worthwhile_ranks(cluster, 4, 9e6), 4) << "there are no more";
  EXPECT_EQ(worthwhile_ranks(cluster, 1000, 0), 64) << "no more than bodies";
  EXPECT_EQ(worthwhile_ranks(chain(5, 1e6), 100, 0), 5) << "one body for each";
  EXPECT_EQ(worthwhile_ranks(chain(5, 1e6), 4, 0), 3) << "with four ranks one has two bodies as well";
  EXPECT_EQ(worthwhile_ranks(chain(64, 1), 100, 0), 1) << "sums take longer than the work";
  EXPECT_EQ(worthwhile_ranks(chain(1, 1e6), 100, 0), 1);
}

/// A window of `groups` clusters, one for each list of bodies, which all touch.
struct Plan {
  Plan(const std::vector<int>& bodies_of_groups, double work_of_body, int on_ranks) : ranks(on_ranks) {
    std::int32_t first = 0;
    for (const int bodies : bodies_of_groups) {
      for (int i = 0; i < bodies; ++i) window.cluster_of.push_back(first);
      first += bodies;
    }
    window.end = window.begin + 1;
    const std::size_t count = window.cluster_of.size();
    window.work.assign(count, work_of_body);
    outlook.elements.assign(count, 0);
    outlook.group = window.cluster_of;
    outlook.pace.assign(count, 1);
    outlook.surface.assign(count, 0);
    outlook.touches.assign(count, 0);
    outlook.rank.assign(count, 0);
  }
  void assign(TeamUse use) { assign_clusters(window, outlook, ranks, use); }
  [[nodiscard]] std::set<int> team(std::int32_t cluster) const {
    std::set<int> team;
    for (std::size_t body = 0; body < window.cluster_of.size(); ++body)
      if (window.cluster_of[body] == cluster) team.insert(window.rank_of[body]);
    return team;
  }
  Window window;
  WindowOutlook outlook{};
  int ranks;
};

TEST(WindowTeams, AClusterThatIsTooMuchForOneRankIsSharedOut) {
  Plan plan({8, 1, 1, 1, 1}, 1e6, 4);
  plan.assign(TeamUse::never);
  EXPECT_EQ(plan.team(0).size(), 1);
  EXPECT_NEAR(plan.window.balance, 12.0 / (4 * 8), 1e-12);
  plan.assign(TeamUse::where_worth_while);
  const std::set<int> team = plan.team(0);
  ASSERT_GE(team.size(), 2);
  ASSERT_LE(team.size(), 4);
  std::map<int, int> bodies;
  for (std::size_t body = 0; body < 8; ++body) {
    ++bodies[plan.window.rank_of[body]];
    EXPECT_EQ(plan.window.is_everywhere[body], 0);
  }
  for (const auto& [rank, count] : bodies) EXPECT_LE(count, (8 + std::ssize(team) - 1) / std::ssize(team));
  EXPECT_GT(plan.window.balance, 0.7);
  EXPECT_LE(plan.window.balance, 1);
  // Light bodies are not worth the sums over the ranks of a team.
  Plan light({8, 1, 1, 1, 1}, 1, 4);
  light.assign(TeamUse::where_worth_while);
  EXPECT_EQ(light.team(0).size(), 1);
  // A cluster with no more work than the others stays on one rank.
  Plan even({2, 2, 2, 2}, 1e6, 4);
  even.assign(TeamUse::where_worth_while);
  for (const std::int32_t cluster : {0, 2, 4, 6}) EXPECT_EQ(even.team(cluster).size(), 1) << cluster;
  EXPECT_NEAR(even.window.balance, 1, 1e-12);
}

// Two bodies that touch, beside a third that keeps their rank busy. They move if that saves more, 2,000, than
// it costs to make their elements elsewhere (4 each) and to list what is near in their contact (12 for each
// node of the surface, times the pairs that touch).
TEST(WindowTeams, BodiesThatTouchAreMovedForWhatTheirListsCost) {
  const auto moves = [](double elements, double surface, double touches) {
    Plan plan({2, 1}, 1000, 2);
    plan.window.work[2] = 2100;
    plan.outlook.elements.assign(3, elements);
    plan.outlook.surface.assign(3, surface);
    plan.outlook.touches = {touches, touches, 0};
    plan.assign(TeamUse::never);
    EXPECT_EQ(plan.window.rank_of[2], 0);
    EXPECT_EQ(plan.window.rank_of[0], plan.window.rank_of[1]);
    return plan.window.rank_of[0] == 1;
  };
  EXPECT_TRUE(moves(0, 0, 0));
  EXPECT_TRUE(moves(200, 0, 1)) << "1,600 of 2,000";
  EXPECT_FALSE(moves(300, 0, 1));
  EXPECT_TRUE(moves(0, 100, 0)) << "nothing is near";
  EXPECT_TRUE(moves(0, 100, 0.5)) << "1,200";
  EXPECT_FALSE(moves(0, 100, 1)) << "2,400";
  EXPECT_FALSE(moves(200, 100, 0.5)) << "2,800 together";
}

TEST(WindowTeams, ASlowRankGetsLess) {
  Plan plan(std::vector<int>(30, 1), 1e6, 2);
  const auto of_the_second = [&] { return std::ranges::count(plan.window.rank_of, 1); };
  plan.assign(TeamUse::never);
  EXPECT_EQ(of_the_second(), 15);
  plan.outlook.slowness = {2.0 / 3, 4.0 / 3};  // it takes twice as long
  plan.assign(TeamUse::never);
  EXPECT_EQ(of_the_second(), 10);
  EXPECT_NEAR(plan.window.balance, 1, 1e-12) << "both are done at the same time";
  // The slow rank had all bodies: it keeps about as many as it does in the time of the other, and no more.
  plan.outlook.rank.assign(30, 1);
  plan.assign(TeamUse::never);
  EXPECT_NEAR(static_cast<double>(of_the_second()), 11, 1);
}

TEST(WindowTeams, ARankIsInOneTeamAndKeepsItsBodies) {
  Plan plan({3, 2, 2, 1}, 1, 6);
  plan.outlook.rank = {4, 5, 5, 1, 2, 2, 3, 1};
  plan.assign(TeamUse::always);
  EXPECT_THAT(plan.team(0), testing::SizeIs(3));
  EXPECT_THAT(plan.team(3), testing::SizeIs(2));
  EXPECT_THAT(plan.team(5), testing::SizeIs(1)) << "one rank is left";
  std::set<int> both;
  for (const std::int32_t cluster : {0, 3})
    for (const int rank : plan.team(cluster)) EXPECT_TRUE(both.insert(rank).second) << rank;
  EXPECT_EQ(plan.window.rank_of[0], 4);
  EXPECT_EQ(plan.window.rank_of[1], 5) << "one of the two that rank 5 had";
  EXPECT_EQ(plan.window.rank_of[3], 1);
  EXPECT_EQ(plan.window.rank_of[4], 2);
  // Ranks of the first team are not in the second, although they had its bodies.
  Plan two({3, 2}, 1, 5);
  two.outlook.rank = {0, 1, 2, 0, 1};
  two.assign(TeamUse::always);
  EXPECT_THAT(two.team(0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(two.team(3), testing::ElementsAre(3, 4));
  // Four bodies for three ranks, two of which had two each: one of these keeps both, the other gives one
  // away.
  Plan even({4}, 1, 3);
  even.outlook.rank = {0, 0, 1, 1};
  even.assign(TeamUse::always);
  std::map<int, int> bodies;
  for (const int rank : even.window.rank_of) ++bodies[rank];
  EXPECT_THAT(bodies, testing::ElementsAre(testing::Pair(0, 2), testing::Pair(1, 1), testing::Pair(2, 1)));
  // Each rank of a team does all the work of a body that touches no other.
  Plan meeting({4}, 1, 2);
  meeting.outlook.group = {0, 0, 2, 3};
  meeting.assign(TeamUse::always);
  EXPECT_THAT(meeting.window.is_everywhere, testing::ElementsAre(0, 0, 1, 1));
  EXPECT_NE(meeting.window.rank_of[0], meeting.window.rank_of[1]);
  EXPECT_NE(meeting.window.rank_of[2], meeting.window.rank_of[3]) << "each has some of these to tell of";
  Plan alone({6}, 1, 3);
  alone.outlook.group = {0, 1, 2, 3, 4, 5};
  alone.outlook.rank = {1, 0, 0, 0, 0, 0};
  alone.assign(TeamUse::always);
  EXPECT_THAT(alone.window.rank_of, testing::ElementsAre(1, 0, 0, 1, 2, 2));
}

TEST(WindowTeams, EachRankFollowsTheSurfacesOfBodiesThatTouch) {
  EXPECT_EQ(done_by_all({.bodies = 1, .surface = 1, .work = 1e9, .events = 1}), 1e9)
      << "a body alone is whole";
  const double of_two = done_by_all({.bodies = 2, .surface = 0, .work = 1e9, .events = 1});
  EXPECT_GT(of_two, 2 * 10);
  EXPECT_LT(of_two, 2 * 1e3);
  EXPECT_EQ(done_by_all({.bodies = 4, .surface = 0, .work = 1e9, .events = 3}), 6 * of_two);
  EXPECT_GT(done_by_all({.bodies = 2, .surface = 1e3, .work = 1e9, .events = 1}), of_two + 1e2);
  EXPECT_EQ(done_by_all({.bodies = 2, .surface = 1e3, .work = 1, .events = 1}), 1)
      << "no more than all of it";
}

TEST(WindowTeams, ATerraceHasWhatItsBodiesHaveAndThePaceOfItsFirst) {
  WindowOutlook outlook;
  outlook.group = {0, 1, 0};
  outlook.surface = {10, 20, 30};
  outlook.pace = {1, 5, 7};  // of bodies at rest each has its own
  const std::vector<double> work = {100, 200, 300};
  const std::vector<TerraceTotals> terraces = totals_of_terraces(outlook, work);
  ASSERT_EQ(terraces.size(), 3U);
  const auto numbers = [](const TerraceTotals& terrace) {
    return std::vector<double>{terrace.bodies, terrace.surface, terrace.work, terrace.events};
  };
  EXPECT_THAT(numbers(terraces[0]), testing::ElementsAre(2, 40, 400, 1));
  EXPECT_THAT(numbers(terraces[1]), testing::ElementsAre(1, 20, 200, 5));
  EXPECT_THAT(numbers(terraces[2]), testing::ElementsAre(0, 0, 0, 0));
}

TEST(WindowTeams, WhatIsRuledOutAtOnceIsNotWorthATeam) {
  constexpr unsigned seed = 5;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> decades(0, 1);
  int ruled_out = 0, worth = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<TerraceTotals> cluster;
    double by_all = 0, work = 0;
    const int terraces = std::uniform_int_distribution<int>(1, 4)(random);
    for (int t = 0; t < terraces; ++t) {
      const int bodies = std::uniform_int_distribution<int>(1, 12)(random);
      TerraceTotals totals{static_cast<double>(bodies), std::pow(10, 3 * decades(random)),
                           std::pow(10, 2 + 4 * decades(random)), 1};
      cluster.push_back(totals);
      EXPECT_LE(done_by_all(totals), totals.work);
      by_all += done_by_all(totals);
      work += totals.work;
    }
    EXPECT_LE(by_all, time_of_team(cluster, 1000) * (1 + 1e-12)) << "trial " << trial << ", seed " << seed;
    const bool is_worth = worthwhile_ranks(cluster, 1000, 0) > 1;
    worth += is_worth ? 1 : 0;
    if (may_be_worth_a_team(by_all, work)) continue;
    ++ruled_out;
    EXPECT_FALSE(is_worth) << "trial " << trial << ", seed " << seed;
  }
  EXPECT_GT(ruled_out, 200);
  EXPECT_GT(worth, 200);
}

}  // namespace
}  // namespace terrace::window_teams_test
