// A system made of parts on as many ranks as there are: every node held where it is loaded, owned once, and
// what ranks contribute to it added up everywhere, against a count by hand of all loads.
#include "dynamics/system/system_builder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "numerics/contract.hpp"

namespace terrace::system_builder_test {
namespace {

constexpr std::int32_t nodes = 60, subdomains = 5;

/// Random loads, a third of the nodes on all ranks; the same on every rank.
struct Loads {
  explicit Loads(int ranks) {
    std::mt19937 random(17);
    for (std::int32_t node = 0; node < nodes; ++node) {
      if (node % 3 == 0) everywhere.push_back(node);
      if (node % 10 == 6) continue;
      for (int i = 0; i < 3; ++i)
        ranks_of[node][node / 15 + static_cast<std::int32_t>(random() % 2)].insert(
            static_cast<int>(random() % static_cast<unsigned>(ranks)));
    }
    for (std::int32_t node = 0; node < nodes; ++node) {
      if (node % 3 == 0)
        for (int rank = 0; rank < ranks; ++rank) holders[node].insert(rank);
      for (const auto& [subdomain, of_subdomain] : ranks_of[node])
        holders[node].insert(of_subdomain.begin(), of_subdomain.end());
    }
  }
  [[nodiscard]] bool shares(std::int32_t a, std::int32_t b) const {
    for (const auto& [node, by_subdomain] : ranks_of)
      if (by_subdomain.contains(a) && by_subdomain.contains(b)) return a != b;
    return false;
  }
  std::vector<std::int32_t> everywhere;
  std::map<std::int32_t, std::map<std::int32_t, std::set<int>>> ranks_of;  // by node and subdomain
  std::map<std::int32_t, std::set<int>> holders;
};

class OnRanksBuilder : public testing::Test {
 protected:
  OnRanksBuilder() {
    for (std::int32_t node = 0; node < nodes; ++node) positions_.push_back({1.0 * node, 0, 0});
    SystemBuilder builder(world_, positions_, masses_);
    builder.add_body("first", 0, 20);
    builder.add_body("second", 20, nodes - 20);
    for (std::int32_t s = 0; s < subdomains; ++s) builder.add_subdomain({});
    builder.hold_on_all_ranks(loads_.everywhere);
    for (const auto& [node, by_subdomain] : loads_.ranks_of)
      for (const auto& [subdomain, ranks] : by_subdomain)
        for (const int rank : ranks) builder.load(std::array{node}, subdomain, rank);
    builder.number_nodes();
    local_.assign(builder.local_numbers().begin(), builder.local_numbers().end());
    system_ = builder.finish();
  }
  [[nodiscard]] std::size_t place(std::int32_t node) const {
    return static_cast<std::size_t>(local_[static_cast<std::size_t>(node)]);
  }

  Communicator world_{MPI_COMM_WORLD};
  int me_ = world_.rank();
  Loads loads_{world_.size()};
  std::vector<Vector3> positions_;
  std::vector<double> masses_ = std::vector<double>(nodes, 2.5);
  std::vector<std::int32_t> local_;
  Lagrangian system_;
};

TEST_F(OnRanksBuilder, NodesAreHeldWhereTheyAreLoadedAndOwnedOnce) {
  std::vector<std::int64_t> owners(nodes, 0);
  for (std::int32_t node = 0; node < nodes; ++node) {
    const bool held = loads_.holders[node].contains(me_);
    ASSERT_EQ(local_[static_cast<std::size_t>(node)] >= 0, held) << "node " << node;
    if (!held) continue;
    EXPECT_EQ(system_.global_nodes[place(node)], node);
    EXPECT_EQ(system_.reference[place(node)][0], node);
    EXPECT_EQ(system_.masses[place(node)], 2.5);
    EXPECT_EQ(system_.body_of_node[place(node)], node < 20 ? 0 : 1);
    owners[static_cast<std::size_t>(node)] += system_.owned[place(node)];
  }
  world_.sum(owners);
  for (std::int32_t node = 0; node < nodes; ++node)
    EXPECT_EQ(owners[static_cast<std::size_t>(node)], loads_.holders[node].empty() ? 0 : 1) << node;
}

TEST_F(OnRanksBuilder, EverySubdomainAddsUpWhatItsRanksContribute) {
  for (std::int32_t s = 0; s < subdomains; ++s) {
    const Subdomain& subdomain = system_.subdomains[static_cast<std::size_t>(s)];
    std::vector<Vector3> values(system_.masses.size());
    std::vector<std::int32_t> loaded;
    std::set<int> ranks;
    for (std::int32_t node = 0; node < nodes; ++node) {
      const auto entry = loads_.ranks_of[node].find(s);
      if (entry == loads_.ranks_of[node].end()) continue;
      ranks.insert(entry->second.begin(), entry->second.end());
      if (loads_.holders[node].contains(me_)) loaded.push_back(local_[static_cast<std::size_t>(node)]);
      if (entry->second.contains(me_)) values[place(node)] = {1.0 + me_, 1, 0};
    }
    EXPECT_EQ(subdomain.nodes, loaded);
    EXPECT_EQ(subdomain.only_rank, ranks.size() == 1 ? *ranks.begin() : -1);
    subdomain.shared_nodes.add_up(world_, values);
    for (std::int32_t node = 0; node < nodes; ++node) {
      if (!loads_.holders[node].contains(me_)) continue;
      Vector3 expected{};
      const auto entry = loads_.ranks_of[node].find(s);
      if (entry != loads_.ranks_of[node].end())
        for (const int rank : entry->second) expected += Vector3{1.0 + rank, 1, 0};
      EXPECT_EQ(values[place(node)], expected) << "subdomain " << s << ", node " << node;
    }
  }
}

TEST_F(OnRanksBuilder, AllPotentialsTogetherAddUpOnEveryHolder) {
  std::vector<Vector3> values(system_.masses.size(), Vector3{1.0 + me_, 1, 0});
  system_.shared_nodes.add_up(world_, values);
  for (std::int32_t node = 0; node < nodes; ++node) {
    if (!loads_.holders[node].contains(me_)) continue;
    Vector3 expected{};
    for (const int rank : loads_.holders[node]) expected += Vector3{1.0 + rank, 1, 0};
    EXPECT_EQ(values[place(node)], expected) << "node " << node;
  }
}

TEST_F(OnRanksBuilder, NeighboursAreSubdomainsThatLoadACommonNode) {
  for (std::int32_t a = 0; a < subdomains; ++a) {
    std::vector<std::int32_t> expected;
    for (std::int32_t b = 0; b < subdomains; ++b)
      if (loads_.shares(a, b)) expected.push_back(b);
    EXPECT_EQ(system_.subdomains[static_cast<std::size_t>(a)].neighbours, expected);
  }
}

// A wrong argument fails at once: else another rank would wait for a message that never comes.
TEST_F(OnRanksBuilder, RefusesNodesRanksAndSubdomainsThatAreNone) {
  SystemBuilder builder(world_, positions_, masses_);
  builder.add_subdomain({});
  const std::array<std::int32_t, 1> first = {0}, none = {nodes}, negative = {-1};
  EXPECT_NO_THROW(builder.load(first, 0, 0));
  EXPECT_THROW(builder.load(none, 0, 0), BrokenContract);
  EXPECT_THROW(builder.load(negative, 0, 0), BrokenContract);
  EXPECT_THROW(builder.load(first, 1, 0), BrokenContract);
  EXPECT_THROW(builder.load(first, 0, world_.size()), BrokenContract);
  EXPECT_THROW(builder.add_body("too long", 1, nodes), BrokenContract);
  builder.number_nodes();
  EXPECT_THROW(builder.add(0, nullptr), BrokenContract);
}

}  // namespace
}  // namespace terrace::system_builder_test
