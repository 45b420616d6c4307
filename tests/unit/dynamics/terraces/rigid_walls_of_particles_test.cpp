// Particles that energy-stepping reflects at walls and circles: the billiard in a circle, whose path is
// known, corners, and what is conserved with walls and springs together.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/infinity.hpp"
#include "potentials/particles/region_constraint.hpp"
#include "support/small_particles.hpp"

namespace terrace::rigid_walls_of_particles_test {
namespace {

RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, (1 / norm(normal)) * normal, 0, true};
}
RegionPart ball(const Vector3& centre, double radius, bool inside = true) {
  return {RegionPart::Kind::ball, centre, {}, radius, inside};
}
Interaction wall(std::vector<std::vector<RegionPart>> pieces, bool outside = false) {
  Interaction of;
  of.name = of.where = "wall";
  of.kind = InteractionKind::step;
  of.strength = infinity;
  of.region = {std::move(pieces), outside};
  return of;
}
/// Particles with walls that reflect, as energy-stepping wants them.
struct WithWalls : SmallParticles {
  WithWalls(const Model& of, double energy_step)
      : SmallParticles(of, energy_step, {LocalizationKind::global}, MPI_COMM_SELF, {.walls_reflect = true}) {}
};
Interaction circle() { return wall({{ball({}, 1)}}, true); }

// All chords of the path are equal: 2 √(1 − (L/v)²) with L = x × v, the moment of the velocity, which is
// kept.
TEST(RigidWallsOfParticles, BilliardInACircle) {
  WithWalls system(particles_model(2, 2.5, {{0.3, 0.2, 0}}, {{1, 0.5, 0}}, {circle()}), 1);
  EnergyStepping integrator(system.lagrangian, system.state);
  const Vector3 start = system.state.lines[0].velocity;
  const double speed = norm(start), moment = 0.3 * 0.5 - 0.2 * 1;
  const double chord = 2 * std::sqrt(1 - moment * moment / (speed * speed));
  ASSERT_TRUE(integrator.advance(system.state, infinity));
  Vector3 before = system.position(0);
  double time = system.state.time;
  for (int impact = 0; impact < 1000; ++impact) {
    ASSERT_TRUE(integrator.advance(system.state, infinity));
    const Vector3 now = system.position(0), v = system.state.lines[0].velocity;
    EXPECT_NEAR(norm(now), 1, 1e-12) << impact;
    EXPECT_NEAR(norm(now - before), chord, 1e-12) << impact;
    EXPECT_NEAR((system.state.time - time) * speed, chord, 1e-10) << impact;
    EXPECT_NEAR(norm(v), speed, 1e-13) << impact;
    EXPECT_NEAR(now[0] * v[1] - now[1] * v[0], moment, 1e-12) << impact;
    before = now;
    time = system.state.time;
  }
  EXPECT_EQ(integrator.reflections(), 1001);
}

// A particle leaves a right-angled corner with the opposite velocity.
TEST(RigidWallsOfParticles, CornerSendsBack) {
  const auto corner = wall({{half_space({1, 0, 0}, {-1, 0, 0})}, {half_space({0, 1, 0}, {0, -1, 0})}});
  WithWalls system(particles_model(2, 1, {{0.5, 0.25, 0}}, {{1, 1.5, 0}}, {corner}), 1);
  EnergyStepping integrator(system.lagrangian, system.state);
  while (integrator.advance(system.state, 4)) continue;
  EXPECT_EQ(integrator.reflections(), 2);
  EXPECT_EQ(system.state.lines[0].velocity, (Vector3{-1, -1.5, 0}));
}

// A wall beside springs: the ledger of the wall has what the particles lost, K + Σ h k stays, and every event
// can be undone and done again.
TEST(RigidWallsOfParticles, EnergyAndMomentumWithSprings) {
  Interaction spring;
  spring.name = spring.where = "spring";
  spring.kind = InteractionKind::spring;
  spring.strength = 1;
  spring.length = 0.3;
  const std::vector<std::vector<RegionPart>> box_with_pillar = {{half_space({1, 0, 0}, {-1, 0, 0})},
                                                                {half_space({-1, 0, 0}, {1, 0, 0})},
                                                                {half_space({0, 1, 0}, {0, -1, 0})},
                                                                {half_space({0, -1, 0}, {0, 1, 0})},
                                                                {ball({0.2, 0.1, 0}, 0.15)}};
  WithWalls system(
      particles_model(2, 1, {{0.6, 0.2, 0}, {-0.5, 0.1, 0}, {0.1, -0.6, 0}},
                      {{1, 0.5, 0}, {-0.3, 0.9, 0}, {0.7, 0.2, 0}}, {spring, wall(box_with_pillar)}),
      0.01);
  CheckingExecutor integrator(std::make_unique<EnergyStepping>(system.lagrangian, system.state));
  const auto first = system.diagnostics.measure(system.state, integrator);
  for (int event = 0; event < 2000; ++event) {
    ASSERT_TRUE(integrator.advance(system.state, infinity));
    for (std::size_t a = 0; a < 3; ++a) {
      const Vector3 x = system.position(a);
      ASSERT_LT(std::max(std::abs(x[0]), std::abs(x[1])), 1 + 1e-12) << event;
      ASSERT_GT(norm(x - Vector3{0.2, 0.1, 0}), 0.15 - 1e-12) << event;
    }
  }
  const auto last = system.diagnostics.measure(system.state, integrator);
  EXPECT_GT(integrator.reflections(), 20);
  EXPECT_NEAR(last.system.energy, first.system.energy, 1e-14);
  EXPECT_EQ(last.total_momentum, first.total_momentum) << "the wall's ledger included";
  EXPECT_NE(last.system.momentum[0], first.system.momentum[0]);
}

// Against dense samples: outside until the entry, inside behind it.
TEST(RegionEntry, IsTheFirstOnRandomLines) {
  constexpr unsigned seed = 71;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vector3{any(random), any(random), any(random)}; };
  int entries = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Region region;
    region.complement = any(random) > 0;
    for (int piece = 0; piece < 1 + trial % 3; ++piece) {
      region.pieces.emplace_back();
      for (int part = 0; part < 1 + trial % 2; ++part)
        region.pieces.back().push_back(
            any(random) > 0 ? half_space(vector(), vector())
                            : ball(vector(), 0.3 + 0.5 * std::abs(any(random)), any(random) > -0.6));
    }
    const Vector3 x = 2 * vector(), v = vector();
    if (region.contains(x)) continue;
    const auto entry = first_entry(region, x, v, 0);
    const double end = entry ? entry->instant : 20;
    for (int sample = 0; sample < 2000; ++sample)
      ASSERT_FALSE(region.contains(x + (end * (sample + 0.5) / 2000.5) * v)) << trial << ", " << sample;
    if (!entry) continue;
    ++entries;
    EXPECT_TRUE(region.contains(x + (end + 1e-9) * v)) << trial;
    EXPECT_NEAR(region.signed_distance(x + end * v), 0, 1e-13) << trial;
    EXPECT_LT(dot(entry->outward, v), 0) << trial;
    EXPECT_NEAR(norm(entry->outward), 1, 1e-14) << trial;
  }
  EXPECT_GT(entries, 50);
}

// A particle that rounding has put behind the surface comes out without another impact, and is reflected at
// once if it moves farther in.
TEST(RegionEntry, OfWhatIsAtTheSurface) {
  const Region floor{{{half_space({}, {0, 0, 1})}}, false};
  EXPECT_FALSE(first_entry(floor, {0, 0, -1e-17}, {1, 0, 0.5}, 0));
  const auto inwards = first_entry(floor, {0, 0, -1e-17}, {1, 0, -0.5}, 0);
  ASSERT_TRUE(inwards.has_value());
  EXPECT_EQ(inwards->instant, 0);
  EXPECT_EQ(inwards->outward, (Vector3{0, 0, 1}));
  EXPECT_FALSE(first_entry(floor, {0, 0, -1e-17}, {1, 0, 0}, 0)) << "slides";
  const Region outside{{{ball({}, 1)}}, true};
  EXPECT_TRUE(first_entry(outside, {1, 0, 0}, {0, 1, 0}, 0)) << "along the tangent it would leave the circle";
}

}  // namespace
}  // namespace terrace::rigid_walls_of_particles_test
