// Whole systems on all ranks that there are, compared with the same system that each rank runs alone.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"
#include "dynamics/terraces/terrace_graph.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::system_on_ranks_test {
namespace {

/// Two cubes that meet, in front of a wall that one of them meets.
Deck two_and_a_wall() {
  Deck deck = soft_deck({cube_entry("left", 2), cube_entry("right", 2, {1.15, 0.1, 0.05})});
  deck.bodies[0].velocity = {0.3, 0, 0.02};
  deck.bodies[0].spin = {0.1, 0.3, 0.2};
  deck.walls = {{"floor", {0, -0.52, 0}, {0, 1, 0}, 1}};
  deck.contact.model = ContactModel::barrier;
  return deck;
}

constexpr double energy_step = 2e-6;

/// On all ranks, or on this one alone.
struct OneOrAll {
  OneOrAll(const Deck& deck, const LocalizationEntry& choice, LayoutKind kind, MPI_Comm handle)
      : system(build_model(deck), deck.contact, choice, energy_step, kind, handle) {}
  /// Collectives that `events` events take.
  template <class Stepper>
  std::int64_t take(Stepper& integrator, int events) {
    const std::int64_t before = system.communicator.collectives();
    for (int i = 0; i < events; ++i) EXPECT_TRUE(integrator.advance(system.state, 1e9));
    return system.communicator.collectives() - before;
  }
  SmallSystem system;
};

using Case = std::tuple<LocalizationEntry, LayoutKind>;
class OnRanksSystem : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    OnRanksDivisions, OnRanksSystem,
    testing::Combine(
        testing::Values(LocalizationEntry{LocalizationKind::bodies, 1, ContactLocalization::own},
                        LocalizationEntry{LocalizationKind::bodies, 1, ContactLocalization::touching},
                        LocalizationEntry{LocalizationKind::metis, 3, ContactLocalization::with_bodies}),
        testing::Values(LayoutKind::own, LayoutKind::slice)),
    [](const auto& all) { return std::to_string(all.index); });

TEST_P(OnRanksSystem, EventsLeadToTheStateThatOneRankComesTo) {
  const auto& [choice, kind] = GetParam();
  const Deck deck = two_and_a_wall();
  OneOrAll alone(deck, choice, kind, MPI_COMM_SELF), together(deck, choice, kind, MPI_COMM_WORLD);
  EnergyStepping expected(alone.system.lagrangian, alone.system.state),
      found(together.system.lagrangian, together.system.state);
  for (int part = 0; part < 2; ++part) {
    alone.take(expected, 60);
    together.take(found, 60);
    EXPECT_EQ(alone.system.diagnostics.state_hash(alone.system.state, expected),
              together.system.diagnostics.state_hash(together.system.state, found))
        << "after " << 60 * (part + 1) << " events";
  }
}

TEST_P(OnRanksSystem, ClockedEventsLeadToTheStateThatOneRankComesTo) {
  const auto& [choice, kind] = GetParam();
  const Deck deck = two_and_a_wall();
  OneOrAll alone(deck, choice, kind, MPI_COMM_SELF), together(deck, choice, kind, MPI_COMM_WORLD);
  ClockedEnergyStepping expected(alone.system.lagrangian, alone.system.state, {}),
      found(together.system.lagrangian, together.system.state, {});
  for (int part = 0; part < 2; ++part) {
    alone.take(expected, 80);
    together.take(found, 80);
    expected.bring_up_to_date(alone.system.state);
    found.bring_up_to_date(together.system.state);
    EXPECT_EQ(alone.system.diagnostics.state_hash(alone.system.state, expected),
              together.system.diagnostics.state_hash(together.system.state, found))
        << "after " << 80 * (part + 1) << " events";
  }
}

// A pair wakes up on one rank and its bodies touch, after which both bodies' ranks share it. The touch is
// undone: when the pair wakes up once more it is on that one rank again.
TEST(OnRanksPairs, WakeUpAgainAfterATouchThatWasUndone) {
  OneOrAll all(two_and_a_wall(), {LocalizationKind::bodies, 1, ContactLocalization::touching},
               LayoutKind::own, MPI_COMM_WORLD);
  Lagrangian& system = all.system.lagrangian;
  TerraceGraph graph(system);
  graph.share_pairs_in_touch();
  (void)graph.near_pairs().start(all.system.state.lines, 0);
  const std::int32_t pair = graph.near_pairs().awakened({0, 1});
  const auto subdomain = [&]() -> const Subdomain& {
    return system.subdomains[static_cast<std::size_t>(pair)];
  };
  const int its_rank = subdomain().only_rank;
  EXPECT_GE(its_rank, 0);
  graph.near_pairs().put_to_sleep(pair);
  graph.near_pairs().release(pair);
  ByteWriter saved;
  graph.save(saved);
  ASSERT_EQ(graph.near_pairs().awakened({0, 1}), pair);
  graph.near_pairs().set_touching(pair, true);
  graph.touching().touch(pair);
  if (all.system.communicator.size() > 1) {
    EXPECT_EQ(subdomain().only_rank, -1) << "of both bodies' ranks";
  }
  const std::vector<std::byte> bytes = saved.take();
  ByteReader reader(bytes);
  graph.restore(reader);
  EXPECT_TRUE(subdomain().asleep);
  ASSERT_EQ(graph.near_pairs().awakened({0, 1}), pair);
  EXPECT_FALSE(subdomain().asleep);
  EXPECT_EQ(subdomain().only_rank, its_rank);
  const bool mine = its_rank == all.system.communicator.rank();
  EXPECT_EQ(subdomain().potentials.size(), mine ? 1u : 0u);
}

// Cube a has just hit cube b, and the pair of b and c still waits for its touch. Ranks that do not follow all
// nodes know the speed of approach from the flight of the group of a and b: half of 0.3, as the cubes are
// equal.
TEST(OnRanksClocked, OfBodiesWithSidesLeftToOthersTheFlightOfTheirGroupIsKnown) {
  Deck deck = three_cubes(3, false, 0.05);
  deck.bodies[0].velocity = {0.3, 0, 0};
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.02;
  OneOrAll all(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching}, LayoutKind::own,
               MPI_COMM_WORLD);
  ClockedEnergyStepping clocked(all.system.lagrangian, all.system.state, {});
  const TerraceGraph& graph = clocked.graph();
  while (graph.touching().terrace_of(0) != graph.touching().terrace_of(1))
    ASSERT_TRUE(clocked.advance(all.system.state, 1));
  for (int events = 0; events < 3; ++events) ASSERT_TRUE(clocked.advance(all.system.state, 1));
  if (all.system.communicator.size() > 1) {
    EXPECT_NEAR(graph.near_pairs().speed_of_approach({1, 2}), 0.15, 1e-3);
  }
}

// At the full stable step of a cube that turns fast the certificate of a step fails now and then, on one of
// the ranks, when the next event has begun: its gradient is discarded, and the step is shortened.
TEST(OnRanksClocked, StepsThatARankObjectsToAreShortened) {
  Deck deck = spinning_cube(2);
  for (double& spin : deck.bodies[0].spin) spin *= 4;
  const LocalizationEntry whole{LocalizationKind::global};
  const ClockSettings settings{.time_step_factor = 1, .debt_tolerance = 1};
  OneOrAll alone(deck, whole, LayoutKind::slice, MPI_COMM_SELF),
      together(deck, whole, LayoutKind::slice, MPI_COMM_WORLD);
  ClockedEnergyStepping expected(alone.system.lagrangian, alone.system.state, settings),
      found(together.system.lagrangian, together.system.state, settings);
  const auto go = [](OneOrAll& one, ClockedEnergyStepping& clocked) {
    while (clocked.advance(one.system.state, 20)) {
    }
  };
  go(alone, expected);
  go(together, found);
  EXPECT_EQ(alone.system.diagnostics.state_hash(alone.system.state, expected),
            together.system.diagnostics.state_hash(together.system.state, found));
  EXPECT_EQ(found.events(), expected.events());
  EXPECT_EQ(found.balance()->shortened_steps, expected.balance()->shortened_steps);
  EXPECT_EQ(found.balance()->clipped_kicks, expected.balance()->clipped_kicks);
  EXPECT_EQ(found.balance()->largest_debt, expected.balance()->largest_debt);
  EXPECT_EQ(found.subdomain_records().front().events, expected.subdomain_records().front().events);
  std::vector<std::int64_t> gradients = {found.gradient_evaluations()};
  together.system.communicator.sum(std::span(gradients));
  if (together.system.communicator.size() > 1) {
    EXPECT_GT(gradients[0], expected.gradient_evaluations()) << "some events had begun in vain";
  }
}

TEST_P(OnRanksSystem, StepsLeadToTheStateThatOneRankComesTo) {
  const auto& [choice, kind] = GetParam();
  const Deck deck = two_and_a_wall();
  OneOrAll alone(deck, choice, kind, MPI_COMM_SELF), together(deck, choice, kind, MPI_COMM_WORLD);
  const double step = 0.2 * stable_newmark_step(alone.system.lagrangian);
  Newmark expected(alone.system.lagrangian, alone.system.state, step),
      found(together.system.lagrangian, together.system.state, step);
  alone.take(expected, 40);
  together.take(found, 40);
  EXPECT_EQ(alone.system.diagnostics.state_hash(alone.system.state, expected),
            together.system.diagnostics.state_hash(together.system.state, found));
}

// Steps that follow the energy, a sum over all ranks, are the same to the bit.
TEST_P(OnRanksSystem, AdaptiveStepsLeadToTheStateThatOneRankComesTo) {
  const auto& [choice, kind] = GetParam();
  const Deck deck = two_and_a_wall();
  for (const char* name : {"time-transformed-splitting", "step-density", "adaptive-variational"}) {
    OneOrAll alone(deck, choice, kind, MPI_COMM_SELF), together(deck, choice, kind, MPI_COMM_WORLD);
    IntegratorSettings settings;
    settings.time_step = 0.2 * stable_newmark_step(alone.system.lagrangian);
    const auto expected = find_integrator(name)->make(settings, alone.system.lagrangian, alone.system.state),
               found =
                   find_integrator(name)->make(settings, together.system.lagrangian, together.system.state);
    alone.take(*expected, 30);
    together.take(*found, 30);
    EXPECT_EQ(alone.system.diagnostics.state_hash(alone.system.state, *expected),
              together.system.diagnostics.state_hash(together.system.state, *found))
        << name;
  }
}

// Implicit steps are solved by sums whose rounding depends on the ranks: the same to the solver's tolerance.
TEST(OnRanksImplicit, StepsLeadToNearlyTheStateThatOneRankComesTo) {
  Deck deck = soft_deck({cube_entry("left", 2), cube_entry("right", 2, {1.6, 0.1, 0.05})});
  deck.bodies[0].velocity = {0, -0.1, 0.02};
  deck.bodies[0].spin = {0.1, 0.3, 0.2};
  deck.walls = {{"floor", {0, -0.52, 0}, {0, 1, 0}, 0.05}};
  const LocalizationEntry choice{LocalizationKind::metis, 3, ContactLocalization::with_bodies};
  for (const char* name :
       {"implicit-midpoint", "energy-momentum", "symplectic-energy-momentum", "semi-explicit"}) {
    OneOrAll alone(deck, choice, LayoutKind::slice, MPI_COMM_SELF),
        together(deck, choice, LayoutKind::slice, MPI_COMM_WORLD);
    IntegratorSettings settings;
    settings.time_step = 0.5 * stable_newmark_step(alone.system.lagrangian);
    const auto expected = find_integrator(name)->make(settings, alone.system.lagrangian, alone.system.state),
               found =
                   find_integrator(name)->make(settings, together.system.lagrangian, together.system.state);
    alone.take(*expected, 15);
    together.take(*found, 15);
    const IntegerMomentum momentum = alone.system.diagnostics.total_momentum(alone.system.state);
    EXPECT_TRUE(together.system.diagnostics.total_momentum(together.system.state) == momentum) << name;
    const SystemRecord one = alone.system.record(*expected), all = together.system.record(*found);
    EXPECT_NEAR(all.time, one.time, 1e-8) << name;
    EXPECT_NEAR(all.energy / one.energy, 1, 1e-10) << name;
    EXPECT_NEAR(all.kinetic / one.kinetic, 1, 1e-6) << name;
  }
}

// A subdomain on several ranks takes one reduction for each sample of a search, one exchange and one
// reduction for each gradient, and next to nothing else.
TEST(OnRanksCollectives, ASlicedBodyTakesACollectiveASampleAndOneAGradient) {
  const LocalizationEntry whole{LocalizationKind::global};
  OneOrAll alone(spinning_cube(2), whole, LayoutKind::slice, MPI_COMM_SELF),
      together(spinning_cube(2), whole, LayoutKind::slice, MPI_COMM_WORLD);
  EnergyStepping expected(alone.system.lagrangian, alone.system.state),
      found(together.system.lagrangian, together.system.state);
  constexpr int events = 100;
  const auto samples_and_gradients = [&] {
    const auto elements = static_cast<std::int64_t>(alone.system.model.tetrahedra.size());
    const std::int64_t gradients = expected.gradient_evaluations() / elements;
    return std::pair{expected.element_evaluations() / elements - gradients, gradients};
  };
  const auto before = samples_and_gradients();
  const std::int64_t exchanges_before = together.system.communicator.exchanges();
  const std::int64_t alone_took = alone.take(expected, events), took = together.take(found, events);
  const auto after = samples_and_gradients();
  const std::int64_t samples = after.first - before.first, gradients = after.second - before.second;
  if (together.system.communicator.rank() == 0)
    std::printf("%d events, %lld samples, %lld gradients: %lld collectives, %lld on one rank\n", events,
                static_cast<long long>(samples), static_cast<long long>(gradients),
                static_cast<long long>(took), static_cast<long long>(alone_took));
  // Where sums do not fit their grid, the ranks also agree on a new grid by a maximum.
  EXPECT_GE(alone_took, gradients);
  EXPECT_LE(alone_took, gradients + gradients / 10 + 10);
  if (together.system.communicator.size() == 1) return;
  EXPECT_GE(took, samples + gradients);
  EXPECT_LE(took, (samples + gradients) * 21 / 20 + 10);
  const std::int64_t exchanges = together.system.communicator.exchanges() - exchanges_before;
  EXPECT_GE(exchanges, gradients);
  EXPECT_LE(exchanges, gradients * 21 / 20 + 10);
}

// The certificate of a step goes with the sums of the next event.
TEST(OnRanksCollectives, AClockedEventOfASlicedBodyTakesOneAndOneExchange) {
  const LocalizationEntry whole{LocalizationKind::global};
  for (const MPI_Comm handle : {MPI_COMM_SELF, MPI_COMM_WORLD}) {
    OneOrAll cube(spinning_cube(2), whole, LayoutKind::slice, handle);
    ClockedEnergyStepping clocked(cube.system.lagrangian, cube.system.state, {});
    cube.take(clocked, 20);  // grids are made
    constexpr int events = 200;
    const std::int64_t exchanges = cube.system.communicator.exchanges();
    EXPECT_LE(cube.take(clocked, events), events + events / 10);
    EXPECT_LE(cube.system.communicator.exchanges() - exchanges, events + events / 10);
  }
}

struct Waiting {
  ContactModel model;
  double place;              // of the body that rests
  std::int64_t least, most;  // searches in a hundred events of another body
};

// The pair of a body at rest and one that moves beside it is searched anew at most events, and its sums go
// with those of the event. The barrier knows how much room there is between the surfaces, so that its pair is
// searched only now and then; face intersection does not.
class OnRanksCollectivesBesideWhatRests : public ::testing::TestWithParam<Waiting> {};
INSTANTIATE_TEST_SUITE_P(Models, OnRanksCollectivesBesideWhatRests,
                         ::testing::Values(Waiting{ContactModel::face_intersection, 1.22, 50, 300},
                                           Waiting{ContactModel::barrier, 1.4, 1, 20}));

TEST_P(OnRanksCollectivesBesideWhatRests, AreThoseOfTheEvents) {
  Deck deck = soft_deck({cube_entry("left", 2), cube_entry("right", 2, {GetParam().place, 0.1, 0.05})});
  deck.bodies[0].spin = {0, 0, 0.1};
  deck.contact.model = GetParam().model;
  deck.contact.stiffness = 1;
  const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};
  for (const MPI_Comm handle : {MPI_COMM_SELF, MPI_COMM_WORLD}) {
    OneOrAll cubes(deck, touching, LayoutKind::slice, handle);
    ClockedEnergyStepping clocked(cubes.system.lagrangian, cubes.system.state, {});
    cubes.take(clocked, 20);
    constexpr int events = 100;
    const std::int64_t before = clocked.searches();
    const std::int64_t took = cubes.take(clocked, events), searches = clocked.searches() - before;
    EXPECT_GE(searches, GetParam().least) << "the pair that waits";
    EXPECT_LE(searches, GetParam().most);
    // One reduction; surfaces lie on all ranks, so that an exchange is among all.
    const int among_all = cubes.system.communicator.size() > 1 ? 2 : 1;
    EXPECT_LE(took, among_all * events + events / 2);
  }
}

// A subdomain on one rank takes a broadcast of its products and grids, and an exchange by which every holder
// of a node gets its force.
TEST(OnRanksCollectives, ASubdomainOnOneRankTakesTwoAGradient) {
  const LocalizationEntry own{LocalizationKind::bodies, 1, ContactLocalization::own};
  OneOrAll alone(two_and_a_wall(), own, LayoutKind::own, MPI_COMM_SELF),
      together(two_and_a_wall(), own, LayoutKind::own, MPI_COMM_WORLD);
  Lines lines, other_lines;
  SubdomainGradient expected(alone.system.lagrangian, lines), found(together.system.lagrangian, other_lines);
  GradientGrids grids, other_grids;
  expected.evaluate(0, alone.system.state, 0.3, grids);
  const std::int64_t before = together.system.communicator.collectives();
  const auto products = found.evaluate(0, together.system.state, 0.3, other_grids);
  if (together.system.communicator.size() > 1) {
    EXPECT_EQ(together.system.communicator.collectives() - before, 2) << "grids were made on the way";
  }
  EXPECT_EQ(other_grids.force.quantum, grids.force.quantum);
  EXPECT_EQ(products.grid, grids.force.quantum);
  const Lagrangian& system = together.system.lagrangian;
  for (std::size_t a = 0; a < system.global_nodes.size(); ++a)
    EXPECT_EQ(found.values()[a], expected.values()[static_cast<std::size_t>(system.global_nodes[a])]) << a;
}

TEST(OnRanksCollectives, AFailureOfASubdomainOnOneRankIsToldOnAll) {
  const LocalizationEntry own{LocalizationKind::bodies, 1, ContactLocalization::own};
  OneOrAll together(two_and_a_wall(), own, LayoutKind::own, MPI_COMM_WORLD);
  for (NodeLine& line : together.system.state.lines) line.displacement = {};
  together.system.state.lines[0].displacement = {2, 2, 2};  // a corner of the left cube, through it
  Lines lines;
  SubdomainGradient gradient(together.system.lagrangian, lines);
  GradientGrids grids;
  std::string told;
  try {
    gradient.evaluate(0, together.system.state, 0, grids);
  } catch (const Error& error) {
    told = error.what();
    EXPECT_TRUE(error.on_all_ranks());
  }
  EXPECT_NE(told.find("element"), std::string::npos) << told;
  EXPECT_NE(told.find("J"), std::string::npos) << told;
  std::vector<double> ranks = {1};
  together.system.communicator.sum(ranks);
  EXPECT_EQ(ranks[0], together.system.communicator.size()) << "nobody waits";
}

}  // namespace
}  // namespace terrace::system_on_ranks_test
