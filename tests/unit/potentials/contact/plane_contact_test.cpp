// Contact with a rigid plane, by penalty and by barrier: derivatives, and a certificate that holds over
// random lines.
#include "potentials/contact/plane_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "parallel/error.hpp"
#include "support/followed.hpp"

namespace terrace::plane_contact_test {
namespace {

const Plane plane{{0.1, 0.2, 0.3}, {0, 0.6, 0.8}};
constexpr double activation = 0.4;
constexpr auto penalty_of_depth = ContactProfile::Kind::penalty, barrier = ContactProfile::Kind::barrier;

Followed<PlaneContact> wall(std::span<const Vector3> positions, const std::vector<std::int32_t>& nodes,
                            const Plane& at_plane, double stiffness,
                            ContactProfile::Kind kind = penalty_of_depth) {
  const bool penalty = kind == penalty_of_depth;
  return {positions,
          nodes,
          std::vector<double>(nodes.size(), penalty ? 1.0 : 0.5),
          at_plane,
          ContactProfile(kind, penalty ? 0 : activation),
          stiffness,
          "wall"};
}

/// 40 nodes about the plane on random lines, every other one on the boundary. For a barrier all are before
/// the plane at the instant 0.
struct Cloud {
  std::vector<Vector3> positions;
  std::vector<NodeLine> lines;
  std::vector<std::int32_t> boundary;
  ContactProfile::Kind kind;

  explicit Cloud(unsigned seed, ContactProfile::Kind of_kind = penalty_of_depth) : kind(of_kind) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
    for (std::int32_t i = 0; i < 40; ++i) {
      positions.push_back(plane.point + vector());
      lines.push_back({vector(), vector(), uniform(random), 1});
      if (i % 2 == 0) boundary.push_back(i);
      if (kind == penalty_of_depth) continue;
      // At the instant 0 between a hundredth of the activation distance and twice it.
      Vector3& x = positions.back();
      const Vector3 now = x + lines.back().displacement_at(0) - plane.point;
      const double gap = activation * std::pow(200, 0.5 * (1 + uniform(random))) / 100;
      x += (gap - dot(now, plane.normal)) * plane.normal;
    }
  }
  [[nodiscard]] Followed<PlaneContact> potential() const {
    return wall(positions, boundary, plane, 50, kind);
  }
};

/// Of the barriers below V″ is up to 10^7, and V′ a hundredth of that.
LineGrids grids() {
  constexpr double largest = 1e7;
  const Grid grid = Grid::holding(largest, 64), of_slope = Grid::holding(largest / 100, 64);
  return {DoubleGrid::holding(largest, 64), of_slope, grid, grid, grid, grid, grid, grid};
}

LineSample sampled_at(Followed<PlaneContact>& contact, double s) {
  LineSample sum;
  contact.sample(s, grids(), sum);
  return sum;
}

double value_at(Followed<PlaneContact>& contact, double s) { return sampled_at(contact, s).value.value(); }

TEST(PlanePenalty, ValueOfOneNodeBehindThePlane) {
  const std::vector<Vector3> positions{{0, 0, 0}, {0, 0, 2}};
  Followed<PlaneContact> penalty =
      wall(positions, {0, 1}, {{0, 0, 1}, {0, 0, 4}}, 10);  // the normal is made unit
  std::vector<NodeLine> lines(2, NodeLine{{0, 0, 0}, {0, 0, -0.5}, 0, 1});
  penalty.set_line(lines, 0);
  EXPECT_EQ(value_at(penalty, 0), 5.0);              // ½ · 10 · 1²
  EXPECT_EQ(sampled_at(penalty, 0).slope, 5.0);      // 10 · (−1) · (−½)
  EXPECT_EQ(sampled_at(penalty, 0).curvature, 2.5);  // 10 · ¼
  EXPECT_EQ(value_at(penalty, 4), 45.0 + 5.0);       // the second node is behind by 1 too
  std::vector<Vector3> gradient(2);
  EXPECT_EQ(penalty.add_gradient(lines, 0, Grid::holding(100, 4), gradient), 10.0);
  EXPECT_EQ(gradient[0], (Vector3{0, 0, -10}));
  EXPECT_EQ(gradient[1], (Vector3{0, 0, 0}));
}

class PlaneContactOf : public testing::TestWithParam<ContactProfile::Kind> {};
INSTANTIATE_TEST_SUITE_P(Kind, PlaneContactOf, testing::Values(penalty_of_depth, barrier),
                         [](const auto& kind) { return kind.param == barrier ? "Barrier" : "Penalty"; });

TEST_P(PlaneContactOf, DerivativesAgreeWithDifferencesAndWithTheGradient) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Cloud cloud(seed, GetParam());
    Followed<PlaneContact> contact = cloud.potential();
    // A barrier's nodes are before the plane at the instant 0.
    const double s = GetParam() == barrier ? 0 : 0.3, origin = GetParam() == barrier ? 0 : 0.7;
    contact.set_line(cloud.lines, origin);
    const double step = 1e-6;
    const LineSample here = sampled_at(contact, s);
    EXPECT_EQ(here.infinite, 0);
    const double slope = (value_at(contact, s + step) - value_at(contact, s - step)) / (2 * step);
    EXPECT_NEAR(here.slope, slope, 1e-5 * (1 + std::abs(here.slope))) << "seed " << seed;
    // V′ is rounded to its grid: a longer step than for V.
    const double curvature =
        (sampled_at(contact, s + 10 * step).slope - sampled_at(contact, s - 10 * step).slope) / (20 * step);
    EXPECT_NEAR(here.curvature, curvature, 1e-4 * (1 + std::abs(here.curvature))) << "seed " << seed;

    std::vector<Vector3> gradient(cloud.positions.size());
    contact.add_gradient(cloud.lines, origin + s, Grid::holding(1e5, 64), gradient);
    double power = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) power += dot(gradient[i], cloud.lines[i].velocity);
    EXPECT_NEAR(power, here.slope, 1e-9 * (1 + std::abs(power)));
  }
}

TEST_P(PlaneContactOf, GradientAgreesWithDifferences) {
  Cloud cloud(11, GetParam());
  Followed<PlaneContact> contact = cloud.potential();
  std::vector<Vector3> gradient(cloud.positions.size());
  contact.add_gradient(cloud.lines, 0, Grid::holding(1e5, 64), gradient);
  const double step = 1e-6;
  for (const std::int32_t node : cloud.boundary)
    for (std::size_t k = 0; k < 3; ++k) {
      NodeLine& line = cloud.lines[static_cast<std::size_t>(node)];
      const auto value_moved_by = [&](double distance) {
        const NodeLine kept = line;
        line.displacement[k] += distance;
        contact.set_line(cloud.lines, 0);
        line = kept;
        return value_at(contact, 0);
      };
      const double difference = (value_moved_by(step) - value_moved_by(-step)) / (2 * step);
      const double exact = gradient[static_cast<std::size_t>(node)][k];
      EXPECT_NEAR(exact, difference, 1e-5 * (1 + std::abs(exact))) << "node " << node;
    }
}

TEST_P(PlaneContactOf, CertificateHoldsEverywhereInTheInterval) {
  int restrictive = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Cloud cloud(seed, GetParam());
    Followed<PlaneContact> contact = cloud.potential();
    contact.set_line(cloud.lines, GetParam() == barrier ? 0 : 0.2);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    // With a barrier the nearest nodes reach the plane after a time of 0.004.
    const double from = GetParam() == barrier ? 0 : uniform(random);
    const double to =
        from + (GetParam() == barrier ? 0.02 * std::pow(uniform(random), 3) : 2 * uniform(random));
    const LineSample start = sampled_at(contact, from);
    LineBound bound;
    contact.bound(from, to, grids(), bound);
    EXPECT_EQ(bound.third, 0);
    if (GetParam() == penalty_of_depth) {
      EXPECT_EQ(bound.invalid, 0);
    }
    if (bound.invalid > 0) continue;
    restrictive += bound.above > 0 && bound.below > 0 ? 1 : 0;
    for (int i = 1; i <= 50; ++i) {
      const double t = (to - from) * i / 50;
      const double model = start.value.value() + start.slope * t + 0.5 * start.curvature * t * t;
      ASSERT_EQ(sampled_at(contact, from + t).infinite, 0);
      const double error = value_at(contact, from + t) - model;
      // V′ and V″ at `from` are rounded to their grids, node by node, which the certificate need not cover.
      const double round_off = static_cast<double>(cloud.boundary.size()) * 0.5 *
                               (grids().slope.quantum * (1e-3 + t) + grids().curvature.quantum * t * t);
      EXPECT_LE(error, 0.5 * bound.above * t * t + round_off) << "seed " << seed;
      EXPECT_GE(error, -0.5 * bound.below * t * t - round_off) << "seed " << seed;
    }
  }
  EXPECT_GT(restrictive, 100);
}

TEST_P(PlaneContactOf, ForcesActAlongTheNormalAndTheWallGetsTheirSum) {
  const Cloud cloud(3, GetParam());
  Followed<PlaneContact> contact = cloud.potential();
  std::vector<Vector3> gradient(cloud.positions.size());
  const Grid grid = Grid::holding(1e5, 64);
  const double largest = contact.add_gradient(cloud.lines, 0, grid, gradient);
  EXPECT_GT(largest, 0);
  EXPECT_EQ(contact.contact_terms_at_node(), 1);
  Vector3 sum{}, backwards{};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    sum += gradient[i];
    backwards += gradient[gradient.size() - 1 - i];
    EXPECT_LE(norm(cross(gradient[i], plane.normal)), 4 * grid.quantum);
    EXPECT_LE(dot(gradient[i], plane.normal), 0) << "a wall pushes, V grows towards it";
  }
  EXPECT_EQ(sum, backwards) << "on one grid: what the wall gets does not depend on the order";
  EXPECT_LT(dot(sum, plane.normal), 0);
  for (std::int32_t i = 1; i < 40; i += 2)
    EXPECT_EQ(gradient[static_cast<std::size_t>(i)], Vector3{}) << "no node of the boundary";
}

TEST_P(PlaneContactOf, NodesThatDoNotMoveAlongTheNormalGiveNoSlopeAndNoBound) {
  Cloud cloud(4, GetParam());
  for (NodeLine& line : cloud.lines) {
    line.displacement = line.displacement_at(0);
    line.velocity = {1, 0, 0};
    line.time = 0;
  }
  Followed<PlaneContact> contact = cloud.potential();
  contact.set_line(cloud.lines, 0);
  EXPECT_GT(value_at(contact, 0), 0);
  EXPECT_EQ(value_at(contact, 1e9), value_at(contact, 0));
  EXPECT_EQ(sampled_at(contact, 0).slope, 0);
  EXPECT_EQ(sampled_at(contact, 0).curvature, 0);
  LineBound bound;
  contact.bound(0, 1e9, grids(), bound);
  EXPECT_EQ(bound.invalid, 0);
  EXPECT_EQ(bound.above, 0);
  EXPECT_EQ(bound.below, 0);
}

TEST_P(PlaneContactOf, UpdateOfSomeNodesEqualsANewLine) {
  Cloud cloud(5, GetParam());
  Followed<PlaneContact> updated = cloud.potential(), fresh = cloud.potential();
  updated.set_line(cloud.lines, 0);
  std::vector<std::uint8_t> changed(cloud.lines.size(), 0);
  for (std::size_t i = 0; i < changed.size(); i += 4) {
    changed[i] = 1;
    cloud.lines[i].velocity += Vector3{0, 1, 2};
  }
  updated.update_line(cloud.lines, 0, changed);
  fresh.set_line(cloud.lines, 0);
  EXPECT_EQ(value_at(updated, 0.004), value_at(fresh, 0.004));
  EXPECT_EQ(sampled_at(updated, 0.004).slope, sampled_at(fresh, 0.004).slope);
}

TEST(PlaneBarrier, EnergyIsInfiniteFromThePlaneOnAndGrowsBeyondAllBoundsBefore) {
  const std::vector<Vector3> positions{{0, 0, 1}};
  Followed<PlaneContact> contact = wall(positions, {0}, {{0, 0, 0}, {0, 0, 1}}, 10, barrier);
  contact.set_line(std::vector<NodeLine>(1, NodeLine{{}, {0, 0, -1}, 0, 1}), 0);
  EXPECT_EQ(value_at(contact, 1 - activation), 0) << "beyond the activation distance";
  double before = 0;
  for (int k = 1; k <= 40; ++k) {
    const double gap = activation * std::ldexp(1.0, -k);
    const LineSample here = sampled_at(contact, 1 - gap);
    ASSERT_EQ(here.infinite, 0);
    // Half the distance adds κ w ln 2 = 5 ln 2 in the limit.
    EXPECT_GT(here.value.value(), before + (k > 4 ? 0.9 * 5 * std::log(2) : 0)) << gap;
    before = here.value.value();
  }
  for (const double s : {1.0, 1.1, 100.0}) EXPECT_EQ(sampled_at(contact, s).infinite, 1) << s;
}

// If a certificate finds no node near, samples within its interval, on its line, need not look at nodes.
// Later samples and samples on another line must look again.
TEST(PlaneBarrier, WhatWasFarAwayIsLookedAtAgainLaterAndOnANewLine) {
  const std::vector<Vector3> positions = {plane.point + 3 * activation * plane.normal};
  const auto flying = [](double speed) {
    return std::vector<NodeLine>{{{0, 0, 0}, -speed * plane.normal, 0, 1}};
  };
  Followed<PlaneContact> contact = wall(positions, {0}, plane, 50, barrier);
  const std::vector<std::uint8_t> changed = {1};
  const auto force_at = [&](double speed, double instant) {
    std::vector<Vector3> gradient(1);
    const double largest = contact.add_gradient(flying(speed), instant, Grid::holding(1e6, 4), gradient);
    EXPECT_EQ(largest > 0, gradient[0] != Vector3{});
    return largest;
  };
  const auto none_until_1 = [&] {
    LineBound bound;
    contact.bound(0, 1, grids(), bound);
    EXPECT_EQ(bound.contact_terms, 0);
    EXPECT_EQ(value_at(contact, 0.5), 0);
    EXPECT_EQ(value_at(contact, 1), 0);
  };
  contact.set_line(flying(1.9 * activation), 0);
  none_until_1();
  EXPECT_EQ(force_at(1.9 * activation, 1), 0);
  EXPECT_GT(value_at(contact, 1.25), 0) << "after the interval";
  EXPECT_GT(force_at(1.9 * activation, 1.25), 0) << "after the interval";
  contact.update_line(flying(5 * activation), 0, changed);
  EXPECT_GT(value_at(contact, 0.5), 0);
  EXPECT_GT(force_at(5 * activation, 0.5), 0);
  contact.set_line(flying(activation), 0);
  none_until_1();
  contact.set_line(flying(5 * activation), 0);
  EXPECT_GT(value_at(contact, 0.5), 0);
  EXPECT_GT(force_at(5 * activation, 0.5), 0);
  LineBound bound;
  contact.bound(0, 0.5, grids(), bound);
  EXPECT_GT(value_at(contact, 0.5), 0) << "of an interval with an end that is near";
  EXPECT_GT(force_at(5 * activation, 0.5), 0) << "of an interval with an end that is near";
}

// If all nodes stay in a box that is out of reach, no node is looked at. That holds until the time told with
// the box and for the next line alone.
TEST(PlaneBarrier, NodesInABoxOutOfReachAreNotLookedAtUntilTheyMayLeaveIt) {
  const Vector3 start = plane.point + 3 * activation * plane.normal;
  const auto flying = [](double speed, double origin = 0) {
    return std::vector<NodeLine>{{{0, 0, 0}, -speed * activation * plane.normal, origin, 1}};
  };
  const auto way = [&](double to) {  // from the start to so many activation distances from the plane
    Box box;
    box.include(start);
    box.include(plane.point + to * activation * plane.normal);
    return box;
  };
  const auto slow = flying(1.9), fast = flying(5);
  const std::vector<Vector3> positions = {start};
  Followed<PlaneContact> contact = wall(positions, {0}, plane, 50, barrier);
  contact.expect_inside(way(1.1), 1);
  contact.set_line(slow, 0);
  LineBound bound;
  contact.bound(0, 1, grids(), bound);
  EXPECT_EQ(bound.contact_terms + bound.invalid, 0);
  EXPECT_EQ(value_at(contact, 1), 0);
  EXPECT_GT(value_at(contact, 1.25), 0) << "later";
  EXPECT_EQ(value_at(contact, 0.9), 0);
  contact.expect_inside(way(1.1), 1);
  contact.set_line(fast, 0);
  EXPECT_EQ(value_at(contact, 0.45), 0) << "what is said of the box is believed";
  contact.bound(0, 0.5, grids(), bound);
  EXPECT_EQ(bound.contact_terms + bound.invalid, 0);
  contact.bound(0, 1.01, grids(), bound);
  EXPECT_GT(bound.contact_terms + bound.invalid, 0) << "but not for longer";
  EXPECT_GT(value_at(contact, 0.45), 0);
  contact.set_line(fast, 0);
  EXPECT_GT(value_at(contact, 0.45), 0) << "nor of another line";
  contact.expect_inside(way(0.99), 1);
  contact.set_line(fast, 0);
  EXPECT_GT(value_at(contact, 0.45), 0) << "within reach";
  contact.expect_inside(way(1.1), -0.1);
  contact.set_line(fast, 0);
  EXPECT_GT(value_at(contact, 0.45), 0) << "left already";
  contact.expect_inside(way(1.1), 1);
  contact.set_line(slow, 0);
  contact.update_line(fast, 0, std::vector<std::uint8_t>{1});
  EXPECT_GT(value_at(contact, 0.45), 0) << "changed";
  const auto late = flying(5, 10);
  contact.expect_inside(way(1.1), 10.4);
  contact.set_line(late, 10);
  EXPECT_EQ(value_at(contact, 0.4), 0);
  EXPECT_GT(value_at(contact, 0.45), 0) << "after 10.4";
}

TEST(PlaneBarrier, NoCertificateUpToThePlane) {
  const std::vector<Vector3> positions{{0, 0, 1}};
  Followed<PlaneContact> contact = wall(positions, {0}, {{0, 0, 0}, {0, 0, 1}}, 10, barrier);
  contact.set_line(std::vector<NodeLine>(1, NodeLine{{}, {0, 0, -1}, 0, 1}), 0);
  const auto invalid = [&](double from, double to) {
    LineBound bound;
    contact.bound(from, to, grids(), bound);
    return bound.invalid > 0;
  };
  EXPECT_FALSE(invalid(0, 0.8));
  EXPECT_TRUE(invalid(0, 0.95)) << "the distance shrinks to a tenth of the activation distance";
  EXPECT_TRUE(invalid(0, 1));
  EXPECT_TRUE(invalid(0, 2));
  EXPECT_FALSE(invalid(0.99, 0.995)) << "half the distance";
}

TEST(PlanePenalty, NoBoundWhereNoNodeMeetsThePlane) {
  const std::vector<Vector3> positions{{0, 0, 3}, {0, 0, -1}};
  Followed<PlaneContact> penalty = wall(positions, {0, 1}, {{0, 0, 0}, {0, 0, 1}}, 10);
  penalty.set_line(std::vector<NodeLine>(2, NodeLine{{}, {0, 0, -1}, 0, 1}), 0);
  LineBound bound;
  penalty.bound(0, 2.9, grids(), bound);
  EXPECT_EQ(bound.above, 0);
  EXPECT_EQ(bound.below, 0);
  penalty.bound(0, 3.1, grids(), bound);
  EXPECT_NEAR(bound.above, 10, 4 * grids().above.quantum);
  EXPECT_GE(bound.above, 10);
  EXPECT_GE(bound.largest_above, 10);
  EXPECT_LE(bound.below, 2 * grids().below.quantum);
}

TEST(PlaneContact, RefusesWrongInput) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}};
  const Plane floor{{}, {0, 0, 1}};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto kind : {penalty_of_depth, barrier}) {
    EXPECT_NO_THROW(wall(x, {0, 1}, floor, 1, kind));
    EXPECT_THROW(wall(x, {0, 1}, {{}, {0, 0, 0}}, 1, kind), Error);
    EXPECT_THROW(wall(x, {0, 1}, {{}, {0, 0, nan}}, 1, kind), Error);
    EXPECT_THROW(wall(x, {0, 1}, floor, -1, kind), Error);
    EXPECT_THROW(wall(x, {0, 1}, floor, nan, kind), Error);
    EXPECT_THROW(wall(x, {1, 0}, floor, 1, kind), Error);
    EXPECT_THROW(wall(x, {0, 2}, floor, 1, kind), Error);
  }
  EXPECT_THROW(PlaneContact(x, {0, 1}, {1}, floor, ContactProfile(penalty_of_depth, 0), 1, "wall"), Error);
}

}  // namespace
}  // namespace terrace::plane_contact_test
