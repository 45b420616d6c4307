// The momentum that walls, fields, gravity and steps of a potential receive under methods whose impulses are
// no whole quanta: each receives its own, and all together what the nodes lose, up to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "dynamics/piecewise/discontinuous_potential.hpp"
#include "dynamics/piecewise/force_stepping.hpp"
#include "dynamics/steps/labudde_greenspan.hpp"
#include "numerics/infinity.hpp"
#include "support/small_particles.hpp"
#include "support/small_system.hpp"

namespace terrace::received_momenta_test {
namespace {

Interaction step_of(const std::string& name, double height, std::vector<std::vector<RegionPart>> pieces) {
  Interaction of;
  of.name = of.where = name;
  of.kind = InteractionKind::step;
  of.strength = height;
  of.region.pieces = std::move(pieces);
  return of;
}
RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, normal, 0, true};
}
Interaction named(const std::string& name, Interaction of) {
  of.name = of.where = name;
  return of;
}

/// Runs to `end` at least, and returns the rows of bodies.csv there: of bodies, then of reactions.
std::vector<BodyRecord> rows_at(SmallParticles& system, Integrator& integrator, double end) {
  while (integrator.advance(system.state, end)) {
  }
  integrator.bring_up_to_date(system.state);
  return system.diagnostics.measure(system.state, integrator).bodies;
}

/// |Σ p − Σ p(0) + Σ received| over the largest momentum of a row: 0 if the ledgers hold all that was lost.
double gap_of_ledgers(const SmallParticles& system, const std::vector<BodyRecord>& rows) {
  Vector3 sum{};
  double size = 0;
  for (std::size_t a = 0; a < system.model.masses.size(); ++a)
    sum -= system.model.masses[a] * system.model.velocities[a];
  for (const BodyRecord& row : rows) {
    sum += row.momentum;
    size = std::max(size, norm(row.momentum));
  }
  return norm(sum) / size;
}

const std::vector<StepMethod> methods_of_many = {StepMethod::kick_drift_kick, StepMethod::kick_drift,
                                                 StepMethod::forward_euler,   StepMethod::reversible,
                                                 StepMethod::runge_kutta,     StepMethod::adaptive};

// Snell's law: p_x = 2 becomes √2 where W = 1/2, and −2 where W is more than the normal part of K.
TEST(ReceivedMomenta, AStepGetsWhatRefractionAndReflectionTake) {
  std::vector<StepMethod> methods = methods_of_many;
  methods.push_back(StepMethod::penalty);
  for (const StepMethod method : methods)
    for (const auto& [height, expected] : {std::pair(0.5, 2 * (1 - std::sqrt(0.5))), std::pair(1.5, 4.0)}) {
      SmallParticles system(particles_model(2, 2, {{-1, -1, 0}}, {{1, 1, 0}},
                                            {step_of("step", height, {{half_space({0, 0, 0}, {-1, 0, 0})}})}),
                            1);
      const double steepness = method == StepMethod::penalty ? 1000 : 0;
      DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, steepness},
                                        steepness > 0 ? 1e-4 : 0.1);
      const std::vector<BodyRecord> rows = rows_at(system, integrator, 3);
      ASSERT_EQ(rows.size(), 2U);
      EXPECT_EQ(rows[1].name, "step");
      EXPECT_NEAR(rows[1].momentum[0], expected, steepness > 0 ? 1e-3 : 1e-14);
      EXPECT_LE(gap_of_ledgers(system, rows), 1e-12);
    }
}

// Two particles of mass 2 between rigid walls at 0 and 2. Until t = 9.995 the first is reflected five times,
// the second twice; the momentum is 1 at the start and −3 at the end. One potential makes both walls, so that
// one ledger holds the sum. At t = 9 the first has been reflected four times: 2 (1 − 0.5) again, and nothing
// in the ledger, though the last reflection gave −4.
TEST(ReceivedMomenta, RigidWallsGetTwiceWhatTheyTurnBack) {
  SmallParticles system(
      particles_model(1, 2, {{0.3, 0, 0}, {1.7, 0, 0}}, {{1, 0, 0}, {-0.5, 0, 0}},
                      {step_of("box", infinity,
                               {{half_space({0, 0, 0}, {1, 0, 0})}, {half_space({2, 0, 0}, {-1, 0, 0})}})}),
      1);
  DiscontinuousPotential integrator(system.lagrangian, system.state, {}, 0.01);
  const std::vector<BodyRecord> rows = rows_at(system, integrator, 9.995);
  EXPECT_NEAR(rows[1].momentum[0], 4, 1e-13);
  EXPECT_NEAR(rows[0].momentum[0], -3, 1e-13);

  SmallParticles before(system.model, 1);
  DiscontinuousPotential until_then(before.lagrangian, before.state, {}, 0.01);
  const std::vector<BodyRecord> then = rows_at(before, until_then, 9);
  EXPECT_NEAR(then[1].momentum[0], 0, 1e-13);
  EXPECT_NEAR(then[0].momentum[0], 1, 1e-13);
}

// Pairs, a field, a wall, a step and gravity at once: gravity receives −M g t, whatever else acts.
TEST(ReceivedMomenta, AllThatActsFromOutsideIsToldApart) {
  for (const StepMethod method : methods_of_many) {
    Model model = particles_model(2, 2, {{-0.5, 0.2, 0}, {0.9, 0.3, 0}}, {{0.4, 1, 0}, {-0.3, -1, 0}},
                                  {lennard_jones(0.1, 0.5), harmonic({3, 5, 0}, {0.1, 0, 0}),
                                   step_of("step", 0.05, {{half_space({0.2, 0, 0}, {-1, 0, 0})}})});
    model.walls = {{"floor", {0, -0.4, 0}, {0, 1, 0}, 200}};
    model.gravity = {0.3, -1, 0};
    SmallParticles system(model, 1);
    DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, 0}, 1e-3);
    const std::vector<BodyRecord> rows = rows_at(system, integrator, 2);
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_LE(gap_of_ledgers(system, rows), 1e-12);
    const double time = system.state.time;
    EXPECT_EQ(rows[4].name, "gravity");
    EXPECT_NEAR(rows[4].momentum[0], -4 * 0.3 * time, 1e-12);
    EXPECT_NEAR(rows[4].momentum[1], 4 * time, 1e-12);
    EXPECT_EQ(rows[1].name, "floor");
    EXPECT_LT(rows[1].momentum[1], -1);
    EXPECT_EQ(rows[1].momentum[0], 0);
    EXPECT_NE(rows[3].momentum[0], 0);
    EXPECT_EQ(rows[3].momentum[1], 0);
  }
}

// DP2 moves on exact arcs of the quadratic expansion of U at the interface, for each part of U by itself; its
// triple jump takes some arcs back in time.
TEST(ReceivedMomenta, OfExactArcsToo) {
  for (const StepMethod method : {StepMethod::quadratic, StepMethod::quadratic_strang})
    for (const double step : {0.01, 1.7}) {
      Model model = particles_model(1, 2, {{-1, 0, 0}}, {{1.2, 0, 0}},
                                    {harmonic({1, 0, 0}), named("soft", harmonic({0.5, 0, 0}, {0.3, 0, 0})),
                                     step_of("step", 0.3, {{half_space({0.5, 0, 0}, {-1, 0, 0})}})});
      model.gravity = {0.2, 0, 0};
      SmallParticles system(model, 1);
      DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, 0}, step);
      const std::vector<BodyRecord> rows = rows_at(system, integrator, 20);
      ASSERT_EQ(rows.size(), 5U);
      EXPECT_LE(gap_of_ledgers(system, rows), 1e-11);
      const double time = system.state.time;
      EXPECT_NEAR(rows[4].momentum[0], -0.4 * time, 1e-11);
      // The field "soft" receives ∫ (x − 0.3) / 2 dt, half of the other's ∫ x dt less 0.15 t for its centre.
      EXPECT_NEAR(rows[2].momentum[0], 0.5 * rows[1].momentum[0] - 0.15 * time, 1e-11);
      EXPECT_NE(rows[3].momentum[0], 0);
    }
}

// In a harmonic field the motion, and so the impulse, has a closed form (1e-5: steps of 1e-3, second order).
// Then two equal fields beside pairs: both receive the same.
TEST(ReceivedMomenta, FieldsGetWhatLaBuddeAndGreenspansMethodTakes) {
  const double frequency = std::sqrt(2.5), end = 2;
  const auto change = [&](double x, double v) {
    return 2 * (v - v * std::cos(frequency * end) + x * frequency * std::sin(frequency * end));
  };
  Model model = particles_model(3, 2, {{0.1, 0.03, 1}}, {{1, 2, 0.3}}, {harmonic({5, 5, 5})});
  SmallParticles system(model, 1);
  LaBuddeGreenspan integrator(system.lagrangian, system.state, 1e-3);
  const std::vector<BodyRecord> rows = rows_at(system, integrator, end);
  EXPECT_LE(gap_of_ledgers(system, rows), 1e-12);
  EXPECT_NEAR(rows[1].momentum[0], change(0.1, 1), 1e-5);
  EXPECT_NEAR(rows[1].momentum[1], change(0.03, 2), 1e-5);
  EXPECT_NEAR(rows[1].momentum[2], change(1, 0.3), 1e-5);

  // Two fields of half the stiffness each, and pairs besides.
  Model several =
      particles_model(2, 1, {{0.5, 0, 0}, {-0.4, 0.3, 0}}, {{0, 1, 0}, {0, -0.5, 0}},
                      {harmonic({2, 2, 0}), named("other", harmonic({2, 2, 0})), lennard_jones(0.1, 0.4)});
  SmallParticles shared(several, 1);
  LaBuddeGreenspan method(shared.lagrangian, shared.state, 1e-3);
  const std::vector<BodyRecord> both = rows_at(shared, method, end);
  ASSERT_EQ(both.size(), 3U);
  EXPECT_LE(gap_of_ledgers(shared, both), 1e-12);
  EXPECT_GT(norm(both[1].momentum), 0.1);
  EXPECT_EQ(both[1].momentum, both[2].momentum);
}

ForceStepping walk_of(const Lagrangian& system, State& state, double spacing, bool parity = false,
                      Reduction reduction = Reduction::none) {
  GridChoice grid;
  grid.spacing.fill(spacing);
  grid.spacing[1] *= 1.1;
  grid.offset = parity ? 0 : 0.618033988749895;
  grid.parity = parity;
  grid.reduction = reduction;
  return {system, state, grid};
}

// Without internal forces the ledgers are exact also on a grid: two particles that bounce on a floor, a field
// and gravity, on grids symmetric about 0 and on shifted ones. The impulse of the field is compared with that
// of the exact motion, from which the motion on the grid is a little off: 0.02.
TEST(ReceivedMomenta, ForceSteppingTellsReactionsApart) {
  for (const bool parity : {false, true}) {
    Model model = particles_model(3, 2, {{0.1, 0.03, 1}, {-0.2, 0.3, 0.5}}, {{1, 2, 0.3}, {0.3, -1, -1}},
                                  {harmonic({5, 5, 0})});
    model.walls = {{"floor", {0, 0, -0.5}, {0, 0, 1}, 1e3}};
    model.gravity = {0, 0, -9.81};
    SmallParticles system(model, 1);
    ForceStepping walk = walk_of(system.lagrangian, system.state, 0.005, parity);
    EXPECT_TRUE(walk.books_reactions());
    const double end = 2;
    const std::vector<BodyRecord> rows = rows_at(system, walk, end);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_LE(gap_of_ledgers(system, rows), 1e-11);
    EXPECT_EQ(rows[1].name, "floor");
    EXPECT_LT(rows[1].momentum[2], -10);
    EXPECT_EQ(rows[1].momentum[0], 0);
    EXPECT_EQ(rows[3].name, "gravity");
    EXPECT_NEAR(rows[3].momentum[2], 4 * 9.81 * end, 1e-11);
    const double frequency = std::sqrt(2.5);
    double expected = 0;
    for (const auto& [x, v] : {std::pair(0.1, 1.0), std::pair(-0.2, 0.3)})
      expected += 2 * (v - v * std::cos(frequency * end) + x * frequency * std::sin(frequency * end));
    EXPECT_NEAR(rows[2].momentum[0], expected, 0.02);
    EXPECT_EQ(rows[2].momentum[2], 0);
  }
}

// Internal forces, of elements as of pairs, do not quite cancel on the grid: the wall's ledger agrees with
// the momentum of the body to 2 %. What gravity receives is exact.
TEST(ReceivedMomenta, ForceSteppingOfAMeshBooksItsWallAndWeight) {
  Deck deck = spinning_cube(1);
  deck.bodies[0].velocity = {0.1, 0, -0.5};
  deck.walls = {{"floor", {0, 0, -0.55}, {0, 0, 1}, 1}};
  deck.gravity = {0, 0.01, 0};
  SmallSystem system(deck);
  ForceStepping walk = walk_of(system.lagrangian, system.state, 0.02);
  const Vector3 before = system.record(walk).momentum;
  const double end = 2;
  while (walk.advance(system.state, end)) {
  }
  const std::vector<BodyRecord> rows = system.diagnostics.measure(system.state, walk).bodies;
  ASSERT_EQ(rows.size(), 3U);
  double mass = 0;
  for (const double of_node : system.lagrangian.masses) mass += of_node;
  EXPECT_NEAR(rows[2].momentum[1], -mass * 0.01 * end, 1e-13);
  const double gained = rows[0].momentum[2] - before[2];
  EXPECT_GT(gained, 0.05);
  EXPECT_NEAR(rows[1].momentum[2], -gained, 0.02 * gained);
  EXPECT_EQ(rows[1].momentum[0], 0);
}

// With the radius as coordinate one field receives what the planet loses, to the quantum. The shares of two
// fields are not known, nor is what supports receive: then the rows of all reactions are nan.
TEST(ReceivedMomenta, ForceSteppingSaysWhatItDoesNotKnow) {
  for (const bool two : {false, true}) {
    std::vector<Interaction> fields = {harmonic({1, 1, 0})};
    if (two) fields.push_back(named("other", harmonic({2, 2, 0})));
    SmallParticles planet(particles_model(2, 1, {{1, 0.1, 0}}, {{0, 1, 0}}, fields), 1);
    const IntegerMomentum before = planet.diagnostics.total_momentum(planet.state);
    ForceStepping walk = walk_of(planet.lagrangian, planet.state, 0.01, false, Reduction::rotations);
    const std::vector<BodyRecord> rows = rows_at(planet, walk, 1);
    EXPECT_EQ(walk.books_reactions(), !two);
    EXPECT_EQ(std::isnan(rows[1].momentum[0]), two);
    EXPECT_EQ(std::isnan(rows[1].contact_force[2]), two);
    EXPECT_FALSE(std::isnan(rows[0].momentum[0]));
    if (two) continue;
    EXPECT_TRUE(planet.diagnostics.total_momentum(planet.state) == before);
    EXPECT_GT(std::abs(rows[1].momentum[0]), 0.5);
  }
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.gravity = {0, 0, -0.01};
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::box;
  foot.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  deck.supports = {foot};
  SmallSystem held(deck);
  ForceStepping walk = walk_of(held.lagrangian, held.state, 0.02);
  const std::vector<BodyRecord> rows = held.diagnostics.measure(held.state, walk).bodies;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(walk.books_reactions());
  EXPECT_FALSE(std::isnan(rows[0].momentum[0]));
  EXPECT_TRUE(std::isnan(rows[1].momentum[0]) && std::isnan(rows[2].contact_force[0]));
}

}  // namespace
}  // namespace terrace::received_momenta_test
