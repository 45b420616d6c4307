// SYMP(T, V), SYMM and met2 on small cubes: their order, their reversibility, and that their steps follow V.
#include "dynamics/steps/adaptive_integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "dynamics/steps/newmark.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::adaptive_integrator_test {
namespace {

constexpr AdaptiveMethod methods[] = {AdaptiveMethod::time_transformed_splitting,
                                      AdaptiveMethod::step_density, AdaptiveMethod::adaptive_variational};

struct Cube : SmallSystem {
  explicit Cube(double speed = 0.1) : SmallSystem(deck(speed)) {}
  static Deck deck(double speed) {
    Deck deck = soft_deck({cube_entry("cube", 2)});
    deck.bodies[0].velocity = {0, 0.02, -speed};
    deck.bodies[0].spin = {0.1, 0, 0.2};
    Wall wall{"floor", {0, 0, -0.62}, {0, 0, 1}, 0};
    wall.model = WallModel::barrier;
    deck.walls = {wall};
    return deck;
  }
};

/// Largest error of the energy on the way to the wall and back.
double energy_error(AdaptiveMethod method, double factor, int order = 2) {
  Cube cube;
  ScalingSettings settings{factor * stable_newmark_step(cube.lagrangian), order};
  AdaptiveIntegrator integrator(method, cube.lagrangian, cube.state, settings);
  const double start = cube.record(integrator).energy;
  double error = 0;
  while (integrator.advance(cube.state, 8))
    error = larger(error, std::abs(cube.record(integrator).energy / start - 1));
  EXPECT_GT(cube.record(integrator).momentum[2], 0) << "it has left the wall";
  return error;
}

TEST(AdaptiveIntegrator, EnergyErrorsAreOfTheirOrderThroughAnImpact) {
  for (const AdaptiveMethod method : methods) {
    const double coarse = energy_error(method, 0.4), fine = energy_error(method, 0.2);
    std::printf("energy error %.2e, at half the step %.2e\n", coarse, fine);
    EXPECT_NEAR(coarse / fine, method == AdaptiveMethod::adaptive_variational ? 2 : 4,
                method == AdaptiveMethod::adaptive_variational ? 0.5 : 1.2);
  }
  const double coarse = energy_error(AdaptiveMethod::time_transformed_splitting, 0.2, 4),
               fine = energy_error(AdaptiveMethod::time_transformed_splitting, 0.1, 4);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 1) << "the triple jump";
}

TEST(AdaptiveIntegrator, StepsAreThoseOfTheScalingAndMomentumIsExact) {
  for (const AdaptiveMethod method : methods) {
    Cube cube;
    const double step = 0.3 * stable_newmark_step(cube.lagrangian);
    AdaptiveIntegrator integrator(method, cube.lagrangian, cube.state, {step, 2, -0.5, 1e-4});
    const IntegerMomentum momentum = cube.diagnostics.total_momentum(cube.state);
    while (integrator.advance(cube.state, 8)) {
    }
    EXPECT_TRUE(cube.diagnostics.total_momentum(cube.state) == momentum);
    const StepRecord record = *integrator.step_record();
    EXPECT_LE(record.longest, 1.01 * step);
    EXPECT_LT(record.shortest, 0.6 * record.longest);
    // A step is ε λ(V) long as long as V hardly changes: here V is what the impact left in vibrations.
    const double before = cube.state.time, stored = cube.record(integrator).potential;
    integrator.advance(cube.state, 1e9);
    EXPECT_NEAR((cube.state.time - before) / step, std::sqrt(1e-4 / (stored + 1e-4)), 0.1);
  }
}

TEST(AdaptiveIntegrator, SplittingAndDensityGoBackWhereTheyCameFrom) {
  for (const AdaptiveMethod method :
       {AdaptiveMethod::time_transformed_splitting, AdaptiveMethod::step_density}) {
    Cube cube;
    AdaptiveIntegrator integrator(method, cube.lagrangian, cube.state,
                                  {0.4 * stable_newmark_step(cube.lagrangian)});
    std::vector<Vector3> start, velocities;
    for (std::size_t a = 0; a < cube.state.lines.size(); ++a) start.push_back(cube.position(a));
    for (int step = 0; step < 80; ++step) integrator.advance(cube.state, 1e9);
    for (const NodeLine& line : cube.state.lines) velocities.push_back(-1 * line.velocity);
    cube.state.set_velocities(velocities);
    for (int step = 0; step < 80; ++step) integrator.advance(cube.state, 1e9);
    double largest = 0;
    for (std::size_t a = 0; a < start.size(); ++a)
      largest = larger(largest, norm(cube.position(a) - start[a]));
    EXPECT_LE(largest, 1e-10);
  }
}

TEST(PotentialPower, IsThePowerAndItsDerivative) {
  const PotentialPower power(-0.5, 2);
  EXPECT_NEAR(power.at(6, 0).value, 0.5, 1e-15);
  constexpr double step = 1e-6;
  EXPECT_NEAR(power.at(6, 0).derivative,
              (power.at(6 + step, 0).value - power.at(6 - step, 0).value) / (2 * step), 1e-9);
  try {
    (void)power.at(-2, 0.5);
    FAIL() << "time would stop";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("a potential energy plus integrator.scaling_shift that keeps its sign"),
              std::string::npos)
        << error.what();
  }
}

std::string refusal(const Deck& deck, const ScalingSettings& settings) {
  try {
    SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::own});
    AdaptiveIntegrator(AdaptiveMethod::time_transformed_splitting, system.lagrangian, system.state, settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "none";
}

TEST(AdaptiveIntegrator, RefusesWhatItIsNotValidFor) {
  Deck still = soft_deck({cube_entry("cube", 1)});
  EXPECT_NE(refusal(still, {0.1}).find("an energy, as there is none at the start"), std::string::npos);
  EXPECT_NE(refusal(Cube::deck(0.1), {0}).find("a positive, finite step"), std::string::npos);
  Deck pair = three_cubes(1, false);
  pair.bodies[0].velocity = {0.1, 0, 0};
  pair.contact.model = ContactModel::barrier;
  EXPECT_NE(refusal(pair, {0.01, 4}).find("compositions also step back in time"), std::string::npos);
  Deck moved = Cube::deck(0.1);
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::surface;
  foot.velocity = {0.1, 0, 0};
  moved.supports = {foot};
  moved.walls.clear();
  EXPECT_NE(refusal(moved, {0.01}).find("whose steps follow the energy of the bodies alone"),
            std::string::npos);
}

TEST(AdaptiveIntegrator, TellsWhereAStepHasNoSolution) {
  Cube cube(0.5);
  AdaptiveIntegrator integrator(AdaptiveMethod::adaptive_variational, cube.lagrangian, cube.state,
                                {0.5 * stable_newmark_step(cube.lagrangian), 2, 4, 1e-5});
  try {
    for (int step = 0; step < 2000; ++step) integrator.advance(cube.state, 1e9);
    FAIL() << "the step parameter is far too large";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a step with a solution: lower integrator.time_step"),
              std::string::npos)
        << error.what();
  }
}

// V + c of a falling body comes to 0, before which the steps grow without bound. Shorter steps would not
// help: the message has to name the shift c.
TEST(AdaptiveIntegrator, TellsWhatFallsThatItsShiftIsTooSmall) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.bodies[0].velocity = {0, 0, -0.1};
  deck.gravity = {0, 0, -1};
  for (const double factor : {0.4, 0.01}) {
    SmallSystem cube(deck);
    const double step = factor * stable_newmark_step(cube.lagrangian), weight = 0.1;
    AdaptiveIntegrator integrator(AdaptiveMethod::step_density, cube.lagrangian, cube.state,
                                  {step, 2, -0.5, 0.1 * weight * 0.1 * step});
    try {
      for (int taken = 0; taken < 100; ++taken) integrator.advance(cube.state, 1e9);
      FAIL() << "a tenth of what the first step takes from V";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("plus integrator.scaling_shift that keeps its sign"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace terrace::adaptive_integrator_test
