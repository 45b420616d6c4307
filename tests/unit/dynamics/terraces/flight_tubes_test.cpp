// FlightTubes: until when surfaces stay in the tubes about their flights.
#include "dynamics/terraces/flight_tubes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace terrace::flight_tubes_test {
namespace {

constexpr std::uint32_t seed = 20261123;

/// The largest coordinate of the vector from where a node would be at `time`, had it flown with `velocity`
/// since `begin`, to where it is.
double apart(const NodeLine& at_begin, double begin, const Vector3& velocity, const NodeLine& now,
             double time) {
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double start = at_begin.displacement[k] + (begin - at_begin.time) * at_begin.velocity[k];
    const double there = now.displacement[k] + (time - now.time) * now.velocity[k];
    most = std::max(most, std::abs(there - start - velocity[k] * (time - begin)));
  }
  return most;
}

Box velocities_of(const std::vector<NodeLine>& lines, const std::vector<std::int32_t>& nodes) {
  Box box;
  for (const std::int32_t node : nodes) box.include(lines[static_cast<std::size_t>(node)].velocity);
  return box;
}

TEST(FlightTubes, NoNodeIsFartherThanTheRadiusBeforeTheExit) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1), positive(0.01, 1);
  double latest = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const bool node_by_node = trial % 2 == 1;
    const std::vector<std::vector<std::int32_t>> surfaces = {{0, 2, 3}, {1, 4}};
    std::vector<NodeLine> lines(5);
    for (NodeLine& line : lines)
      line = {{number(random), number(random), number(random)},
              {number(random), number(random), number(random)},
              number(random),
              1};
    const std::vector<NodeLine> first = lines;
    const double begin = 1 + positive(random), radius = positive(random);
    const Vector3 velocity = {number(random), number(random), number(random)};
    FlightTubes tubes(surfaces);
    tubes.begin(begin);
    tubes.enclose(0, {velocity, radius, node_by_node}, lines);
    const auto most_from = [&](bool own, double time) {
      double farthest = 0;
      for (const std::size_t node : {0u, 2u, 3u})
        farthest = std::max(
            farthest, apart(first[node], begin, own ? first[node].velocity : velocity, lines[node], time));
      return farthest;
    };
    const auto most = [&](double time) { return most_from(node_by_node, time); };
    const auto fastest = [&] {
      double speed = 0;
      for (const std::size_t node : {0u, 2u, 3u})
        for (std::size_t k = 0; k < 3; ++k)
          speed = std::max(
              speed, std::abs(lines[node].velocity[k] - (node_by_node ? first[node].velocity : velocity)[k]));
      return speed;
    };
    if (node_by_node) {
      EXPECT_TRUE(std::isinf(tubes.exit())) << "as long as nothing happens";
    } else {
      EXPECT_LE(most(tubes.exit()), radius * (1 + 1e-12)) << "seed " << seed << ", trial " << trial;
      EXPECT_GE(tubes.exit() - begin, radius / fastest() * (1 - 1e-12)) << "from the axis with the fastest";
    }
    // Half way a node is pushed, as events do.
    const double event = node_by_node ? begin + positive(random) : 0.5 * (begin + tubes.exit());
    for (std::size_t k = 0; k < 3; ++k)
      lines[2].displacement[k] += (event - lines[2].time) * lines[2].velocity[k];
    lines[2].time = event;
    lines[2].velocity = {number(random), number(random), number(random)};
    tubes.follow(0, lines, velocities_of(lines, surfaces[0]), event);
    ASSERT_GE(tubes.exit(), event);
    for (int i = 0; i <= 20; ++i)
      EXPECT_LE(most(event + i / 20.0 * (tubes.exit() - event)), radius * (1 + 1e-12))
          << "seed " << seed << ", trial " << trial;
    EXPECT_GE(tubes.exit() - event, (radius - most(event)) / fastest() * (1 - 1e-12));
    const auto [from_whole, from_own] = tubes.deviation(0, lines, tubes.exit());
    EXPECT_NEAR(node_by_node ? from_own : from_whole, std::max(most(event), most(tubes.exit())), 1e-12);
    EXPECT_NEAR(node_by_node ? from_whole : from_own, most_from(!node_by_node, tubes.exit()), 1e-12)
        << "of the other way to go on: now";
    latest = std::max(latest, most(tubes.exit()) / radius);
  }
  EXPECT_GT(latest, 0.999) << "where the outermost node is the fastest";
}

TEST(FlightTubes, TheExitOfABodyThatFliesAsOneIsTheInstantAtWhichItsFirstNodeIsAsFarAsTheRadius) {
  std::vector<NodeLine> lines = {{{0, 0, 0}, {1, -2, 0}, 0, 1}, {{3, 1, 0}, {1, -2, 0}, 0, 1}};
  FlightTubes tubes(std::vector<std::vector<std::int32_t>>{{0, 1}});
  tubes.begin(1);
  tubes.enclose(0, {{0.5, 1, 0}, 6}, lines);
  EXPECT_DOUBLE_EQ(tubes.exit(), 3) << "six lengths at three in a time, downwards";
}

TEST(FlightTubes, RemembersHowFarABodyHasBeenAndThatItIsBack) {
  std::vector<NodeLine> lines = {{{0, 0, 0}, {1, 0, 0}, 0, 1}};
  FlightTubes tubes(std::vector<std::vector<std::int32_t>>{{0}});
  tubes.begin(0);
  tubes.enclose(0, {{0, 0, 0}, 3}, lines);
  EXPECT_EQ(tubes.exit(), 3);
  lines[0] = {{2, 0, 0}, {-1, 0, 0}, 2, 1};
  tubes.follow(0, lines, velocities_of(lines, {0}), 2);
  EXPECT_EQ(tubes.exit(), 7) << "at −3";
  EXPECT_EQ(tubes.deviation(0, lines, 4).from_whole, 2) << "now it is where it was";
}

TEST(FlightTubes, OfNodesThatKeepTheirVelocitiesItIsKnownThatTheyDo) {
  const std::vector<NodeLine> lines = {{{0.1, 0.7, 0.3}, {0.3, -0.7, 1.1}, 0.2, 1},
                                       {{0, 1, 2}, {0.4, 0, 1}, 0, 1}};
  for (const bool node_by_node : {false, true}) {
    FlightTubes tubes(std::vector<std::vector<std::int32_t>>{{0, 1}});
    tubes.begin(0.3);
    tubes.enclose(0, {{0, 0, 1}, 3, node_by_node}, lines);
    for (int i = 1; i <= 30; ++i) {
      EXPECT_EQ(tubes.deviation(0, lines, 0.3 + 0.1 * i).node_by_node, 0) << "to the last digit";
      EXPECT_GT(tubes.deviation(0, lines, 0.3 + 0.1 * i).from_whole, 0.05 * i);
    }
  }
}

TEST(FlightTubes, BodiesWithoutATubeLeaveNone) {
  std::vector<NodeLine> lines = {{{0, 0, 0}, {1, 0, 0}, 0, 1}, {{0, 0, 0}, {5, 0, 0}, 0, 1}};
  FlightTubes tubes(std::vector<std::vector<std::int32_t>>{{0}, {1}});
  tubes.begin(0);
  tubes.enclose(0, {{0, 0, 0}, 2}, lines);
  tubes.follow(1, lines, velocities_of(lines, {1}), 0);
  EXPECT_EQ(tubes.exit(), 2);
  tubes.begin(10);
  EXPECT_TRUE(std::isinf(tubes.exit()));
}

}  // namespace
}  // namespace terrace::flight_tubes_test
