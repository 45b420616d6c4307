// Seconds, calls and messages of operations, by stages: no second is booked twice, and messages are counted
// by the rank that sends them.
#include "parallel/profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "parallel/communicator.hpp"
#include "parallel/shared_nodes.hpp"

namespace terrace::profile_test {
namespace {

using Clock = std::chrono::steady_clock;

void work(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The sum of the seconds of all operations in all stages.
double seconds_of_all(const OperationTrace& trace) {
  double sum = 0;
  for (const Stage stage : {Stage::mesh, Stage::set_up, Stage::stepping, Stage::output})
    for (std::size_t k = 0; k < operation_count; ++k)
      sum += trace.of(stage, static_cast<Operation>(k)).seconds;
  return sum;
}

TEST(Profile, OfNestedOperationsEachHasItsOwnSeconds) {
  const OperationTrace trace;
  const Clock::time_point begin = Clock::now();
  {
    const StageScope stage(Stage::stepping);
    work(0.01);
    const OperationScope outer(Operation::gradient);
    work(0.02);
    {
      const OperationScope inner(Operation::exchange);
      work(0.03);
    }
    work(0.02);
  }
  const double elapsed = since(begin);
  EXPECT_GE(trace.of(Stage::stepping, Operation::rest).seconds, 0.01);
  EXPECT_GE(trace.of(Stage::stepping, Operation::gradient).seconds, 0.04);
  EXPECT_GE(trace.of(Stage::stepping, Operation::exchange).seconds, 0.03);
  EXPECT_LE(seconds_of_all(trace), elapsed) << "the inner one's would count twice in the outer one";
  EXPECT_EQ(trace.of(Stage::stepping, Operation::gradient).calls, 1);
  EXPECT_EQ(trace.of(Stage::stepping, Operation::exchange).calls, 1);
}

TEST(Profile, AStageInsideAnOperationIsBookedThereAndTheOperationGoesOn) {
  const OperationTrace trace;
  const Clock::time_point begin = Clock::now();
  {
    const StageScope stepping(Stage::stepping);
    const OperationScope operation(Operation::sampling);
    {
      const StageScope output(Stage::output);
      const OperationScope again(Operation::sampling);
      work(0.03);
    }
    work(0.02);
  }
  const double elapsed = since(begin);
  EXPECT_GE(trace.of(Stage::output, Operation::sampling).seconds, 0.03);
  EXPECT_GE(trace.of(Stage::stepping, Operation::sampling).seconds, 0.02);
  EXPECT_LE(seconds_of_all(trace), elapsed);
  for (const Stage stage : {Stage::stepping, Stage::output})
    EXPECT_EQ(trace.of(stage, Operation::sampling).calls, 1);
}

TEST(Profile, WhatOneRankDoesAloneIsBookedThereWhateverItIs) {
  const OperationTrace trace;
  const StageScope stage(Stage::stepping);
  {
    const OperationScope alone(Operation::alone);
    const OperationScope gradient(Operation::gradient);
    work(0.01);
  }
  EXPECT_GE(trace.of(Stage::stepping, Operation::alone).seconds, 0.01);
  EXPECT_EQ(trace.of(Stage::stepping, Operation::gradient).seconds, 0);
  EXPECT_EQ(trace.of(Stage::stepping, Operation::gradient).calls, 1);
  { const OperationScope later(Operation::gradient), none(Operation::contact, false); }
  EXPECT_EQ(trace.of(Stage::stepping, Operation::gradient).calls, 2);
  EXPECT_GT(trace.of(Stage::stepping, Operation::gradient).seconds, 0) << "no longer alone";
  EXPECT_EQ(trace.of(Stage::stepping, Operation::contact).calls, 0) << "does not apply";
}

TEST(Profile, BooksNothingBeforeATraceAndEachTraceAnew) {
  {
    const StageScope stage(Stage::stepping);
    const OperationScope operation(Operation::impulse);
    book(Operation::impulse, {.bytes = 8});
    const OperationTrace trace;
    EXPECT_EQ(trace.of(Stage::stepping, Operation::impulse).calls, 0);
    EXPECT_EQ(trace.of(Stage::stepping, Operation::impulse).bytes, 0);
  }
  for (int times = 0; times < 2; ++times) {
    const OperationTrace trace;
    const StageScope stage(Stage::stepping);
    const OperationScope operation(Operation::impulse);
    book(Operation::impulse, {.bytes = 8});
    EXPECT_EQ(trace.of(Stage::stepping, Operation::impulse).calls, 1);
    EXPECT_EQ(trace.of(Stage::stepping, Operation::impulse).bytes, 8);
  }
}

TEST(Profile, NamesOfOperationsAreInTheOrderOfTheEnumerators) {
  EXPECT_EQ(name_of(Operation::line_set_up), std::string("line_set_up"));
  EXPECT_EQ(name_of(Operation::exchange), std::string("exchange"));
  EXPECT_EQ(name_of(Operation::learning), std::string("learning"));
  EXPECT_EQ(name_of(Operation::reduction), std::string("reduction"));
  EXPECT_EQ(name_of(Operation::rest), std::string("rest"));
}

TEST(OnRanksProfile, SumsOverAllRanksAreBookedAndARanksOwnAreNot) {
  Communicator world(MPI_COMM_WORLD), own(MPI_COMM_SELF);
  const OperationTrace trace;
  const StageScope stage(Stage::stepping);
  std::array<double, 3> numbers{};
  world.sum(numbers);
  world.maximum(std::span(numbers).first(1));
  own.sum(numbers);
  own.count_exchange();
  own.count_exchange_of_nodes(false);
  const OperationRecord booked = trace.of(Stage::stepping, Operation::reduction);
  EXPECT_EQ(booked.calls, 2);
  EXPECT_EQ(booked.collectives, 2);
  EXPECT_EQ(booked.bytes, 32);
  EXPECT_EQ(trace.of(Stage::stepping, Operation::exchange).calls, 0);
  EXPECT_EQ(world.collectives(), 2);
}

// Each rank sends node 0 to every other rank, and nodes 1 and 2, which all hold, to all. Node 3, to which all
// ranks contribute, is summed.
TEST(OnRanksProfile, ExchangesAreBookedWithWhatEachRankSends) {
  Communicator world(MPI_COMM_WORLD);
  const int others = world.size() - 1;
  std::vector<SharedNodes::Peer> peers;
  SharedNodes::OnAllRanks common;
  common.send = {1, 2};
  common.sum = {3};
  for (int rank = 0; rank < world.size(); ++rank) {
    if (rank == world.rank()) continue;
    peers.push_back({rank, {0}, {0}});
    common.receive[rank] = {1, 2};
  }
  const SharedNodes shared(peers, common);
  std::vector<Vector3> values(4, Vector3{1, 0, 0});
  const OperationTrace trace;
  const StageScope stage(Stage::stepping);
  shared.add_up(world, values);
  EXPECT_TRUE(shared.among_all());
  world.count_exchange_of_nodes(shared.among_all());
  const OperationRecord exchanged = trace.of(Stage::stepping, Operation::exchange);
  const OperationRecord summed = trace.of(Stage::stepping, Operation::reduction);
  EXPECT_EQ(exchanged.messages, 2 * others);
  EXPECT_EQ(exchanged.bytes, 3 * 24 * others);
  EXPECT_EQ(exchanged.to_all, 1);
  EXPECT_EQ(summed.calls, 1);
  EXPECT_EQ(summed.bytes, 24);
  EXPECT_EQ(summed.collectives, 0) << "the exchange counts once in all";
  EXPECT_EQ(exchanged.collectives, others > 0 ? 1 : 0);
}

// Time between the two steps is booked for the operation that encloses them.
TEST(OnRanksProfile, AnExchangeInTwoStepsIsBookedAsOneAtOnce) {
  Communicator world(MPI_COMM_WORLD);
  const int others = world.size() - 1;
  std::vector<SharedNodes::Peer> peers;
  for (int rank = 0; rank < world.size(); ++rank)
    if (rank != world.rank()) peers.push_back({rank, {0}, {0}});
  const SharedNodes shared(peers);
  std::vector<Vector3> values(1, Vector3{1, 0, 0});
  const OperationTrace trace;
  const StageScope stage(Stage::stepping);
  {
    const OperationScope gradient(Operation::gradient);
    shared.start(world, values);
    work(0.05);
    shared.finish(world, values);
  }
  EXPECT_EQ(values[0], (Vector3{static_cast<double>(world.size()), 0, 0}));
  const OperationRecord exchanged = trace.of(Stage::stepping, Operation::exchange);
  EXPECT_EQ(exchanged.calls, 1);
  EXPECT_EQ(exchanged.messages, others);
  EXPECT_EQ(exchanged.bytes, 24 * others);
  EXPECT_EQ(trace.of(Stage::stepping, Operation::gradient).calls, 1);
  EXPECT_GE(trace.of(Stage::stepping, Operation::gradient).seconds, 0.05);
}

}  // namespace
}  // namespace terrace::profile_test
