// Helpers: which cluster goes to a rank that has nothing left to do, and which ranks such a rank asks.
#include "dynamics/windows/window_helpers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace terrace::window_helpers_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using enum HelperUse;

TEST(WindowHelpers, TakeWhatBothAreDoneSoonestWith) {
  // Of 4e6 in all, giving 1.6e6 leaves 2.4e6; giving 1.1e6 would leave 2.9e6.
  const std::vector<OfferedCluster> clusters = {{3e5, 0}, {1.6e6, 0}, {1.1e6, 0}};
  EXPECT_EQ(cluster_to_give(clusters, 1e6, where_worth_while), 1);
  EXPECT_EQ(cluster_to_give(clusters, 0, where_worth_while), 1) << "whoever has the rest";
  // 1.6e6 and 9e5 to take it over make 2.5e6, more than the 1.9e6 that giving 1.1e6 leaves.
  const std::vector<OfferedCluster> dear = {{3e5, 0}, {1.6e6, 9e5}, {1.1e6, 0}};
  EXPECT_EQ(cluster_to_give(dear, 0, where_worth_while), 2);
}

TEST(WindowHelpers, TakeNothingThatItsRankDoesAsSoon) {
  EXPECT_EQ(cluster_to_give({}, 1e6, where_worth_while), std::nullopt);
  const std::vector<OfferedCluster> one = {{1e6, 0}};
  EXPECT_EQ(cluster_to_give(one, 0, where_worth_while), std::nullopt) << "it is about to begin with it";
  EXPECT_EQ(cluster_to_give(one, 1e5, where_worth_while), 0);
  EXPECT_EQ(cluster_to_give(std::vector<OfferedCluster>{{1e6, 2e5}}, 1e5, where_worth_while), std::nullopt)
      << "dear to take over";
  EXPECT_EQ(cluster_to_give(std::vector<OfferedCluster>{{20, 0}}, 20, where_worth_while), std::nullopt)
      << "messages take longer";
  EXPECT_EQ(cluster_to_give(one, 1e9, never), std::nullopt);
  EXPECT_EQ(cluster_to_give(std::vector<OfferedCluster>{{20, 1e9}}, 0, always), 0);
  EXPECT_EQ(cluster_to_give({}, 1e9, always), std::nullopt);
}

TEST(WindowHelpers, KnowWhatIsLeftOfACluster) {
  EXPECT_DOUBLE_EQ(work_left(6e5, 1, 3, 1, 1), 6e5);
  EXPECT_DOUBLE_EQ(work_left(6e5, 1, 3, 2.5, 1), 1.5e5);
  EXPECT_DOUBLE_EQ(work_left(6e5, 1, 3, 2.5, 3), 5e4) << "of a team of three";
  EXPECT_EQ(work_left(6e5, 1, 3, 3.5, 1), 0);
  EXPECT_DOUBLE_EQ(work_left(6e5, 1, 3, 0.5, 1), 6e5);
  EXPECT_EQ(work_left(6e5, 1, 1, 1, 1), 0) << "a window of no length";
}

TEST(WindowHelpers, RememberHowFastTheyWere) {
  Speed speed;
  EXPECT_EQ(speed.value(), 0);
  speed.add(100, 1);
  speed.add(300, 1);
  EXPECT_DOUBLE_EQ(speed.value(), 200);
  speed.go_on();
  EXPECT_DOUBLE_EQ(speed.value(), 200) << "it did nothing since";
  speed.add(400, 1);
  EXPECT_GT(speed.value(), 800.0 / 3 + 5) << "the latest counts most";
  EXPECT_LT(speed.value(), 300);
}

TEST(WindowHelpers, KnowWhoIsSlow) {
  EXPECT_THAT(slowness_of(std::vector<double>{100, 300}), ElementsAre(DoubleEq(2), DoubleEq(2.0 / 3)));
  EXPECT_THAT(slowness_of(std::vector<double>{100, 104}), ElementsAre(1, 1)) << "hardly";
  EXPECT_THAT(slowness_of(std::vector<double>{0, 100, 300}), ElementsAre(1, DoubleEq(2), DoubleEq(2.0 / 3)))
      << "of the first nothing is known";
  EXPECT_THAT(slowness_of(std::vector<double>{1, 1000}), ElementsAre(2, DoubleEq(0.5005)));
  EXPECT_THAT(slowness_of(std::vector<double>{0, 0}), ElementsAre(1, 1));
  EXPECT_THAT(slowness_of({}), IsEmpty());
}

/// A window with clusters of one body each, given as (work, rank).
Window window_of(const std::vector<std::pair<double, int>>& clusters) {
  Window window;
  for (const auto& [work, rank] : clusters) {
    window.cluster_of.push_back(static_cast<std::int32_t>(window.cluster_of.size()));
    window.work.push_back(work);
    window.rank_of.push_back(rank);
  }
  return window;
}

TEST(WindowHelpers, AskWhoHasMostBesideItsLargestCluster) {
  Window window = window_of({{9, 0}, {3, 1}, {3, 1}, {3, 1}, {4, 2}, {4, 2}, {1, 3}, {1, 3}});
  EXPECT_THAT(ranks_to_ask(window, 0, 4), ElementsAre(1, 2, 3));
  EXPECT_THAT(ranks_to_ask(window, 3, 4), UnorderedElementsAre(1, 2)) << "not those that keep all they have";
  // Bodies 1 and 4 are now a cluster of a team, ranks 1 and 2, which nobody can take.
  window.cluster_of = {0, 1, 2, 3, 1, 5, 6, 7};
  EXPECT_THAT(ranks_to_ask(window, 0, 4), ElementsAre(1, 3));
  Window team = window_of({{1, 0}, {5, 1}, {5, 2}, {1, 1}, {1, 3}, {1, 3}});
  team.cluster_of = {0, 1, 1, 3, 4, 5};
  EXPECT_THAT(ranks_to_ask(team, 0, 4), ElementsAre(3)) << "beside its team's cluster rank 1 has one";
  EXPECT_THAT(ranks_to_ask(window_of({{1, 0}, {1, 0}}), 0, 1), IsEmpty());
}

TEST(WindowHelpers, DoNotAllAskTheSame) {
  std::vector<std::pair<double, int>> clusters;
  constexpr int ranks = 100;
  for (int rank = 0; rank < ranks; ++rank)
    for (int i = 0; i < 2; ++i) clusters.emplace_back(1 + 0.01 * rank, rank);
  std::map<int, int> first;
  for (int me = 0; me < ranks; ++me) {
    const std::vector<int> asked = ranks_to_ask(window_of(clusters), me, ranks);
    EXPECT_EQ(asked.size(), 4);
    EXPECT_EQ(std::set<int>(asked.begin(), asked.end()).size(), asked.size());
    EXPECT_EQ(std::ranges::count(asked, me), 0);
    EXPECT_GE(std::ranges::min(asked), ranks - 17) << "of those that have most";
    ++first[asked.front()];
  }
  EXPECT_GE(first.size(), 16);
}

}  // namespace
}  // namespace terrace::window_helpers_test
