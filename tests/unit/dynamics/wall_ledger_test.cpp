// Two walls at once, under energy-stepping and Newmark with several localizations: each wall's ledger holds
// what that wall received, and the sum of nodal momenta and ledgers does not change by a quantum.
#include <gtest/gtest.h>

#include <memory>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "support/small_system.hpp"

namespace terrace::wall_ledger_test {
namespace {

/// Two cubes fly to the floor; the first also reaches the wall at its side.
Deck corner() {
  Deck deck = soft_deck({cube_entry("a", 1), cube_entry("b", 1, {1.5, 0, 0})});
  deck.bodies[0].velocity = {-0.15, 0.02, -0.1};
  deck.bodies[1].velocity = {0.01, 0, -0.2};
  deck.walls = {{"floor", {0, 0, -0.55}, {0, 0, 1}, 0.05}, {"side", {-0.55, 0, 0}, {1, 0, 0}, 0.05}};
  return deck;
}

struct Choice {
  const char* name;
  bool newmark;
  LocalizationEntry localization;
};

constexpr auto own = ContactLocalization::own, with_bodies = ContactLocalization::with_bodies;
const Choice choices[] = {
    {"EnergySteppingOwn", false, {LocalizationKind::bodies, 1, own}},
    {"EnergySteppingWithBodies", false, {LocalizationKind::bodies, 1, with_bodies}},
    {"EnergySteppingGlobal", false, {LocalizationKind::global, 1, own}},
    {"NewmarkOwn", true, {LocalizationKind::bodies, 1, own}},
    {"NewmarkGlobal", true, {LocalizationKind::global, 1, own}},
};

class WallLedgerOf : public testing::TestWithParam<Choice> {};
INSTANTIATE_TEST_SUITE_P(Corner, WallLedgerOf, testing::ValuesIn(choices),
                         [](const auto& choice) { return choice.param.name; });

TEST_P(WallLedgerOf, EachWallHoldsItsOwnAndAllTogetherAreExact) {
  constexpr double end = 4;
  SmallSystem cubes(corner(), GetParam().localization, 1e-5);
  std::unique_ptr<Integrator> integrator;
  if (GetParam().newmark)
    integrator = std::make_unique<Newmark>(cubes.lagrangian, cubes.state, 0.2 * cubes.lagrangian.stable_step);
  else
    integrator = std::make_unique<EnergyStepping>(cubes.lagrangian, cubes.state);
  const IntegerMomentum before = cubes.diagnostics.total_momentum(cubes.state);
  while (integrator->advance(cubes.state, end))
    ASSERT_TRUE(cubes.diagnostics.total_momentum(cubes.state) == before) << cubes.state.time;

  const WideMomentum& floor = cubes.state.ledger[0];
  const WideMomentum& side = cubes.state.ledger[1];
  // The walls have no friction: a wall receives momentum along its normal alone, and directed into the wall.
  EXPECT_TRUE(floor[0] == 0 && floor[1] == 0 && floor[2].value() < 0);
  EXPECT_TRUE(side[0].value() < 0 && side[1] == 0 && side[2] == 0);
  const auto bodies = cubes.diagnostics.measure(cubes.state, *integrator).bodies;
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_LT(bodies[2].momentum[2], -0.02) << "the floor turns both cubes back";
  EXPECT_LT(bodies[3].momentum[0], -0.01) << "the side turns one back";
}

}  // namespace
}  // namespace terrace::wall_ledger_test
