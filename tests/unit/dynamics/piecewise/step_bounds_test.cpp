// Bounds of the forces near a configuration, and of how far the end of a step moves with its length, against
// samples; interfaces that these bounds find.
#include "dynamics/piecewise/step_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/piecewise/discontinuous_potential.hpp"
#include "io/parse_formula.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "support/small_particles.hpp"

namespace terrace::step_bounds_test {
namespace {

Interaction interaction(InteractionKind kind, double strength, double length = 1) {
  Interaction of;
  of.name = of.where = "force";
  of.kind = kind;
  of.strength = strength;
  of.length = length;
  of.centre = {0.3, -0.2, 0.1};
  return of;
}
Interaction formula(InteractionKind kind, const std::string& text,
                    const std::vector<std::string>& variables) {
  Interaction of = interaction(kind, 1);
  of.formula = parse_formula(text, variables);
  return of;
}

/// One of every kind of force.
std::vector<Interaction> forces() {
  Interaction well = harmonic({1, 2, 0.5}, {0.2, 0, 0}),
              polynomial = interaction(InteractionKind::polynomial, 1);
  polynomial.coefficients = {0, 1, -2, 0.3, 0.7};
  polynomial.direction = {0.6, 0.8, 0};
  return {lennard_jones(1, 0.9),
          lennard_jones(1, 0.9, 1.3),
          interaction(InteractionKind::gravity, 2),
          interaction(InteractionKind::spring, 3, 0.7),
          interaction(InteractionKind::hertz, 5, 1.4),
          interaction(InteractionKind::central, 1.5),
          interaction(InteractionKind::circle, 4, 0.8),
          well,
          polynomial,
          formula(InteractionKind::pair_expression, "exp(-r)*sin(3*r)/r", {"r"}),
          formula(InteractionKind::expression, "x^2*y - cos(2*x + z) + 0.1*x*y*z", {"x", "y", "z"})};
}

struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  double operator()() { return any(engine); }
  Vector3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  std::mt19937 engine;
  std::uniform_real_distribution<double> any{-1, 1};
};

Model scattered(const std::vector<Interaction>& of, Random& random) {
  std::vector<Vector3> places, velocities;
  for (int n = 0; n < 5; ++n) {
    places.push_back(Vector3{1.1 * (n % 2), 1.0 * (n / 2), 0.4 * (n % 3)} + 0.1 * random.vector());
    velocities.push_back(random.vector());
  }
  return particles_model(3, 1.7, places, velocities, of);
}

constexpr unsigned seed = 23;

TEST(StepBounds, HoldForEveryForce) {
  Random random(seed);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  int bounded = 0;
  for (std::size_t k = 0; k < forces().size(); ++k)
    for (const double radius : {1e-3, 0.03, 0.2}) {
      SmallParticles system(scattered({forces()[k]}, random), 1);
      const SmoothForces smooth(system.lagrangian, 0);
      const std::vector<Vector3>& x = system.model.positions;
      const SmoothForces::Bounds bounds = smooth.bounds_nearby(x, radius);
      if (!std::isfinite(bounds.acceleration + bounds.rate)) continue;
      ++bounded;
      double most = 0, quickest = 0;
      for (int sample = 0; sample < 200; ++sample) {
        std::vector<Vector3> one = x, other = x;
        for (std::size_t a = 0; a < x.size(); ++a) {
          one[a] += (radius / std::sqrt(3.0)) * random.vector();
          other[a] = one[a] + 1e-5 * radius * random.vector();
        }
        const auto first = smooth.accelerations(one), second = smooth.accelerations(other);
        double apart = 0, change = 0;
        for (std::size_t a = 0; a < x.size(); ++a) {
          most = larger(most, norm(first[a]));
          apart = larger(apart, norm(other[a] - one[a]));
          change = larger(change, norm(second[a] - first[a]));
        }
        quickest = std::max(quickest, change / apart);
      }
      EXPECT_LE(most, bounds.acceleration) << k << ", " << radius;
      EXPECT_LE(quickest, bounds.rate * (1 + 1e-6) + 1e-9) << k << ", " << radius;
      if (radius > 1e-3 || most == 0) continue;
      EXPECT_GE(most, 0.3 * bounds.acceleration) << k << ": no bound is far from what there is";
    }
  EXPECT_GE(bounded, 30);
}

// A spring of length 0 pulls with k r, also where its ends pass through each other. With both ends moved by
// up to R = 0.2 its force is at most k (2 R + r), and changes by at most 2 k per length moved. The force of a
// spring of another length turns round where its ends meet, so that its rate has no bound there.
TEST(StepBounds, OfSpringsWithoutLengthHoldWhereTheirEndsMeet) {
  for (const double distance : {0.0, 1e-9, 0.1}) {
    const auto bounds = [&](double length) {
      SmallParticles system(particles_model(2, 1.7, {{0.3, 0, 0}, {0.3 + distance, 0, 0}}, {},
                                            {interaction(InteractionKind::spring, 3, length)}),
                            1);
      return SmoothForces(system.lagrangian, 0).bounds_nearby(system.model.positions, 0.2);
    };
    EXPECT_NEAR(bounds(0).acceleration, 3 * (0.4 + distance) / 1.7, 1e-12) << distance;
    EXPECT_NEAR(bounds(0).rate, 2 * 3 / 1.7, 1e-12) << distance;
    EXPECT_TRUE(distance == 0 || std::isinf(bounds(0.7).rate)) << distance;
  }
}

// A pair out of each other's reach may come into it.
TEST(StepBounds, HoldForPairsThatComeIntoReach) {
  const auto bounds = [&](double radius) {
    SmallParticles system(
        particles_model(2, 1, {{0, 0, 0}, {1.5, 0, 0}}, {}, {interaction(InteractionKind::hertz, 5, 1.4)}),
        1);
    return SmoothForces(system.lagrangian, 0).bounds_nearby(system.model.positions, radius);
  };
  EXPECT_EQ(bounds(0.04).acceleration, 0);
  EXPECT_LE(bounds(0.2).acceleration, 2 * 5 * std::pow(0.3, 1.5));
  EXPECT_GE(bounds(0.2).acceleration, 5 * std::pow(0.3, 1.5));
  EXPECT_GE(bounds(0.2).rate, 2 * 7.5 * std::sqrt(0.3)) << "of each end against the other";
}

// A particle at rest at x = 1 is drawn by V = −x¹⁶ to where forces are far larger: the bound must hold for
// the stages of the step there, too.
TEST(StepBounds, HoldForStagesThatForcesAloneMove) {
  Interaction steep = interaction(InteractionKind::polynomial, 1);
  steep.coefficients.assign(17, 0);
  steep.coefficients[16] = -1;
  steep.centre = {};
  steep.direction = {1, 0, 0};
  int bounded = 0;
  for (const int order : {0, 2, 4, 6})
    for (const double step : {0.01, 0.03, 0.05, 0.15, 0.3}) {
      SmallParticles system(particles_model(1, 1, {{1, 0, 0}}, {}, {steep}), 1);
      const SmoothForces smooth(system.lagrangian, 0);
      const Phase phase{system.model.positions, system.model.velocities};
      const auto bound = bound_of_steps(smooth, phase, step, order);
      if (!bound) continue;
      ++bounded;
      const auto end = [&](double s) {
        return order == 0 ? runge_kutta_step(smooth, phase, s) : symmetric_step(smooth, phase, s, order);
      };
      for (int k = 0; k < 40; ++k) {
        const double from = step * k / 40, to = step * (k + 1) / 40;
        EXPECT_LE(std::abs(end(to).positions[0][0] - end(from).positions[0][0]), bound->spread * (to - from))
            << order << ", " << step;
      }
    }
  EXPECT_GE(bounded, 6);
}

// Between any two lengths of a step its end moves by `velocities` times the difference, up to `spread` times
// it.
TEST(StepBounds, HoldForTheWaysOfSteps) {
  Random random(seed);
  int bounded = 0;
  for (const Interaction& force : forces())
    for (const int order : {0, 2, 4, 6}) {
      SmallParticles system(scattered({force}, random), 1);
      const SmoothForces smooth(system.lagrangian, 0);
      const Phase phase{system.model.positions, system.model.velocities};
      const double step = 0.02;
      const auto bound = bound_of_steps(smooth, phase, step, order);
      if (!bound) continue;
      ++bounded;
      const auto end = [&](double s) {
        return (order == 0 ? runge_kutta_step(smooth, phase, s) : symmetric_step(smooth, phase, s, order))
            .positions;
      };
      for (int k = 0; k < 40; ++k) {
        const double from = step * k / 40, to = step * (k + 1) / 40;
        const auto one = end(from), other = end(to);
        for (std::size_t a = 0; a < one.size(); ++a)
          ASSERT_LE(norm(other[a] - one[a] - (to - from) * bound->velocities[a]),
                    bound->spread * (to - from) + 1e-14)
              << force.name << " of order " << order << ", " << k;
      }
      EXPECT_LT(bound->spread, 30) << "a bound, not a disclaimer";
    }
  EXPECT_GE(bounded, 36);
}

// There is no bound for a step that is long compared with the distance to a singularity.
TEST(StepBounds, NoneNearASingularity) {
  SmallParticles system(
      particles_model(2, 1, {{1, 0, 0}}, {{-3, 0, 0}}, {interaction(InteractionKind::central, 1)}), 1);
  const SmoothForces smooth(system.lagrangian, 0);
  const Phase phase{system.model.positions, system.model.velocities};
  EXPECT_FALSE(bound_of_steps(smooth, phase, 0.3, 4));
  EXPECT_TRUE(bound_of_steps(smooth, phase, 0.01, 4));
}

Interaction dip(double height, const RegionPart& part) {
  Interaction of;
  of.name = of.where = "dip";
  of.kind = InteractionKind::step;
  of.strength = height;
  of.region.pieces = {{part}};
  return of;
}

/// Where a planet about a sun is at t = 20, with a step of the potential of this height at the surface of
/// `part`. It falls from 1.6 towards the sun, and at r = 1 has v_r²/2 = 0.094 to pass it.
Vector3 planet_with(double height, const RegionPart& part, StepMethod method, std::int64_t& reflections) {
  Interaction sun = interaction(InteractionKind::central, 1);
  sun.centre = {};
  SmallParticles system(particles_model(2, 1, {{1.6, 0, 0}}, {{0, 0.6, 0}}, {sun, dip(height, part)}), 1);
  DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, 0}, 0.02);
  while (integrator.advance(system.state, 20)) continue;
  integrator.bring_up_to_date(system.state);
  reflections = integrator.reflections();
  std::vector<Warning> warnings;
  integrator.describe_trouble(warnings);
  EXPECT_TRUE(warnings.empty());
  return system.position(0);
}

TEST(StepBounds, AFormulaIsAnInterfaceAsABallIs) {
  RegionPart formula;
  formula.kind = RegionPart::Kind::formula;
  formula.function = parse_formula("x^2 + y^2 - 1", {"x", "y", "z"});
  const RegionPart ball{RegionPart::Kind::ball, {}, {}, 1, true, {}};
  for (const StepMethod method : {StepMethod::adaptive, StepMethod::reversible, StepMethod::kick_drift_kick})
    for (const double height : {0.05, 0.15}) {  // refracted; reflected
      std::int64_t of_ball = 0, of_formula = 0, of_none = 0;
      const Vector3 one = planet_with(height, ball, method, of_ball),
                    other = planet_with(height, formula, method, of_formula);
      EXPECT_LT(norm(one - other), 1e-8);
      EXPECT_EQ(of_ball, of_formula);
      EXPECT_EQ(of_ball > 0, height > 0.1);
      EXPECT_GT(norm(one - planet_with(0, ball, method, of_none)), 0.01) << "the step is felt";
    }
}

// A film of a thousandth of the way of a step is met every time, by methods of all orders.
TEST(StepBounds, AThinFilmIsNeverMissed) {
  Interaction film = dip(infinity, {RegionPart::Kind::half_space, {1, 0, 0}, {1, 0, 0}, 0, true, {}});
  film.region.pieces[0].push_back({RegionPart::Kind::half_space, {0.9999, 0, 0}, {-1, 0, 0}, 0, true, {}});
  for (const int order : {2, 4, 6}) {
    SmallParticles system(particles_model(1, 1, {{0, 0, 0}}, {{1.3, 0, 0}}, {harmonic({0.5, 0, 0}), film}),
                          1);
    DiscontinuousPotential integrator(system.lagrangian, system.state, {StepMethod::adaptive, order, 0}, 0.1);
    while (integrator.advance(system.state, 100)) {
      integrator.bring_up_to_date(system.state);
      ASSERT_LT(system.position(0)[0], 0.9999 + 1e-12) << order;
    }
    EXPECT_GT(integrator.reflections(), 10);
  }
}

}  // namespace
}  // namespace terrace::step_bounds_test
