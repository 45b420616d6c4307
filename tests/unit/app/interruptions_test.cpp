// A run on one rank heeds a signal at the next event, however rarely several ranks would agree by then.
#include "app/interruptions.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <csignal>

namespace terrace {
namespace {

class Interrupted : public testing::Test {
 protected:
  Communicator alone_{MPI_COMM_SELF};
  Interruptions interruptions_{alone_, 0};

  // Events that take no time, so that ranks would agree only once in as many calls as they ever do (64).
  void poll_often() {
    for (int event = 0; event < 100000; ++event) ASSERT_EQ(interruptions_.poll(), Wish::none);
  }
};

TEST_F(Interrupted, ARankAloneSavesAtTheNextEvent) {
  poll_often();
  std::raise(SIGUSR1);
  EXPECT_EQ(interruptions_.poll(), Wish::save);
  EXPECT_EQ(interruptions_.poll(), Wish::none) << "once";
}

TEST_F(Interrupted, ARankAloneStopsAtTheNextEvent) {
  poll_often();
  std::raise(SIGTERM);
  EXPECT_EQ(interruptions_.poll(), Wish::stop);
}

}  // namespace
}  // namespace terrace
