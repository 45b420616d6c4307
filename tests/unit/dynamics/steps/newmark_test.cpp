// Explicit Newmark of a small cube: exact momentum, an energy error of second order, and its limit of
// stability.
#include "dynamics/steps/newmark.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::newmark_test {
namespace {

// At a node near several walls their stiffnesses are added up: with n equal ones the stable step is 1/√n of
// that with one.
TEST(Newmark, ANodeInACornerIsOnTheSpringsOfAllItsWalls) {
  const auto step = [](const std::vector<Vector3>& normals) {
    Deck deck = spinning_cube(1);
    for (const Vector3& normal : normals)
      deck.walls.push_back({"wall " + std::to_string(deck.walls.size()), -2 * normal, normal, 1});
    return SmallSystem(deck).lagrangian.stable_contact_step;
  };
  const double one = step({{0, 0, 1}});
  EXPECT_NEAR(step({{0, 0, 1}, {1, 0, 0}}), one / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(step({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}), one / std::sqrt(3.0), 1e-15);
}

/// spinning_cube(2) with `spin` times its spin. The stable step is that of small strains: spun at 1 the soft
/// cube stretches so far (J down to 0.4) that it needs a quarter of that step.
struct Cube : SmallSystem {
  explicit Cube(double spin = 1) : SmallSystem(spinning_cube(2)) {
    std::vector<Vector3> velocities = model.velocities;
    for (Vector3& velocity : velocities) velocity = spin * velocity;
    state.set_velocities(velocities);
  }
  double energy(const Newmark& newmark) {
    const SystemRecord now = SmallSystem::record(newmark);
    return now.kinetic + now.potential;
  }
};

/// Largest relative error of the energy until t = 6, with `factor` times the stable step.
double energy_error(double factor) {
  Cube cube;
  Newmark newmark(cube.lagrangian, cube.state, factor * cube.lagrangian.stable_step);
  const double start = cube.energy(newmark);
  double error = 0;
  while (newmark.advance(cube.state, 6)) error = larger(error, std::abs(cube.energy(newmark) / start - 1));
  return error;
}

TEST(Newmark, KeepsTheTotalMomentumToTheBitAndAngularMomentumToRoundOff) {
  Cube cube;
  Newmark newmark(cube.lagrangian, cube.state, 0.25 * cube.lagrangian.stable_step);
  const IntegerMomentum before = cube.diagnostics.total_momentum(cube.state);
  const Vector3 spin = cube.record(newmark).angular_momentum;
  for (int step = 0; step < 2000; ++step) ASSERT_TRUE(newmark.advance(cube.state, 1e9));
  EXPECT_TRUE(cube.diagnostics.total_momentum(cube.state) == before);
  EXPECT_LE(norm(cube.record(newmark).angular_momentum - spin), 1e-12 * norm(spin));
}

TEST(Newmark, EnergyErrorIsOfSecondOrder) {
  const double coarse = energy_error(0.4), middle = energy_error(0.2), fine = energy_error(0.1);
  std::printf("energy error at 0.4, 0.2, 0.1 of the stable step: %.2e %.2e %.2e\n", coarse, middle, fine);
  EXPECT_NEAR(coarse / middle, 4, 0.8);
  EXPECT_NEAR(middle / fine, 4, 0.4);
}

TEST(Newmark, IsStableBelowTheStableStepAndNotFarAboveIt) {
  Cube cube(0.05);
  Newmark newmark(cube.lagrangian, cube.state, 0.9 * cube.lagrangian.stable_step);
  const double start = cube.energy(newmark);
  for (int step = 0; step < 5000; ++step) {
    ASSERT_TRUE(newmark.advance(cube.state, 1e9));
    if (step % 50 == 0) {
      ASSERT_NEAR(cube.energy(newmark), start, 0.05 * start);
    }
  }
  for (const double factor : {1.6, 2.0}) {
    Cube doomed(0.05);
    Newmark unstable(doomed.lagrangian, doomed.state, factor * doomed.lagrangian.stable_step);
    // Elements invert, or a momentum grows beyond anything the energy allows: an error that says when.
    EXPECT_THROW(for (int step = 0; step < 5000; ++step) unstable.advance(doomed.state, 1e9), Error)
        << factor;
  }
}

TEST(Newmark, StepsDoNotDependOnOutput) {
  Cube plain, watched;
  Newmark first(plain.lagrangian, plain.state, 0.5 * plain.lagrangian.stable_step);
  Newmark second(watched.lagrangian, watched.state, 0.5 * watched.lagrangian.stable_step);
  while (first.advance(plain.state, 3)) {
  }
  for (int frame = 1; frame <= 777; ++frame)
    while (second.advance(watched.state, 3.0 * frame / 777)) {
    }
  EXPECT_EQ(first.events(), second.events());
  EXPECT_EQ(plain.diagnostics.state_hash(plain.state, first),
            watched.diagnostics.state_hash(watched.state, second));
}

TEST(Newmark, StopsForOutputAtEndsOfStepsOnly) {
  Cube cube;
  const double step = 0.25 * cube.lagrangian.stable_step;
  Newmark newmark(cube.lagrangian, cube.state, step);
  for (const double until : {0.3, 10.0, 10.2, 12.5}) {
    while (newmark.advance(cube.state, until * step)) {
    }
    EXPECT_EQ(newmark.events(), static_cast<std::int64_t>(std::ceil(until)));
    EXPECT_EQ(cube.state.time, static_cast<double>(newmark.events()) * step);
  }
}

TEST(Newmark, WarnsOfAStepThatTheElementsDoNotBear) {
  for (const double factor : {0.2, 1.05}) {
    Cube cube(0.05);
    Newmark newmark(cube.lagrangian, cube.state, factor * cube.lagrangian.stable_step);
    for (int step = 0; step < 30; ++step) newmark.advance(cube.state, 1e9);
    std::vector<Warning> warnings;
    newmark.describe_trouble(warnings);
    EXPECT_EQ(warnings.size(), factor < 1 ? 0u : 1u);
    for (const Warning& warning : warnings)
      EXPECT_NE(warning.text.find("safe for the deformed elements"), std::string::npos) << warning.text;
  }
}

/// A slow cube just above a wall of this model and stiffness.
SmallSystem cube_above_wall(WallModel model, double stiffness) {
  Deck deck = soft_deck({cube_entry("cube", 2)});
  deck.bodies[0].velocity = {0, 0.002, -0.02};
  Wall wall{"floor", {0, 0, -0.6}, {0, 0, 1}, stiffness};
  wall.model = model;
  deck.walls = {wall};
  return SmallSystem(deck);
}

/// The stiffness k of a penalty wall for which its stable step, 2 √(m/k) with the lightest boundary node's m,
/// is a tenth of that of the elements.
double spring_of_a_tenth(const SmallSystem& cube) {
  const std::vector<double>& masses = cube.lagrangian.masses;
  double lightest = 1e300;
  for (const Triangle& triangle : cube.model.bodies[0].boundary)
    for (const std::int32_t node : triangle)
      lightest = std::min(lightest, masses[static_cast<std::size_t>(node)]);
  return 400 * lightest / (cube.lagrangian.stable_step * cube.lagrangian.stable_step);
}

TEST(Newmark, AStiffWallLowersTheStableStep) {
  for (const WallModel model : {WallModel::penalty, WallModel::barrier}) {
    const SmallSystem soft = cube_above_wall(model, 1e-9);
    // Even a soft barrier wants its activation distance resolved.
    EXPECT_LE(stable_newmark_step(soft.lagrangian), soft.lagrangian.stable_step);
    EXPECT_GE(stable_newmark_step(soft.lagrangian), 0.9 * soft.lagrangian.stable_step);
    const double stiffness = spring_of_a_tenth(soft);
    const SmallSystem stiff = cube_above_wall(model, stiffness),
                      stiffer = cube_above_wall(model, 4 * stiffness);
    EXPECT_EQ(stiff.lagrangian.stable_step, soft.lagrangian.stable_step) << "of the elements alone";
    if (model == WallModel::penalty) {
      EXPECT_NEAR(stiff.lagrangian.stable_contact_step, 0.1 * soft.lagrangian.stable_step,
                  1e-9 * soft.lagrangian.stable_step);
    }
    EXPECT_LT(stable_newmark_step(stiff.lagrangian), 0.11 * soft.lagrangian.stable_step);
    EXPECT_NEAR(stiffer.lagrangian.stable_contact_step, 0.5 * stiff.lagrangian.stable_contact_step,
                1e-9 * stiff.lagrangian.stable_step);
  }
}

/// Largest relative error of the energy on the way to a stiff wall and back; +∞ if the run ends with an
/// error.
double energy_error_at_wall(WallModel model, double stiffness, double factor, bool heeds_wall) {
  SmallSystem cube = cube_above_wall(model, stiffness);
  const double stable = heeds_wall ? stable_newmark_step(cube.lagrangian) : cube.lagrangian.stable_step;
  Newmark newmark(cube.lagrangian, cube.state, factor * stable);
  const auto energy = [&] {
    const SystemRecord now = cube.record(newmark);
    return now.kinetic + now.potential;
  };
  const double start = energy();
  double error = 0;
  try {
    for (int instant = 1; instant <= 100; ++instant) {
      while (newmark.advance(cube.state, 0.15 * instant)) {
      }
      error = larger(error, std::abs(energy() / start - 1));
    }
  } catch (const Error&) {
    return infinity;
  }
  EXPECT_LT(cube.state.ledger[0][2].value(), 0) << "the cube should have reached the wall";
  return error;
}

TEST(Newmark, TheDefaultStepKeepsTheEnergyAtAStiffWall) {
  for (const WallModel model : {WallModel::penalty, WallModel::barrier}) {
    const double stiffness = spring_of_a_tenth(cube_above_wall(model, 1));
    const double heeding = energy_error_at_wall(model, stiffness, 0.4, true),
                 heedless = energy_error_at_wall(model, stiffness, 0.4, false);
    std::printf("energy error at a stiff wall: %.2e, with the step of the elements alone %.2e\n", heeding,
                heedless);
    EXPECT_LT(heeding, 0.05);
    EXPECT_GT(heedless, 5 * heeding);
  }
}

TEST(Newmark, RefusesAStepThatIsNotPositive) {
  Cube cube;
  EXPECT_THROW(Newmark(cube.lagrangian, cube.state, 0), Error);
  EXPECT_THROW(Newmark(cube.lagrangian, cube.state, -1), Error);
  EXPECT_THROW(Newmark(cube.lagrangian, cube.state, std::nan("")), Error);
}

}  // namespace
}  // namespace terrace::newmark_test
