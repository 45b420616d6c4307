// Fixed and moving supports, and gravity: who receives which momentum, what is conserved, and the same in a
// frame that moves along.
#include "dynamics/system/supports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "support/small_system.hpp"
#include "support/warning_texts.hpp"

namespace terrace::supports_test {
namespace {

constexpr double energy_step = 1e-5;

SupportEntry bottom_of(const std::string& body, const Vector3& velocity = {}) {
  SupportEntry entry;
  entry.name = "foot";
  entry.body.name = body;
  entry.nodes = SupportEntry::Nodes::box;
  entry.box = {Vector3{-9, -9, -0.5}, Vector3{9, 9, -0.499}};
  entry.velocity = velocity;
  return entry;
}

/// A cube of 2³ cells on its held bottom, pushed sidewise and up.
Deck held_cube(const Vector3& foot = {}, const Vector3& body = {0.2, 0, 0.1}) {
  Deck deck = soft_deck({cube_entry("cube", 2)});
  deck.bodies[0].velocity = body;
  deck.supports = {bottom_of("cube", foot)};
  return deck;
}

struct Choice {
  const char* name;
  bool newmark;
  LocalizationEntry localization;
};
const Choice choices[] = {
    {"EnergyStepping", false, {LocalizationKind::global, 1, ContactLocalization::own}},
    {"EnergySteppingInQuarters", false, {LocalizationKind::metis, 4, ContactLocalization::own}},
    {"Newmark", true, {LocalizationKind::global, 1, ContactLocalization::own}},
};
class SupportsOf : public testing::TestWithParam<Choice> {};
INSTANTIATE_TEST_SUITE_P(Cube, SupportsOf, testing::ValuesIn(choices),
                         [](const auto& choice) { return choice.param.name; });

/// A system with its integrator, run and watched.
struct Held : SmallSystem {
  Held(const Deck& deck, const Choice& choice, double h = energy_step)
      : SmallSystem(deck, choice.localization, h), start(momentum_of_bodies()) {
    if (choice.newmark)
      integrator = std::make_unique<Newmark>(lagrangian, state, 0.2 * lagrangian.stable_step);
    else
      integrator = std::make_unique<EnergyStepping>(lagrangian, state);
    energy = record(*integrator).energy;
    momentum = diagnostics.total_momentum(state);
  }
  [[nodiscard]] Vector3 momentum_of_bodies() const {
    Vector3 sum{};
    for (std::size_t a = 0; a < lagrangian.masses.size(); ++a) sum += state.momentum(a);
    return sum;
  }
  /// The total of momenta and ledgers stays at every event.
  void run(double end) {
    while (integrator->advance(state, end))
      ASSERT_TRUE(diagnostics.total_momentum(state) == momentum) << state.time;
    ASSERT_GT(integrator->events(), 60);
  }
  [[nodiscard]] Vector3 received(std::size_t reaction) const {
    return to_momentum(state.ledger[reaction], state.quantum);
  }
  Vector3 start;
  std::unique_ptr<Integrator> integrator;
  double energy;
  IntegerMomentum momentum;
};

void expect_near(const Vector3& found, const Vector3& expected, double tolerance) {
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(found[d], expected[d], tolerance) << d;
}

// A mesh at rest has no event under energy-stepping, also where gravity pulls it; a warning tells of that.
TEST(EnergySteppingFromRest, UnderGravityIsToldToStandStill) {
  Deck deck = held_cube({}, {});
  for (const double fall : {0.0, -1.0}) {
    deck.gravity = {0, 0, fall};
    SmallSystem cube(deck, choices[0].localization, energy_step);
    EnergyStepping integrator(cube.lagrangian, cube.state);
    EXPECT_FALSE(integrator.advance(cube.state, 10));
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    EXPECT_EQ(warnings.size(), fall < 0 ? 1 : 0);
    for (const std::string& text : texts_of(warnings))
      EXPECT_THAT(text, testing::HasSubstr("is at rest and has a force: under energy-stepping it never"));
  }
}

// A body that was struck is not at rest any more, although the events are counted for its group.
TEST(EnergySteppingFromRest, WhoIsStruckIsNotToldToStandStill) {
  Deck deck = soft_deck({cube_entry("striker", 1), cube_entry("target", 1, {1.5, 0, 0})});
  deck.bodies[0].velocity = {1, 0, 0};
  deck.contact.model = ContactModel::barrier;
  deck.gravity = {0, 0, -0.3};
  const auto named_at = [&](double time) {
    SmallSystem cubes(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching}, 1e-5);
    EnergyStepping integrator(cubes.lagrangian, cubes.state);
    while (integrator.advance(cubes.state, time)) {
    }
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    const std::vector<std::string> texts = texts_of(warnings);
    return std::ranges::count_if(texts, [](const std::string& text) {
      return text.starts_with("subdomain target") && text.find("is at rest") != text.npos;
    });
  };
  EXPECT_EQ(named_at(0.2), 1) << "before";
  EXPECT_EQ(named_at(1), 0) << "after";
}

TEST_P(SupportsOf, HeldNodesStayAndTheLedgerHoldsWhatTheBodyLost) {
  Held cube(held_cube(), GetParam());
  cube.run(6);
  int held = 0;
  for (std::size_t a = 0; a < cube.lagrangian.masses.size(); ++a) {
    if (cube.lagrangian.reference[a][2] > -0.4999) continue;
    ++held;
    EXPECT_EQ(cube.position(a), cube.lagrangian.reference[a]);
    EXPECT_EQ(cube.state.lines[a].velocity, Vector3{});
  }
  EXPECT_EQ(held, 9 + 4) << "corners and centres of the four cells' faces";
  expect_near(cube.received(0), cube.start - cube.momentum_of_bodies(), 1e-15);
  const SystemRecord now = cube.record(*cube.integrator);
  EXPECT_EQ(now.support_work, 0);
  EXPECT_NEAR(now.energy, cube.energy, (GetParam().newmark ? 2e-3 : 1e-13) * cube.energy);
  EXPECT_GT(norm(cube.received(0)), 0.5 * norm(cube.start)) << "the cube must have swung";
}

TEST_P(SupportsOf, AMovingSupportDoesWorkAndWhatIsConservedCountsIt) {
  constexpr Vector3 foot = {0.15, 0, 0.05};
  Held cube(held_cube(foot, {}), GetParam());
  cube.run(6);
  const SystemRecord now = cube.record(*cube.integrator);
  // The support is the only thing outside: its work is its force times its velocity, summed over time.
  const double work = dot(foot, cube.momentum_of_bodies() - cube.start);
  EXPECT_NEAR(now.support_work, work, 1e-15);
  EXPECT_GT(work, 5 * cube.energy);
  EXPECT_NEAR(now.kinetic + now.terraced - work, cube.energy, (GetParam().newmark ? 5e-3 : 1e-13) * work);
  for (std::size_t a = 0; a < cube.lagrangian.masses.size(); ++a)
    if (cube.lagrangian.reference[a][2] < -0.4999)
      expect_near(cube.position(a), cube.lagrangian.reference[a] + cube.state.time * foot, 1e-14);
}

// Held along z alone the foot slides: nothing takes momentum along x and y.
TEST_P(SupportsOf, ComponentsThatAreFreeMoveFreely) {
  Deck deck = held_cube();
  deck.supports[0].components = {false, false, true};
  Held cube(deck, GetParam());
  cube.run(6);
  EXPECT_TRUE(cube.state.ledger[0][0] == 0 && cube.state.ledger[0][1] == 0);
  EXPECT_GT(std::abs(cube.received(0)[2]), 1e-3);
  for (std::size_t a = 0; a < cube.lagrangian.masses.size(); ++a) {
    if (cube.lagrangian.reference[a][2] > -0.4999) continue;
    EXPECT_EQ(cube.position(a)[2], -0.5);
    EXPECT_GT(cube.position(a)[0] - cube.lagrangian.reference[a][0], 0.5) << "0.2 for 6 seconds";
  }
  EXPECT_NEAR(cube.record(*cube.integrator).energy, cube.energy,
              (GetParam().newmark ? 2e-3 : 1e-13) * cube.energy);
}

// Galilean invariance: body and support have the same velocity added.
TEST(Supports, ASupportThatMovesWithTheBodyIsAFixedOneSeenFromAnotherFrame) {
  constexpr Vector3 frame = {0.3, -0.2, 0.1};
  Held still(held_cube({}, {0.2, 0, 0.1}), choices[2]);
  Held moving(held_cube(frame, Vector3{0.2, 0, 0.1} + frame), choices[2]);
  still.run(6);
  moving.run(6);
  for (std::size_t a = 0; a < still.lagrangian.masses.size(); ++a)
    expect_near(moving.position(a), still.position(a) + moving.state.time * frame, 1e-10);
  expect_near(moving.received(0), still.received(0), 1e-11);
}

TEST(Supports, ABodyThatMovesAsItsSupportFeelsNothing) {
  SmallSystem cube(held_cube({1, 2, 3}, {1, 2, 3}), {LocalizationKind::global}, energy_step);
  EnergyStepping integrator(cube.lagrangian, cube.state);
  EXPECT_FALSE(integrator.advance(cube.state, 10));
}

// The support holds the surface of a single cell. Its centre is left, one node in a cage.
TEST(Supports, TheSurfaceOfOneCellLeavesItsCentre) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  deck.bodies[0].velocity = {0.1, 0, 0};
  SupportEntry entry = bottom_of("cube");
  entry.nodes = SupportEntry::Nodes::surface;
  deck.supports = {entry};
  Held cube(deck, choices[0]);
  int moving = 0;
  for (const NodeLine& line : cube.state.lines) moving += norm(line.velocity) > 0;
  EXPECT_EQ(moving, 1);
  for (int event = 0; event < 500; ++event) ASSERT_TRUE(cube.integrator->advance(cube.state, 1e6));
  EXPECT_NEAR(cube.record(*cube.integrator).energy, cube.energy, 1e-13 * cube.energy);
}

// Two supports tear a body apart that has no free node. The energy of each jump comes from the work of the
// supports, as there is no node that could give it.
TEST(Supports, WhereNoNodeIsFreeTheSupportsDoTheWorkOfTheJump) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  SupportEntry foot = bottom_of("cube"), rest = bottom_of("cube", {0, 0, 0.1});
  rest.name = "head";
  rest.box = {Vector3{-9, -9, -0.49}, Vector3{9, 9, 9}};
  deck.supports = {foot, rest};
  Held cube(deck, choices[0]);
  for (int event = 0; event < 100; ++event) ASSERT_TRUE(cube.integrator->advance(cube.state, 1e6));
  const SystemRecord now = cube.record(*cube.integrator);
  EXPECT_NEAR(now.terraced, 100 * energy_step, 1e-16);
  EXPECT_NEAR(now.support_work, now.terraced, 1e-15);
  EXPECT_TRUE(cube.diagnostics.total_momentum(cube.state) == cube.momentum);
}

Deck falling(const Vector3& velocity, int cells = 2) {
  Deck deck = soft_deck({cube_entry("cube", cells)});
  deck.bodies[0].velocity = velocity;
  deck.gravity = {0, 0.01, -0.05};
  return deck;
}

TEST(Gravity, AFreeFallIsTheParabolaAndGravityReceivesWhatItGives) {
  Held cube(falling({0.1, 0, 0}), choices[2]);
  cube.run(4);
  const double t = cube.state.time;
  for (std::size_t a = 0; a < cube.lagrangian.masses.size(); ++a)
    expect_near(cube.position(a) - cube.lagrangian.reference[a],
                {0.1 * t, 0.5 * 0.01 * t * t, -0.5 * 0.05 * t * t}, 1e-12);
  const double mass = 0.1;
  expect_near(cube.received(0), {0, -0.01 * mass * t, 0.05 * mass * t}, 1e-13);
  const SystemRecord now = cube.record(*cube.integrator);
  // −m g·u by hand.
  EXPECT_NEAR(now.potential, -mass * (0.01 * 0.01 + 0.05 * 0.05) * 0.5 * t * t, 1e-14);
  EXPECT_NEAR(now.energy, cube.energy, 1e-14);
}

TEST(Gravity, UnderEnergySteppingAFallIsTheParabolaWithinALevel) {
  for (const Choice& choice : {choices[0], choices[1]}) {
    Held cube(falling({0, 0, -0.1}), choice);
    cube.run(8);
    const SystemRecord now = cube.record(*cube.integrator);
    EXPECT_NEAR(now.energy, cube.energy, 1e-13 * now.kinetic);
    EXPECT_LT(now.terraced, -0.01);
    // The kinetic energy is that of the fall within a step of each part.
    const BodyRecord body = cube.diagnostics.measure(cube.state, *cube.integrator).bodies[0];
    EXPECT_NEAR(body.position[2], -0.1 * 8 - 0.5 * 0.05 * 64, 0.02);
    EXPECT_NEAR(body.velocity[2], -0.1 - 0.05 * 8, 0.005);
  }
}

TEST(Gravity, OnASupportTheSupportBearsTheWeight) {
  for (const Choice& choice : {choices[0], choices[2]}) {
    Deck deck = falling({0, 0, 1e-3});
    deck.gravity = {0, 0.001, -0.005};
    deck.supports = {bottom_of("cube")};
    Held cube(deck, choice, 2e-8);
    constexpr double end = 200, mass = 0.1;
    cube.run(end);
    // Over many swings the mean force on the foot is the weight, as the momentum of the cube is bounded.
    expect_near((1 / end) * cube.received(0), {0, 0.001 * mass, -0.005 * mass}, 0.02 * 0.005 * mass);
    EXPECT_TRUE(cube.state.ledger.size() == 2);
    EXPECT_NEAR(cube.record(*cube.integrator).energy, cube.energy, choice.newmark ? 1e-8 : 1e-19);
  }
}

/// A beam of length 10 and height 1, E = ρ = 1, clamped at one end and bent to the shape of a force at its
/// tip.
struct BentBeam : SmallSystem {
  explicit BentBeam(double h) : SmallSystem(clamped(), {LocalizationKind::global}, h) {
    constexpr double deflection = 0.01, length = 10;
    std::vector<Vector3> velocities(lagrangian.masses.size());
    for (std::size_t a = 0; a < velocities.size(); ++a) {
      const double x = lagrangian.reference[a][0] + 5, z = lagrangian.reference[a][2];
      const double shape = x * x * (3 * length - x) / (2 * length * length * length),
                   slope = 3 * x * (2 * length - x) / (2 * length * length * length);
      state.lines[a].displacement = {-deflection * slope * z, 0, deflection * shape};
      velocities[a] = {0, 0, -1e-5 * shape};  // under energy-stepping nothing begins from rest
      if (x == length && z == 0.5) tip = a;
    }
    state.set_velocities(velocities);
  }
  static Deck clamped() {
    BodyEntry body = cube_entry("beam", 1);
    body.shape = LatticeShape{{10, 0.5, 1}, {20, 1, 2}};
    Deck deck = soft_deck({body});
    deck.materials = {{"beam", 1, 0, 0.5}};
    SupportEntry clamp = bottom_of("beam");
    clamp.box = {Vector3{-5, -1, -1}, Vector3{-5, 1, 1}};
    deck.supports = {clamp};
    return deck;
  }
  /// Advances until the tip passes its place at rest and returns the time, or 1000 if it does not; asks for
  /// the energy and the total momentum of the start.
  double time_of_passage(Integrator& integrator, double tolerance) {
    const double energy = record(integrator).energy;
    const IntegerMomentum momentum = diagnostics.total_momentum(state);
    while (state.lines[tip].displacement_at(state.time)[2] > 0) {
      if (!integrator.advance(state, 1000)) return 1000;
      EXPECT_TRUE(diagnostics.total_momentum(state) == momentum);
    }
    EXPECT_NEAR(record(integrator).energy / energy, 1, tolerance);
    return state.time;
  }
  std::size_t tip = 0;
};

// The first frequency is measured in tests/verification/verify_supports.py, on finer meshes.
TEST(Supports, AClampedBeamReleasedFromItsBentShapeSwingsThrough) {
  BentBeam beam(1e-11);
  EnergyStepping stepping(beam.lagrangian, beam.state);
  EXPECT_LT(beam.time_of_passage(stepping, 1e-12), 300) << "a quarter of a period is 156 by theory";
  EXPECT_GT(stepping.events(), 100);
}

}  // namespace
}  // namespace terrace::supports_test
