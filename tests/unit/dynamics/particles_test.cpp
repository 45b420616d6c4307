// Energy-stepping and Newmark on particles: the promises, the published energy, and the published failures,
// each of which a warning must name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/system/particle_localization.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"
#include "support/warning_texts.hpp"

namespace terrace::particles_test {
namespace {

Interaction sun() {
  Interaction centre;
  centre.name = centre.where = "sun";
  centre.kind = InteractionKind::central;
  centre.strength = 1;
  return centre;
}

// Published: −10.519 in 2.5.1, −10.51928 in 3.6.2. With the constants of argon_cluster the sum is −10.519254,
// hence the tolerance.
TEST(Particles, ArgonHasItsPublishedEnergy) {
  SmallParticles argon(argon_cluster(), 0.1);
  EXPECT_NEAR(argon.survey.potential + initial_kinetic_energy(argon.model), -10.51928, 5e-5);
}

TEST(Particles, TheStableStepHeedsContactsToCome) {
  Interaction contact;
  contact.name = contact.where = "contact";
  contact.kind = InteractionKind::hertz;
  contact.strength = 1e4;
  contact.length = 1;
  const Model apart = particles_model(1, 1, {{0, 0, 0}, {1.5, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}, {contact});
  // Particles approach at most until the contact stores their kinetic energy, 2/5 k δ^{5/2} = 1/2. There
  // ω² = 2 · 3/2 k √δ, as both ends have mass 1; the stable step is 2/ω.
  const double approach = std::pow(1.25e-4, 0.4);
  const double step = 2 / std::sqrt(3e4 * std::sqrt(approach));
  EXPECT_NEAR(SmallParticles(apart, 0.1).survey.stable_step, step, 1e-9);
  // Another potential does not hide the stiffness to come, nor does a contact that has hardly begun.
  Interaction well;
  well.name = well.where = "well";
  well.kind = InteractionKind::harmonic;
  well.direction = {1e-3, 0, 0};
  const Model held = particles_model(1, 1, {{0, 0, 0}, {1.5, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}, {contact, well}),
              begun =
                  particles_model(1, 1, {{0, 0, 0}, {1 - 1e-10, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}, {contact});
  EXPECT_NEAR(SmallParticles(held, 0.1).survey.stable_step, step, 1e-3 * step);
  EXPECT_NEAR(SmallParticles(begun, 0.1).survey.stable_step, step, 1e-3 * step);
}

class ArgonWith : public testing::TestWithParam<LocalizationKind> {
 protected:
  ArgonWith()
      : argon(argon_cluster(), 0.05, {.kind = GetParam(), .parts = 3}),
        integrator(argon.lagrangian, argon.state) {}
  SmallParticles argon;
  EnergyStepping integrator;
};

INSTANTIATE_TEST_SUITE_P(Localizations, ArgonWith,
                         testing::Values(LocalizationKind::global, LocalizationKind::clusters,
                                         LocalizationKind::pairs));

// Promises P1 to P3 (energy, linear and angular momentum) on negative levels.
TEST_P(ArgonWith, EnergyAndMomentaAreKept) {
  const auto first = argon.diagnostics.measure(argon.state, integrator);
  for (int event = 0; event < 3000; ++event) ASSERT_TRUE(integrator.advance(argon.state, infinity));
  const auto last = argon.diagnostics.measure(argon.state, integrator);
  EXPECT_LT(first.system.terraced, 0);
  EXPECT_NEAR(last.system.energy, first.system.energy, 1e-13 * std::abs(first.system.energy));
  EXPECT_EQ(last.total_momentum, first.total_momentum);
  EXPECT_NEAR(last.system.own_angular_momentum[2], first.system.own_angular_momentum[2], 1e-12);
  EXPECT_EQ(last.system.own_angular_momentum[0], 0) << "they stay in their plane";
  // V and Σ h k differ by less than a step of each terrace.
  EXPECT_LT(std::abs(last.system.potential - last.system.terraced),
            0.05 * static_cast<double>(argon.lagrangian.subdomains.size()));
}

// P7: forward, every velocity turned round, and back again.
TEST(Particles, EnergySteppingIsReversible) {
  SmallParticles argon(argon_cluster(), 0.05);
  std::vector<Vector3> start;
  for (std::size_t a = 0; a < 7; ++a) start.push_back(argon.position(a));
  double time = 0;
  {
    EnergyStepping forward(argon.lagrangian, argon.state);
    for (int event = 0; event < 60; ++event) ASSERT_TRUE(forward.advance(argon.state, infinity));
    time = argon.state.time + 0.3 * 1e-3;
    while (forward.advance(argon.state, time)) continue;
  }
  time = argon.state.time;
  std::vector<Vector3> velocities, places;
  for (std::size_t a = 0; a < 7; ++a) {
    velocities.push_back(-1 * argon.state.lines[a].velocity);
    places.push_back(argon.position(a));
  }
  Model back = argon.model;
  back.positions = places;
  back.velocities = velocities;
  SmallParticles again(back, 0.05);
  EnergyStepping backward(again.lagrangian, again.state);
  while (backward.advance(again.state, time)) continue;
  for (std::size_t a = 0; a < 7; ++a) EXPECT_LT(norm(again.position(a) - start[a]), 1e-9) << a;
}

TEST(Particles, EveryEventUndoneAndDoneAgainGivesTheSameBits) {
  SmallParticles argon(argon_cluster(), 0.05, {LocalizationKind::pairs});
  CheckingExecutor checking(std::make_unique<EnergyStepping>(argon.lagrangian, argon.state));
  for (int event = 0; event < 300; ++event) ASSERT_TRUE(checking.advance(argon.state, infinity));
}

// Velocity Verlet is of second order: the energy error falls by four with half the step.
TEST(Particles, NewmarkIsOfSecondOrder) {
  const auto error = [](double step) {
    SmallParticles argon(argon_cluster(), 1);
    Newmark newmark(argon.lagrangian, argon.state, step);
    const double start = argon.record(newmark).energy;
    double largest = 0;
    while (newmark.advance(argon.state, 1)) {
      const double energy = argon.record(newmark).energy;
      largest = std::max(largest, std::abs(energy - start));
    }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(0.004) / error(0.002)), 2, 0.3);
}

TEST(Particles, PairsThatMemoryDoesNotHoldAreRefused) {
  const Model gas = particles_model(3, 1, std::vector<Vector3>(2000000), {}, {lennard_jones(1, 1)});
  EXPECT_THAT([&] { static_cast<void>(survey_particles(gas)); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("pairs, all that memory holds")));
}

TEST(Particles, MoreTerracesThanAreAllowedAreRefused) {
  const Model gas = particles_model(3, 1, std::vector<Vector3>(201), {}, {lennard_jones(1, 1)});
  EXPECT_THAT(
      [&] { static_cast<void>(localize_particles(gas, {LocalizationKind::pairs})); },
      testing::ThrowsMessage<Error>(testing::HasSubstr(
          "at most 20000 terraces of particles: \"clusters\" with fewer localization.parts, found more")));
}

// Pairs between two groups number N₁ N₂ = 50,000 · 3,950,000.
TEST(Particles, PairsOfTwoGroupsAreCountedAsTheyAre) {
  Interaction between = lennard_jones(1, 1);
  between.groups = {0, 1};
  Model groups = particles_model(3, 1, std::vector<Vector3>(4000000), {}, {between});
  groups.bodies.push_back(groups.bodies.front());
  groups.bodies[0].node_count = groups.bodies[1].first_node = 50000;
  groups.bodies[1].node_count = 3950000;
  EXPECT_THAT([&] { static_cast<void>(survey_particles(groups)); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("2e+11")));
}

// Two atoms at a hundredth of their diameter have V = 4e24. A start beyond level 2^50, where a double hardly
// tells a level from the next, is refused: the energy step must be at least 4e24 / 2^50 = 3.55e9. With 1e-3
// the level would also be beyond all 64-bit integers.
TEST(Particles, MoreLevelsThanADoubleTellsApartAreRefused) {
  const Model near = particles_model(1, 1, {{0, 0, 0}, {0.01, 0, 0}}, {}, {lennard_jones(1, 1)});
  for (const double step : {1e-3, 1e5, 3e9}) {
    SmallParticles atoms(near, step);
    try {
      EnergyStepping integrator(atoms.lagrangian, atoms.state);
      ADD_FAILURE() << "no error with " << step;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      EXPECT_THAT(error.what(),
                  testing::HasSubstr(
                      "an energy step of at least 3.55e+09 for a potential energy of 4e+24 at the start"));
    }
  }
  SmallParticles atoms(near, 4e9);
  EXPECT_NO_THROW(EnergyStepping(atoms.lagrangian, atoms.state));
}

// A pair is a tenth of an element's work, and counts as a whole one; an event takes 2 to 20 evaluations.
TEST(Particles, TheWorkOfAFewPairsIsCounted) {
  Interaction spring;
  spring.name = spring.where = "spring";
  spring.kind = InteractionKind::spring;
  spring.strength = 1;
  spring.length = 1;
  SmallParticles pair(particles_model(1, 1, {{0, 0, 0}, {1.2, 0, 0}}, {{0.1, 0, 0}}, {spring}), 1e-4);
  EnergyStepping integrator(pair.lagrangian, pair.state);
  constexpr int events = 200;
  for (int event = 0; event < events; ++event) ASSERT_TRUE(integrator.advance(pair.state, infinity));
  EXPECT_GT(integrator.element_evaluations(), 2 * events);
  EXPECT_LT(integrator.element_evaluations(), 20 * events);
}

// A particle of mass 3 on a circular orbit about a fixed centre, over one radian: what it loses is in the
// centre's ledger, to the quantum. Both together keep the 3 along y that the particle had at the start.
TEST(Particles, FieldsHaveALedger) {
  SmallParticles planet(particles_model(2, 3, {{1, 0, 0}}, {{0, 1, 0}}, {sun()}), 1e-4);
  EnergyStepping integrator(planet.lagrangian, planet.state);
  const auto first = planet.diagnostics.measure(planet.state, integrator);
  while (integrator.advance(planet.state, 1)) continue;
  const auto last = planet.diagnostics.measure(planet.state, integrator, true);
  EXPECT_EQ(last.total_momentum, first.total_momentum);
  ASSERT_EQ(last.bodies.size(), 2U);
  EXPECT_EQ(last.bodies[1].name, "sun");
  EXPECT_NEAR(last.bodies[1].momentum[0], 3 * std::sin(1), 0.02) << "three times what turned by one radian";
  for (std::size_t d = 0; d < 2; ++d)
    EXPECT_NEAR(last.bodies[1].momentum[d] + last.bodies[0].momentum[d], d == 1 ? 3 : 0, 1e-12);
}

// Example 2.4.2: the particle moves along a level of V, so that it never reaches the edge of its terrace.
TEST(PublishedFailure, UniformMotionIsNamed) {
  SmallParticles one(particles_model(2, 1, {{1, 0, 0}}, {{0, 1, 0}}, {harmonic({1, 0, 0})}), 0.01);
  EnergyStepping integrator(one.lagrangian, one.state);
  EXPECT_FALSE(integrator.advance(one.state, 6));
  EXPECT_EQ(one.position(0), (Vector3{1, 6, 0}));
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_THAT(texts_of(warnings),
              testing::ElementsAre(testing::HasSubstr("stayed on one terrace from t = 0")));
}

// At rest it does not reach an edge either, so that a force has no effect, of which a warning tells. Without
// a force there is none.
TEST(Particles, AtRestWithAForceAreNamed) {
  for (const double force : {1.0, 0.0}) {
    SmallParticles one(particles_model(2, 1, {{force, 0, 0}}, {{0, 0, 0}}, {harmonic({1, 0, 0})}), 0.01);
    EnergyStepping integrator(one.lagrangian, one.state);
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    EXPECT_THAT(warnings, testing::IsEmpty()) << "no time has passed";
    EXPECT_FALSE(integrator.advance(one.state, 6));
    integrator.describe_trouble(warnings);
    if (force > 0)
      EXPECT_THAT(texts_of(warnings), testing::ElementsAre(testing::HasSubstr("is at rest and has a force")));
    else
      EXPECT_THAT(warnings, testing::IsEmpty());
  }
}

// Example 2.4.3: the particle stays near the level V = (k + 1) h, on a polygon; the exact ellipse comes as
// near to the centre as 0.5.
TEST(PublishedFailure, PolygonInsteadOfAnEllipseIsNamed) {
  SmallParticles one(particles_model(2, 1, {{1, 0, 0}}, {{0, 0.5, 0}}, {harmonic({1, 1, 0})}), 0.009);
  EnergyStepping integrator(one.lagrangian, one.state);
  double nearest = 1;
  while (integrator.advance(one.state, 12)) nearest = std::min(nearest, norm(one.position(0)));
  EXPECT_GT(nearest, 0.98);
  EXPECT_GT(integrator.reflections(), 9 * integrator.events() / 10);
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_THAT(texts_of(warnings), testing::Contains(testing::HasSubstr("rode one energy level")));
}

// Example 2.4.1: ten levels take all but 1e-6 of the energy 1/2, so that the particle goes from √(20 h) to
// √(22 h) at the speed √(1 − 20 h), (2.67).
TEST(PublishedFailure, FrozenTurningPointIsNamed) {
  const double h = 0.0499999;
  SmallParticles one(particles_model(1, 1, {{0, 0, 0}}, {{1, 0, 0}}, {harmonic({1, 0, 0})}), h);
  EnergyStepping integrator(one.lagrangian, one.state);
  for (int event = 0; event < 10; ++event) ASSERT_TRUE(integrator.advance(one.state, infinity));
  const double top = one.state.time;
  ASSERT_TRUE(integrator.advance(one.state, infinity));
  EXPECT_EQ(integrator.reflections(), 1);
  EXPECT_NEAR(one.state.time - top, (std::sqrt(22 * h) - std::sqrt(20 * h)) / std::sqrt(1 - 20 * h), 1e-6);
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_THAT(texts_of(warnings), testing::Contains(testing::HasSubstr("stands at a turning point")));
}

// There is no warning in a well whose levels are crossed.
TEST(PublishedFailure, IsNotNamedWhereThereIsNone) {
  SmallParticles one(particles_model(1, 1, {{0, 0, 0}}, {{1, 0, 0}}, {harmonic({1, 0, 0})}), 0.0037);
  EnergyStepping integrator(one.lagrangian, one.state);
  while (integrator.advance(one.state, 30)) continue;
  EXPECT_GT(integrator.events(), 1000);
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_THAT(texts_of(warnings), testing::IsEmpty());
}

// Particles that nothing acts on fly on.
TEST(Particles, ThatAreFreeFly) {
  SmallParticles two(particles_model(3, 1, {{0, 0, 0}, {1, 2, 3}}, {{1, 0, 0}, {0, -1, 2}}, {}), 1);
  EnergyStepping integrator(two.lagrangian, two.state);
  EXPECT_FALSE(integrator.advance(two.state, 2));
  EXPECT_EQ(two.position(1), (Vector3{1, 0, 7}));
}

// e = 0.5, from the pericentre: back there after 2 pi, and three times as far away half way.
TEST(Particles, KeplerOrbitsClose) {
  SmallParticles planet(particles_model(2, 1, {{0.5, 0, 0}}, {{0, std::sqrt(3), 0}}, {sun()}), 1);
  Newmark newmark(planet.lagrangian, planet.state, 2 * 3.14159265358979 / 20000);
  double farthest = 0;
  while (newmark.advance(planet.state, 2 * 3.14159265))
    farthest = std::max(farthest, norm(planet.position(0)));
  EXPECT_NEAR(farthest, 1.5, 1e-5);
  EXPECT_LT(norm(planet.position(0) - Vector3{0.5, 0, 0}), 1e-4);
}

// Where V has no lowest value a run starts in the middle of a terrace, on a negative level. As in example
// 2.4.3 energy-stepping may stay near the pericentre: a warning says so, and energy and angular momentum are
// kept all the same.
TEST(Particles, EnergySteppingMayRideTheLevelOfAPericentre) {
  SmallParticles planet(particles_model(2, 1, {{0.5, 0, 0}}, {{0, std::sqrt(3), 0}}, {sun()}), 1e-4);
  EnergyStepping integrator(planet.lagrangian, planet.state);
  const SystemRecord start = planet.record(integrator);
  while (integrator.advance(planet.state, 6)) continue;
  const SystemRecord end = planet.record(integrator);
  EXPECT_NEAR(end.energy, start.energy, 1e-14);
  EXPECT_NEAR(end.angular_momentum[2], start.angular_momentum[2], 1e-12);
  EXPECT_LT(norm(planet.position(0)), 0.51);
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_THAT(texts_of(warnings), testing::Contains(testing::HasSubstr("rode one energy level")));
}

}  // namespace
}  // namespace terrace::particles_test
