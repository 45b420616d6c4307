// Integrators of discontinuous potentials at walls: impacts at the end of a step, several in one step, in
// corners, motion along a wall; formulas without a value or a gradient where they are met.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/piecewise/discontinuous_potential.hpp"
#include "io/parse_formula.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_particles.hpp"

namespace terrace::walls_by_steps_test {
namespace {

constexpr double infinite = infinity;

RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, (1 / norm(normal)) * normal, 0, true, {}};
}
RegionPart formula(const std::string& text) {
  RegionPart part;
  part.kind = RegionPart::Kind::formula;
  part.function = parse_formula(text, {"x", "y", "z"});
  return part;
}
Interaction wall(std::vector<RegionPart> parts, bool outside = false, double height = infinite) {
  Interaction of;
  of.name = of.where = "wall";
  of.kind = InteractionKind::step;
  of.strength = height;
  of.region = {{std::move(parts)}, outside};
  return of;
}
/// A wall around the box [0, 1]ⁿ.
Interaction box(std::size_t dimension) {
  std::vector<RegionPart> sides;
  for (std::size_t d = 0; d < dimension; ++d)
    for (const double side : {0.0, 1.0}) {
      Vector3 point{}, normal{};
      point[d] = side;
      normal[d] = 2 * side - 1;
      sides.push_back(half_space(point, normal));
    }
  return wall(std::move(sides), true);
}

struct End {
  Vector3 position, velocity;
  std::int64_t reflections;
  double energy_error;
};
End run(const Model& model, const StepMethodChoice& choice, double step, double end) {
  SmallParticles system(model, 1);
  DiscontinuousPotential method(system.lagrangian, system.state, choice, step);
  const double start = system.record(method).energy;
  double worst = 0;
  while (method.advance(system.state, end)) {
    method.bring_up_to_date(system.state);
    worst = larger(worst, std::abs(system.record(method).energy - start));
  }
  return {system.position(0), system.state.lines[0].velocity, method.reflections(), worst};
}
const std::vector<StepMethod> methods = {StepMethod::kick_drift_kick, StepMethod::kick_drift,
                                         StepMethod::reversible, StepMethod::runge_kutta,
                                         StepMethod::adaptive};

// From x = 1/2 the walls across x are met every 50 steps, at the end of a step. The way is a folded straight
// line: in t = 20 it is reflected 20 times in x and 14 times in y, and ends where it began.
TEST(WallsBySteps, AnImpactOnAStepsEndIsOne) {
  const Model model = particles_model(2, 1, {{0.5, 0.25, 0}}, {{1, 0.7, 0}}, {box(2)});
  for (const StepMethod method : methods) {
    const End end = run(model, {method, 4, 0}, 0.02, 20);
    EXPECT_EQ(end.reflections, 20 + 14) << static_cast<int>(method);
    EXPECT_LT(norm(end.position - Vector3{0.5, 0.25, 0}), 1e-11) << static_cast<int>(method);
    EXPECT_LT(norm(end.velocity - Vector3{1, 0.7, 0}), 1e-13) << static_cast<int>(method);
    EXPECT_LE(end.energy_error, 1e-13);
  }
}

// Along the diagonal of a cube three walls are met at once, ten times in all: within a step, at its end, and
// several times in a step.
TEST(WallsBySteps, SeveralImpactsInAStep) {
  for (const double step : {0.0625, 0.125, 0.5, 0.03, 3.3}) {
    const Model model = particles_model(3, 1, {{0.5, 0.5, 0.5}}, {{1, 1, 1}}, {box(3)});
    const bool at_ends = step == 0.0625 || step == 0.125 || step == 0.5;
    for (const StepMethod method : methods) {
      const End end = run(model, {method, 4, 0}, step, at_ends ? 10 : 9.9);
      EXPECT_EQ(end.reflections, 3 * 10) << static_cast<int>(method) << ", " << step;
      for (const double x : end.position)
        EXPECT_NEAR(x, at_ends ? 0.5 : 0.4, 1e-11) << static_cast<int>(method) << ", " << step;
    }
  }
}

// Three walls are met almost at once: each once, and none twice.
TEST(WallsBySteps, CornersThatAreNearlyMet) {
  for (const double off : {1e-16, 1e-15, -1e-15, 3e-15, 1e-14, -1e-14, 1e-13, 1e-12})
    for (const StepMethod method : methods) {
      const Model model = particles_model(3, 1, {{0.5, 0.5, 0.5}}, {{1, 1 + off, 1 - 2 * off}}, {box(3)});
      const End end = run(model, {method, 4, 0}, 0.03, 9.9);
      EXPECT_EQ(end.reflections, 3 * 10) << static_cast<int>(method) << ", " << off;
      for (const double x : end.position)
        EXPECT_NEAR(x, 0.4, 1e-10) << static_cast<int>(method) << ", " << off;
    }
}

// A shell about a circle, 1e-4 thick, is met from within along every chord, however long the step.
TEST(WallsBySteps, AThinShellIsNeverMissed) {
  const RegionPart within{RegionPart::Kind::ball, {}, {}, 1, false, {}},
      without{RegionPart::Kind::ball, {}, {}, 1.0001, true, {}};
  for (const StepMethod method : methods)
    for (const double slope : {0.0, 0.4, 3.0}) {
      SmallParticles system(
          particles_model(2, 1, {{0.3, 0.8, 0}}, {{1, slope, 0}}, {wall({within, without})}), 1);
      DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, 0}, 0.7);
      while (integrator.advance(system.state, 50)) {
        integrator.bring_up_to_date(system.state);
        ASSERT_LE(norm(system.position(0)), 1 + 1e-10) << static_cast<int>(method) << ", " << slope;
      }
      EXPECT_GT(integrator.reflections(), 20);
    }
}

// A force draws a particle that is nearly at rest towards a thin film: its speed at the start of a step does
// not tell how far it goes. It meets the film first at t = 1.4, then every 2 √(2 · 0.9999).
TEST(WallsBySteps, AFilmIsMetByWhatIsStillToBecomeFast) {
  Interaction pull;
  pull.name = pull.where = "pull";
  pull.kind = InteractionKind::polynomial;
  pull.coefficients = {0, -1};
  pull.direction = {1, 0, 0};
  const Interaction film = wall({half_space({1, 0, 0}, {1, 0, 0}), half_space({0.9999, 0, 0}, {-1, 0, 0})});
  for (const StepMethod method : {StepMethod::reversible, StepMethod::runge_kutta, StepMethod::adaptive})
    for (const double step : {0.3, 2.0}) {
      SmallParticles system(particles_model(1, 1, {{0, 0, 0}}, {{0.01, 0, 0}}, {pull, film}), 1);
      DiscontinuousPotential integrator(system.lagrangian, system.state, {method, 4, 0}, step);
      while (integrator.advance(system.state, 60)) {
        integrator.bring_up_to_date(system.state);
        ASSERT_LE(system.position(0)[0], 0.9999 + 1e-10) << static_cast<int>(method) << ", " << step;
      }
      EXPECT_EQ(integrator.reflections(), 21) << "every 2 sqrt(2 · 0.9999)";
    }
}

// A step of finite height that is met at the end of a time step is crossed once. On which side the particle
// is must be remembered: its place, which rounding decides, does not tell. Afterwards v² = 1 − 2 · 0.375.
TEST(WallsBySteps, AFiniteStepOnAStepsEndIsCrossedOnce) {
  const Model model =
      particles_model(1, 1, {{-1, 0, 0}}, {{1, 0, 0}}, {wall({half_space({}, {-1, 0, 0})}, false, 0.375)});
  for (const StepMethod method : methods)
    for (const double step : {0.25, 0.1, 0.2, 1.0 / 3}) {
      const End end = run(model, {method, 4, 0}, step, 2);
      EXPECT_LE(end.energy_error, 1e-14) << static_cast<int>(method) << ", " << step;
      EXPECT_NEAR(end.velocity[0], 0.5, 1e-14) << static_cast<int>(method) << ", " << step;
    }
}

// For a particle that slides along the surface of a formula, or rests on it, no bound excludes an impact. The
// run must go on all the same.
TEST(WallsBySteps, SlidingAlongAFormulaEnds) {
  for (const StepMethod method : methods) {
    const End slides =
        run(particles_model(2, 1, {{0, 0, 0}}, {{1, 0, 0}}, {wall({formula("y")})}), {method, 4, 0}, 0.25, 1);
    EXPECT_EQ(slides.position, (Vector3{1, 0, 0}));
    EXPECT_EQ(slides.reflections, 0);
    const End rests =
        run(particles_model(2, 1, {{0, 0, 0}}, {{0, 0, 0}}, {wall({formula("y")})}), {method, 4, 0}, 0.25, 1);
    EXPECT_EQ(rests.position, (Vector3{0, 0, 0}));
  }
}

// The surface of (1 − x² − y²)³ is a circle, on which its gradient vanishes; beside it there is a normal.
TEST(WallsBySteps, AGradientThatVanishesAtTheSurfaceAlone) {
  for (const StepMethod method : methods) {
    const End end =
        run(particles_model(2, 1, {{-0.5, 0, 0}}, {{1, 0, 0}}, {wall({formula("(1 - x^2 - y^2)^3")})}),
            {method, 4, 0}, 0.03, 9.99);
    EXPECT_EQ(end.reflections, 5) << static_cast<int>(method);
    EXPECT_NEAR(end.velocity[0], -1, 1e-12) << static_cast<int>(method);
    EXPECT_NEAR(end.position[0], 0.51, 1e-9) << static_cast<int>(method);
  }
}

std::string trouble(const Model& model, StepMethod method, double step, double end) {
  try {
    run(model, {method, 4, 0}, step, end);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// x⁶¹ is 0 to rounding also beside its surface, where no normal can be found.
TEST(WallsBySteps, ASurfaceWithoutNormalIsAnError) {
  for (const StepMethod method : methods)
    EXPECT_THAT(trouble(particles_model(2, 1, {{0.5, 0.2, 0}}, {{-1, 0, 0}}, {wall({formula("x^61")})}),
                        method, 0.125, 1),
                testing::AllOf(testing::HasSubstr("potential wall, time 0."),
                               testing::HasSubstr("a normal where its surface is met: a function whose "
                                                  "gradient is not 0 there, found none for particle 1 at")));
}

// A particle comes to where a formula has no value.
TEST(WallsBySteps, AFormulaWithoutAValueIsAnError) {
  for (const double height : {infinite, 0.1})
    for (const StepMethod method : methods)
      EXPECT_THAT(
          trouble(particles_model(1, 1, {{0.45, 0, 0}}, {{-1, 0, 0}},
                                  {wall({formula("-log(x)")}, false, height)}),
                  method, 0.125, 1),
          testing::AllOf(testing::HasSubstr("potential wall, time 0.5"),
                         testing::HasSubstr("particles where its function has a value and a gradient, found "
                                            "particle 1 at")));
}

}  // namespace
}  // namespace terrace::walls_by_steps_test
