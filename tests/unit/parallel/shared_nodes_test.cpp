// SharedNodes adds up what ranks contribute to nodes that they share. All tests run twice: with messages of
// MPI, and through shared memory where ranks have some.
#include "parallel/shared_nodes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "numerics/contract.hpp"
#include "parallel/communicator.hpp"

namespace terrace::shared_nodes_test {
namespace {

class OnRanksSharedNodes : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!GetParam()) return;
    world_.share_memory();
    ASSERT_EQ(world_.node_messages() != nullptr, ranks_ > 1 && ranks_ <= 4)
        << "two to four ranks of one node have memory to share, unless /dev/shm is full";
  }
  Communicator world_{MPI_COMM_WORLD};
  int me_ = world_.rank(), ranks_ = world_.size();
};

using Index = std::int32_t;

std::size_t place(Index node) { return static_cast<std::size_t>(node); }

/// Local numbers of three nodes that all ranks hold; nodes 0 to `first` − 1 are this rank's own.
struct Held {
  Index first, everyones, of_rank_0, silent;
  explicit Held(int rank) : first(rank), everyones(rank), of_rank_0(rank + 1), silent(rank + 2) {}
  [[nodiscard]] std::vector<Vector3> values() const { return std::vector<Vector3>(place(first) + 3); }
};

/// All contribute to the first node, rank 0 alone to the second, nobody to the third.
std::vector<SharedNodes::Peer> peers_of(int me, int ranks, bool of_rank_0_too) {
  const Held held(me);
  std::vector<SharedNodes::Peer> peers;
  for (int other = 0; other < ranks; ++other) {
    if (other == me) continue;
    SharedNodes::Peer peer{other, {held.everyones}, {held.everyones}};
    if (of_rank_0_too && me == 0) peer.send.push_back(held.of_rank_0);
    if (of_rank_0_too && other == 0) peer.receive.push_back(held.of_rank_0);
    peers.push_back(peer);
  }
  return peers;
}

TEST_P(OnRanksSharedNodes, SharedNodesGetTheSumOfAllContributionsOnEveryHolder) {
  const Held held(me_);
  std::vector<Vector3> values = held.values();
  for (Index own = 0; own < held.first; ++own) values[place(own)] = {7, 8, 9};
  values[place(held.everyones)] = {1.0 + me_, 10.0 * me_, 0.25};
  if (me_ == 0) values[place(held.of_rank_0)] = {3, -4, 5};
  SharedNodes(peers_of(me_, ranks_, true)).add_up(world_, values);

  const double n = ranks_;
  EXPECT_EQ(values[place(held.everyones)], (Vector3{n * (n + 1) / 2, 10 * n * (n - 1) / 2, 0.25 * n}));
  EXPECT_EQ(values[place(held.of_rank_0)], (Vector3{3, -4, 5}));
  EXPECT_EQ(values[place(held.silent)], Vector3{});
  for (Index own = 0; own < held.first; ++own) EXPECT_EQ(values[place(own)], (Vector3{7, 8, 9}));
}

// A second exchange must not add what buffers still hold from the first.
TEST_P(OnRanksSharedNodes, AnExchangeRemembersNothing) {
  const Held held(me_);
  const SharedNodes shared(peers_of(me_, ranks_, true));
  for (int round = 1; round <= 3; ++round) {
    std::vector<Vector3> values = held.values();
    values[place(held.everyones)] = {static_cast<double>(round), 0, 0};
    if (me_ == 0) values[place(held.of_rank_0)] = {0, static_cast<double>(round), 0};
    shared.add_up(world_, values);
    EXPECT_EQ(values[place(held.everyones)][0], round * ranks_);
    EXPECT_EQ(values[place(held.of_rank_0)][1], round);
  }
}

// A node in both sets is sent once; the sets' own lists are left as they are.
TEST_P(OnRanksSharedNodes, UnitedSetsExchangeEachNodeOnce) {
  const Held held(me_);
  const SharedNodes one(peers_of(me_, ranks_, false)), both(peers_of(me_, ranks_, true));
  for (const auto& sets : {std::array{&one, &both}, std::array{&both, &one}, std::array{&both, &both}}) {
    std::vector<Vector3> values = held.values();
    values[place(held.everyones)] = {0, 0, 1};
    if (me_ == 0) values[place(held.of_rank_0)] = {2, 0, 0};
    SharedNodes::united(sets).add_up(world_, values);
    EXPECT_EQ(values[place(held.everyones)], (Vector3{0, 0, static_cast<double>(ranks_)}));
    EXPECT_EQ(values[place(held.of_rank_0)], (Vector3{2, 0, 0}));
  }
}

// Each rank r sends to r + 1 and receives from r − 1: no two ranks both send to and receive from each other.
TEST_P(OnRanksSharedNodes, AContributionGoesOneWay) {
  std::vector<SharedNodes::Peer> peers;
  if (me_ + 1 < ranks_) peers.push_back({me_ + 1, {1}, {}});
  if (me_ > 0) peers.push_back({me_ - 1, {}, {0}});
  std::vector<Vector3> values = {{0.5, 0, 0}, {100.0 + me_, 0, 0}};
  SharedNodes(peers).add_up(world_, values);
  EXPECT_EQ(values[0][0], me_ > 0 ? 0.5 + 100 + (me_ - 1) : 0.5);
  EXPECT_EQ(values[1][0], 100 + me_);
}

// All ranks hold these nodes: what one rank contributes goes to all others, what all contribute is summed.
TEST_P(OnRanksSharedNodes, NodesOnAllRanksGetEveryContribution) {
  // Nodes 0 and 1: of rank 0 and of the last rank; 2: of all; 3: silent.
  SharedNodes::OnAllRanks first, summed, of_rank_0;
  const int last = ranks_ - 1;
  for (const auto& [node, rank] : {std::pair{0, 0}, std::pair{1, last}}) {
    if (me_ == rank)
      first.send.push_back(node);
    else
      first.receive[rank].push_back(node);
  }
  summed.sum = {2};
  if (me_ == 0)
    of_rank_0.send = {2};  // summed when the sets are united, and not sent as well
  else
    of_rank_0.receive[0] = {2};
  const SharedNodes one({}, first), two({}, summed), three({}, of_rank_0);
  const SharedNodes both = SharedNodes::united(std::array{&one, &two, &three});
  for (int round = 0; round < 2; ++round) {
    std::vector<Vector3> values(4);
    if (me_ == 0) values[0] = {1, 2, 3};
    if (me_ == last) values[1] = {4, 5, 6};
    values[2] = {1.0 + me_, 0, 0.5};
    both.add_up(world_, values);
    const double n = ranks_;
    EXPECT_EQ(values, (std::vector<Vector3>{{1, 2, 3}, {4, 5, 6}, {n * (n + 1) / 2, 0, 0.5 * n}, {}}));
  }
}

// A message says by one bit for each node whether its value follows, or is zero. Here are far more nodes than
// one word has bits, and most values are zero.
TEST_P(OnRanksSharedNodes, NodesAndNumbersAreAddedUpInOneMessage) {
  constexpr Index count = 200;
  const int last = ranks_ - 1;
  SharedNodes::OnAllRanks common;  // each of the first 70 is one rank's, the others are of all
  for (Index node = 0; node < count; ++node) {
    const int rank = node % 7 % ranks_;
    if (node >= 70)
      common.sum.push_back(node);
    else if (me_ == rank)
      common.send.push_back(node);
    else
      common.receive[rank].push_back(node);
  }
  const SharedNodes shared({}, common);
  ASSERT_TRUE(shared.all_on_all_ranks());
  const auto contributes = [&](int rank, Index node) {
    if (node < 70) return rank == node % 7 % ranks_ && node % 3 != 1;
    return (node + rank) % 5 == 0 || node == count - 1;
  };
  for (int round = 1; round <= 2; ++round) {
    std::vector<Vector3> values(place(count)), expected(place(count));
    for (Index node = 0; node < count; ++node)
      for (int rank = 0; rank < ranks_; ++rank) {
        const Vector3 value = {1.0 * node, 0.25 * round, -1.0 - rank};
        if (!contributes(rank, node)) continue;
        expected[place(node)] += value;
        if (rank == me_) values[place(node)] = value;
      }
    std::vector<double> numbers = {1.0 + me_, 0.5 * round, me_ == last ? 7.0 : 0.0};
    std::vector<double> largest = {-1.0 - me_, me_ == last ? 3.0 * round : -0.5};
    shared.add_up_with(world_, values, numbers, largest);
    EXPECT_EQ(values, expected);
    EXPECT_EQ(largest, (std::vector<double>{-1, 3.0 * round}));
    const double n = ranks_;
    EXPECT_EQ(numbers, (std::vector<double>{n * (n + 1) / 2, 0.5 * round * n, 7}));
  }
  EXPECT_EQ(shared.are_shared(std::vector<Index>{-3, 0, 5, count - 1, count, count + 7}),
            (std::vector<std::uint8_t>{0, 1, 1, 1, 0, 0}));
  const std::vector<SharedNodes::Peer> peers = {{(me_ + 1) % ranks_, {0}, {}}};
  EXPECT_FALSE(SharedNodes(peers).all_on_all_ranks()) << "others do not have them";
}

// Nodes of this rank alone get their values between start and finish, which does not disturb the exchange.
TEST_P(OnRanksSharedNodes, AnExchangeInTwoStepsGivesTheSameAsAtOnce) {
  const Held held(me_);
  SharedNodes::OnAllRanks common;
  common.sum = {held.silent};
  const SharedNodes shared(peers_of(me_, ranks_, true), common);
  std::vector<Vector3> at_once = held.values();
  for (std::size_t a = 0; a < at_once.size(); ++a)
    at_once[a] = {1.0 + me_, 0.25 * static_cast<double>(a), -1};
  if (me_ != 0) at_once[place(held.of_rank_0)] = {};
  std::vector<Vector3> in_steps = at_once;
  for (Index own = 0; own < held.first; ++own) in_steps[place(own)] = {};
  shared.add_up(world_, at_once);
  for (int round = 0; round < 3; ++round) {
    std::vector<Vector3> values = in_steps;
    shared.start(world_, values);
    for (Index own = 0; own < held.first; ++own) values[place(own)] += at_once[place(own)];
    shared.finish(world_, values);
    EXPECT_EQ(values, at_once) << "round " << round;
  }
}

TEST_P(OnRanksSharedNodes, NodesThatGoOutAreThoseThatOthersGet) {
  const Held held(me_);
  SharedNodes::OnAllRanks common;
  common.sum = {held.silent};
  std::vector<Index> expected = {held.silent};
  if (ranks_ > 1) expected.insert(expected.begin(), held.everyones);
  if (ranks_ > 1 && me_ == 0) expected.insert(expected.begin() + 1, held.of_rank_0);
  EXPECT_EQ(SharedNodes(peers_of(me_, ranks_, true), common).outgoing(), expected);
  EXPECT_TRUE(SharedNodes().outgoing().empty());
}

// Messages to one rank, of so few nodes that they go through shared memory or of more, and messages to all
// ranks are under way in the same exchange.
TEST_P(OnRanksSharedNodes, MessagesOfAnyLengthArrive) {
  constexpr Index count = 12000;
  const int after = (me_ + 1) % ranks_, before = (me_ + ranks_ - 1) % ranks_;
  for (const Index length : {1, 999, 1000, 1001, 6000}) {
    std::vector<SharedNodes::Peer> peers;
    SharedNodes::OnAllRanks common;
    if (ranks_ > 1) {
      SharedNodes::Peer next{after, {}, {}}, last{before, {}, {}};
      for (Index node = 0; node < length; ++node) {
        next.send.push_back(node);
        last.receive.push_back(6000 + node);
      }
      peers = {next, last};
      common.send = {me_};
      for (int rank = 0; rank < ranks_; ++rank)
        if (rank != me_) common.receive[rank] = {rank};
    }
    const SharedNodes shared(peers, common);
    for (int round = 0; round < 5; ++round) {
      const auto value = [&](Index node, int rank) { return Vector3{1.0 * node, 0.5 * rank, 1.0 + round}; };
      std::vector<Vector3> values(place(count));
      for (Index node = 0; node < length; ++node) values[place(node)] = value(node, me_);
      std::vector<Vector3> expected = values;
      if (ranks_ > 1)
        for (Index node = 0; node < length; ++node) expected[place(6000 + node)] = value(node, before);
      for (int rank = 0; rank < ranks_; ++rank)
        if (rank != me_) expected[place(rank)] += rank < length ? value(rank, rank) : Vector3{};
      shared.add_up(world_, values);
      EXPECT_EQ(values, expected) << length << ", round " << round;
    }
  }
}

// Rank 0 only sends. It may be ahead of late receivers by at most two messages, so that it overwrites none
// that has not been read.
TEST_P(OnRanksSharedNodes, WhoOnlySendsOverwritesNothing) {
  constexpr Index count = 500;
  std::vector<Index> all(place(count));
  for (Index node = 0; node < count; ++node) all[place(node)] = node;
  std::vector<SharedNodes::Peer> peers;
  if (me_ == 0)
    for (int rank = 1; rank < ranks_; ++rank) peers.push_back({rank, all, {}});
  else
    peers.push_back({0, {}, all});
  const SharedNodes shared(peers);
  volatile double x = 1;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Vector3> values(place(count));
    if (me_ == 0)
      for (Vector3& value : values) value = {1.0 * round, 2, 3};
    if (me_ > 0 && round % 7 == 0)
      for (int i = 0; i < 20000; ++i) x = std::sqrt(x + i);
    shared.add_up(world_, values);
    ASSERT_EQ(values, std::vector<Vector3>(place(count), Vector3{1.0 * round, 2, 3})) << "round " << round;
  }
}

// A second exchange that starts before the first has ended would wait for ever: its places in shared memory
// are in use, and no rank empties them.
TEST_P(OnRanksSharedNodes, OneExchangeEndsBeforeTheNextBegins) {
  const Held held(me_);
  const SharedNodes one(peers_of(me_, ranks_, true)), other(peers_of(me_, ranks_, false));
  std::vector<Vector3> values = held.values();
  values[place(held.everyones)] = {1, 0, 0};
  one.start(world_, values);
  if (world_.node_messages() != nullptr) {
    EXPECT_THROW(other.start(world_, values), BrokenContract);
  }
  one.finish(world_, values);
  EXPECT_EQ(values[place(held.everyones)][0], ranks_);
}

TEST_P(OnRanksSharedNodes, ARankIsOnePeer) {
  const std::vector<SharedNodes::Peer> twice = {{me_ + 1, {0}, {}}, {me_ + 1, {1}, {}}};
  EXPECT_THROW(SharedNodes{twice}, BrokenContract);
}

INSTANTIATE_TEST_SUITE_P(OnRanks, OnRanksSharedNodes, testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "ThroughMemory" : "ByMessages");
});

}  // namespace
}  // namespace terrace::shared_nodes_test
