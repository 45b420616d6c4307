// Concurrent energy-stepping of bodies that touch: their contact pairs, and the boxes that they leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <utility>

#include "dynamics/concurrent/concurrent_energy_stepping.hpp"
#include "dynamics/concurrent/validating_executor.hpp"
#include "parallel/profile.hpp"
#include "support/seven_cubes.hpp"
#include "support/warning_texts.hpp"

namespace terrace::bodies_at_once_test {
namespace {

ContactExtremes extremes_of(const SmallSystem& system, const Integrator& integrator) {
  ContactExtremes extremes;
  integrator.report(extremes);
  double least = -extremes.least_distance;  // of all ranks
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MAX, system.lagrangian.communicator->handle());
  extremes.least_distance = -least;
  return extremes;
}

// With contact: all processes wait where a body leaves its box, and pairs wake up there.
TEST(OnRanksBodiesAtOnce, HaveTheBitsOfOneAfterTheOther) {
  const Deck deck = seven_cubes();
  const Model model = build_model(deck);
  SmallSystem plain(model, deck.contact, own_contact, 2e-6),
      system(model, deck.contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  const std::size_t pairs_at_first = plain.lagrangian.subdomains.size();
  for (int row = 1; row <= 8; ++row) {
    const double time = 0.5 * row;
    while (one_by_one.advance(plain.state, time)) {
    }
    while (at_once.advance(system.state, time)) {
    }
    ASSERT_EQ(system.state.time, time);
    ASSERT_EQ(at_once.events(), one_by_one.events()) << "time " << time;
    ASSERT_EQ(at_once.hash(), one_by_one.hash()) << "time " << time;
    const Lagrangian& share = system.lagrangian;
    ASSERT_EQ(share.subdomains.size(), plain.lagrangian.subdomains.size());
    for (std::size_t a = 0; a < share.global_nodes.size(); ++a)
      ASSERT_EQ(system.state.row(a), plain.state.row(static_cast<std::size_t>(share.global_nodes[a])))
          << "node " << share.global_nodes[a] << ", time " << time;
    EXPECT_EQ(extremes_of(system, at_once).least_distance, extremes_of(plain, one_by_one).least_distance)
        << "nothing that was undone, time " << time;
  }
  EXPECT_GT(one_by_one.events(), 1000);
  EXPECT_LT(extremes_of(plain, one_by_one).least_distance,
            plain.lagrangian.contact_pairs->largest_activation())
      << "some touched";
  EXPECT_GT(plain.lagrangian.subdomains.size(), pairs_at_first) << "pairs woke up on the way";
  const ConcurrencyRecord record = at_once.concurrency_record().value();
  EXPECT_EQ(record.events, one_by_one.events());
  EXPECT_GT(record.undone_events, 0);
  EXPECT_GT(record.events, record.longest_chain);
}

// Cube c, beside the way of a, is reported as at rest; cube b, which rested until a pushed it, is not.
TEST(OnRanksBodiesAtOnce, TellOfTheSameBodiesThatRest) {
  Deck deck = three_cubes(1, false, 0.3);
  deck.gravity = {0, 0, -1e-2};
  deck.bodies[0].velocity = {0.3, 0, 0};
  deck.bodies[2].position = {2.6, 0, 5};  // beside the way of the others
  deck.contact.model = ContactModel::barrier;
  const Model model = build_model(deck);
  SmallSystem plain(model, deck.contact, own_contact, 2e-6),
      system(model, deck.contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  while (one_by_one.advance(plain.state, 3.0)) {
  }
  while (at_once.advance(system.state, 3.0)) {
  }
  const auto told_of_rest = [](const Integrator& integrator) {
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    std::erase_if(warnings, [](const Warning& warning) { return warning.subject != "rest"; });
    return texts_of(warnings);
  };
  EXPECT_THAT(told_of_rest(one_by_one), testing::ElementsAre(testing::HasSubstr("subdomain c is at rest")));
  EXPECT_EQ(told_of_rest(at_once), told_of_rest(one_by_one));
}

// The stone's kinetic energy is 16.0001 energy steps: it has hardly any left on its last terrace, where it
// turns, and stays there for long before it falls.
TEST(OnRanksBodiesAtOnce, TellOfTheSameBodiesThatHung) {
  Deck deck = soft_deck({cube_entry("stone", 1), cube_entry("other", 1, {9, 0, 0})});
  deck.gravity = {0, 0, -10};
  deck.bodies[0].velocity = {0, 0, 2};  // 0.2 J
  deck.bodies[1].velocity = {0, 0, 3.1};
  const Model model = build_model(deck);
  constexpr double h = 0.2 / (16 + 1e-4);
  SmallSystem plain(model, deck.contact, own_contact, h),
      system(model, deck.contact, own_contact, h, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  while (one_by_one.advance(plain.state, 7.0)) continue;
  while (at_once.advance(system.state, 7.0)) continue;
  EXPECT_LT(plain.state.lines[0].velocity[2], -5);
  const auto told = [](const Integrator& integrator) {
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    return texts_of(warnings);
  };
  EXPECT_THAT(told(one_by_one),
              testing::ElementsAre(testing::HasSubstr("subdomain stone stayed on one terrace")));
  EXPECT_EQ(told(at_once), told(one_by_one));
}

/// How often it was looked at which bodies are near each other (calls of Operation::following), and the
/// number of subdomains at the end, with `more` bodies added that rest far away.
std::pair<std::int64_t, std::size_t> looks_and_subdomains(int more) {
  Deck deck = seven_cubes();
  for (int i = 0; i < more; ++i)
    deck.bodies.push_back(cube_entry("far-" + std::to_string(i), 1, {100.0 + 10 * i, 0, 0}));
  SmallSystem system(deck, own_contact, 2e-6);
  const OperationTrace trace;
  const StageScope stage(Stage::stepping);
  ConcurrentEnergyStepping at_once(system.lagrangian, system.state);
  while (at_once.advance(system.state, 3.0)) {
  }
  return {trace.of(Stage::stepping, Operation::following).calls, system.lagrangian.subdomains.size()};
}

TEST(BodiesAtOnce, AreLookedAtWhereABodyNearThemLeavesItsBox) {
  constexpr int more = 20;
  const auto [looks, subdomains] = looks_and_subdomains(0);
  const auto [looks_with_more, subdomains_with_more] = looks_and_subdomains(more);
  EXPECT_GT(subdomains, 7u) << "pairs woke up";
  EXPECT_EQ(subdomains_with_more, subdomains + more);
  EXPECT_EQ(looks_with_more, looks + more) << "once, as their processes are made";
}

using HashAndEvents = std::pair<std::uint64_t, std::int64_t>;

template <class Executor>
HashAndEvents finish(SmallSystem& system, Executor& executor) {
  while (executor.advance(system.state, 2.0)) {
  }
  executor.share();
  return {system.diagnostics.state_hash(system.state, executor), executor.events()};
}

/// Does `most` events with the executor First, saves, and finishes with the executor Then on another system.
template <class First, class Then>
HashAndEvents finish_by_another(const Model& model, const ContactEntry& contact, std::int64_t most) {
  SmallSystem system(model, contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD),
      other(model, contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  First first(system.lagrangian, system.state);
  first.stop_after(most);
  while (first.events() < most && first.advance(system.state, 2.0)) {
  }
  EXPECT_EQ(first.events(), most);
  ByteWriter writer;
  first.share();
  first.save(writer);
  const std::vector<std::byte> saved = writer.take();
  Then then(other.lagrangian, other.state);
  other.state = system.state;
  ByteReader reader(saved);
  then.restore(other.state, reader);
  return finish(other, then);
}

TEST(OnRanksBodiesAtOnce, StopAnywhereAndAnotherGoesOn) {
  const Deck deck = seven_cubes();
  const Model model = build_model(deck);
  SmallSystem plain(model, deck.contact, own_contact, 2e-6, LayoutKind::own, MPI_COMM_WORLD);
  EnergyStepping one_by_one(plain.lagrangian, plain.state);
  const HashAndEvents expected = finish(plain, one_by_one);
  EXPECT_GT(expected.second, 400);
  for (const std::int64_t most : {1, 150, 311}) {
    EXPECT_EQ((finish_by_another<ConcurrentEnergyStepping, EnergyStepping>(model, deck.contact, most)),
              expected);
    EXPECT_EQ(
        (finish_by_another<ConcurrentEnergyStepping, ConcurrentEnergyStepping>(model, deck.contact, most)),
        expected);
    EXPECT_EQ((finish_by_another<EnergyStepping, ValidatingExecutor>(model, deck.contact, most)), expected);
  }
}

}  // namespace
}  // namespace terrace::bodies_at_once_test
