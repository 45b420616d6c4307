// KnownBodies: what ranks know of bodies that others work on, and what they ask for.
#include "dynamics/windows/known_bodies.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

#include "support/small_system.hpp"

namespace terrace::known_bodies_test {
namespace {

using enum KnownBodies::Part;
const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

// Every rank moves a body; then each asks for the next one's surface, and later for all of it.
TEST(OnRanksKnownBodies, AreAskedForOfThoseThatMovedThem) {
  Communicator world(MPI_COMM_WORLD);
  const int ranks = world.size(), me = world.rank();
  Deck deck = soft_deck({});
  for (int i = 0; i < ranks; ++i)
    deck.bodies.push_back(cube_entry("cube" + std::to_string(i), 2, {3.0 * i, 0, 0}));
  deck.contact.model = ContactModel::barrier;
  SmallSystem system(deck, touching);
  State& state = system.state;
  const LivingSubdomains subdomains(system.lagrangian);
  KnownBodies known(subdomains, *system.lagrangian.contact_pairs, world);
  std::vector<int> holders;
  for (int body = 0; body < ranks; ++body) holders.push_back(body);
  const auto nodes = [&](int body) { return subdomains.whole_nodes(body); };
  const auto is_inside = [&](int body, std::int32_t node) {
    return !std::ranges::binary_search(system.lagrangian.contact_pairs->surface_nodes(body), node);
  };
  ASSERT_EQ(known.ask({}, holders, state), 0);
  known.know_these(holders);
  for (const std::int32_t node : nodes(me)) at(state.lines, node).displacement = {me + 1.0, 0.5 * node, 0};
  const int next = (me + 1) % ranks;
  const auto expect_known = [&](bool with_inside) {
    int inside = 0;
    for (const std::int32_t node : nodes(next)) {
      inside += is_inside(next, node) ? 1 : 0;
      const bool is_known = ranks == 1 || with_inside || !is_inside(next, node);
      EXPECT_EQ(at(state.lines, node).displacement[0], is_known ? next + 1.0 : 0.0) << node;
      EXPECT_EQ(at(state.lines, node).displacement[1], is_known ? 0.5 * node : 0.0) << node;
    }
    EXPECT_GT(inside, 0);
  };
  // As long as no body is said to have moved, nobody asks.
  const std::vector<KnownBodies::Need> beside = {{next, surface}}, all = {{next, surface}, {next, whole}};
  EXPECT_EQ(known.ask(beside, holders, state), 0);
  for (int body = 0; body < ranks; ++body) known.has_moved(body);
  known.know(me, whole);
  const auto bytes_of = [](std::span<const std::int32_t> some) {
    return static_cast<std::int64_t>(some.size() * sizeof(NodeRow));
  };
  EXPECT_EQ(known.ask(beside, holders, state),
            ranks == 1 ? 0 : bytes_of(system.lagrangian.contact_pairs->surface_nodes(next)));
  expect_known(false);
  EXPECT_EQ(known.known(next), ranks == 1 ? whole : surface);
  EXPECT_EQ(known.ask(beside, holders, state), 0) << "once";
  EXPECT_EQ(known.ask(all, holders, state), ranks == 1 ? 0 : bytes_of(nodes(next)));
  expect_known(true);
  EXPECT_EQ(known.known(next), whole);
}

// The memory of bodies that moved is given back in whole pages, except of those that are known again. Nodes
// in the middle of a body's rows are looked at, as pages at the ends are shared with its neighbours and stay.
TEST(KnownBodies, OfThoseThatMovedTheRowsAreForgotten) {
  Communicator alone(MPI_COMM_SELF);
  Deck deck =
      soft_deck({cube_entry("one", 9), cube_entry("other", 9, {3, 0, 0}), cube_entry("third", 9, {6, 0, 0})});
  deck.contact.model = ContactModel::barrier;
  SmallSystem system(deck, touching);
  State& state = system.state;
  const LivingSubdomains subdomains(system.lagrangian);
  KnownBodies known(subdomains, *system.lagrangian.contact_pairs, alone);
  known.know_these(std::vector<std::int32_t>{0, 1, 2});
  const auto middle = [&](int body) {
    return index(subdomains.whole_nodes(body)[subdomains.whole_nodes(body).size() / 2]);
  };
  std::vector<NodeRow> before;
  for (int body = 0; body < 3; ++body) {
    state.momenta[middle(body)] = {body + 1, 2, 3};
    before.push_back(state.row(middle(body)));
  }
  known.has_moved(0);
  known.has_moved(1);
  known.know(1, whole);
  known.forget_moved(state);
  EXPECT_EQ(state.row(middle(0)), NodeRow{});
  EXPECT_EQ(state.row(middle(1)), before[1]) << "came again";
  EXPECT_EQ(state.row(middle(2)), before[2]) << "stayed";
  known.has_moved(1);
  known.has_moved(2);
  known.know(2, whole);
  known.forget_moved(state);
  EXPECT_EQ(state.row(middle(1)), NodeRow{});
  EXPECT_EQ(state.row(middle(2)), before[2]);
}

}  // namespace
}  // namespace terrace::known_bodies_test
