#include "potentials/kernels/nodes_on_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace::nodes_on_lines_test {
namespace {

constexpr unsigned seed = 12;
constexpr double instant = 1.25, elapsed = 0.75;

/// Nodes on lines of their own, a third of which are chosen for the kernels. The very last node is among
/// them, so that a kernel that reads past a node's numbers reads past the end of the array.
struct Nodes {
  std::vector<NodeLine> lines;
  std::vector<Vector3> reference;
  std::vector<std::int32_t> chosen;
  std::vector<Vector3> reference_of_chosen, starts;
  std::vector<NodeStart> starts_of_motion;
};

Vector3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> number;
  const double x = number(random), y = number(random), z = number(random);
  return {x, y, z};
}

Nodes random_nodes(std::mt19937& random, std::size_t chosen) {
  std::uniform_real_distribution<double> time(0, 1);
  Nodes nodes;
  for (std::size_t i = 0; i < 3 * chosen; ++i) {
    nodes.lines.push_back({random_vector(random), random_vector(random), time(random), 1.0});
    nodes.reference.push_back(random_vector(random));
    if (i % 3 == 2) nodes.chosen.push_back(static_cast<std::int32_t>(i));
  }
  std::ranges::shuffle(nodes.chosen, random);
  for (const std::int32_t node : nodes.chosen) {
    nodes.reference_of_chosen.push_back(nodes.reference[index(node)]);
    nodes.starts.push_back(random_vector(random));
    nodes.starts_of_motion.push_back({random_vector(random), random_vector(random)});
  }
  return nodes;
}

Vector3 place(const Nodes& nodes, std::size_t i) {
  const std::size_t node = index(nodes.chosen[i]);
  return nodes.reference[node] + nodes.lines[node].displacement_at(instant);
}

template <class Of>
Box box_of_each(const Nodes& nodes, Of of) {
  Box box;
  for (std::size_t i = 0; i < nodes.chosen.size(); ++i)
    box.include(of(i, nodes.lines[index(nodes.chosen[i])]));
  return box;
}

void expect_same(const Box& box, const Box& expected, const char* what) {
  EXPECT_EQ(box.low, expected.low) << what;
  EXPECT_EQ(box.high, expected.high) << what;
}

TEST(NodesOnLines, HaveTheBoxesOfOneByOne) {
  std::mt19937 random(seed);
  for (std::size_t count = 0; count < 20; ++count) {
    const Nodes nodes = random_nodes(random, count);
    const Box places = box_of_each(nodes, [&](std::size_t i, const NodeLine&) { return place(nodes, i); });
    const Box velocities =
        box_of_each(nodes, [](std::size_t, const NodeLine& line) { return line.velocity; });
    expect_same(box_of_places(nodes.lines, nodes.chosen, nodes.reference, instant), places, "places");
    expect_same(box_of_velocities(nodes.lines, nodes.chosen), velocities, "velocities");
    const WaysOfNodes ways = ways_of_nodes(nodes.lines, nodes.chosen, nodes.reference, nodes.starts, instant);
    expect_same(ways.places, places, "places of ways");
    expect_same(ways.velocities, velocities, "velocities of ways");
    expect_same(
        ways.ways,
        box_of_each(nodes, [&](std::size_t i, const NodeLine&) { return place(nodes, i) - nodes.starts[i]; }),
        "ways");
  }
}

TEST(NodesOnLines, StrayFromGoingOnAsTheyDid) {
  std::mt19937 random(seed);
  for (std::size_t count = 0; count < 20; ++count) {
    const Nodes nodes = random_nodes(random, count);
    const StraysOfNodes strayed =
        strays_of_nodes(nodes.lines, nodes.chosen, nodes.starts_of_motion, instant, elapsed);
    const auto way = [&](std::size_t i, const NodeLine& line) {
      return line.displacement_at(instant) - nodes.starts_of_motion[i].displacement;
    };
    expect_same(strayed.ways, box_of_each(nodes, way), "ways");
    expect_same(strayed.strays,
                box_of_each(nodes,
                            [&](std::size_t i, const NodeLine& line) {
                              return way(i, line) - elapsed * nodes.starts_of_motion[i].velocity;
                            }),
                "strays");
    expect_same(strayed.velocities,
                box_of_each(nodes,
                            [&](std::size_t i, const NodeLine& line) {
                              return line.velocity - nodes.starts_of_motion[i].velocity;
                            }),
                "velocities");
  }
}

TEST(NodesOnLines, ArePlacedOneByOne) {
  std::mt19937 random(seed);
  const Nodes nodes = random_nodes(random, 7);
  std::vector<Vector3> places(7), velocities(7);
  find_places(nodes.lines, nodes.chosen, nodes.reference_of_chosen, instant, places, velocities);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(places[i], place(nodes, i)) << i;
    EXPECT_EQ(velocities[i], nodes.lines[index(nodes.chosen[i])].velocity) << i;
  }
}

// The earliest time at which a component of a node reaches the side of the box that it moves towards; 0 if it
// is beyond that side already.
TEST(NodesOnLines, LeaveABoxWhenTheFirstDoes) {
  std::mt19937 random(seed);
  for (std::size_t time = 0; time < 200; ++time) {
    Nodes nodes = random_nodes(random, 9);
    nodes.lines[index(nodes.chosen[time % 9])].velocity = {0, -0.0, time % 2 == 0 ? 0.0 : 1e-3};
    const double side = time % 4 == 0 ? 2 : 9;  // some nodes are outside, or none
    const Box room = {{-side, -side - 1, -side}, {side + 1, side, side + 2}};
    double earliest = infinity;
    for (std::size_t i = 0; i < nodes.chosen.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = place(nodes, i)[k], v = nodes.lines[index(nodes.chosen[i])].velocity[k];
        if (v > 0) earliest = std::min(earliest, std::max((room.high[k] - x) / v, 0.0));
        if (v < 0) earliest = std::min(earliest, std::max((x - room.low[k]) / -v, 0.0));
      }
    const ExitOfNodes exit = exit_of_nodes(nodes.lines, nodes.chosen, nodes.reference, instant, room);
    EXPECT_EQ(exit.after, earliest) << "seed " << seed << ", " << time;
    expect_same(exit.velocities, box_of_velocities(nodes.lines, nodes.chosen), "velocities");
  }
}

TEST(NodesOnLines, ThatStandStillNeverLeave) {
  std::mt19937 random(seed);
  Nodes nodes = random_nodes(random, 5);
  for (NodeLine& line : nodes.lines) line.velocity = {};
  const Box far_away = {{50, 50, 50}, {51, 51, 51}};
  EXPECT_EQ(exit_of_nodes(nodes.lines, nodes.chosen, nodes.reference, instant, far_away).after, infinity);
}

// Zeros of either sign are among the extreme numbers, and NaNs among all numbers.
TEST(NodesOnLines, HaveTheSameBitsOnEveryLevel) {
  std::mt19937 random(seed);
  Nodes nodes = random_nodes(random, 11);
  for (std::size_t i = 0; i < nodes.lines.size(); ++i) {
    nodes.lines[i].velocity[1] = i % 2 == 0 ? 0.0 : -0.0;
    if (i % 7 == 5) nodes.lines[i].velocity[2] = std::numeric_limits<double>::quiet_NaN();
  }
  const auto numbers = [](const auto& values) { return reinterpret_cast<const double*>(values.data()); };
  const double *lines = numbers(nodes.lines), *reference = numbers(nodes.reference),
               *starts = numbers(nodes.starts), *motion = numbers(nodes.starts_of_motion);
  const auto bits_of = [&](const PacketKernels& kernels) {
    constexpr BoxCorners empty = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    const std::int32_t* chosen = nodes.chosen.data();
    const std::size_t count = nodes.chosen.size();
    std::vector<double> all(6 * count);
    kernels.places_and_velocities(lines, chosen, count, numbers(nodes.reference_of_chosen), instant,
                                  all.data(), all.data() + 3 * count);
    BoxCorners velocities = empty, places = empty, leaving = empty;
    kernels.box_of_velocities(lines, chosen, count, velocities);
    kernels.box_of_places(lines, chosen, count, reference, instant, places);
    WayBoxes ways = {empty, empty, empty};
    kernels.boxes_of_ways(lines, chosen, count, reference, starts, instant, ways);
    StrayBoxes strays = {empty, empty, empty};
    kernels.boxes_of_strays(lines, chosen, count, motion, instant, elapsed, strays);
    constexpr BoxCorners room = {{-3, -3, -3}, {3, 3, 3}};
    all.push_back(kernels.find_exit(lines, chosen, count, reference, instant, room, leaving));
    for (const BoxCorners& box : {velocities, places, leaving, ways.places, ways.ways, ways.velocities,
                                  strays.ways, strays.strays, strays.velocities}) {
      all.insert(all.end(), box.low, box.low + 3);
      all.insert(all.end(), box.high, box.high + 3);
    }
    std::vector<std::uint64_t> bits;
    for (const double number : all)  // levels may give different NaNs
      bits.push_back(std::isnan(number) ? 0 : std::bit_cast<std::uint64_t>(number));
    return bits;
  };
  const std::vector<std::uint64_t> plainest = bits_of(*runnable_packet_kernels().front());
  for (const PacketKernels* kernels : runnable_packet_kernels())
    EXPECT_EQ(bits_of(*kernels), plainest) << kernels->level;
}

}  // namespace
}  // namespace terrace::nodes_on_lines_test
