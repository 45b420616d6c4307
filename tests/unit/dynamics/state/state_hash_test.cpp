// The state hash changes with every bit of the state, and with nothing else.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/energy_stepping.hpp"
#include "support/small_system.hpp"
#include "support/still_integrator.hpp"

namespace terrace::state_hash_test {
namespace {

constexpr double now = 0.75;  // flipping any bit of it leaves a finite number

double flipped(double x, int bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (std::uint64_t{1} << bit));
}

/// A cube at rest, every node with positions, momenta and times of its own; reference positions 0, so that
/// the displacements are the positions.
struct Written {
  Written() : system(soft_deck({cube_entry("cube", 1)})) {
    for (std::size_t a = 0; a < system.state.lines.size(); ++a) {
      const double number = static_cast<double>(a) + 1;
      system.lagrangian.reference[a] = {};
      system.state.lines[a].displacement = {1 / number, -number / 3, 0.1 * number};
      system.state.lines[a].time = now;
      for (std::size_t d = 0; d < 3; ++d)
        system.state.momenta[a][d] = (Integer128{static_cast<std::int64_t>(a + 3 * d)} << 70) - 11;
    }
    system.state.time = now;
    integrator.word = 5;
  }
  [[nodiscard]] std::uint64_t hash() const { return system.diagnostics.state_hash(system.state, integrator); }
  SmallSystem system;
  StillIntegrator integrator;
};

TEST(StateHash, ChangesWithAnySingleBitOfAnyNode) {
  Written written;
  const std::uint64_t first = written.hash();
  std::set<std::uint64_t> hashes = {first};
  std::size_t states = 1;
  const auto look = [&] {
    hashes.insert(written.hash());
    ++states;
  };
  for (std::size_t a = 0; a < written.system.state.lines.size(); ++a) {
    NodeLine& line = written.system.state.lines[a];
    for (std::size_t d = 0; d < 3; ++d) {
      const double position = line.displacement[d];
      for (int bit = 0; bit < 64; ++bit) {
        line.displacement[d] = flipped(position, bit);
        look();
      }
      line.displacement[d] = position;
      Integer128& momentum = written.system.state.momenta[a][d];
      const Integer128 quanta = momentum;
      for (int bit = 0; bit < 127; ++bit) {
        momentum = quanta ^ (Integer128{1} << bit);
        look();
      }
      momentum = -quanta;
      look();
      momentum = quanta;
    }
    for (int bit = 0; bit < 64; ++bit) {
      line.time = flipped(now, bit);  // at rest: the position stays
      look();
    }
    line.time = now;
  }
  EXPECT_EQ(hashes.size(), states) << "two states with one hash";
  EXPECT_EQ(written.hash(), first) << "all as at first";
}

TEST(StateHash, ChangesWithTheTimeAndTheIntegratorsWord) {
  Written written;
  std::set<std::uint64_t> hashes = {written.hash()};
  for (int bit = 0; bit < 64; ++bit) {
    written.system.state.time = flipped(now, bit);
    hashes.insert(written.hash());
    written.system.state.time = now;
    written.integrator.word ^= std::uint64_t{1} << bit;
    hashes.insert(written.hash());
    written.integrator.word = 5;
  }
  EXPECT_EQ(hashes.size(), 1u + 2 * 64);
}

TEST(StateHash, IsOfThePositionAtTheTimeOfTheState) {
  Written moving;
  for (NodeLine& line : moving.system.state.lines) line.time = 0.5;
  const std::uint64_t at_rest = moving.hash();
  moving.system.state.lines[2].velocity = {0, 0, 1e-9};
  EXPECT_NE(moving.hash(), at_rest);
}

TEST(StateHash, KnowsWhichNodeIsWhere) {
  Written written;
  const std::uint64_t before = written.hash();
  std::swap(written.system.state.lines[4], written.system.state.lines[9]);
  std::swap(written.system.state.momenta[4], written.system.state.momenta[9]);
  EXPECT_NE(written.hash(), before);
  // The same nodes in another order of the rank's own numbers.
  std::swap(written.system.lagrangian.global_nodes[4], written.system.lagrangian.global_nodes[9]);
  EXPECT_EQ(written.hash(), before);
}

TEST(StateHash, AddsUpOverHoweverTheNodesAreDivided) {
  // As two ranks would share the nodes: every node is there twice, and one of the two is owned.
  Written written;
  const std::uint64_t before = written.hash();
  Lagrangian& system = written.system.lagrangian;
  State& state = written.system.state;
  const std::size_t count = state.lines.size();
  state.lines.resize(2 * count);
  state.momenta.resize(2 * count);
  for (std::size_t a = 0; a < count; ++a) {
    const bool copied = a % 2 == 0;
    system.global_nodes.push_back(system.global_nodes[a]);
    system.reference.push_back({});
    system.owned[a] = copied ? 0 : 1;
    system.owned.push_back(copied ? 1 : 0);
    state.lines[count + a] = state.lines[a];
    state.momenta[count + a] = state.momenta[a];
    if (copied) state.lines[a].displacement = {9, 9, 9};  // nobody looks at it
  }
  EXPECT_EQ(written.hash(), before);
}

/// The hash of energy-stepping at `end` for two cubes far apart, stretched along x by these factors and
/// swelling at these rates. `events`: 0 if there must be none until then, else more.
std::uint64_t hash_of(const std::array<double, 2>& stretch, const std::array<double, 2>& speed = {0, 0},
                      double end = 1, int events = 0) {
  SmallSystem cubes(soft_deck({cube_entry("a", 1), cube_entry("b", 1, {8, 0, 0})}),
                    {LocalizationKind::bodies}, 1e-6);
  std::vector<Vector3> velocities;
  for (std::size_t a = 0; a < cubes.state.lines.size(); ++a) {
    const auto body = static_cast<std::size_t>(cubes.lagrangian.body_of_node[a]);
    const double x = cubes.lagrangian.reference[a][0] - (body == 0 ? 0 : 8);
    cubes.state.lines[a].displacement = {(stretch[body] - 1) * x, 0, 0};
    velocities.push_back({speed[body] * x, 0, 0});
  }
  cubes.state.set_velocities(velocities);
  EnergyStepping integrator(cubes.lagrangian, cubes.state);
  while (integrator.advance(cubes.state, end)) {
  }
  EXPECT_EQ(integrator.events() > 0, events > 0) << integrator.events();
  return integrator.hash();
}

TEST(StateHash, OfEnergyStepping) {
  // At rest there is no event: the levels alone differ.
  const std::set<std::uint64_t> levels = {hash_of({1, 1}),       hash_of({1.02, 1}),
                                          hash_of({1, 1.02}),    hash_of({1.02, 1.02}),
                                          hash_of({1.03, 1.02}), hash_of({1.02, 1.03})};
  EXPECT_EQ(levels.size(), 6u) << "each subdomain's level";
}

// How far searches went is no part of the state.
TEST(StateHash, OfEnergySteppingDoesNotDependOnWhatIsKnownOfTheFuture) {
  SmallSystem cube(spinning_cube(1));
  EnergyStepping integrator(cube.lagrangian, cube.state);
  const std::uint64_t start = integrator.hash();
  EXPECT_FALSE(integrator.advance(cube.state, 1e-9));
  EXPECT_EQ(integrator.hash(), start);
  EXPECT_TRUE(integrator.advance(cube.state, 10));
  EXPECT_NE(integrator.hash(), start);
}

TEST(StateHash, OfEnergySteppingHoldsTheNumberOfEvents) {
  // The first cube is turned back at the top of level 0, so that at the end its level is that of a cube at
  // rest. The hashes may also differ by the time at which its present line began.
  EXPECT_NE(hash_of({1, 1}, {0.01, 0}, 3, 1), hash_of({1, 1}, {0, 0}, 3));
}

TEST(StateHash, OfNewmarkHoldsTheNumberOfSteps) {
  SmallSystem cube(spinning_cube(1));
  Newmark newmark(cube.lagrangian, cube.state, 0.01);
  std::set<std::uint64_t> hashes = {newmark.hash()};
  for (int step = 0; step < 5; ++step) {
    ASSERT_TRUE(newmark.advance(cube.state, 1));
    hashes.insert(newmark.hash());
  }
  EXPECT_EQ(hashes.size(), 6u);
}

}  // namespace
}  // namespace terrace::state_hash_test
