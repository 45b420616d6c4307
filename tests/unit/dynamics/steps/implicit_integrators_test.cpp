// The implicit midpoint rule, the energy-momentum method, SEM and the semi-explicit method on small cubes:
// what each conserves, their order, and what they are not valid for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/integrators.hpp"
#include "dynamics/steps/newmark.hpp"
#include "dynamics/steps/step_equations.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::implicit_integrators_test {
namespace {

constexpr const char *midpoint = "implicit-midpoint", *energy_momentum = "energy-momentum",
                     *sem = "symplectic-energy-momentum", *semi_explicit = "semi-explicit";

/// The spinning cube with a spin about none of its axes of symmetry, and a velocity.
Deck tumbling_cube(double spin = 1) {
  Deck deck = spinning_cube(2);
  deck.bodies[0].spin = spin * Vector3{0.2, 0.1, 1};
  deck.bodies[0].velocity = {0.1, 0, 0};
  return deck;
}

/// A cube above a wall, on its way towards it.
Deck falling_cube(WallModel model) {
  Deck deck = soft_deck({cube_entry("cube", 2)});
  deck.bodies[0].velocity = {0, 0.02, -0.1};
  deck.bodies[0].spin = {0.1, 0, 0};
  Wall wall{"floor", {0, 0, -0.62}, {0, 0, 1}, model == WallModel::penalty ? 0.02 : 0};
  wall.model = model;
  deck.walls = {wall};
  return deck;
}

struct Moving {
  Moving(const Deck& deck, const std::string& method, double factor,
         const std::function<void(IntegratorSettings&)>& change = {})
      : system(deck) {
    IntegratorSettings settings;
    settings.time_step_factor = factor;
    if (change) change(settings);
    integrator = find_integrator(method)->make(settings, system.lagrangian, system.state);
  }
  void go(double until) {
    while (integrator->advance(system.state, until)) {
    }
  }
  [[nodiscard]] SystemRecord record() { return system.record(*integrator); }
  [[nodiscard]] std::vector<Vector3> positions() const {
    std::vector<Vector3> all;
    for (std::size_t a = 0; a < system.state.lines.size(); ++a) all.push_back(system.position(a));
    return all;
  }
  SmallSystem system;
  std::unique_ptr<Integrator> integrator;
};

/// Largest distance of two configurations.
double distance(const std::vector<Vector3>& one, const std::vector<Vector3>& other) {
  double largest = 0;
  for (std::size_t a = 0; a < one.size(); ++a) largest = larger(largest, norm(one[a] - other[a]));
  return largest;
}

TEST(ImplicitIntegrators, AreOfSecondOrderOnANonlinearBody) {
  constexpr double end = 2;
  Moving reference(tumbling_cube(), "newmark", 0, [](auto& settings) { settings.time_step = end / 4096; });
  reference.go(end);
  for (const char* method : {midpoint, energy_momentum, semi_explicit}) {
    const auto error = [&](int steps) {
      Moving moving(tumbling_cube(), method, 0, [&](auto& settings) { settings.time_step = end / steps; });
      moving.go(end - 1e-6);
      EXPECT_NEAR(moving.system.state.time, end, 1e-12);
      return distance(moving.positions(), reference.positions());
    };
    const double coarse = error(16), middle = error(32), fine = error(64);
    std::printf("%s: %.2e %.2e %.2e\n", method, coarse, middle, fine);
    EXPECT_NEAR(coarse / middle, 4, 0.6) << method;
    EXPECT_NEAR(middle / fine, 4, 0.3) << method;
  }
}

TEST(ImplicitIntegrators, KeepMomentaAtStepsFarBeyondTheStableOne) {
  for (const char* method : {midpoint, energy_momentum, sem}) {
    Moving moving(tumbling_cube(0.3), method, 5);
    const IntegerMomentum momentum = moving.system.diagnostics.total_momentum(moving.system.state);
    const Vector3 angular = moving.record().angular_momentum;
    const double energy = moving.record().energy;
    moving.go(40);
    EXPECT_TRUE(moving.system.diagnostics.total_momentum(moving.system.state) == momentum) << method;
    EXPECT_LE(norm(moving.record().angular_momentum - angular), 1e-11 * norm(angular)) << method;
    const double drift = std::abs(moving.record().energy / energy - 1);
    std::printf("%s: energy changes by %.1e in %lld steps\n", method, drift,
                static_cast<long long>(moving.integrator->events()));
    if (method == midpoint)
      EXPECT_GT(drift, 1e-8) << "the midpoint rule keeps no nonlinear energy";
    else
      EXPECT_LE(drift, 1e-11) << method;
  }
}

TEST(ImplicitIntegrators, KeepTheEnergyThroughImpactsWithWalls) {
  for (const WallModel model : {WallModel::penalty, WallModel::barrier}) {
    Moving moving(falling_cube(model), energy_momentum, 2);
    const SystemRecord first = moving.record();
    const IntegerMomentum momentum = moving.system.diagnostics.total_momentum(moving.system.state);
    moving.go(12);
    EXPECT_GT(moving.record().momentum[2], 0) << "it has left the wall";
    EXPECT_NEAR(moving.record().energy / first.energy, 1, 1e-11);
    EXPECT_TRUE(moving.system.diagnostics.total_momentum(moving.system.state) == momentum)
        << "with the wall's ledger";
    EXPECT_NEAR(moving.record().angular_momentum[2], first.angular_momentum[2], 1e-12)
        << "about the wall's normal";
  }
}

TEST(ImplicitIntegrators, GoBackWhereTheyCameFrom) {
  for (const char* method : {midpoint, energy_momentum}) {
    Moving moving(tumbling_cube(0.5), method, 3);
    const std::vector<Vector3> start = moving.positions();
    for (int step = 0; step < 20; ++step) moving.integrator->advance(moving.system.state, 1e9);
    EXPECT_GT(distance(moving.positions(), start), 0.1);
    std::vector<Vector3> velocities;
    for (const NodeLine& line : moving.system.state.lines) velocities.push_back(-1 * line.velocity);
    moving.system.state.set_velocities(velocities);
    for (int step = 0; step < 20; ++step) moving.integrator->advance(moving.system.state, 1e9);
    EXPECT_LE(distance(moving.positions(), start), 1e-9) << method;
  }
}

// With the exact tangent Newton's method doubles its digits: from 1e-2 to 1e-12 in three or four iterations.
TEST(ImplicitIntegrators, TakeFourNewtonIterationsAtTenTimesTheStableStep) {
  for (const char* method : {midpoint, energy_momentum}) {
    Moving moving(tumbling_cube(0.03), method, 10);
    for (int step = 0; step < 20; ++step) moving.integrator->advance(moving.system.state, 1e9);
    const StepRecord record = *moving.integrator->step_record();
    EXPECT_LE(record.most_newton_iterations, 4) << method;
    EXPECT_GE(record.newton_iterations, 20);
    EXPECT_GT(record.linear_iterations, record.newton_iterations);
    EXPECT_EQ(record.halved_steps, 0);
    EXPECT_GT(moving.integrator->seconds_by_part().at("tangents"), 0);
    EXPECT_GT(moving.integrator->element_evaluations(), moving.integrator->gradient_evaluations());
  }
}

TEST(ImplicitIntegrators, HalveStepsThatAreNotSolvedAndSayWhy) {
  // Far too long: the cube turns by more than a radian in a step.
  constexpr double factor = 12;
  Moving moving(tumbling_cube(1), midpoint, factor), resumed(tumbling_cube(1), midpoint, factor);
  for (int step = 0; step < 6; ++step) moving.integrator->advance(moving.system.state, 1e9);
  const StepRecord record = *moving.integrator->step_record();
  EXPECT_GT(record.halved_steps, 0);
  EXPECT_LE(record.halved_steps, 6) << "also where halves are halved";
  EXPECT_LT(record.shortest, 0.6 * record.longest);
  std::vector<Warning> warnings;
  moving.integrator->describe_trouble(warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].text.find("steps could not be taken and were halved, the last time as "),
            std::string::npos)
      << warnings[0].text;
  // The reason is that of the step that was not solved; its halves, which were, have none.
  EXPECT_EQ(warnings[0].text.find("the last time as ;"), std::string::npos) << warnings[0].text;
  ByteWriter writer;
  moving.integrator->save(writer);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes);
  resumed.integrator->restore(resumed.system.state, reader);
  std::vector<Warning> later;
  resumed.integrator->describe_trouble(later);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].text, warnings[0].text);
}

// The midpoint rule takes forces in the middle of a step. Elements may be sound there and inverted at its
// end: no such step must be taken.
TEST(ImplicitIntegrators, TakeNoStepThatEndsWithInvertedElements) {
  Deck deck = tumbling_cube(1);
  deck.bodies[0].velocity = {};
  for (const double factor : {8, 12}) {
    Moving moving(deck, midpoint, factor);
    while (moving.integrator->advance(moving.system.state, 30))
      ASSERT_GT(moving.system.smallest_jacobian(), 0)
          << factor << " times the stable step at " << moving.system.state.time;
  }
}

// A body that strains by 1e-7 or so while it turns by 0.75 rad: the rounding of its strains is relative to
// the turn.
TEST(ImplicitIntegrators, SolveForBodiesThatTurnAndHardlyStrain) {
  for (const char* method : {midpoint, energy_momentum}) {
    Deck deck = tumbling_cube(5e-4);
    deck.bodies[0].velocity = {};
    Moving moving(deck, method, 0, [](auto& settings) { settings.time_step = 6; });
    const double energy = moving.record().energy;
    moving.go(1500);
    EXPECT_EQ(moving.integrator->step_record()->halved_steps, 0) << method;
    EXPECT_LE(std::abs(moving.record().energy / energy - 1), method == midpoint ? 1e-4 : 1e-10) << method;
  }
}

TEST(ImplicitIntegrators, GiveUpInWordsWhereNoStepIsSolved) {
  // Nothing is ever solved to a tolerance below the rounding of forces.
  Moving moving(tumbling_cube(1), midpoint, 2, [](auto& settings) { settings.solver_tolerance = 1e-30; });
  try {
    moving.go(100);
    FAIL() << "no solution is as good as that";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("steps, halved 10 times, that can be taken"), std::string::npos) << text;
    EXPECT_NE(text.find("residual"), std::string::npos) << text;
  }
  try {
    Moving(tumbling_cube(1), sem, 2, [](auto& settings) { settings.solver_tolerance = 1e-30; });
    FAIL() << "nor the first";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a first step whose equations Newton's method solves"),
              std::string::npos)
        << error.what();
  }
}

TEST(ImplicitIntegrators, ReasonsAreWords) {
  EXPECT_EQ(words_of(SNES_DIVERGED_LINEAR_SOLVE, KSP_DIVERGED_ITS),
            "the linear solver needs more iterations than it may take (-ksp_max_it)");
  EXPECT_EQ(words_of(SNES_DIVERGED_LINEAR_SOLVE, KSP_DIVERGED_INDEFINITE_MAT),
            "the tangent is not positive definite: the step is too long for what stores energy (bodies under "
            "compression, potentials that curve downwards)");
  EXPECT_EQ(words_of(SNES_DIVERGED_LINEAR_SOLVE, KSP_DIVERGED_BREAKDOWN),
            "the linear solver gave up (DIVERGED_BREAKDOWN)");
  EXPECT_EQ(words_of(SNES_DIVERGED_MAX_IT, KSP_CONVERGED_RTOL),
            "Newton's method needs more iterations than it may take (-snes_max_it)");
  EXPECT_EQ(words_of(SNES_DIVERGED_FNORM_NAN, KSP_CONVERGED_RTOL),
            "elements invert, or nodes pass a barrier");
  EXPECT_EQ(words_of(SNES_DIVERGED_DTOL, KSP_CONVERGED_RTOL), "the residual grows");
  EXPECT_EQ(words_of(SNES_DIVERGED_TR_DELTA, KSP_CONVERGED_RTOL),
            "Newton's method gave up (DIVERGED_TR_DELTA)");
}

// The steps h follow h S^(1/3) = const + O(h²), S = vᵀKv + gᵀM⁻¹g: they are shorter where the cube is
// stretched. The test asks that they keep the energy and differ by a tenth.
TEST(SymplecticEnergyMomentum, ChoosesStepsByTheEnergyAlone) {
  Moving moving(tumbling_cube(1), sem, 1);
  const double energy = moving.record().energy;
  double worst = 0;
  for (int step = 0; step < 60; ++step) {
    moving.integrator->advance(moving.system.state, 1e9);
    worst = larger(worst, std::abs(moving.record().energy / energy - 1));
  }
  const StepRecord record = *moving.integrator->step_record();
  std::printf("SEM: energy to %.1e, steps from %.3g to %.3g\n", worst, record.shortest, record.longest);
  EXPECT_LE(worst, 1e-10);
  EXPECT_EQ(record.unsolved_steps, 0);
  EXPECT_GT(record.longest, 1.1 * record.shortest);
  EXPECT_NEAR(moving.integrator->average_step(), moving.system.state.time / 60, 1e-12);
}

// St. Venant and Kirchhoff's law at small strains is linear: then the step never changes (Kane, Marsden and
// Ortiz's E_d is exact for the midpoint rule).
TEST(SymplecticEnergyMomentum, KeepsTheStepWhereForcesAreLinear) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.materials[0].law = MaterialLaw::st_venant_kirchhoff;
  SmallSystem system(deck);
  std::vector<Vector3> velocities;
  for (const Vector3& x : system.lagrangian.reference) velocities.push_back({1e-6 * x[0], 0, 0});
  system.state.set_velocities(velocities);
  IntegratorSettings settings;
  settings.time_step_factor = 2;
  const auto integrator = find_integrator(sem)->make(settings, system.lagrangian, system.state);
  for (int step = 0; step < 30; ++step) integrator->advance(system.state, 1e9);
  const StepRecord record = *integrator->step_record();
  EXPECT_NEAR(record.longest / record.shortest, 1, 1e-5);
}

// In rigid flight steps of any length keep the energy. Where a long step meets the wall none does: the energy
// changes in such steps, which are counted, and in no others.
TEST(SymplecticEnergyMomentum, ChangesTheEnergyInStepsThatNoneSolvesAndCountsThem) {
  Deck deck = falling_cube(WallModel::penalty);
  deck.bodies[0].spin = {};
  Moving moving(deck, sem, 3);
  double energy = moving.record().energy;
  std::int64_t changes = 0;
  for (int step = 0; step < 12; ++step) {
    moving.integrator->advance(moving.system.state, 1e9);
    const double now = moving.record().energy;
    changes += std::abs(now / energy - 1) > 1e-10 ? 1 : 0;
    energy = now;
  }
  const StepRecord record = *moving.integrator->step_record();
  EXPECT_GT(record.unsolved_steps, 0);
  EXPECT_LE(record.unsolved_steps, 2) << "the energy that such a step has is kept from there on";
  EXPECT_EQ(changes, record.unsolved_steps);
  std::vector<Warning> warnings;
  moving.integrator->describe_trouble(warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].text.find("no step gave the energy in"), std::string::npos) << warnings[0].text;
}

// The contact bounds the step, and the elements do not: it is up to three times, and at least 1.2 times,
// their stable step.
TEST(SemiExplicit, TakesStepsBeyondTheStableOneOfTheElements) {
  Deck deck = falling_cube(WallModel::penalty);
  deck.walls[0].stiffness = 0.002;
  Moving moving(deck, semi_explicit, 0, [&](auto& settings) {
    const SmallSystem cube(deck);
    settings.time_step = std::min(3 * cube.lagrangian.stable_step, 0.8 * cube.lagrangian.stable_contact_step);
  });
  EXPECT_GT(moving.integrator->average_step(), 1.2 * moving.system.lagrangian.stable_step);
  const double energy = moving.record().energy;
  moving.go(12);
  EXPECT_GT(moving.record().momentum[2], 0) << "it has left the wall";
  EXPECT_NEAR(moving.record().energy / energy, 1, 0.1);
}

TEST(SemiExplicit, WarnsOfAStepThatTheContactDoesNotBear) {
  const SmallSystem cube(falling_cube(WallModel::penalty));
  for (const double factor : {0.9, 1.1}) {
    IntegratorSettings settings;
    settings.time_step = factor * cube.lagrangian.stable_contact_step;
    EXPECT_EQ(unstable_step(*find_integrator("semi-explicit"), settings, cube.lagrangian).size(),
              factor < 1 ? 0U : 1U);
    EXPECT_TRUE(unstable_step(*find_integrator("implicit-midpoint"), settings, cube.lagrangian).empty());
  }
}

TEST(SemiExplicit, DampsByTheWeightOfItsImplicitPart) {
  const auto energy_left = [](double weight) {
    Moving moving(tumbling_cube(0.2), semi_explicit, 4,
                  [&](auto& settings) { settings.implicit_weight = weight; });
    const double energy = moving.record().energy;
    moving.go(20);
    return moving.record().energy / energy;
  };
  const double undamped = energy_left(0.5), damped = energy_left(0.8);
  EXPECT_NEAR(undamped, 1, 0.02);
  EXPECT_LT(damped, 1 - 5 * std::abs(undamped - 1));
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "none";
}

TEST(ImplicitIntegrators, RefuseWhatTheyAreNotValidForByTheProperty) {
  Deck moved = tumbling_cube();
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::box;
  foot.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  foot.velocity = {0.1, 0, 0};
  moved.supports = {foot};
  EXPECT_NE(refusal([&] { Moving(moved, sem, 1); }).find("supports at rest"), std::string::npos);
  EXPECT_NE(refusal([&] { Moving(moved, sem, 1); }).find(", which moves and does work"), std::string::npos);
  for (const char* method : {midpoint, energy_momentum, sem, semi_explicit})
    EXPECT_NE(refusal([&] { Moving(tumbling_cube(), method, -1); }).find("a positive, finite step"),
              std::string::npos);
  // Contact with the barrier has no second derivatives, and no discrete gradient.
  Deck pair = three_cubes(1, false, 0.4);
  pair.contact.model = ContactModel::barrier;
  LocalizationEntry own{LocalizationKind::global};
  for (const auto& [method, expected] : {std::pair{midpoint, "potentials with second derivatives"},
                                         std::pair{energy_momentum, "potentials with a discrete gradient"}}) {
    SmallSystem system(pair, own);
    const std::string text =
        refusal([&] { (void)find_integrator(method)->make({}, system.lagrangian, system.state); });
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
}

// Held nodes keep to their supports, and the energy with the work of those that move is kept.
TEST(ImplicitIntegrators, FollowSupportsThatMove) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.gravity = {0, 0.01, -0.02};
  SupportEntry foot;
  foot.name = "foot";
  foot.body.name = "cube";
  foot.nodes = SupportEntry::Nodes::box;
  foot.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  foot.velocity = {0.05, 0, 0};
  deck.supports = {foot};
  for (const char* method : {midpoint, energy_momentum}) {
    Moving moving(deck, method, 2);
    const double energy = moving.record().energy;
    const IntegerMomentum momentum = moving.system.diagnostics.total_momentum(moving.system.state);
    moving.go(10);
    for (std::size_t a = 0; a < moving.system.lagrangian.reference.size(); ++a) {
      if (moving.system.lagrangian.reference[a][2] > -0.499) continue;
      EXPECT_NEAR(moving.system.state.lines[a].displacement_at(moving.system.state.time)[0],
                  0.05 * moving.system.state.time, 1e-12);
    }
    EXPECT_TRUE(moving.system.diagnostics.total_momentum(moving.system.state) == momentum);
    EXPECT_NEAR(moving.record().energy, energy, method == midpoint ? 1e-5 : 1e-13) << method;
  }
}

}  // namespace
}  // namespace terrace::implicit_integrators_test
