// Clocked energy-stepping: equal steps, no events of bodies at rest, the motion against Newmark's, and the
// errors that end a run.
#include "dynamics/clocked/clocked_energy_stepping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "support/small_system.hpp"

namespace terrace::clocked_energy_stepping_test {
namespace {

const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

TEST(ClockedEnergyStepping, TakesEqualStepsOfTheSizeThatWasAsked) {
  for (const double factor : {0.2, 0.4}) {
    Deck deck = spinning_cube(2);
    for (double& spin : deck.bodies[0].spin) spin *= 0.1;  // nearly linear: no step needs to be halved
    SmallSystem cube(deck);
    ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.time_step_factor = factor});
    while (clocked.advance(cube.state, 20)) {
    }
    const double step = factor * cube.lagrangian.stable_step;
    // It begins with short steps, as V grows from 0; so the average is a little below the step asked for.
    EXPECT_LE(clocked.average_step(), step);
    EXPECT_NEAR(clocked.average_step() / step, 1, 0.1);
    EXPECT_EQ(clocked.balance()->shortened_steps, 0);
    EXPECT_NEAR(clocked.subdomain_records().front().step_max / step, 1, 1e-3);
    EXPECT_GT(clocked.balance()->largest_imbalance, 0);
    EXPECT_LE(clocked.balance()->largest_debt, 1e-8) << "nearly every kick balances";
    EXPECT_LE(static_cast<double>(clocked.balance()->clipped_kicks),
              0.02 * static_cast<double>(clocked.events()));
  }
}

TEST(ClockedEnergyStepping, MovesAsLeapfrogWithFineSteps) {
  const auto potential_after = [](auto make) {
    SmallSystem cube(spinning_cube(2));
    const auto integrator = make(cube);
    while (integrator->advance(cube.state, 3)) {
    }
    return cube.record(*integrator).potential;
  };
  const double exact = potential_after(
      [](SmallSystem& cube) { return std::make_unique<Newmark>(cube.lagrangian, cube.state, 0.001); });
  for (const auto& [step, tolerance] : {std::pair{0.02, 2e-3}, {0.005, 2e-4}}) {
    const double time_step = step;
    const double clocked = potential_after([&](SmallSystem& cube) {
      return std::make_unique<ClockedEnergyStepping>(cube.lagrangian, cube.state,
                                                     ClockSettings{.time_step = time_step});
    });
    EXPECT_NEAR(clocked / exact, 1, tolerance) << "step " << step;
  }
}

TEST(ClockedEnergyStepping, WhatRestsOrFliesHasNoEventsUntilItIsTouched) {
  Deck deck = three_cubes(1, false, 0.4);
  deck.contact.model = ContactModel::barrier;
  deck.bodies[0].velocity = {0.3, 0, 0};
  SmallSystem cubes(deck, touching);
  ClockedEnergyStepping clocked(cubes.lagrangian, cubes.state, {});
  EXPECT_FALSE(clocked.advance(cubes.state, 0.5)) << "nothing happens before they touch";
  EXPECT_EQ(clocked.events(), 0);
  while (clocked.advance(cubes.state, 2.5)) {
  }
  EXPECT_GT(clocked.events(), 50);
  const std::vector<BodyRecord> bodies = cubes.diagnostics.measure(cubes.state, clocked).bodies;
  EXPECT_GT(bodies[1].velocity[0], 0.1) << "the second was hit";
  EXPECT_EQ(bodies[2].velocity[0], 0) << "the third was not";
  for (const SubdomainRecord& record : clocked.subdomain_records())
    if (record.name == "c") {
      EXPECT_EQ(record.events, 0);
    }
}

TEST(ClockedEnergyStepping, PairsThatAreFarApartAgainTakeNoRoom) {
  std::vector<BodyEntry> row = {cube_entry("flyer", 1)};
  for (int i = 0; i < 6; ++i) row.push_back(cube_entry("b" + std::to_string(i), 1, {2.0 + 2.5 * i, 1.01, 0}));
  Deck deck = soft_deck(row);
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.005;
  deck.bodies[0].velocity = {1, 0, 0};
  SmallSystem cubes(deck, touching);
  ClockedEnergyStepping clocked(cubes.lagrangian, cubes.state, {});
  std::set<BodyPair> met;
  for (int i = 0; i <= 200; ++i) {
    EXPECT_FALSE(clocked.advance(cubes.state, 0.1 * i));
    for (const std::int32_t pair : clocked.graph().near_pairs().awake_pairs(0))
      met.insert(*clocked.graph().near_pairs().bodies_of(pair));
  }
  EXPECT_EQ(met.size(), row.size() - 1) << "it flies past all of them";
  EXPECT_LE(cubes.lagrangian.subdomains.size(), row.size() + 2);
}

TEST(ClockedEnergyStepping, WhatRestsFallsByItsWeightHoweverLittleThatIs) {
  for (const double gravity : {1e-2, 1e-9}) {
    Deck deck = spinning_cube(1);
    deck.bodies[0].spin = {};
    deck.gravity = {0, 0, -gravity};
    SmallSystem cube(deck);
    ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {});
    while (clocked.advance(cube.state, 3)) {
    }
    const BodyRecord body = cube.diagnostics.measure(cube.state, clocked).bodies[0];
    // A kick at t gives the velocity of t + τ/2, half a step ahead: between events it is off by at most
    // g τ/2, with τ = 0.4 stable_step.
    EXPECT_NEAR(body.velocity[2], -3 * gravity, 0.5 * gravity * cube.lagrangian.stable_step);
    // −g t²/2 at t = 3. A chord of this parabola over a step leaves it by at most g τ²/8.
    const double step = 0.4 * cube.lagrangian.stable_step;
    EXPECT_NEAR(body.position[2], -4.5 * gravity, 1.01 * gravity * step * step / 8) << "a parabola of chords";
    EXPECT_LE(clocked.balance()->largest_debt, 1e-12);
    EXPECT_LE(std::abs(cube.record(clocked).energy), 1e-12 * cube.record(clocked).kinetic);
  }
}

// The stored energy ends above 2^28 times the energy at the start. The quantum of energy is 2^-100 of the
// latter, so that the sum needs more than 128 bits (WideInteger).
TEST(ClockedEnergyStepping, ASupportMayBringInAnyEnergy) {
  Deck deck = soft_deck({cube_entry("bar", 1)});
  const auto hold = [&](const std::string& name, double low, double velocity) {
    SupportEntry entry;
    entry.name = name;
    entry.body.name = "bar";
    entry.nodes = SupportEntry::Nodes::box;
    entry.box = {Vector3{low - 0.01, -9, -9}, Vector3{low + 0.01, 9, 9}};
    entry.velocity = {velocity, 0, 0};
    deck.supports.push_back(entry);
  };
  hold("wall", -0.5, 0);
  hold("grip", 0.5, 1e-7);
  SmallSystem bar(deck, touching);
  ClockedEnergyStepping clocked(bar.lagrangian, bar.state, {});
  const double at_start = bar.record(clocked).kinetic;
  while (clocked.advance(bar.state, 2e4)) {
  }
  const SystemRecord end = bar.record(clocked);
  EXPECT_GT(end.potential, 0x1p28 * at_start);
  EXPECT_NEAR(end.energy, at_start, 1e-12 * end.potential);
  EXPECT_NEAR(end.support_work / end.potential, 1, 1e-3);
}

// All nodes of the table are held: the table has no energy at the start and gets none.
TEST(ClockedEnergyStepping, FromRestABodyFallsOntoOneThatIsHeldAltogether) {
  Deck deck = soft_deck({cube_entry("table", 1), cube_entry("cube", 1, {0, 0, 1.1})});
  deck.gravity = {0, 0, -0.1};
  deck.contact.model = ContactModel::barrier;
  SupportEntry frame;
  frame.name = "frame";
  frame.body.name = "table";
  frame.nodes = SupportEntry::Nodes::box;
  frame.box = {Vector3{-9, -9, -9}, Vector3{9, 9, 9}};
  deck.supports = {frame};
  SmallSystem system(deck, touching);
  ClockedEnergyStepping clocked(system.lagrangian, system.state, {});
  while (clocked.advance(system.state, 4)) {
  }
  const Diagnostics::Measurement end = system.diagnostics.measure(system.state, clocked);
  EXPECT_GT(end.bodies[1].position[2], 0.6) << "on the table; without it at 0.3";
  EXPECT_LT(clocked.balance()->largest_debt, 1e-4);
  EXPECT_EQ(end.bodies[0].momentum, (Vector3{0, 0, 0}));
}

// With gravity all bodies have their first events at time 0. Each event is undone and done again.
TEST(ClockedEnergyStepping, BodiesThatFallAndMeetComeToTheSameWhenTheyGoBack) {
  Deck deck = three_cubes(1, false, 0.1);
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.02;
  deck.bodies[0].velocity = {1, 0, 0};
  deck.gravity = {0.1, 0, -0.2};
  SmallSystem cubes(deck, touching);
  CheckingExecutor checked(
      std::make_unique<ClockedEnergyStepping>(cubes.lagrangian, cubes.state, ClockSettings{}));
  for (int event = 0; event < 300; ++event) ASSERT_TRUE(checked.advance(cubes.state, 20));
  EXPECT_GT(checked.subdomain_records().back().events, 0) << "of bodies that touch";
}

TEST(ClockedEnergyStepping, BodiesThatMeetKeepWhatNewmarkWithFineStepsGivesThem) {
  const auto velocities_after = [](auto make) {
    Deck deck = three_cubes(1, false, 0.6);
    deck.contact.model = ContactModel::barrier;
    deck.bodies[0].velocity = {0.2, 0, 0};
    deck.bodies[0].rotation_axis = {0, 0, 1};
    deck.bodies[0].rotation_angle = 20;
    SmallSystem cubes(deck, touching);
    const auto integrator = make(cubes);
    while (integrator->advance(cubes.state, 12)) {
    }
    const auto bodies = cubes.diagnostics.measure(cubes.state, *integrator).bodies;
    return std::array{bodies[0].velocity[0], bodies[1].velocity[0]};
  };
  const auto exact = velocities_after([](SmallSystem& cubes) {
    return std::make_unique<Newmark>(cubes.lagrangian, cubes.state,
                                     0.05 * stable_newmark_step(cubes.lagrangian));
  });
  const auto clocked = velocities_after([](SmallSystem& cubes) {
    return std::make_unique<ClockedEnergyStepping>(cubes.lagrangian, cubes.state, ClockSettings{});
  });
  for (std::size_t b = 0; b < 2; ++b) EXPECT_NEAR(clocked[b], exact[b], 0.01 * 0.2) << "body " << b;
}

TEST(ClockedEnergyStepping, EnergyIsKeptWhereBodiesPart) {
  Deck deck = three_cubes(1, false, 0.3);
  deck.contact.model = ContactModel::barrier;
  deck.bodies[0].velocity = {0.4, 0, 0};
  SmallSystem cubes(deck, touching);
  ClockedEnergyStepping clocked(cubes.lagrangian, cubes.state, {});
  const double energy = cubes.record(clocked).energy;
  bool parted = false;
  while (clocked.advance(cubes.state, 25)) {
    const auto bodies = cubes.diagnostics.measure(cubes.state, clocked).bodies;
    parted = parted || bodies[1].velocity[0] > bodies[0].velocity[0] + 0.1;
    ASSERT_NEAR(cubes.record(clocked).energy / energy, 1, 1e-13) << "time " << cubes.state.time;
  }
  EXPECT_TRUE(parted);
  // Each body flew or rested without events until they met. While they touch they share one terrace, whose
  // events are in records[3].
  const std::vector<SubdomainRecord> records = clocked.subdomain_records();
  ASSERT_EQ(records.size(), 3u + 1u) << "the bodies, and what touched";
  EXPECT_GT(records[0].events, 10) << "vibrates alone once they have parted";
  EXPECT_GT(records[1].events, 10);
  EXPECT_GT(records[3].events, 10);
}

TEST(ClockedEnergyStepping, PartsThatShareNodesAreNotBalancedAndSaySo) {
  const auto balance_of = [](const LocalizationEntry& localization) {
    SmallSystem cube(spinning_cube(2), localization);
    ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {});
    while (clocked.advance(cube.state, 5)) {
    }
    return *clocked.balance();
  };
  const BalanceRecord whole = balance_of({LocalizationKind::bodies, 1, ContactLocalization::touching});
  EXPECT_TRUE(whole.follows_potential);
  EXPECT_GT(whole.largest_imbalance, 0);
  const BalanceRecord parts = balance_of({LocalizationKind::metis, 4, ContactLocalization::touching});
  EXPECT_FALSE(parts.follows_potential);
  EXPECT_EQ(parts.largest_imbalance, 0) << "no kick of a part is corrected";
}

TEST(ClockedEnergyStepping, StopsWhereTheEnergyDoesNotBalance) {
  SmallSystem cube(spinning_cube(1));
  ClockedEnergyStepping clocked(cube.lagrangian, cube.state,
                                {.largest_correction = 1e-9, .debt_tolerance = 1e-15});
  try {
    while (clocked.advance(cube.state, 50)) {
    }
    FAIL() << "leapfrog's kicks alone do not balance";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("expected a step whose energy balances to 1e-15 of the energy of its bodies"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what())
                  .find(": lower integrator.time_step or time_step_factor, or raise "
                        "integrator.debt_tolerance"),
              std::string::npos);
  }
}

TEST(ClockedEnergyStepping, ShortensStepsInWhichAnElementMightInvert) {
  // One node flies at its neighbours. Newmark with the same step inverts an element, and throws.
  const auto flying = [](SmallSystem& cube) {
    std::vector<Vector3> velocities(cube.lagrangian.masses.size(), Vector3{});
    velocities[0] = {3, 3, 3};
    cube.state.set_velocities(velocities);
  };
  SmallSystem first(spinning_cube(1));
  flying(first);
  const double step = 0.4 * first.lagrangian.stable_step;
  Newmark newmark(first.lagrangian, first.state, step);
  EXPECT_THROW(while (newmark.advance(first.state, 2)){}, Error);

  SmallSystem second(spinning_cube(1));
  flying(second);
  ClockedEnergyStepping clocked(second.lagrangian, second.state, {.time_step = step});
  EXPECT_NO_THROW(while (clocked.advance(second.state, 2)){}) << "no element inverts";
  EXPECT_GT(clocked.balance()->shortened_steps, 0);
  EXPECT_LE(clocked.balance()->largest_debt, 1e-6);
}

SmallSystem fast_spinning_cube(int cells, double times) {
  Deck deck = spinning_cube(cells);
  for (double& spin : deck.bodies[0].spin) spin *= times;
  return SmallSystem(deck);
}

TEST(ClockedEnergyStepping, NoElementInvertsAtTheStableStep) {
  // Without the certificates an element inverts at t = 16.
  SmallSystem cube = fast_spinning_cube(2, 4);
  ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.time_step_factor = 1, .debt_tolerance = 1});
  EXPECT_NO_THROW(while (clocked.advance(cube.state, 20)){});
  EXPECT_EQ(cube.state.time, 20);
}

TEST(ClockedEnergyStepping, EndsWhereNoStepIsShortEnough) {
  for (const bool meets : {false, true}) {
    SmallSystem cube = fast_spinning_cube(1, 6);
    cube.lagrangian.has_contact = meets;
    ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.time_step_factor = 1, .debt_tolerance = 1});
    const std::string reason =
        meets
            ? "what meets there is too fast, or what is to stop it (contact.stiffness and distance, those of "
              "walls) too soft"
            : "the body spins or vibrates too fast for its material, and an element is turned inside out";
    try {
      while (clocked.advance(cube.state, 20)) {
      }
      FAIL() << "it is torn flat at t = 16";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what())
                    .find("expected a step in which no element inverts, no surfaces touch and no particles "
                          "meet, found none: " +
                          reason),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(ClockedEnergyStepping, SaysWhereAMaterialCollapses) {
  Model model = build_model(spinning_cube(1));
  model.materials[0].lame_lambda = -0.6 * model.materials[0].lame_mu;
  for (std::size_t a = 0; a < model.positions.size(); ++a)
    model.velocities[a] = {0, 0, -3 * model.positions[a][2]};
  SmallSystem cube(model, {}, {LocalizationKind::global}, 1e-5);
  ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.time_step_factor = 1, .debt_tolerance = 1});
  try {
    while (clocked.advance(cube.state, 20)) {
    }
    FAIL() << "nothing stops it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("an element collapses whose material has lambda < 0"),
              std::string::npos)
        << error.what();
  }
}

TEST(ClockedEnergyStepping, CountsWhatItCouldNotBalance) {
  const auto balance_of = [](double correction) {
    SmallSystem cube(spinning_cube(1));
    ClockedEnergyStepping clocked(
        cube.lagrangian, cube.state,
        {.time_step_factor = 0.9, .largest_correction = correction, .debt_tolerance = 1});
    while (clocked.advance(cube.state, 20)) {
    }
    return *clocked.balance();
  };
  const BalanceRecord bound = balance_of(1e-12), free = balance_of(0.1);
  EXPECT_GT(bound.clipped_kicks, 20) << "nearly all";
  EXPECT_LT(free.clipped_kicks, bound.clipped_kicks / 4);
  EXPECT_GT(bound.largest_debt, 1e-6);
  // With hardly any corrections the debt is the sum of what each kick left unbalanced.
  EXPECT_GT(bound.largest_debt, 0.1 * bound.largest_imbalance);
  EXPECT_GT(free.shortened_steps, 0);
  EXPECT_LT(free.shortened_steps, 50);
}

TEST(ClockedEnergyStepping, TellsADebtBesideTheToleranceThatItExceeds) {
  SmallSystem cube(spinning_cube(1));
  const ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.debt_tolerance = 1e-6});
  std::vector<Warning> warnings;
  clocked.describe_balance(10, {.largest_debt = 1.04e-6, .largest_unpaid_debt = 1.01e-6}, warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0].text,
              testing::HasSubstr("up to 1.04e-06 of the energy of their bodies unbalanced, more than "
                                 "integrator.debt_tolerance = 1e-06, if not for long"));
}

TEST(ClockedEnergyStepping, WarnsOfAHundredthOfClippedKicksAndOfAnyDebtAboveTheTolerance) {
  SmallSystem cube(spinning_cube(1));
  const ClockedEnergyStepping clocked(cube.lagrangian, cube.state, {.debt_tolerance = 1e-6});
  const auto subjects = [&](std::int64_t events, std::int64_t clipped, double debt, double of_one_kick = 1e-8,
                            double unpaid = 1.1e-6) {
    std::vector<Warning> warnings;
    clocked.describe_balance(events,
                             {.largest_debt = debt,
                              .largest_imbalance = debt + of_one_kick,
                              .largest_unpaid_debt = unpaid,
                              .clipped_kicks = clipped},
                             warnings);
    std::string all;
    for (const Warning& warning : warnings) all += warning.subject + ";";
    return all;
  };
  EXPECT_EQ(subjects(199, 0, 1e-6), "");
  EXPECT_EQ(subjects(199, 1, 1e-8), "") << "0.5 %";
  EXPECT_EQ(subjects(100, 1, 1e-8), "clipped kicks;");
  EXPECT_EQ(subjects(99, 99, 1e-8), "") << "too few events to tell";
  EXPECT_EQ(subjects(100, 46, 1e-10), "") << "rounding, as of a body that turns freely";
  EXPECT_EQ(subjects(100, 46, 6e-8, 1e-11), "") << "rounding that has added up";
  EXPECT_EQ(subjects(100, 46, 2e-7, 1e-11), "clipped kicks;") << "too much for that";
  EXPECT_EQ(subjects(10, 0, 1.1e-6), "debt of a kick;");
  EXPECT_EQ(subjects(10, 0, 9.9e-6, 1e-8, 0), "") << "the next kick paid it";
  EXPECT_EQ(subjects(10, 0, 1.1e-5, 1e-8, 0), "debt of a kick;") << "much, though it did";
  EXPECT_EQ(subjects(200, 2, 1), "debt of a kick;clipped kicks;");
}

}  // namespace
}  // namespace terrace::clocked_energy_stepping_test
