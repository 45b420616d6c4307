// The shortest way between convex hulls, and directions along which they are apart.
#include "geometry/hull_separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/infinity.hpp"

namespace terrace::hull_separation_test {
namespace {

constexpr std::uint32_t seed = 20261126;
using Points = std::vector<Vector3>;

/// The gap between the hulls along a direction, times its length, over all points; negative if they overlap.
double between_along(const Points& first, const Points& second, const Vector3& direction) {
  double end = -infinity, begin = -end;
  for (const Vector3& x : first) end = std::max(end, dot(x, direction));
  for (const Vector3& x : second) begin = std::min(begin, dot(x, direction));
  return begin - end;
}

/// The last direction that HullSeparation finds, made a unit vector; `looks` is the number of improvements.
/// Checks every direction on the way.
Vector3 best_direction(const Points& first, const Points& second, const Vector3& start, int& looks) {
  HullSeparation separation(first, second, start);
  EXPECT_DOUBLE_EQ(separation.between(), between_along(first, second, start));
  looks = 0;
  double at_most = separation.at_most();
  while (separation.improve()) {
    ++looks;
    EXPECT_LE(separation.at_most(), at_most);
    at_most = separation.at_most();
    EXPECT_LE(separation.between() / norm(separation.direction()), at_most * (1 + 1e-12));
    EXPECT_NEAR(separation.between(), between_along(first, second, separation.direction()),
                1e-13 * (1 + norm(separation.direction())));
    if (looks > 200) {
      ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
  return 1 / norm(separation.direction()) * separation.direction();
}

Points box(const Vector3& half, const Vector3& centre, double turned) {
  Points corners;
  const double c = std::cos(turned), s = std::sin(turned);
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 x = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                       corner & 4 ? half[2] : -half[2]};
    corners.push_back(Vector3{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]} + centre);
  }
  return corners;
}

TEST(HullSeparation, OfBoxesTheShortestWayIsKnown) {
  int looks = 0;
  // Face to face, out of line.
  const Points one = box({1, 1, 1}, {0, 0, 0}, 0);
  Vector3 way = best_direction(one, box({1, 1, 1}, {2.5, 1.7, -0.9}, 0), {1, 1, 1}, looks);
  EXPECT_NEAR(way[0], 1, 1e-6);
  EXPECT_NEAR(between_along(one, box({1, 1, 1}, {2.5, 1.7, -0.9}, 0), way), 0.5, 1e-6);
  // An edge to a face.
  const Points turned = box({1, 1, 1}, {1 + std::sqrt(2) + 0.25, 0.3, 0.2}, M_PI / 4);
  way = best_direction(one, turned, {0, 1, 0}, looks);
  EXPECT_NEAR(between_along(one, turned, way), 0.25, 1e-6);
  EXPECT_LE(looks, 20);
  // A corner to a corner, (1, 2, 2) apart.
  const Points beyond = box({1, 1, 1}, {3, 4, 4}, 0);
  way = best_direction(one, beyond, {1, 0, 0}, looks);
  EXPECT_NEAR(between_along(one, beyond, way), 3, 3e-6);
  EXPECT_NEAR(dot(way, {1 / 3.0, 2 / 3.0, 2 / 3.0}), 1, 1e-6);
  // Points alone.
  const Points point = {{0, 0, 3}}, other = {{0, 4, 0}};
  way = best_direction(point, other, {1, 0, 0}, looks);
  EXPECT_NEAR(between_along(point, other, way), 5, 1e-12);
}

// The gap along any direction is at most the distance of the hulls. For random hulls none of 2,000 random
// directions, half of them near the one found, has a larger gap than that, up to 2e-6; and `at_most`, the
// length of a way between points of the hulls, comes down to it.
TEST(HullSeparation, NoOtherDirectionIsBetter) {
  std::mt19937 random(seed);
  std::normal_distribution<double> number;
  int apart = 0, met = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Points first, second;
    const Vector3 off = {1.6 * number(random), 1.6 * number(random), 1.6 * number(random)};
    for (int i = 0; i < 40; ++i)
      for (Points* points : {&first, &second}) {
        Vector3 x = {number(random), number(random), number(random)};
        x = (trial % 2 != 0 ? 1 / norm(x) : 0.4) * x;
        points->push_back(points == &second ? x + off : x);
      }
    int looks = 0;
    const Vector3 way = best_direction(first, second, off, looks);
    const double best = between_along(first, second, way);
    double of_others = -infinity;
    for (int other = 0; other < 2000; ++other) {
      Vector3 direction = {number(random), number(random), number(random)};
      if (other % 2 != 0) direction = way + 0.05 * direction;
      of_others = std::max(of_others, between_along(first, second, 1 / norm(direction) * direction));
    }
    if (of_others > 0) {
      ++apart;
      EXPECT_GE(best, of_others * (1 - 2e-6)) << "seed " << seed << ", trial " << trial;
      HullSeparation separation(first, second, off);
      EXPECT_GE(separation.at_most(), best * (1 - 1e-12));
      while (separation.improve()) EXPECT_GE(separation.at_most(), best * (1 - 1e-12));
      EXPECT_LE(separation.at_most(), best * (1 + 2e-6)) << "no way is longer than the shortest";
      EXPECT_LE(looks, 40) << trial;
    } else {
      ++met;
      EXPECT_LE(best, 0.05) << "seed " << seed << ", trial " << trial;
    }
  }
  EXPECT_GT(apart, 40);
  EXPECT_GT(met, 10);
}

TEST(HullSeparation, WhereHullsMeetItEnds) {
  const Points one = box({1, 1, 1}, {0, 0, 0}, 0);
  for (const Vector3& centre : {Vector3{0.5, 0.2, 0.1}, Vector3{0, 0, 0}, Vector3{2, 0, 0}}) {
    int looks = 0;
    const Vector3 way = best_direction(one, box({1, 1, 1}, centre, 0), {1, 0.2, 0.1}, looks);
    EXPECT_LE(looks, 20);
    EXPECT_LE(between_along(one, box({1, 1, 1}, centre, 0), way), 1e-12);
  }
  // All points of both hulls lie in one plane.
  const Points plane = box({1, 1, 0}, {0, 0, 0}, 0);
  int looks = 0;
  const Vector3 way = best_direction(plane, box({1, 1, 0}, {1.5, 2.5, 0}, 0.3), {1, 0, 0}, looks);
  EXPECT_GT(between_along(plane, box({1, 1, 0}, {1.5, 2.5, 0}, 0.3), way), 0.1);
}

}  // namespace
}  // namespace terrace::hull_separation_test
