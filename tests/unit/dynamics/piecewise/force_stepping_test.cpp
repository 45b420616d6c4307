// Force-stepping of meshes and particles: which terms of V it evaluates, which momenta reduced coordinates
// keep, and what it refuses.
#include "dynamics/piecewise/force_stepping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "dynamics/piecewise/jacobi_coordinates.hpp"
#include "dynamics/piecewise/nodal_coordinates.hpp"
#include "numerics/elementary.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"
#include "support/small_system.hpp"

namespace terrace::force_stepping_test {
namespace {

GridChoice grid_of(double spacing, Reduction reduction = Reduction::none) {
  GridChoice grid;
  grid.spacing.fill(spacing);
  grid.offset = 0.618;
  grid.reduction = reduction;
  return grid;
}

Interaction central(double strength, const Vector3& centre = {}) {
  Interaction of;
  of.name = of.where = "sun";
  of.kind = InteractionKind::central;
  of.strength = strength;
  of.centre = centre;
  return of;
}

/// The orbit (3.78) about a point that is not the origin.
const Vector3 sun = {0.7, -0.4, 0};
Model planet(double eccentricity) {
  return particles_model(2, 1, {sun + Vector3{1 - eccentricity, 0, 0}},
                         {{0, std::sqrt((1 + eccentricity) / (1 - eccentricity)), 0}}, {central(1, sun)});
}

Deck cube_before_a_wall() {
  Deck deck = spinning_cube(1);
  deck.bodies[0].velocity = {0.1, 0, -0.5};
  deck.walls = {{"floor", {0, 0, -0.55}, {0, 0, 1}, 1}};
  deck.gravity = {0, 0.01, 0};
  return deck;
}

/// A vertex as a list.
struct Listed : Vertex {
  explicit Listed(std::vector<double> all) : values(std::move(all)) {}
  double operator[](std::size_t i) const override { return values[i]; }
  std::vector<double> values;
};

// When one coordinate moves, the terms of elements, wall and gravity at its node give the same change of V as
// all terms do.
TEST(ForceStepping, ATermThatDoesNotChangeNeedNotBeEvaluated) {
  SmallSystem system(cube_before_a_wall());
  NodalCoordinates coordinates(system.lagrangian, system.state, 3, 0.07,
                               energy_scale(system.lagrangian, system.state, {0.07, 0.07, 0.07}));
  std::vector<double> values(coordinates.coordinates()), rates(values.size());
  coordinates.read(system.state, values, rates);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += 0.02 * numerics::sine(3.0 * static_cast<double>(i));
  const Listed vertex(values);
  const Integer128 here = coordinates.value(vertex);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> moved = values;
    moved[i] += 0.07;
    const double whole = to_double(coordinates.value(Listed(moved)) - here) * coordinates.quantum();
    const double local =
        to_double(coordinates.value_beyond(vertex, here, i, moved[i]) - here) * coordinates.quantum();
    ASSERT_NEAR(local, whole, 1e-13) << "coordinate " << i;
    ASSERT_NE(local, 0);
  }
}

// Atoms with forces of finite range wander over the grid, far beyond the places for which neighbours were
// listed: the sum of all changes of V stays V of their places.
TEST(ForceStepping, NoPairThatComesNearIsForgotten) {
  constexpr double spacing = 0.05;
  Interaction soft;
  soft.name = soft.where = "soft";
  soft.kind = InteractionKind::hertz;
  soft.strength = 1;
  soft.length = 1.1;
  std::vector<Vector3> places;
  for (int n = 0; n < 27; ++n) places.push_back({1.3 * (n % 3), 1.3 * (n / 3 % 3), 1.3 * (n / 9)});
  SmallParticles atoms(particles_model(3, 1, places, {}, {soft, harmonic({1, 1, 1})}), 1);
  NodalCoordinates coordinates(atoms.lagrangian, atoms.state, 3, spacing,
                               energy_scale(atoms.lagrangian, atoms.state, {spacing, spacing, spacing}));
  std::vector<double> values(coordinates.coordinates()), rates(values.size());
  coordinates.read(atoms.state, values, rates);
  for (double& value : values) value = spacing * std::round(value / spacing);
  Integer128 sum = coordinates.value(Listed(values));
  std::uint64_t random = 5;
  double most = 0, least = 0;
  for (int move = 0; move < 20000; ++move) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const std::size_t i = (random >> 33) % values.size();
    const double to = values[i] + ((random >> 20) % 2 == 0 ? spacing : -spacing);
    if (std::abs(to) > 2.5) continue;
    sum = coordinates.value_beyond(Listed(values), sum, i, to);
    values[i] = to;
    most = larger(most, to);
    least = std::min(least, to);
    if (move % 500 != 0) continue;
    ASSERT_NEAR(to_double(sum - coordinates.value(Listed(values))) * coordinates.quantum(), 0, 1e-12) << move;
  }
  EXPECT_GT(most - least, 4);
}

TEST(ForceStepping, KeepsTheEnergyOfAMeshThatHitsAWall) {
  SmallSystem system(cube_before_a_wall());
  ForceStepping walk(system.lagrangian, system.state, grid_of(0.02));
  const double start = system.record(walk).energy;
  const double momentum = system.record(walk).momentum[2];
  double worst = 0, pushed = 0;
  for (double until = 0.05; until < 2; until += 0.05) {
    while (walk.advance(system.state, until)) {
    }
    const SystemRecord now = system.record(walk);
    worst = larger(worst, std::abs(now.energy - start) / now.kinetic);
    pushed = larger(pushed, now.momentum[2] - momentum);
  }
  EXPECT_LE(worst, 1e-12);
  EXPECT_GT(pushed, 0.01) << "it must have met the wall";
}

// V_h − V falls with the square of the spacing: by 16 for a grid four times as fine. It is measured at one
// configuration, hence the tolerance of 8.
TEST(ForceStepping, ItsPotentialIsThatOfTheSystemButForTheGrid) {
  const auto off = [](double spacing) {
    SmallParticles argon(argon_cluster(), 1);
    ForceStepping walk(argon.lagrangian, argon.state, grid_of(spacing));
    const SystemRecord now = argon.record(walk);
    return std::abs(now.terraced - now.potential);
  };
  const double coarse = off(0.04), fine = off(0.01);
  EXPECT_NEAR(coarse / fine, 16, 8);
}

TEST(ForceStepping, JacobiCoordinatesKeepTheMomentumToTheQuantum) {
  SmallParticles argon(argon_cluster(), 1);
  ForceStepping walk(argon.lagrangian, argon.state, grid_of(0.05, Reduction::translations));
  const IntegerMomentum before = argon.diagnostics.total_momentum(argon.state);
  const double energy = argon.record(walk).energy;
  const Vector3 start = argon.position(3);
  for (double until = 0.1; until < 3; until += 0.1) {
    while (walk.advance(argon.state, until)) {
    }
    ASSERT_TRUE(argon.diagnostics.total_momentum(argon.state) == before);
    ASSERT_NEAR(argon.record(walk).energy, energy, 1e-12);
  }
  EXPECT_GT(norm(argon.position(3) - start), 0.01);
  // Without the reduction it is not.
  SmallParticles other(argon_cluster(), 1);
  ForceStepping plain(other.lagrangian, other.state, grid_of(0.05));
  while (plain.advance(other.state, 3)) {
  }
  EXPECT_FALSE(other.diagnostics.total_momentum(other.state) == before);
}

TEST(ForceStepping, JacobiCoordinatesAreThoseOfTheThesis) {
  SmallParticles argon(argon_cluster(), 1);
  JacobiCoordinates coordinates(argon.lagrangian, 2, 1);
  ASSERT_EQ(coordinates.coordinates(), 12U);
  std::vector<double> values(12), rates(12);
  coordinates.read(argon.state, values, rates);
  const auto x = [&](std::size_t j) { return argon.model.positions[j]; };
  EXPECT_NEAR(values[0], x(1)[0] - x(0)[0], 1e-15);
  EXPECT_NEAR(values[5], x(3)[1] - (x(0)[1] + x(1)[1] + x(2)[1]) / 3, 1e-15);
  EXPECT_NEAR(coordinates.list()[11].mass, 6.0 / 7, 1e-15);  // m 6m / 7m
  double kinetic = 0;
  for (std::size_t i = 0; i < 12; ++i) kinetic += 0.5 * coordinates.list()[i].mass * rates[i] * rates[i];
  double all = 0;
  Vector3 momentum{};
  for (const Vector3& v : argon.model.velocities) all += 0.5 * dot(v, v), momentum += v;
  EXPECT_NEAR(kinetic + dot(momentum, momentum) / 14, all, 1e-12);
}

TEST(ForceStepping, TheRadiusKeepsTheAngularMomentumAndFollowsTheEllipse) {
  SmallParticles system(planet(0.85), 1);
  ForceStepping walk(system.lagrangian, system.state, grid_of(1e-4, Reduction::rotations));
  const double area = std::sqrt(1 - 0.85 * 0.85);
  double off = 0;
  for (double until = 0.1; until < 7; until += 0.1) {
    while (walk.advance(system.state, until)) {
    }
    const Vector3 x = system.position(0) - sun, v = system.state.lines[0].velocity;
    ASSERT_NEAR(x[0] * v[1] - x[1] * v[0], area, 1e-13);
    // r = (1 − e²)/(1 + e cos θ), the pericentre on the x-axis
    const double r = norm(x);
    off = larger(off, std::abs(r * (1 + 0.85 * x[0] / r) - area * area));
  }
  EXPECT_LE(off, 1e-3);
  EXPECT_GT(walk.events(), 30000);
}

TEST(ForceStepping, OfTheReducedOrbitHasThePublishedAverageStep) {
  SmallParticles system(planet(0.85), 1);
  GridChoice grid = grid_of(0.0067, Reduction::rotations);
  grid.offset = 0;
  ForceStepping walk(system.lagrangian, system.state, grid);
  while (walk.advance(system.state, 64 * M_PI)) {
  }
  EXPECT_NEAR(walk.average_step(), 0.0125, 0.05 * 0.0125);
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ForceStepping, NamesWhatItIsNotValidFor) {
  using testing::AllOf;
  using testing::HasSubstr;
  const auto of_particles = [](const Model& model, const GridChoice& grid) {
    return error_of([&] {
      SmallParticles system(model, 1);
      ForceStepping walk(system.lagrangian, system.state, grid);
    });
  };
  EXPECT_THAT(of_particles(planet(0.5), GridChoice{}), HasSubstr("a positive spacing of the grid"));
  GridChoice both = grid_of(0.1);
  both.parity = true;
  EXPECT_THAT(of_particles(planet(0.5), both), HasSubstr("integrator.grid_offset"));
  EXPECT_THAT(of_particles(planet(0.5), grid_of(0.1, Reduction::translations)),
              AllOf(HasSubstr("forces between the system's own parts alone"),
                    HasSubstr("sun, which acts from outside")));
  EXPECT_THAT(of_particles(particles_model(2, 1, {{0, 0, 0}}, {{1, 0, 0}}, {}),
                           grid_of(0.1, Reduction::translations)),
              HasSubstr("two particles or more"));
  EXPECT_THAT(of_particles(argon_cluster(), grid_of(0.1, Reduction::rotations)),
              HasSubstr("one particle in a central field"));
  Model two_suns = planet(0.5);
  two_suns.particles.interactions.push_back(central(1, {9, 9, 0}));
  EXPECT_THAT(
      of_particles(two_suns, grid_of(0.1, Reduction::rotations)),
      AllOf(HasSubstr("fields that depend on the distance from one point alone"), HasSubstr("two centres")));
  Model valley = planet(0.5);
  valley.particles.interactions = {harmonic({1, 2, 0})};
  EXPECT_THAT(of_particles(valley, grid_of(0.1, Reduction::rotations)),
              HasSubstr("a potential that does not"));
  Model at_centre = planet(0.5);
  at_centre.particles.interactions = {harmonic({1, 1, 0}, at_centre.positions[0])};
  EXPECT_THAT(
      of_particles(at_centre, grid_of(0.1, Reduction::rotations)),
      AllOf(HasSubstr("a particle away from the centre of its field"), HasSubstr("one at the centre")));

  const auto of_mesh = [](const Deck& deck) {
    return error_of([&] {
      SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::own});
      ForceStepping walk(system.lagrangian, system.state, grid_of(0.05));
    });
  };
  Deck contact = three_cubes(1, false);
  contact.contact.model = ContactModel::gap;
  EXPECT_THAT(of_mesh(contact),
              HasSubstr("contact.model: expected \"none\" with force-stepping, whose potentials do not come "
                        "and go, found pairs of bodies that may touch"));
  Deck held = soft_deck({cube_entry("cube", 1)});
  SupportEntry support;
  support.name = "all";
  support.body.name = "cube";
  support.nodes = SupportEntry::Nodes::box;
  support.box = {Vector3{-9, -9, -9}, Vector3{9, 9, 9}};
  held.supports = {support};
  EXPECT_THAT(of_mesh(held),
              AllOf(HasSubstr("something that is free to move"), HasSubstr("no coordinate that is")));
  held.supports[0].velocity = {1, 0, 0};
  EXPECT_THAT(of_mesh(held), HasSubstr("supports at rest with force-stepping, found one that moves"));
}

// A vertex of the grid lies in the centre of the field, where V has no value.
TEST(ForceStepping, SaysSoWhereAVertexHasNoEnergy) {
  SmallParticles system(particles_model(2, 1, {{0.35, 0.01, 0}}, {{-1, 0, 0}}, {central(1)}), 1);
  GridChoice grid = grid_of(0.1);
  grid.offset = 0;
  ForceStepping walk(system.lagrangian, system.state, grid);
  EXPECT_THAT(error_of([&] {
                while (walk.advance(system.state, 2)) {
                }
              }),
              testing::AllOf(
                  testing::HasSubstr("a finite V at every vertex of the grid near the motion, found "),
                  testing::HasSubstr("; a smaller integrator.grid_spacing keeps the vertices nearer to it")));
}

}  // namespace
}  // namespace terrace::force_stepping_test
