// Integrators of discontinuous potentials: exact impacts, the orders of Tao and Jin, what is kept, and
// interfaces in one, two and three dimensions.
#include "dynamics/piecewise/discontinuous_potential.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "io/parse_formula.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"
#include "support/small_system.hpp"

namespace terrace::discontinuous_potential_test {
namespace {

constexpr double infinite = infinity;

RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, (1 / norm(normal)) * normal, 0, true};
}
RegionPart ball(const Vector3& centre, double radius, bool inside = true) {
  return {RegionPart::Kind::ball, centre, {}, radius, inside};
}
Interaction step_of(double height, std::vector<std::vector<RegionPart>> pieces, bool outside = false) {
  Interaction of;
  of.name = of.where = "step";
  of.kind = InteractionKind::step;
  of.strength = height;
  of.region = {std::move(pieces), outside};
  return of;
}
Interaction polynomial(std::vector<double> coefficients) {
  Interaction of;
  of.name = of.where = "well";
  of.kind = InteractionKind::polynomial;
  of.coefficients = std::move(coefficients);
  of.direction = {1, 0, 0};
  return of;
}

/// Positions and velocities at the end.
struct End {
  Vector3 position, velocity;
  double energy_error;
  std::int64_t reflections;
  double time;  // the first end of a step not before what was asked for
};
End run(const Model& model, StepMethod method, double step, double end, int order = 4, double steepness = 0) {
  SmallParticles system(model, 1);
  DiscontinuousPotential integrator(system.lagrangian, system.state, {method, order, steepness}, step);
  const double start = system.record(integrator).energy;
  double worst = 0;
  while (integrator.advance(system.state, end)) {
    integrator.bring_up_to_date(system.state);
    worst = larger(worst, std::abs(system.record(integrator).energy - start));
  }
  return {system.position(0), system.state.lines[0].velocity, worst, integrator.reflections(),
          system.state.time};
}

// E1 (a quadratic well with a step at x = ½) has an exact solution: arcs x² + v² = const on either side.
Model quadratic_step(double height = 0.3) {
  return particles_model(1, 1, {{-1, 0, 0}}, {{1.2, 0, 0}},
                         {harmonic({1, 0, 0}), step_of(height, {{half_space({0.5, 0, 0}, {-1, 0, 0})}})});
}
std::array<double, 2> exact_quadratic(double end) {
  double x = -1, v = 1.2, left = end;
  bool inside = false;
  while (true) {
    const double a = std::hypot(x, v), phase = std::atan2(-v, x);  // x = a cos(t + phase)
    const double at_step = 0.5 / a < 1 ? std::acos(0.5 / a) : 0;
    // The next t > 0 with cos(t + phase) = 0.5/a in the direction that leaves this side.
    double t = infinite;
    if (0.5 / a < 1) {
      const double target = inside ? at_step : -at_step;
      t = std::fmod(target - phase, 2 * M_PI);
      if (t <= 1e-12) t += 2 * M_PI;
    }
    const double go = std::min(t, left);
    x = a * std::cos(go + phase);
    v = -a * std::sin(go + phase);
    left -= go;
    if (left <= 0) return {x, v};
    const double after = v * v - (inside ? -0.6 : 0.6);
    if (after > 0) {
      v = std::copysign(std::sqrt(after), v);
      inside = !inside;
    } else {
      v = -v;
    }
  }
}

double error_of_quadratic(StepMethod method, double step, int order = 4) {
  double worst = 0;  // over several ends away from impacts, as at one the phase of the step decides
  for (const double end : {9.9, 16.3, 22.1}) {
    const End at = run(quadratic_step(), method, step, end, order);
    worst = larger(worst, std::abs(at.position[0] - exact_quadratic(at.time)[0]));
  }
  return worst;
}

TEST(DiscontinuousPotential, DP2IsExactForAQuadraticWell) {
  EXPECT_LE(error_of_quadratic(StepMethod::quadratic, 0.1), 1e-11);
  // It is exact also in a step of many periods in which no interface is met.
  const Model low =
      particles_model(1, 1, {{0.3, 0, 0}}, {{0, 0, 0}},
                      {harmonic({1, 0, 0}), step_of(0.3, {{half_space({0.5, 0, 0}, {-1, 0, 0})}})});
  const End turned = run(low, StepMethod::quadratic, 30, 30);
  EXPECT_NEAR(turned.position[0], 0.3 * std::cos(turned.time), 1e-12);
  // On a hill the motion grows exponentially, until numbers are no longer finite.
  const Model hill =
      particles_model(1, 1, {{-1, 0, 0}}, {{1.2, 0, 0}},
                      {harmonic({-1, 0, 0}), step_of(0.3, {{half_space({0.5, 0, 0}, {-1, 0, 0})}})});
  EXPECT_THAT([&] { run(hill, StepMethod::quadratic, 2000, 2000); },
              testing::ThrowsMessage<Error>(
                  testing::AllOf(testing::HasSubstr("steps in which particles stay where numbers are finite"),
                                 testing::HasSubstr("a speed of up to inf in a step of 2.7e+03"))));
}

TEST(DiscontinuousPotential, HasThePublishedOrdersInTheQuadraticWell) {
  const auto order = [](StepMethod method, double coarse, double fine, int of = 4) {
    double sum = 0;  // mean of eight pairs of steps, as the error of a first-order method jumps about
    for (const double by : {1.0, 0.95, 0.91, 0.86, 0.82, 0.78, 0.74, 0.71})
      sum +=
          std::log(error_of_quadratic(method, by * coarse, of) / error_of_quadratic(method, by * fine, of));
    return sum / 8 / std::log(coarse / fine);
  };
  EXPECT_NEAR(order(StepMethod::kick_drift_kick, 0.02, 0.00125), 1, 0.35);
  EXPECT_NEAR(order(StepMethod::reversible, 0.1, 0.025), 4, 0.3);
  EXPECT_NEAR(order(StepMethod::adaptive, 0.1, 0.025), 4, 0.3);
  EXPECT_NEAR(order(StepMethod::adaptive, 0.1, 0.025, 2), 2, 0.3);
  EXPECT_NEAR(order(StepMethod::adaptive, 0.2, 0.1, 6), 6, 0.6);
  EXPECT_NEAR(order(StepMethod::runge_kutta, 0.1, 0.025), 4, 0.3);
}

// E2 (a quartic well): the reference is DP4 of sixth order with short steps. DP2 is published to be of third
// order, its Strang variant of second.
TEST(DiscontinuousPotential, DP2HasItsOrdersInANonlinearWell) {
  const Model model = particles_model(
      1, 1, {{-1, 0, 0}}, {{1.2, 0, 0}},
      {polynomial({0, 0, 0.5, 0, 0.25}), step_of(0.3, {{half_space({0.5, 0, 0}, {-1, 0, 0})}})});
  constexpr double end = 8.8;
  const double exact = run(model, StepMethod::adaptive, 0.005, end, 6).position[0];
  const auto order = [&](StepMethod method, double coarse, double fine) {
    double sum = 0;
    for (const double by : {1.0, 0.95, 0.91, 0.86, 0.82, 0.78, 0.74, 0.71})
      sum += std::log(
          std::abs(run(model, method, end / std::round(end / (by * coarse)), end).position[0] - exact) /
          std::abs(run(model, method, end / std::round(end / (by * fine)), end).position[0] - exact));
    return sum / 8 / std::log(coarse / fine);
  };
  EXPECT_GE(order(StepMethod::quadratic, 0.05, 0.0125), 2.6);
  EXPECT_NEAR(order(StepMethod::quadratic_strang, 0.05, 0.0125), 2, 0.3);
}

TEST(DiscontinuousPotential, RefractsAndReflectsAsOpticsSays) {
  // Free flight against a plane at p_n² = 1: refracted to √(1 − 2 ΔW) if 2 ΔW < 1, else reflected.
  const auto through = [](double height) {
    return run(particles_model(2, 1, {{-1, 0, 0}}, {{1, 0.5, 0}},
                               {step_of(height, {{half_space({0, 0, 0}, {-1, 0, 0})}})}),
               StepMethod::kick_drift_kick, 0.25, 2);
  };
  const End over = through(0.375), down = through(-1.5), back = through(0.6);
  EXPECT_NEAR(over.velocity[0], 0.5, 1e-14);
  EXPECT_NEAR(over.position[0], 0.5, 1e-12);
  EXPECT_NEAR(down.velocity[0], 2, 1e-14);
  EXPECT_NEAR(back.velocity[0], -1, 1e-14);
  EXPECT_EQ(back.reflections, 1);
  for (const End& end : {over, down, back}) {
    EXPECT_NEAR(end.velocity[1], 0.5, 1e-15);
    EXPECT_NEAR(end.position[1], 1, 1e-12);
    EXPECT_LE(end.energy_error, 1e-14);
  }
}

// Free flight past a ball in the plane and in space at distances just under and just over its radius.
TEST(DiscontinuousPotential, MeetsWhatItGrazesAndNothingElse) {
  for (const int dimension : {2, 3}) {
    const auto past = [&](double distance) {
      const Vector3 start =
          dimension == 2 ? Vector3{-3, distance, 0} : Vector3{-3, 0.6 * distance, 0.8 * distance};
      return run(particles_model(dimension, 1, {start}, {{1, 0, 0}}, {step_of(infinite, {{ball({}, 1)}})}),
                 StepMethod::adaptive, 0.5, 6, 2);
    };
    EXPECT_EQ(past(1 + 1e-9).reflections, 0);
    EXPECT_NEAR(past(1 + 1e-9).position[0], 3, 1e-12);
    EXPECT_EQ(past(1 - 1e-9).reflections, 1);
    EXPECT_EQ(past(0).reflections, 1);
    EXPECT_NEAR(past(0).velocity[0], -1, 1e-12);
  }
}

// A box with a pillar: more than a hundred impacts at several interfaces, some in one step, none missed.
TEST(DiscontinuousPotential, StaysInARoomWithAPillar) {
  const std::vector<std::vector<RegionPart>> room = {
      {half_space({1, 0, 0}, {1, 0, 0}), half_space({-1, 0, 0}, {-1, 0, 0}), half_space({0, 1, 0}, {0, 1, 0}),
       half_space({0, -1, 0}, {0, -1, 0}), ball({0.2, 0.1, 0}, 0.3, false)}};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(0, 2 * M_PI);
  for (int n = 0; n < 5; ++n) {
    const double a = angle(random);
    SmallParticles system(particles_model(2, 1, {{-0.8, -0.7, 0}}, {{3 * std::cos(a), 3 * std::sin(a), 0}},
                                          {harmonic({1, 2, 0}), step_of(infinite, room, true)}),
                          1);
    DiscontinuousPotential method(system.lagrangian, system.state, {StepMethod::adaptive, 4, 0}, 0.3);
    const double start = system.record(method).energy;
    while (method.advance(system.state, 60)) {
      method.bring_up_to_date(system.state);
      const Vector3 x = system.position(0);
      ASSERT_LE(std::max(std::abs(x[0]), std::abs(x[1])), 1 + 1e-11);
      ASSERT_GE(norm(x - Vector3{0.2, 0.1, 0}), 0.3 - 1e-11);
    }
    EXPECT_GT(method.reflections(), 100);
    EXPECT_NEAR(system.record(method).energy, start, 0.02 * start);  // the error of the smooth method
  }
}

// E3 (a planet with a step at a circle): DP1 keeps the angular momentum exactly, and its error of the energy
// stays bounded; that of forward Euler grows.
TEST(DiscontinuousPotential, KeepsTheAngularMomentumAboutACircle) {
  Interaction sun;
  sun.name = sun.where = "sun";
  sun.kind = InteractionKind::central;
  sun.strength = 1;
  const Model model =
      particles_model(2, 1, {{1.6, 0, 0}}, {{0, 0.5, 0}}, {sun, step_of(0.05, {{ball({}, 1)}})});
  for (const StepMethod method : {StepMethod::kick_drift_kick, StepMethod::kick_drift}) {
    const End end = run(model, method, 0.02, 200);
    EXPECT_NEAR(end.position[0] * end.velocity[1] - end.position[1] * end.velocity[0], 0.8, 1e-11);
    EXPECT_LE(end.energy_error, 0.06);
  }
  EXPECT_GT(run(model, StepMethod::forward_euler, 0.02, 200).energy_error, 0.1);
}

TEST(DiscontinuousPotential, IsReversible) {
  for (const StepMethod method :
       {StepMethod::kick_drift_kick, StepMethod::reversible, StepMethod::adaptive}) {
    SmallParticles there(quadratic_step(), 1);
    DiscontinuousPotential go(there.lagrangian, there.state, {method, 4, 0}, 0.05);
    while (go.advance(there.state, 15)) {
    }
    Model turned = quadratic_step();
    turned.positions[0] = there.position(0);
    turned.velocities[0] = -1 * there.state.lines[0].velocity;
    const End back = run(turned, method, 0.05, 15);
    EXPECT_NEAR(back.position[0], -1, 1e-9);
    EXPECT_NEAR(back.velocity[0], -1.2, 1e-9);
  }
}

// The symplectic methods keep areas of the phase plane: the determinant of the derivative of the flow, by
// central differences across several impacts, is 1. That of a reversible method is not.
TEST(DiscontinuousPotential, DP1AndDP2KeepTheAreaOfThePhasePlane) {
  const auto determinant = [](StepMethod method) {
    const auto flow = [&](double x, double v) {
      Model model = quadratic_step();
      model.particles.interactions[0] = polynomial({0, 0, 0.5, 0, 0.25});
      model.positions[0][0] = x;
      model.velocities[0][0] = v;
      const End end = run(model, method, 0.2, 6);
      return std::array{end.position[0], end.velocity[0]};
    };
    constexpr double h = 1e-6;
    const auto a = flow(-1 + h, 1.2), b = flow(-1 - h, 1.2), c = flow(-1, 1.2 + h), d = flow(-1, 1.2 - h);
    return ((a[0] - b[0]) * (c[1] - d[1]) - (a[1] - b[1]) * (c[0] - d[0])) / (4 * h * h);
  };
  EXPECT_NEAR(determinant(StepMethod::kick_drift_kick), 1, 1e-7);
  EXPECT_NEAR(determinant(StepMethod::quadratic), 1, 1e-7);
  EXPECT_GT(std::abs(determinant(StepMethod::reversible) - 1), 1e-7);
}

TEST(DiscontinuousPotential, ThePenaltyComesNearTheStep) {
  const double end = 9.9, exact = exact_quadratic(end)[0];
  const auto error = [&](double steepness) {
    return std::abs(
        run(quadratic_step(), StepMethod::penalty, 0.02 / steepness, end, 4, steepness).position[0] - exact);
  };
  EXPECT_NEAR(error(40) / error(160), 4, 2);
}

TEST(DiscontinuousPotential, NamesWhatItIsNotValidFor) {
  const auto expect = [](const Model& model, const StepMethodChoice& choice, double step,
                         const std::string& text, int exit_status = 2) {
    SmallParticles system(model, 1);
    try {
      DiscontinuousPotential method(system.lagrangian, system.state, choice, step);
      while (method.advance(system.state, 10)) {
      }
      FAIL() << "no error with " << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
      EXPECT_EQ(error.exit_status(), exit_status) << error.what();
    }
  };
  expect(quadratic_step(), {}, 0, "integrator.time_step");
  expect(quadratic_step(), {StepMethod::penalty, 4, 0}, 0.1, "integrator.steepness");
  expect(argon_cluster(), {StepMethod::quadratic, 4, 0}, 0.1,
         "integrator.variant = \"dp2\": expected one particle on a line and one step at one point of it, "
         "found another system");
  expect(quadratic_step(infinite), {StepMethod::penalty, 4, 10}, 0.1,
         "integrator.variant = \"penalty\": expected steps of a finite height, found step, which is a wall");
  RegionPart ellipse;
  ellipse.kind = RegionPart::Kind::formula;
  ellipse.function = parse_formula("x^2/4 + y^2 - 1", {"x", "y", "z"});
  expect(particles_model(2, 1, {{2.5, 0.3, 0}}, {{-1, 0.1, 0}}, {step_of(0.4, {{ellipse}})}),
         {StepMethod::penalty, 4, 10}, 0.1,
         "integrator.variant = \"penalty\": expected regions of half-spaces and balls, found step, which has "
         "a part with a formula");
  Model behind = quadratic_step(infinite);
  behind.positions[0][0] = 0.7;
  expect(behind, {}, 0.1, "particles where W is finite, found particle 1 behind its wall");
  // A wedge so narrow that impacts follow each other without end.
  const Model wedge = particles_model(
      2, 1, {{-1, 0, 0}}, {{1, 1e-5, 0}},
      {step_of(infinite, {{half_space({}, {1e-6, 1, 0}), half_space({}, {1e-6, -1, 0})}}, true)});
  for (const StepMethod method : {StepMethod::adaptive, StepMethod::kick_drift_kick})
    expect(wedge, {method, 2, 0}, 5,
           "impacts in a step, found more, as in a corner or along a curved wall: lower "
           "integrator.time_step, or let particles meet it less obliquely",
           1);
  // Drawn to a wall a millionth away: impacts are 0.0028 apart.
  const Model pressed = particles_model(
      1, 1, {{-1, 0, 0}}, {},
      {harmonic({1, 0, 0}), step_of(infinite, {{half_space({-0.999999, 0, 0}, {-1, 0, 0})}})});
  expect(pressed, {StepMethod::quadratic, 4, 0}, 5,
         "integrator.variant = \"dp2\": expected fewer than 1000 impacts in a step, found more", 1);
  Deck held = soft_deck({cube_entry("cube", 1)});
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::box;
  foot.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  held.supports = {foot};
  SmallSystem cube(held);
  try {
    DiscontinuousPotential method(cube.lagrangian, cube.state, {}, 0.1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("particles that are free to move"));
  }
}

}  // namespace
}  // namespace terrace::discontinuous_potential_test
