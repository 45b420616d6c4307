// Rigid walls under energy-stepping together with other walls at the same place, gravity, several groups of
// particles, localizations and ranks; and the error of impacts without end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"

namespace terrace::particles_in_walls_test {
namespace {

RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, (1 / norm(normal)) * normal, 0, true, {}};
}
Interaction wall(const std::string& name, std::vector<std::vector<RegionPart>> pieces, bool outside = false) {
  Interaction of;
  of.name = of.where = name;
  of.kind = InteractionKind::step;
  of.strength = infinity;
  of.region = {std::move(pieces), outside};
  return of;
}
/// A rigid wall everywhere but in the cube [0, size]³.
Interaction box(double size) {
  std::vector<RegionPart> sides;
  for (std::size_t d = 0; d < 3; ++d)
    for (const double side : {0.0, 1.0}) {
      Vector3 point{}, normal{};
      point[d] = side * size;
      normal[d] = 2 * side - 1;
      sides.push_back(half_space(point, normal));
    }
  return wall("box", {sides}, true);
}
Interaction spring(double stiffness, double length) {
  Interaction of;
  of.name = of.where = "spring";
  of.kind = InteractionKind::spring;
  of.strength = stiffness;
  of.length = length;
  return of;
}
struct WithWalls : SmallParticles {
  WithWalls(const Model& of, double energy_step, const LocalizationEntry& choice = {LocalizationKind::global},
            MPI_Comm handle = MPI_COMM_SELF)
      : SmallParticles(of, energy_step, choice, handle, {.walls_reflect = true}),
        integrator(lagrangian, state) {}
  void go(double until) {
    while (integrator.advance(state, until)) continue;
  }
  EnergyStepping integrator;
};

// The walls of a corner belong to several potentials, each with a terrace of its own. One wall is there
// twice.
TEST(ParticlesInWalls, CornersOfSeveralWalls) {
  std::vector<Interaction> walls = {wall("again", {{half_space({1, 0, 0}, {-1, 0, 0})}})};
  for (std::size_t d = 0; d < 3; ++d)
    for (const double side : {0.0, 1.0}) {
      Vector3 point{}, normal{};
      point[d] = side;
      normal[d] = 1 - 2 * side;
      walls.push_back(wall("wall " + std::to_string(walls.size()), {{half_space(point, normal)}}));
    }
  for (const double off : {0.0, 1e-15, 1e-12}) {
    WithWalls system(particles_model(3, 1, {{0.5, 0.5, 0.5}}, {{1, 1 + off, 1}}, walls), 1);
    for (const double end : {0.75, 5.25, 20.25}) {
      system.go(end);
      for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_NEAR(system.position(0)[d], end == 5.25 ? 0.25 : 0.75, 1e-9) << off << ", " << end;
        EXPECT_NEAR(std::abs(system.state.lines[0].velocity[d]), 1, 1e-9);
      }
    }
    EXPECT_EQ(system.integrator.reflections(), 3 * 20) << off << ": the same wall twice reflects once";
  }
}

// A particle on a floor is never below it. It was thrown downwards, and comes back to the height of its start
// and v²/2g more.
TEST(ParticlesInWalls, WithGravity) {
  Model model = particles_model(2, 2, {{0, 1, 0}}, {{0.3, -0.13, 0}},
                                {wall("floor", {{half_space({0, 0, 0}, {0, 1, 0})}})});
  model.gravity = {0, -10, 0};
  WithWalls system(model, 0.01);
  const auto first = system.diagnostics.measure(system.state, system.integrator);
  double highest = 0, lowest = 1;
  while (system.integrator.advance(system.state, 20)) {
    const double height = system.position(0)[1];
    lowest = std::min(lowest, height);
    if (system.state.time > 10) highest = std::max(highest, height);
  }
  const auto last = system.diagnostics.measure(system.state, system.integrator);
  EXPECT_GE(lowest, -1e-12);
  EXPECT_NEAR(highest, 1.000845, 5e-4) << "v²/2g more than the start, to an energy step over m g";
  EXPECT_NEAR(last.system.energy, first.system.energy, 1e-12);
  EXPECT_EQ(last.total_momentum, first.total_momentum) << "the ledgers of floor and gravity included";
  EXPECT_EQ(system.state.lines[0].velocity[0], 0.3);
}

// A wall `on` one body lets the other through.
TEST(ParticlesInWalls, OfOneBody) {
  Model model = particles_model(2, 1, {{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 0, 0}},
                                {wall("wall", {{half_space({1, 0, 0}, {-1, 0, 0})}})});
  Body second = model.bodies[0];
  model.bodies[0].node_count = second.node_count = second.first_node = 1;
  second.name = "others";
  model.bodies.push_back(second);
  for (const std::int32_t on : {-1, 0, 1}) {
    model.particles.interactions[0].groups[0] = on;
    WithWalls system(model, 1);
    system.go(3);
    EXPECT_EQ(system.position(0)[0], on == 1 ? 3 : -1) << on;
    EXPECT_EQ(system.position(1)[0], on == 0 ? 3 : -1) << on;
  }
}

Model three_in_a_box() {
  return particles_model(3, 1, {{0.2, 0.2, 0.3}, {0.6, 0.5, 0.4}, {0.3, 0.8, 0.7}},
                         {{1, 0.5, -0.3}, {-0.3, 0.9, 0.2}, {0.7, 0.2, 0.4}}, {spring(1, 0.3), box(1)});
}

TEST(ParticlesInWalls, InEveryLocalization) {
  for (const LocalizationEntry& choice :
       {LocalizationEntry{LocalizationKind::global}, LocalizationEntry{LocalizationKind::bodies},
        LocalizationEntry{LocalizationKind::clusters, 2}, LocalizationEntry{LocalizationKind::pairs}}) {
    WithWalls system(three_in_a_box(), 0.005, choice);
    const auto first = system.diagnostics.measure(system.state, system.integrator);
    while (system.integrator.advance(system.state, 20))
      for (std::size_t a = 0; a < 3; ++a)
        for (const double x : system.position(a)) ASSERT_NEAR(x, 0.5, 0.5 + 1e-12);
    const auto last = system.diagnostics.measure(system.state, system.integrator);
    EXPECT_NEAR(last.system.energy, first.system.energy, 1e-13);
    EXPECT_EQ(last.total_momentum, first.total_momentum);
    EXPECT_GT(system.integrator.reflections(), 60);
  }
}

// Springs and walls may be subdomains of different ranks: the events are the same.
TEST(OnRanksParticlesInWalls, EventsLeadToTheStateThatOneRankComesTo) {
  const LocalizationEntry choice{LocalizationKind::pairs};
  WithWalls all(three_in_a_box(), 0.005, choice, MPI_COMM_WORLD), one(three_in_a_box(), 0.005, choice);
  for (int event = 0; event < 1500; ++event) {
    ASSERT_TRUE(all.integrator.advance(all.state, infinity));
    ASSERT_TRUE(one.integrator.advance(one.state, infinity));
    ASSERT_EQ(all.state.time, one.state.time) << event;
  }
  EXPECT_EQ(all.integrator.reflections(), one.integrator.reflections());
  for (std::size_t a = 0; a < all.lagrangian.global_nodes.size(); ++a) {
    const auto whole = static_cast<std::size_t>(all.lagrangian.global_nodes[a]);
    EXPECT_EQ(all.position(a), one.position(whole));
    EXPECT_EQ(all.state.lines[a].velocity, one.state.lines[whole].velocity);
  }
}

// Impacts in a small box, 80,000 within 1e-7 s, are not impacts without end: they are evenly spaced.
TEST(ParticlesInWalls, ManyImpactsInASmallBox) {
  WithWalls system(particles_model(3, 6.6e-26, {{5e-10, 2.5e-10, 4e-10}}, {{500, 300, 0}}, {box(1e-9)}),
                   1e-20);
  system.go(1e-7);
  EXPECT_EQ(system.integrator.reflections(), 50000 + 30000);
}

// Nor are those in a weak field, whose stable step is long.
TEST(ParticlesInWalls, ManyImpactsInAWeakField) {
  WithWalls system(particles_model(3, 1, {{0.5, 0.25, 0.4}}, {{1, 0, 0}}, {harmonic({0, 1e-12, 0}), box(1)}),
                   1e-3);
  system.go(12000);
  EXPECT_EQ(system.integrator.reflections(), 12000);
}

// A particle that flies nearly along a circle, from one impact to the next in chords of 2e-7 of its radius.
TEST(ParticlesInWalls, ImpactsWithoutEndAreToldOfTheWall) {
  RegionPart circle{RegionPart::Kind::ball, {}, {}, 1, true, {}};
  WithWalls system(particles_model(2, 1, {{0, 1, 0}}, {{1, 1e-7, 0}}, {wall("circle", {{circle}}, true)}), 1);
  try {
    system.go(20);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string told = error.what();
    for (const char* part : {"wall circle, time 0.00", "expected fewer than 10010 impacts within",
                             ", in which a particle goes a thousandth of the", "wall's size at most",
                             "more, as along a curved wall or deep in a wedge"})
      EXPECT_THAT(told, testing::HasSubstr(part));
    EXPECT_THAT(told, testing::Not(testing::HasSubstr("contact.model")));
    EXPECT_TRUE(error.on_all_ranks());
  }
}

}  // namespace
}  // namespace terrace::particles_in_walls_test
