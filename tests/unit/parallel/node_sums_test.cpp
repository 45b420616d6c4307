// Sums and maxima over ranks through shared memory.
#include "parallel/node_sums.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"

namespace terrace::node_sums_test {
namespace {

struct OnRanksNodeSums : testing::Test {
  void SetUp() override {
    sums = NodeSums::of(MPI_COMM_WORLD);
    ASSERT_EQ(sums != nullptr, world.size() > 1 && world.size() <= 4)
        << "one rank has nobody to share with; two to four of one node have, unless /dev/shm is full";
    if (!sums) GTEST_SKIP();
  }
  /// The number that a rank contributes at a place of the list, in a turn.
  [[nodiscard]] static double term(int rank, std::size_t place, int turn) {
    return 1 + rank * 1000 + static_cast<double>(place) + 0.5 * turn;
  }
  /// Makes ranks come to a sum at different times.
  void dawdle(int turn) const {
    volatile double x = 1;
    const int loops = (turn * 7919 + world.rank() * 104729) % 3 == 0 ? 3000 : 10;
    for (int i = 0; i < loops; ++i) x = std::sqrt(x + i);
  }
  Communicator world{MPI_COMM_WORLD};
  std::unique_ptr<NodeSums> sums;
};

TEST_F(OnRanksNodeSums, AreOfAllRanksHoweverManyFollowEachOther) {
  const auto count = static_cast<std::size_t>(world.size());
  for (int turn = 0; turn < 3000; ++turn) {
    const std::size_t size = turn % 500 == 0 ? 2000 : static_cast<std::size_t>(turn) % 9;
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = term(world.rank(), i, turn);
    dawdle(turn);
    const bool adds = turn % 3 != 0;
    ASSERT_TRUE(adds ? sums->sum(values) : sums->maximum(values));
    for (std::size_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::size_t rank = 0; rank < count; ++rank) sum += term(static_cast<int>(rank), i, turn);
      ASSERT_EQ(values[i], adds ? sum : term(world.size() - 1, i, turn)) << turn << ", " << i;
    }
  }
}

TEST_F(OnRanksNodeSums, TooManyNumbersAreLeftAsTheyAre) {
  std::vector<double> values(2001, 3.0);
  EXPECT_FALSE(sums->sum(values));
  EXPECT_FALSE(sums->maximum(values));
  EXPECT_THAT(values, testing::Each(3.0));
}

// Where ranks disagree about how many numbers there are, all throw, and none takes numbers left from before.
TEST_F(OnRanksNodeSums, AreOfAsManyNumbersOnAllRanks) {
  std::vector<double> values(world.rank() == 0 ? 3 : 4, 1.0);
  EXPECT_THROW((void)sums->sum(values), BrokenContract);
}

// In another order of the ranks these numbers have other sums or other NaNs, on two ranks and on three.
TEST_F(OnRanksNodeSums, GiveAllRanksTheSameBitsOfWhateverNumbers) {
  const double of_ranks[][3] = {{1e17, 1, -1e17},
                                {std::nan("1"), -std::nan("2"), 0},
                                {0.1, 1e300, -0.0},
                                {std::numeric_limits<double>::infinity(), -1e300, 7}};
  std::vector<double> values;
  for (const auto& number : of_ranks) values.push_back(number[world.rank() % 3]);
  ASSERT_TRUE(sums->sum(values));
  std::vector<std::int64_t> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(double));
  std::vector<std::int64_t> least = bits;
  MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN,
                MPI_COMM_WORLD);
  EXPECT_EQ(bits, least);
}

// Messages of MPI that are under way make progress while a rank waits for a sum, also if another message has
// come to the rank and is not yet received. (They make progress anyway where the system lets a process read
// another's memory: ctest forbids that, see program.py.)
TEST_F(OnRanksNodeSums, LetMessagesPass) {
  constexpr int many = 1 << 20, tag = 7, early = 8;
  std::vector<double> sent(many, 1.5), received(many), one = {1};
  double late = 0;
  const int rank = world.rank();
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 1) MPI_Send(&one[0], 1, MPI_DOUBLE, 0, early, MPI_COMM_WORLD);
  if (rank == 0) MPI_Isend(sent.data(), many, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Recv(received.data(), many, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ASSERT_TRUE(sums->sum(one));
  EXPECT_EQ(one[0], world.size());
  if (rank == 0) {
    MPI_Recv(&late, 1, MPI_DOUBLE, 1, early, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(late, 1);
  }
  if (rank == 1) {
    EXPECT_THAT(received, testing::Each(1.5));
  }
}

TEST_F(OnRanksNodeSums, OfACommunicatorAreThoseOfMessages) {
  Communicator shared(MPI_COMM_WORLD);
  shared.share_memory();
  for (const std::size_t size : {3u, 3000u}) {  // through memory, and by messages
    std::vector<double> mine(size), others;
    for (std::size_t i = 0; i < size; ++i) mine[i] = term(world.rank(), i, 0);
    others = mine;
    shared.sum(mine);
    world.sum(others);
    EXPECT_EQ(mine, others);
    mine[0] = others[0] = world.rank();
    shared.maximum(mine);
    world.maximum(others);
    EXPECT_EQ(mine, others);
  }
  EXPECT_EQ(shared.collectives(), world.collectives());
}

}  // namespace
}  // namespace terrace::node_sums_test
