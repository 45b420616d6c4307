// The room between two surfaces: how much nearer nodes of the two may come before contact can have an energy.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/terraces/approach.hpp"
#include "potentials/contact/surface_contact.hpp"
#include "support/followed.hpp"
#include "support/two_blocks.hpp"

namespace terrace::room_between_surfaces_test {
namespace {

constexpr unsigned seed = 20261126;
constexpr double activation = 0.02;
using Room = PotentialOnLine::Room;

Followed<SurfaceContact> contact_of(const TwoBlocks& blocks, const std::vector<Triangle>& second) {
  return {blocks.nodes, blocks.first, second, ContactProfile(ContactProfile::Kind::barrier, activation),
          1.0,          "test"};
}

/// Lines of two cubes at rest, the second displaced by `apart` and moving with `velocity`.
std::vector<NodeLine> lines_of(const TwoBlocks& blocks, const Vector3& apart, const Vector3& velocity = {}) {
  std::vector<NodeLine> lines;
  const std::vector<Vector3> displacements = blocks.apart(apart);
  for (std::size_t a = 0; a < displacements.size(); ++a)
    lines.push_back({displacements[a], a < displacements.size() / 2 ? Vector3{} : velocity, 0, 1});
  return lines;
}

TEST(RoomBetweenSurfaces, IsTheShortestWayWithoutTheReachOfContact) {
  const TwoBlocks blocks(2);
  Followed<SurfaceContact> contact = contact_of(blocks, blocks.second);
  for (const auto& [apart, distance] : {std::pair{Vector3{1.5, 0.1, -0.3}, 0.5},
                                        {Vector3{-1.4, 1.3, 0.2}, 0.5},
                                        {Vector3{1.3, 1.4, -2.2}, std::sqrt(0.09 + 0.16 + 1.44)},
                                        {Vector3{0, 0, 1.03}, 0.03}}) {
    contact.set_line(lines_of(blocks, apart), 0);
    EXPECT_NEAR(contact.room(0).distance, distance - activation, 1e-6);
    EXPECT_LT(contact.room(0).distance, distance - activation) << "never too much";
    EXPECT_EQ(contact.room(0).speed, 0);
  }
  contact.set_line(lines_of(blocks, {1.015, 0, 0}), 0);
  EXPECT_EQ(contact.room(0).distance, 0) << "within the reach";
  contact.set_line(lines_of(blocks, {0.5, 0.5, 0.5}), 0);
  EXPECT_EQ(contact.room(0).distance, 0) << "in each other";
}

// The room is found from convex hulls. Axis-parallel boxes would give too little for cubes that are turned.
TEST(RoomBetweenSurfaces, IsTheSameHoweverBothAreTurned) {
  const TwoBlocks blocks(2);
  Followed<SurfaceContact> contact = contact_of(blocks, blocks.second);
  for (const double angle : {0.3, 0.8, 2.0}) {
    std::vector<NodeLine> lines = lines_of(blocks, {1.2, 0.6, -0.3});
    for (std::size_t a = 0; a < lines.size(); ++a) {
      const Vector3 x = blocks.nodes[a] + lines[a].displacement;
      const Vector3 turned = {std::cos(angle) * x[0] - std::sin(angle) * x[1],
                              std::sin(angle) * x[0] + std::cos(angle) * x[1], x[2]};
      lines[a].displacement = turned - blocks.nodes[a];
    }
    contact.set_line(lines, 0);
    EXPECT_NEAR(contact.room(0).distance, 0.2 - activation, 1e-6) << angle;
  }
}

TEST(RoomBetweenSurfaces, IsThatOfTheInstantWithTheSpeedOfTheLine) {
  const TwoBlocks blocks(1);
  Followed<SurfaceContact> contact = contact_of(blocks, blocks.second);
  contact.set_line(lines_of(blocks, {3, 0, 0}, {-0.3, 0.4, 0}), 0);
  const Room later = contact.room(2);
  EXPECT_NEAR(later.distance, 2 - 0.6 - activation, 1e-6);
  EXPECT_DOUBLE_EQ(later.speed, 0.5);
  const double first = contact.room(0.5).distance;
  LineSample sum;
  contact.sample(6, LineGrids{}, sum);
  EXPECT_EQ(contact.room(0.5).distance, first) << "to the bit, whatever was asked between";
}

TEST(RoomBetweenSurfaces, OfASurfaceAgainstItselfNothingIsKnown) {
  const TwoBlocks blocks(1);
  Followed<SurfaceContact> contact = contact_of(blocks, blocks.first);
  contact.set_line(lines_of(blocks, {}), 0);
  EXPECT_EQ(contact.room(0).distance, 0);
}

// One of two cubes gets a new velocity up to 30 times. The room found at the first look, less what the motion
// may have used up, never exceeds the room found by a new look.
TEST(RoomBetweenSurfaces, LastsUntilTheEndOfTheApproachWhateverPushesThereAre) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  double latest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const TwoBlocks blocks(1);
    Followed<SurfaceContact> contact = contact_of(blocks, blocks.second);
    Vector3 apart = {1.2, 0.3 * number(random), 0.3 * number(random)};
    Approach approach;
    double time = 0;
    for (int push = 0; push < 30; ++push) {
      const Vector3 velocity = {number(random) - 0.5, 0.3 * number(random), 0.3 * number(random)};
      contact.set_line(lines_of(blocks, apart, velocity), 0);
      const Room room = contact.room(0);
      if (push == 0)
        approach = {room.distance, 0, room.speed};
      else
        approach.go_on(time, room.speed);
      ASSERT_LE(approach.left, room.distance + 1e-9) << "seed " << seed << ", trial " << trial;
      if (!(approach.left > 0)) break;
      const double until = std::min(time + 0.05, approach.end());
      apart = apart + (until - time) * velocity;
      EXPECT_GE(apart[0] - 1, activation * (1 - 1e-9)) << "seed " << seed << ", trial " << trial;
      latest = std::max(latest, time = until);
    }
  }
  EXPECT_GT(latest, 0.2) << "some last for several pushes";
}

TEST(RoomBetweenSurfaces, IsNeverTooMuchFarFromTheOrigin) {
  const TwoBlocks blocks(1);
  Followed<SurfaceContact> contact = contact_of(blocks, blocks.second);
  for (const double far : {1e3, 1e6, 1e9}) {
    std::vector<NodeLine> lines = lines_of(blocks, {1.4, 0.2, -0.1});
    for (NodeLine& line : lines) line.displacement += Vector3{far, -far, 0.7 * far};
    contact.set_line(lines, 0);
    EXPECT_LE(contact.room(0).distance, 0.4 - activation) << far;
    EXPECT_NEAR(contact.room(0).distance, 0.4 - activation, 1e-6 + 1e-12 * far) << far;
  }
}

TEST(RoomBetweenSurfaces, BoxesSayHowLongPointsStayAndHowFarOthersAre) {
  Box inner, velocities, bounds, other;
  EXPECT_TRUE(std::isinf(largest_component(inner)));
  inner.include({1, 2, 3});
  inner.include({2, 2, 5});
  velocities.include({0, -1, 2});
  velocities.include({0, 0.5, 4});
  bounds.include({0, 0, 0});
  bounds.include({10, 10, 10});
  EXPECT_EQ(time_inside(inner, velocities, bounds), 1.25) << "up with the fastest";
  EXPECT_EQ(time_inside(inner, {{0, -4, 0}, {0, -4, 0}}, bounds), 0.5) << "down";
  EXPECT_TRUE(std::isinf(time_inside(inner, {{0, 0, 0}, {0, 0, 0}}, bounds)));
  EXPECT_EQ(time_inside({{1, 1, 1}, {11, 1, 1}}, {{1, 0, 0}, {1, 0, 0}}, bounds), 0)
      << "outside, and goes on";
  other.include({5, 6, 4});
  EXPECT_EQ(distance_apart(inner, other), 5);
  EXPECT_EQ(largest_difference(inner, other), std::hypot(4, 4, 1));
  EXPECT_EQ(largest_component(inner), 5);
}

TEST(Approach, EndsWhenWhatIsLeftIsUsedUp) {
  Approach approach = {3, 1, 2};
  EXPECT_DOUBLE_EQ(approach.end(), 2.5);
  approach.go_on(2, 4);
  EXPECT_NEAR(approach.left, 1, 1e-9);
  EXPECT_LT(approach.left, 1) << "rounded to the safe side";
  EXPECT_NEAR(approach.end(), 2.25, 1e-9);
  approach.go_on(2, 0);
  EXPECT_TRUE(std::isinf(approach.end())) << "nothing moves";
  approach.go_on(9, 1);
  EXPECT_NEAR(approach.left, 1, 1e-9);
  approach.go_on(11, 1);
  EXPECT_EQ(approach.left, 0);
  Approach before = {1, 5, 2};
  before.go_on(4.75, 2);
  EXPECT_NEAR(before.left, 0.5, 1e-9) << "at an earlier instant there may have been less";
  Approach slow = {1, 0, 1e-20};
  for (int event = 1; event <= 1000; ++event) slow.go_on(event, 1e-20);
  EXPECT_LT(slow.left, 1) << "what rounding would lose is lost to the safe side";
}

}  // namespace
}  // namespace terrace::room_between_surfaces_test
