// Contact with a rigid plane: derivatives, and a certificate that holds over random lines.
#include "potentials/plane_penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "parallel/error.hpp"

namespace terrace {
namespace {

const Wall wall{"floor", {0.1, 0.2, 0.3}, {0, 0.6, 0.8}, 50};

struct Cloud {
  std::vector<Vector3> positions;
  std::vector<NodeLine> lines;
  std::vector<std::int32_t> boundary;

  explicit Cloud(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
    for (std::int32_t i = 0; i < 40; ++i) {
      positions.push_back(wall.point + vector());
      lines.push_back({vector(), vector(), uniform(random), 1});
      if (i % 2 == 0) boundary.push_back(i);
    }
  }
};

LineGrids grids() {
  return {DoubleGrid::holding(1e3, 64), Grid::holding(1e3, 64), Grid::holding(1e3, 64),
          Grid::holding(1e3, 64),       Grid::holding(1e3, 64), Grid::holding(1e3, 64)};
}

LineSample at(const PlanePenalty& penalty, double s) {
  LineSample sum;
  penalty.sample(s, grids(), sum);
  return sum;
}

TEST(PlanePenalty, ValueOfOneNodeBehindThePlane) {
  const std::vector<Vector3> positions{{0, 0, 0}, {0, 0, 2}};
  PlanePenalty penalty(positions, {0, 1}, {"floor", {0, 0, 1}, {0, 0, 4}, 10});  // the normal is made unit
  std::vector<NodeLine> lines(2, NodeLine{{0, 0, 0}, {0, 0, -0.5}, 0, 1});
  penalty.set_line(lines, 0);
  EXPECT_EQ(at(penalty, 0).value.value(), 5.0);         // ½ · 10 · 1²
  EXPECT_EQ(at(penalty, 0).slope, 5.0);                 // 10 · (−1) · (−½)
  EXPECT_EQ(at(penalty, 0).curvature, 2.5);             // 10 · ¼
  EXPECT_EQ(at(penalty, 4).value.value(), 45.0 + 5.0);  // the second node is behind by 1 too
  std::vector<Vector3> gradient(2);
  EXPECT_EQ(penalty.add_gradient(lines, 0, Grid::holding(100, 4), gradient), 10.0);
  EXPECT_EQ(gradient[0], (Vector3{0, 0, -10}));
  EXPECT_EQ(gradient[1], (Vector3{0, 0, 0}));
}

TEST(PlanePenalty, DerivativesAgreeWithDifferencesAndWithTheGradient) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Cloud cloud(seed);
    PlanePenalty penalty(cloud.positions, cloud.boundary, wall);
    penalty.set_line(cloud.lines, 0.7);
    const double s = 0.3, step = 1e-6;
    const LineSample here = at(penalty, s);
    EXPECT_NEAR(here.slope,
                (at(penalty, s + step).value.value() - at(penalty, s - step).value.value()) / (2 * step),
                1e-6 * (1 + std::abs(here.slope)));
    std::vector<Vector3> gradient(cloud.positions.size());
    penalty.add_gradient(cloud.lines, 0.7 + s, Grid::holding(1e3, 64), gradient);
    double power = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) power += dot(gradient[i], cloud.lines[i].velocity);
    EXPECT_NEAR(power, here.slope, 1e-10 * (1 + std::abs(power)));
  }
}

TEST(PlanePenalty, CertificateHoldsEverywhereInTheInterval) {
  int restrictive = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Cloud cloud(seed);
    PlanePenalty penalty(cloud.positions, cloud.boundary, wall);
    penalty.set_line(cloud.lines, 0.2);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    const double from = uniform(random), to = from + 2 * uniform(random);
    const LineSample start = at(penalty, from);
    LineBound bound;
    penalty.bound(from, to, grids(), bound);
    EXPECT_EQ(bound.third, 0);
    EXPECT_EQ(bound.invalid, 0);
    restrictive += bound.above > 0 && bound.below > 0 ? 1 : 0;
    for (int i = 1; i <= 50; ++i) {
      const double t = (to - from) * i / 50;
      const double model = start.value.value() + start.slope * t + 0.5 * start.curvature * t * t;
      const double error = at(penalty, from + t).value.value() - model;
      // V′ and V″ at `from` are themselves rounded to their grids, node by node: no part of the certificate.
      const double round_off =
          static_cast<double>(cloud.boundary.size()) * 0.5 * grids().slope.quantum * (1e-3 + t + 0.5 * t * t);
      EXPECT_LE(error, 0.5 * bound.above * t * t + round_off) << "seed " << seed;
      EXPECT_GE(error, -0.5 * bound.below * t * t - round_off) << "seed " << seed;
    }
  }
  EXPECT_GT(restrictive, 100);
}

TEST(PlanePenalty, NoBoundWhereNoNodeMeetsThePlane) {
  const std::vector<Vector3> positions{{0, 0, 3}, {0, 0, -1}};
  PlanePenalty penalty(positions, {0, 1}, {"floor", {0, 0, 0}, {0, 0, 1}, 10});
  penalty.set_line(std::vector<NodeLine>(2, NodeLine{{}, {0, 0, -1}, 0, 1}), 0);
  LineBound bound;
  penalty.bound(0, 2.9, grids(), bound);
  EXPECT_EQ(bound.above, 0);
  EXPECT_EQ(bound.below, 0);
  penalty.bound(0, 3.1, grids(), bound);
  EXPECT_EQ(bound.above, 10);
  EXPECT_EQ(bound.largest_above, 10);
}

TEST(PlanePenalty, UpdateOfSomeNodesEqualsANewLine) {
  Cloud cloud(5);
  PlanePenalty updated(cloud.positions, cloud.boundary, wall), fresh(cloud.positions, cloud.boundary, wall);
  updated.set_line(cloud.lines, 0.5);
  std::vector<std::uint8_t> changed(cloud.lines.size(), 0);
  for (std::size_t i = 0; i < changed.size(); i += 4) {
    changed[i] = 1;
    cloud.lines[i].velocity += Vector3{0, 1, -2};
  }
  updated.update_line(cloud.lines, 0.5, changed);
  fresh.set_line(cloud.lines, 0.5);
  EXPECT_EQ(at(updated, 0.4).value.value(), at(fresh, 0.4).value.value());
  EXPECT_EQ(at(updated, 0.4).slope, at(fresh, 0.4).slope);
}

TEST(PlanePenalty, RefusesWrongInput) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(PlanePenalty(x, {0, 1}, {"w", {}, {0, 0, 0}, 1}), Error);
  EXPECT_THROW(PlanePenalty(x, {0, 1}, {"w", {}, {0, 0, std::numeric_limits<double>::quiet_NaN()}, 1}),
               Error);
  EXPECT_THROW(PlanePenalty(x, {0, 1}, {"w", {}, {0, 0, 1}, -1}), Error);
  EXPECT_THROW(PlanePenalty(x, {1, 0}, {"w", {}, {0, 0, 1}, 1}), Error);
  EXPECT_THROW(PlanePenalty(x, {0, 2}, {"w", {}, {0, 0, 1}, 1}), Error);
}

}  // namespace
}  // namespace terrace
