// Whole systems on as many ranks as there are, beside the same system that each rank runs alone.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

#include "dynamics/energy_stepping.hpp"
#include "dynamics/newmark.hpp"
#include "support/small_system.hpp"

namespace terrace {
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

// A subdomain on several ranks: one reduction for each sample of a search, one exchange and one reduction for
// each gradient, and next to nothing else.
TEST(OnRanksCollectives, ASlicedBodyTakesACollectiveASampleAndTwoAGradient) {
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
  const std::int64_t alone_took = alone.take(expected, events), took = together.take(found, events);
  const auto after = samples_and_gradients();
  const std::int64_t samples = after.first - before.first, gradients = after.second - before.second;
  if (together.system.communicator.rank() == 0)
    std::printf("%d events, %lld samples, %lld gradients: %lld collectives, %lld on one rank\n", events,
                static_cast<long long>(samples), static_cast<long long>(gradients),
                static_cast<long long>(took), static_cast<long long>(alone_took));
  // Where a grid does not hold a sample or a gradient, a maximum is taken as well.
  EXPECT_GE(alone_took, gradients);
  EXPECT_LE(alone_took, gradients + gradients / 10 + 10);
  if (together.system.communicator.size() == 1) return;
  EXPECT_GE(took, samples + 2 * gradients);
  EXPECT_LE(took, (samples + 2 * gradients) * 21 / 20 + 10);
}

}  // namespace
}  // namespace terrace
