// Questions that a rank may ask another at any time, and their answers.
#include "parallel/questions.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <thread>
#include <vector>

namespace terrace::questions_test {
namespace {

std::vector<std::byte> bytes(int size, int value) {
  return std::vector<std::byte>(static_cast<std::size_t>(size), static_cast<std::byte>(value));
}

/// All ranks ask at the same time, each asks every other rank 20 times. A rank that waits for an answer gives
/// answers meanwhile.
TEST(OnRanksQuestions, AllGetTheirAnswersWhoeverAsks) {
  Communicator world(MPI_COMM_WORLD);
  constexpr int times = 20, large = 100'000;  // bytes: more than MPI sends unasked
  const int me = world.rank();
  int answered = 0;
  {
    Questions questions(world);
    const auto answer = [&](int rank) {
      const int number = answered++;
      return number % 3 == 0 ? std::vector<std::byte>() : bytes(number % 3 == 1 ? 1 + rank : large, me);
    };
    int empty = 0, asked = 0;
    for (int time = 0; time < times; ++time)
      for (int step = 1; step < world.size(); ++step, ++asked) {
        const int rank = (me + step) % world.size();
        const std::vector<std::byte> told = questions.ask(rank, answer, 1e3, [](double) { FAIL(); });
        ASSERT_TRUE(told.empty() || told == bytes(1 + me, rank) || told == bytes(large, rank)) << told.size();
        empty += told.empty() ? 1 : 0;
      }
    const double mine = empty;
    double all = 0;
    for (const double of_one : world.numbers_of_all(
             {&mine, 1}, 1e3, [](double) { FAIL(); }, [&] { questions.look(answer); }))
      all += of_one;
    EXPECT_EQ(answered, times * (world.size() - 1)) << "each other rank asked so often";
    EXPECT_EQ(asked, answered);
    EXPECT_EQ(all, world.size() * ((times * (world.size() - 1) + 2) / 3));
  }
}

TEST(OnRanksQuestions, WhoAsksWaitsUntilTheOtherLooks) {
  Communicator world(MPI_COMM_WORLD);
  if (world.size() < 2) GTEST_SKIP() << "nobody to ask";
  Questions questions(world);
  const auto nothing = [](int) { return std::vector<std::byte>(); };
  constexpr auto nap = std::chrono::milliseconds(250);
  double together = 0;
  world.sum({&together, 1});
  bool is_answered = false;
  if (world.rank() == 0) {
    int told_of_waiting = 0;
    double waited = 0;
    const std::vector<std::byte> told = questions.ask(1, nothing, 0.05, [&](double seconds) {
      ++told_of_waiting;
      waited = seconds;
    });
    EXPECT_EQ(told, bytes(3, 7));
    EXPECT_EQ(told_of_waiting, 1);
    EXPECT_GE(waited, 0.05);
  } else if (world.rank() == 1) {
    std::this_thread::sleep_for(nap);
  }
  const double mine = 0;
  (void)world.numbers_of_all(
      {&mine, 1}, 1e3, [](double) { FAIL(); },
      [&] {
        questions.look([&](int rank) {
          is_answered = true;
          EXPECT_EQ(rank, 0);
          return bytes(3, 7);
        });
      });
  EXPECT_EQ(is_answered, world.rank() == 1);
}

}  // namespace
}  // namespace terrace::questions_test
