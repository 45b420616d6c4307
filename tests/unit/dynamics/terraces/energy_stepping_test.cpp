// Energy-stepping of small cubes: what it conserves, what must not change its trajectory, and its warnings.
#include "dynamics/terraces/energy_stepping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "support/small_system.hpp"
#include "support/warning_texts.hpp"

namespace terrace::energy_stepping_test {
namespace {

const LocalizationEntry whole = {LocalizationKind::global, 1, ContactLocalization::own};
const LocalizationEntry quarters = {LocalizationKind::metis, 4, ContactLocalization::own};
constexpr double energy_step = 1e-5;  // as A1; the kinetic energy of the small cube is 7e-3
constexpr double never = 1e6;

/// A cube of 2³ cells, 192 tetrahedra, that spins once in 2π, under energy-stepping.
struct Spinning : SmallSystem {
  explicit Spinning(const LocalizationEntry& choice, double h = energy_step)
      : SmallSystem(spinning_cube(2), choice, h), integrator(lagrangian, state) {}

  void run(int events) {
    for (int i = 0; i < events; ++i) ASSERT_TRUE(integrator.advance(state, never));
  }
  [[nodiscard]] std::uint64_t hash() const { return diagnostics.state_hash(state, integrator); }
  EnergyStepping integrator;
};

struct Drift {
  double energy = 0, angular_momentum = 0, smallest_jacobian = 1;
  Integer128 momentum = 0;  // quanta
};

/// Runs so many events and returns the largest drifts from the start, looked at every `interval` events.
Drift measure(Spinning& cube, std::int64_t events, int interval) {
  const SystemRecord start = cube.record(cube.integrator);
  const IntegerMomentum momentum = cube.diagnostics.total_momentum(cube.state);
  const double angular = cube.diagnostics.angular_momentum_scale(cube.state);
  Drift drift;
  for (std::int64_t event = 0; event < events; event += interval) {
    cube.run(interval);
    const SystemRecord now = cube.record(cube.integrator);
    drift.energy = std::max(drift.energy, std::abs(now.energy - start.energy) / start.energy);
    drift.angular_momentum =
        std::max(drift.angular_momentum, norm(now.angular_momentum - start.angular_momentum) / angular);
    drift.smallest_jacobian = std::min(drift.smallest_jacobian, cube.smallest_jacobian());
    const IntegerMomentum total = cube.diagnostics.total_momentum(cube.state);
    for (std::size_t d = 0; d < 3; ++d)
      drift.momentum =
          std::max(drift.momentum, total[d] > momentum[d] ? total[d] - momentum[d] : momentum[d] - total[d]);
  }
  return drift;
}

class EnergySteppingOf : public testing::TestWithParam<LocalizationEntry> {};
INSTANTIATE_TEST_SUITE_P(Cube, EnergySteppingOf, testing::Values(whole, quarters),
                         [](const auto& choice) { return choice.param.parts == 1 ? "Whole" : "InQuarters"; });

TEST_P(EnergySteppingOf, ConservesEnergyAndMomentaAndKeepsEveryElementUpright) {
  Spinning cube(GetParam());
  const Drift drift = measure(cube, 20000, 1);
  EXPECT_LE(drift.energy, 1e-13);
  EXPECT_TRUE(drift.momentum == 0);
  EXPECT_LE(drift.angular_momentum, 1e-12);
  EXPECT_GT(drift.smallest_jacobian, 0);
  EXPECT_GT(cube.state.time, 1.0) << "the cube must have moved";
  std::printf("drift: energy %.1e, angular momentum %.1e; smallest J %.3f; t = %.3g\n", drift.energy,
              drift.angular_momentum, drift.smallest_jacobian, cube.state.time);
}

// Most lines end before they reach a surface, by an event of a neighbour. Where one sample suffices to know
// that the surface comes later than that event, the search takes no more.
TEST(EnergyStepping, LinesThatEndBeforeTheirSurfaceAreSampledOnce) {
  Spinning cube({LocalizationKind::metis, 8, ContactLocalization::own});
  cube.run(1000);
  const double of_a_part = 192.0 / 8;
  const auto sampled =
      static_cast<double>(cube.integrator.element_evaluations() - cube.integrator.gradient_evaluations());
  const double lines = static_cast<double>(cube.integrator.searches());
  const double events = static_cast<double>(cube.integrator.events());
  std::printf("%.2f lines an event, %.2f samples a line\n", lines / events, sampled / of_a_part / lines);
  EXPECT_GT(lines / events, 6);
  EXPECT_LT(sampled / of_a_part / lines, 1.5);
}

TEST_P(EnergySteppingOf, EveryPotentialStaysOnItsTerraceBetweenEvents) {
  Spinning cube(GetParam());
  double outside = 0;
  for (int event = 0; event < 3000; ++event) {
    ASSERT_TRUE(cube.integrator.advance(cube.state, never));
    // Looks at V at 1e-7, 2e-7, 4e-7, … after the event, until the next event comes.
    const double now = cube.state.time;
    double until = now + 1e-7;
    while (!cube.integrator.advance(cube.state, until) && until < now + 0.05) {
      const std::vector<SubdomainRecord> records = cube.integrator.subdomain_records();
      std::vector<double> potential(records.size(), 0.0);
      for (const ElasticBlock& block : cube.lagrangian.elastic_blocks) {
        for (const ElementState& element : block.elastic->element_states({cube.state.lines, cube.state.time}))
          potential[static_cast<std::size_t>(block.subdomain)] += element.energy;
      }
      for (std::size_t j = 0; j < records.size(); ++j) {
        const double terrace = potential[j] / energy_step - static_cast<double>(records[j].level);
        outside = std::max({outside, -terrace, terrace - 1});
      }
      until = now + 2 * (until - now);
    }
  }
  EXPECT_LE(outside, 1e-9);
}

TEST_P(EnergySteppingOf, OutputNeverChangesTheTrajectory) {
  Spinning plain(GetParam()), watched(GetParam());
  const double end = 3;
  while (plain.integrator.advance(plain.state, end)) {
  }
  for (int frame = 1; frame <= 4999; ++frame) {
    while (watched.integrator.advance(watched.state, end * frame / 4999)) {
    }
    if (frame % 100 == 0) watched.record(watched.integrator);  // in general between two events
  }
  watched.integrator.advance(watched.state, end);
  EXPECT_GT(plain.integrator.events(), 100);
  EXPECT_EQ(plain.integrator.events(), watched.integrator.events());
  EXPECT_EQ(plain.hash(), watched.hash());
}

/// Runs `wanted` events, flips all velocities, and runs the same time again: the cube must be back where it
/// began, with the opposite velocities.
void there_and_back(const LocalizationEntry& choice, int wanted) {
  SmallSystem cube(spinning_cube(2), choice, energy_step);
  const std::vector<Vector3> start = [&] {
    std::vector<Vector3> positions;
    for (std::size_t a = 0; a < cube.state.lines.size(); ++a) positions.push_back(cube.position(a));
    return positions;
  }();
  // A motion without symmetry. Simultaneous events, which symmetry would cause, do not commute, and the way
  // back would take them in the same order as the way there, not in the reverse order.
  std::vector<Vector3> velocities = cube.model.velocities;
  for (std::size_t a = 0; a < start.size(); ++a)
    velocities[a] +=
        Vector3{0.05 * start[a][0] * start[a][1], 0.03 * start[a][2] * start[a][2], 0.02 * start[a][0]};
  cube.state.set_velocities(velocities);
  std::int64_t events = 0;
  const auto flip = [&] {
    for (std::size_t a = 0; a < cube.state.lines.size(); ++a) {
      NodeLine& line = cube.state.lines[a];
      line.displacement = line.displacement_at(cube.state.time);
      line.time = cube.state.time;
      line.velocity = -1 * line.velocity;
      for (Integer128& component : cube.state.momenta[a]) component = -component;
    }
  };
  double span = 0;
  {
    EnergyStepping forward(cube.lagrangian, cube.state);
    while (forward.events() < wanted) ASSERT_TRUE(forward.advance(cube.state, never));
    // Stop between two events, not on a surface.
    while (forward.advance(cube.state, cube.state.time + 1e-6)) {
    }
    events = forward.events();
    span = cube.state.time;
  }
  flip();
  EnergyStepping back(cube.lagrangian, cube.state);
  while (back.advance(cube.state, 2 * span)) {
  }
  double position_error = 0, velocity_error = 0;
  for (std::size_t a = 0; a < start.size(); ++a) {
    position_error = std::max(position_error, norm(cube.position(a) - start[a]));
    velocity_error = std::max(velocity_error, norm(cube.state.lines[a].velocity + velocities[a]));
  }
  std::printf("%ld events and back over t = %.3g: error of positions %.1e, of velocities %.1e\n",
              static_cast<long>(events), span, position_error, velocity_error);
  EXPECT_LE(position_error, 1e-12);
  EXPECT_LE(velocity_error, 1e-11);
}

TEST_P(EnergySteppingOf, IsReversible) {
  for (const int wanted : {25, 50, 100, 200}) there_and_back(GetParam(), wanted);
}

TEST(EnergyStepping, OrdersSimultaneousEventsBySubdomain) {
  // Three equal cubes far apart, each swelling in the same way: all their events are simultaneous.
  Deck deck = three_cubes(1, false, 63);  // cubes at 0, 64, 128: the same digits in every body frame
  SmallSystem cubes(deck, {LocalizationKind::bodies}, 1e-6);
  std::vector<Vector3> velocities;
  for (std::size_t a = 0; a < cubes.state.lines.size(); ++a) {
    const Vector3 centre = {64.0 * cubes.lagrangian.body_of_node[a], 0, 0};
    velocities.push_back(0.1 * (cubes.lagrangian.reference[a] - centre));
  }
  cubes.state.set_velocities(velocities);
  EnergyStepping integrator(cubes.lagrangian, cubes.state);
  std::vector<std::int64_t> before(3, 0);
  for (int event = 0; event < 300; ++event) {
    ASSERT_TRUE(integrator.advance(cubes.state, never));
    const std::vector<SubdomainRecord> records = integrator.subdomain_records();
    for (std::size_t body = 0; body < 3; ++body)
      ASSERT_EQ(records[body].events, event / 3 + (static_cast<int>(body) <= event % 3 ? 1 : 0)) << event;
    const double time = cubes.state.time;
    static double first_of_three = 0;
    if (event % 3 == 0) first_of_three = time;
    ASSERT_EQ(time, first_of_three);
  }
}

TEST(EnergyStepping, TellsTheUserOfASubdomainThatRidesItsLevel) {
  std::vector<Warning> warnings;
  Spinning fine(whole, 1e-7);
  fine.run(3000);
  fine.integrator.describe_trouble(warnings);
  EXPECT_THAT(warnings, testing::IsEmpty());

  Spinning rider(whole, 2e-4);
  rider.run(5000);
  rider.integrator.describe_trouble(warnings);
  ASSERT_THAT(warnings, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(warnings.front().text, testing::AllOf(testing::HasSubstr("subdomain cube"),
                                                    testing::HasSubstr("rode one energy level"),
                                                    testing::HasSubstr("lower its energy step")));
  EXPECT_LE(measure(rider, 1, 1).energy, 1e-12) << "conservation is no proof of accuracy";
}

// A body that is thrown upwards with a whole number of energy steps (16.0) has no kinetic energy left after
// the last of them and hangs there. With half a step more it turns and falls as it should. The same holds for
// a body beside which another flies.
TEST(EnergyStepping, TellsTheUserOfABodyThatHangsAtItsTurningPoint) {
  for (const bool is_alone : {true, false})
    for (const double steps : {16.0, 16.5}) {
      Deck deck = soft_deck({cube_entry("stone", 1)});
      deck.gravity = {0, 0, -10};
      deck.bodies[0].velocity = {0, 0, 2};  // 0.2 J; it turns at t = 0.2
      if (!is_alone) {
        deck.bodies.push_back(cube_entry("other", 1, {9, 0, 0}));
        deck.bodies[1].velocity = {0, 0, 3.1};
        deck.contact.model = ContactModel::barrier;
      }
      SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching}, 0.2 / steps);
      EnergyStepping integrator(system.lagrangian, system.state);
      while (integrator.advance(system.state, 0.4)) continue;
      const double velocity = system.state.lines[0].velocity[2];
      while (integrator.advance(system.state, 3)) continue;
      std::vector<Warning> warnings;
      integrator.describe_trouble(warnings);
      if (steps == 16.0) {
        EXPECT_THAT(
            texts_of(warnings),
            testing::Contains(testing::HasSubstr("subdomain stone stayed on one terrace from t = 0.163")));
        EXPECT_NEAR(velocity, 0, 1e-6);
      } else {
        EXPECT_THAT(texts_of(warnings), testing::IsEmpty());
        EXPECT_NEAR(velocity, -2, 0.4);
      }
    }
}

// While bodies touch, events are those of their group. The bodies' own terraces have none, which must not
// count as a stay on a terrace.
TEST(EnergyStepping, DoesNotTellOfBodiesThatFallInTouch) {
  Deck deck = soft_deck({cube_entry("upper", 1, {0, 0, 1.22}), cube_entry("lower", 1)});
  deck.gravity = {0, 0, -1};
  deck.bodies[0].velocity = {0, 0.01, -0.2};
  deck.contact.model = ContactModel::barrier;
  SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching}, 2e-5);
  EnergyStepping integrator(system.lagrangian, system.state);
  std::int64_t of_group = 0;
  for (int row = 1; row <= 20; ++row) {
    while (integrator.advance(system.state, 0.1 * row)) continue;
    std::vector<Warning> warnings;
    integrator.describe_trouble(warnings);
    std::erase_if(warnings, [](const Warning& told) { return told.subject != "stay on a terrace"; });
    EXPECT_THAT(texts_of(warnings), testing::IsEmpty()) << row;
    of_group = integrator.subdomain_records().back().events;
  }
  EXPECT_GT(of_group, 1000) << "they were in touch for long";
}

TEST(EnergyStepping, DoesNothingForABodyAtRestOrInUniformMotion) {
  BodyEntry body = cube_entry("cube", 2);
  body.velocity = {1, -2, 0.25};
  SmallSystem cube(soft_deck({body}), whole, energy_step);
  EnergyStepping integrator(cube.lagrangian, cube.state);
  EXPECT_FALSE(integrator.advance(cube.state, 8.0));
  EXPECT_EQ(cube.state.time, 8.0);
  EXPECT_NEAR(cube.position(0)[1], cube.lagrangian.reference[0][1] - 16.0, 1e-14 * 16);
}

// A million events take minutes: only with TERRACE_FULL_TESTS set.
TEST_P(EnergySteppingOf, ConservesOverAMillionEventsFull) {
  if (std::getenv("TERRACE_FULL_TESTS") == nullptr) GTEST_SKIP() << "set TERRACE_FULL_TESTS to run it";
  Spinning cube(GetParam());
  const Drift drift = measure(cube, 1000000, 500);
  EXPECT_LE(drift.energy, 1e-12);
  EXPECT_TRUE(drift.momentum == 0);
  EXPECT_LE(drift.angular_momentum, 1e-12);
  EXPECT_GT(drift.smallest_jacobian, 0);
  std::printf(
      "a million events, t = %.4g: energy drift %.2e, momentum %ld quanta, angular momentum drift %.2e\n",
      cube.state.time, drift.energy, static_cast<long>(drift.momentum), drift.angular_momentum);
}

}  // namespace
}  // namespace terrace::energy_stepping_test
