// The method of LaBudde and Greenspan: exact energy and angular momentum, second order, central forces alone.
#include "dynamics/steps/labudde_greenspan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/parse_formula.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"
#include "support/small_system.hpp"

namespace terrace::labudde_greenspan_test {
namespace {

Model planet(double eccentricity) {
  Interaction sun;
  sun.name = sun.where = "sun";
  sun.kind = InteractionKind::central;
  sun.strength = 1;
  return particles_model(2, 1, {{1 - eccentricity, 0, 0}},
                         {{0, std::sqrt((1 + eccentricity) / (1 - eccentricity)), 0}}, {sun});
}

double energy(const SystemRecord& record) { return record.kinetic + record.potential; }

TEST(LaBuddeGreenspan, KeepsEnergyAndAngularMomentumOfAnOrbit) {
  SmallParticles system(planet(0.85), 1);
  LaBuddeGreenspan method(system.lagrangian, system.state, 0.0125);
  const SystemRecord start = system.record(method);
  double worst = 0, turned = 0;
  for (int step = 0; step < 20000; ++step) {
    ASSERT_TRUE(method.advance(system.state, 1e9));
    if (step % 7 != 0) continue;
    const SystemRecord now = system.record(method);
    worst = larger(worst, std::abs(energy(now) / energy(start) - 1));
    turned = larger(turned, std::abs(now.angular_momentum[2] / start.angular_momentum[2] - 1));
  }
  std::printf("energy %.1e, angular momentum %.1e\n", worst, turned);
  EXPECT_LE(worst, 1e-12);
  EXPECT_LE(turned, 1e-12);
}

TEST(LaBuddeGreenspan, KeepsEnergyAndMomentaOfAClusterOfPairs) {
  SmallParticles argon(argon_cluster(), 1);
  LaBuddeGreenspan method(argon.lagrangian, argon.state, 0.01);
  const SystemRecord start = argon.record(method);
  for (int step = 0; step < 3000; ++step) ASSERT_TRUE(method.advance(argon.state, 1e9));
  const SystemRecord now = argon.record(method);
  EXPECT_NEAR(energy(now) / energy(start), 1, 1e-12);
  EXPECT_LE(norm(now.momentum - start.momentum), 1e-12);
  EXPECT_NEAR(now.angular_momentum[2] - start.angular_momentum[2], 0, 1e-12);
}

// Pairs come within the cut-off and leave it; where the force begins its derivative jumps. A pair that a list
// forgot, or a mean of the slope across the jump, would change the energy.
TEST(LaBuddeGreenspan, KeepsTheEnergyOfWhatComesAndGoes) {
  std::vector<Vector3> places, velocities;
  for (int n = 0; n < 36; ++n) {
    places.push_back({1.3 * (n % 6), 1.25 * (n / 6), 0});
    velocities.push_back({0.9 * ((5 * n) % 7 - 3) / 3, 0.8 * ((3 * n) % 11 - 5) / 5, 0});
  }
  SmallParticles atoms(particles_model(2, 1, places, velocities, {lennard_jones(1, 1, 1.6)}), 1);
  LaBuddeGreenspan method(atoms.lagrangian, atoms.state, 0.005);
  const double start = energy(atoms.record(method));
  const double scale = atoms.record(method).kinetic;
  for (int step = 0; step < 2000; ++step) ASSERT_TRUE(method.advance(atoms.state, 1e9));
  EXPECT_NEAR(energy(atoms.record(method)), start, 1e-12 * scale);
  EXPECT_GT(std::abs(atoms.record(method).kinetic - scale), 0.1 * scale);
}

TEST(LaBuddeGreenspan, KeepsTheEnergyOfHertzBeads) {
  Interaction contact;
  contact.name = contact.where = "contact";
  contact.kind = InteractionKind::hertz;
  contact.strength = 50;
  contact.length = 1;
  SmallParticles beads(
      particles_model(1, 1, {{0, 0, 0}, {1.0, 0, 0}, {2.0, 0, 0}, {3.01, 0, 0}}, {{1, 0, 0}}, {contact}), 1);
  LaBuddeGreenspan method(beads.lagrangian, beads.state, 0.01);
  double worst = 0;
  for (int step = 0; step < 400; ++step) {
    ASSERT_TRUE(method.advance(beads.state, 1e9));
    worst = larger(worst, std::abs(energy(beads.record(method)) - 0.5));
  }
  EXPECT_LE(worst, 1e-13);
  EXPECT_GT(beads.state.lines[3].velocity[0], 0.9) << "the pulse has gone through";
}

TEST(LaBuddeGreenspan, IsOfSecondOrder) {
  const auto error = [](double step) {
    SmallParticles system(particles_model(1, 1, {{1, 0, 0}}, {{0, 0, 0}}, {harmonic({1, 0, 0})}), 1);
    LaBuddeGreenspan method(system.lagrangian, system.state, step);
    while (method.advance(system.state, 3)) {
    }
    return std::abs(system.position(0)[0] - std::cos(3.0));
  };
  EXPECT_NEAR(error(0.1) / error(0.05), 4, 0.1);
}

TEST(LaBuddeGreenspan, RefusesForcesThatAreNotCentralAndStepsThatAreTooLong) {
  const auto expect = [](const Model& model, double step, const std::string& text) {
    SmallParticles system(model, 1);
    try {
      LaBuddeGreenspan method(system.lagrangian, system.state, step);
      while (method.advance(system.state, 100)) {
      }
      FAIL() << "no error with " << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
  };
  Model valley = planet(0.5);
  valley.particles.interactions = {harmonic({1, 2, 0})};
  expect(valley, 0.01, "functions of one distance each");
  expect(valley, 0.01, "harmonic");
  expect(planet(0.5), 0, "integrator.time_step");
  expect(planet(0.85), 3, "a step whose equations 200 iterations solve");
  // Beyond r = 1, which the particles reach, the force has no value: no step must end there.
  Interaction ends;
  ends.name = ends.where = "ends";
  ends.kind = InteractionKind::pair_expression;
  ends.formula = parse_formula("sqrt(1 - r)", {"r"});
  expect(particles_model(2, 1, {{0, 0, 0}, {0.5, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}, {ends}), 0.07,
         "no numbers: lower integrator.time_step");
  SmallSystem cube(spinning_cube(1));
  try {
    LaBuddeGreenspan method(cube.lagrangian, cube.state, 0.1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("elastic bodies"));
  }
}

}  // namespace
}  // namespace terrace::labudde_greenspan_test
