// Teams: communicators of some ranks, made when these first meet and freed when they have not met for long.
#include "parallel/teams.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <numeric>
#include <vector>

namespace terrace::teams_test {
namespace {

std::vector<int> all_but_the_first(const Communicator& world) {
  std::vector<int> ranks(static_cast<std::size_t>(world.size()) - 1);
  std::iota(ranks.begin(), ranks.end(), 1);
  return ranks;
}

// The team is all ranks but the first; on two ranks it is both.
TEST(OnRanksTeams, TalkAmongThemselves) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() < 2) GTEST_SKIP() << "nobody to talk to";
  const std::vector<int> ranks = world.size() == 2 ? std::vector<int>{0, 1} : all_but_the_first(world);
  const bool is_member = world.size() == 2 || world.rank() > 0;
  Teams teams(world);
  const Communicator* first = nullptr;
  for (int piece = 0; piece < 600; ++piece) {
    teams.go_on();
    // They meet in the first three pieces and in the last one, after so long that the former team has been
    // freed. Ranks outside the team take no part.
    if (!is_member || (piece > 2 && piece < 599)) continue;
    Communicator& team = teams.of(ranks);
    EXPECT_EQ(team.size(), static_cast<int>(ranks.size()));
    EXPECT_EQ(ranks[static_cast<std::size_t>(team.rank())], world.rank());
    double sum = world.rank() + 1;
    team.sum({&sum, 1});
    EXPECT_EQ(sum, world.size() == 2 ? 3 : world.size() * (world.size() + 1) / 2 - 1);
    if (piece == 1) {
      EXPECT_EQ(&team, first) << "the same as long as they meet";
    }
    first = &team;
    if (piece == 599) {
      EXPECT_EQ(team.collectives(), 1) << "a new one";
    }
  }
}

}  // namespace
}  // namespace terrace::teams_test
