// FormerTeams: which ranks had the bodies of a cluster together in the last window, and when they go on.
#include "dynamics/windows/former_teams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/planned_windows.hpp"

namespace terrace::former_teams_test {
namespace {

using testing::ElementsAre;
using testing::IsNull;
using testing::Pointee;

std::vector<std::int32_t> bodies(std::initializer_list<std::int32_t> list) { return list; }

TEST(FormerTeams, AreTheRanksOfAClusterThatSeveralHad) {
  WindowOutlook outlook = free_flight(6, 4);
  outlook.rank = {3, 1, 2, 2, 1, 3};
  EXPECT_THAT(FormerTeams(outlook, TeamUse::always).of(0), IsNull()) << "nobody had any yet";
  outlook.cluster = {0, 0, 2, 2, 4, 0};
  const FormerTeams teams(outlook, TeamUse::where_worth_while);
  for (const std::int32_t body : {0, 1, 5}) EXPECT_THAT(teams.of(body), Pointee(ElementsAre(1, 3))) << body;
  for (const std::int32_t body : {2, 3, 4}) EXPECT_THAT(teams.of(body), IsNull()) << body;
  EXPECT_THAT(teams.of_most(bodies({0, 1, 2})), Pointee(ElementsAre(1, 3)));
  EXPECT_THAT(teams.of_most(bodies({0, 2, 4})), IsNull());
  EXPECT_THAT(teams.of_most(bodies({0, 2})), Pointee(ElementsAre(1, 3))) << "the first of as many";
  EXPECT_THAT(FormerTeams(outlook, TeamUse::never).of(0), IsNull());
}

/// The rank of each body as assign_clusters chooses it for these clusters, in a window of length 1.
std::vector<int> ranks_of(const std::vector<std::int32_t>& cluster_of, const WindowOutlook& outlook,
                          int ranks) {
  Window window;
  window.end = 1;
  window.cluster_of = cluster_of;
  window.work = outlook.work;
  assign_clusters(window, outlook, ranks, TeamUse::where_worth_while);
  return window.rank_of;
}

TEST(FormerTeams, OfMoreRanksThanBodiesLeaveTheOthersToOtherTeams) {
  WindowOutlook outlook = free_flight(4, 4);
  outlook.work.assign(4, 1e9);
  outlook.elements.assign(4, 1e8);
  outlook.pace.assign(4, 10);
  outlook.group = {0, 0, 2, 2};
  outlook.cluster.assign(4, 0);  // all were one team's
  const std::vector<int> found = ranks_of({0, 0, 2, 2}, outlook, 4);
  EXPECT_NE(found[0], found[1]);
  EXPECT_NE(found[2], found[3]) << "two ranks are left";
}

// Two bodies that touch, and six others with much to take over. A team would not divide the six, so that each
// of its ranks would have to take over all of them.
TEST(FormerTeams, WhatIsNotDividedComesToEachRank) {
  WindowOutlook outlook = free_flight(8, 1);
  outlook.work = {5e8, 5e8, 0, 0, 0, 0, 0, 0};
  outlook.pace.assign(8, 10);
  outlook.group[1] = 0;
  const auto is_divided = [&](double elements) {
    outlook.elements = {0, 0, elements, elements, elements, elements, elements, elements};
    const std::vector<int> found = ranks_of(std::vector<std::int32_t>(8, 0), outlook, 2);
    return found[0] != found[1];
  };
  EXPECT_TRUE(is_divided(0.2e9 / 24));
  EXPECT_FALSE(is_divided(0.4e9 / 24)) << "half of the work, and so much more to take over, saves no quarter";
}

}  // namespace
}  // namespace terrace::former_teams_test
