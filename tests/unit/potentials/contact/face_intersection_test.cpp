// Face-intersection contact of two bodies: sums against those over all pairs, slopes against differences,
// independence of earlier calls, trial steps that skip no contact, and penetrations without an energy.
#include "potentials/contact/face_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geometry/triangle_intersection.hpp"
#include "mesh/boundary.hpp"
#include "mesh/shapes.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/followed.hpp"
#include "support/two_blocks.hpp"

namespace terrace::face_intersection_test {
namespace {

constexpr unsigned seed = 20110;

using Random = std::mt19937_64;

Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

double penalty(const TrianglePair& x) { return segment_penalty(x, TrianglePair{}).value; }

/// Closed surface of a ball: longitude and latitude triangles, slightly irregular.
struct Ball {
  std::vector<Vector3> nodes;
  std::vector<Triangle> triangles;
};

Ball ball(double radius, const Vector3& centre, int rings, Random& random) {
  const int around = 2 * rings;
  Ball surface;
  surface.nodes.push_back(centre + Vector3{0, 0, radius});
  for (int i = 1; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double theta = M_PI * i / rings + 0.02 * random_vector(random, 1)[0];
      const double phi = 2 * M_PI * j / around + 0.02 * random_vector(random, 1)[0];
      surface.nodes.push_back(centre + radius * Vector3{std::sin(theta) * std::cos(phi),
                                                        std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  }
  surface.nodes.push_back(centre + Vector3{0, 0, -radius});
  const auto node = [&](int i, int j) {
    return static_cast<std::int32_t>(1 + (i - 1) * around + j % around);
  };
  const auto south = static_cast<std::int32_t>(surface.nodes.size() - 1);
  for (int j = 0; j < around; ++j) {
    surface.triangles.push_back({0, node(1, j), node(1, j + 1)});
    surface.triangles.push_back({south, node(rings - 1, j + 1), node(rings - 1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      surface.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
      surface.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  }
  return surface;
}

struct TwoBalls {
  std::vector<Vector3> positions;
  std::vector<Triangle> first, second;
  std::vector<NodeLine> lines;
  std::size_t first_nodes = 0;

  TwoBalls(double unit, const Vector3& centre, const Vector3& velocity, double spin, unsigned random_seed) {
    Random random(random_seed);
    const Ball a = ball(unit, {0, 0, 0}, 7, random), b = ball(0.8 * unit, unit * centre, 6, random);
    first_nodes = a.nodes.size();
    positions = a.nodes;
    positions.insert(positions.end(), b.nodes.begin(), b.nodes.end());
    first = a.triangles;
    second = b.triangles;
    for (Triangle& triangle : second) {
      for (std::int32_t& n : triangle) n += static_cast<std::int32_t>(first_nodes);
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Vector3 arm = positions[i] - (i < first_nodes ? Vector3{} : unit * centre);
      const Vector3 swirl = cross(Vector3{0, 0, spin}, arm) + random_vector(random, 0.02 * unit);
      lines.push_back({{}, swirl + (i < first_nodes ? Vector3{} : unit * velocity), 0, 1});
    }
  }
  [[nodiscard]] Followed<FaceIntersection> contact(double stiffness) const {
    return {positions, first, second, stiffness};
  }

  /// V at s by a sum over all pairs of triangles, without lists.
  [[nodiscard]] double all_pairs(double s, double stiffness) const {
    double sum = 0;
    for (const Triangle& a : first) {
      for (const Triangle& b : second) {
        TrianglePair x{};
        for (std::size_t i = 0; i < 6; ++i) {
          const auto node = static_cast<std::size_t>(i < 3 ? a[i] : b[i - 3]);
          x[i] = positions[node] + lines[node].displacement_at(s);
        }
        sum += stiffness * penalty(x);
      }
    }
    return sum;
  }
};

LineGrids grids_for(double size) {
  return {DoubleGrid::holding(size, 1e4), Grid::holding(100 * size, 1e4), Grid::holding(1e6 * size, 1e4),
          Grid::holding(size, 1e4),       Grid::holding(size, 1e4),       Grid::holding(size, 1e4)};
}

double value_at(Followed<FaceIntersection>& contact, double s, double size) {
  LineSample sum;
  contact.sample(s, grids_for(size), sum);
  EXPECT_LE(sum.largest_value, size);
  return sum.value.value();
}

/// The first s at which a march in steps of `step` sees an overlap.
double first_contact_by_marching(const TwoBalls& balls, double step, double end) {
  Followed<FaceIntersection> contact = balls.contact(1);
  contact.set_line(balls.lines, 0);
  for (double s = 0; s < end; s += step) {
    if (value_at(contact, s, 100) > 0) return s;
  }
  return end;
}

TEST(FaceIntersection, LongestTrialDoesNotSkipTheFirstContact) {
  for (unsigned variant = 0; variant < 12; ++variant) {
    Random random(seed + variant);
    const double lateral = 0.1 * variant;  // up to 1.1 of the 1.8 at which the balls miss each other
    const double spin = 0.3 * random_vector(random, 1)[0];
    const double speed = std::pow(10.0, -2.0 + 0.25 * variant);
    const TwoBalls balls(1, {3, lateral, 0.1}, {-speed, 0, 0}, spin * speed, seed + variant);
    Followed<FaceIntersection> contact = balls.contact(1);
    contact.set_line(balls.lines, 0);
    double s = 0, last_free = 0;
    int steps = 0;
    const double expected = first_contact_by_marching(balls, 2e-4 / speed, 3 / speed);
    while (value_at(contact, s, 100) == 0 && s < 3 / speed) {
      last_free = s;
      const double trial = contact.longest_trial(s);
      ASSERT_GT(trial, 0);
      s += trial;
      ASSERT_LT(++steps, 1000);
    }
    EXPECT_LT(last_free, expected + 2e-4 / speed) << "seed " << seed + variant;
    EXPECT_GE(s, expected - 2e-4 / speed) << "seed " << seed + variant;
    EXPECT_LE(s - last_free, 0.1 / speed);
  }
}

TEST(FaceIntersection, BodiesThatSeparateNeverMeet) {
  const TwoBalls balls(1, {3, 0, 0}, {5, 0, 0}, 0, seed);
  Followed<FaceIntersection> contact = balls.contact(1);
  contact.set_line(balls.lines, 0);
  EXPECT_EQ(contact.longest_trial(0), infinity);
}

TEST(FaceIntersection, WhatIsKnownToBeApartEndsWhereBodiesMeet) {
  const TwoBalls balls(1, {3, 0.2, 0.1}, {-1, 0, 0}, 0, seed);
  Followed<FaceIntersection> contact = balls.contact(1);
  contact.set_line(balls.lines, 0);
  const double certified = contact.longest_trial(0);  // remembers until when
  ASSERT_GT(certified, 0.7) << "of the 1.2 between the balls";
  const double s = 1.35;
  ASSERT_LT(s, 2 * certified);
  ASSERT_GT(balls.all_pairs(s, 1), 0);
  EXPECT_NEAR(value_at(contact, s, 100), balls.all_pairs(s, 1), 1e-9);
}

TEST(FaceIntersection, SumEqualsTheSumOverAllPairs) {
  const TwoBalls balls(1, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> contact = balls.contact(3);
  contact.set_line(balls.lines, 0);
  for (const double s : {0.0, 0.1, 0.25, 0.3, 0.5, 0.2, 0.7, 3.5, 0.26}) {
    const double expected = balls.all_pairs(s, 3);
    EXPECT_NEAR(value_at(contact, s, 100), expected, 1e-11 * (1 + expected)) << "s " << s;
  }
}

TEST(FaceIntersection, SlopeAndCurvatureAreThoseOfTheValue) {
  const TwoBalls balls(1, {1.5, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> contact = balls.contact(7);
  contact.set_line(balls.lines, 0);
  int compared = 0, curved = 0;
  for (double s = 0.01; s < 0.3; s += 0.0137) {
    LineSample down, here, up;
    const double step = 1e-7;
    contact.sample(s - step, grids_for(1000), down);
    contact.sample(s, grids_for(1000), here);
    contact.sample(s + step, grids_for(1000), up);
    const double quotient = (up.value.value() - down.value.value()) / (2 * step);
    if (here.largest_curvature > 1e5) continue;
    ++compared;
    EXPECT_NEAR(here.slope, quotient, 1e-4 * (std::abs(here.slope) + here.value.value()));
    // Where triangles begin or cease to intersect V″ jumps.
    const double before = (here.slope - down.slope) / step, after = (up.slope - here.slope) / step;
    if (std::abs(after - before) > 1e-2 * std::abs(here.curvature)) continue;
    ++curved;
    EXPECT_NEAR(here.curvature, 0.5 * (before + after), 0.05 * std::abs(here.curvature));
  }
  EXPECT_GT(compared, 10);
  EXPECT_GT(curved, 5);
}

TEST(FaceIntersection, GradientAddsUpToExactlyZeroAndGivesTheSlope) {
  const TwoBalls balls(1, {1.6, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> contact = balls.contact(7);
  contact.set_line(balls.lines, 0);
  const double s = 0.1;
  LineSample sum;
  const LineGrids grids = grids_for(1);
  contact.sample(s, grids, sum);
  ASSERT_LE(sum.largest_slope, grids.slope.bound);
  ASSERT_GT(sum.value.value(), 0);
  std::vector<Vector3> gradient(balls.positions.size());
  Grid grid = Grid::holding(1, 1e5);
  const double largest = contact.add_gradient(balls.lines, s, grid, gradient);
  grid = Grid::holding(largest, 1e5);
  std::fill(gradient.begin(), gradient.end(), Vector3{});
  contact.add_gradient(balls.lines, s, grid, gradient);
  double power = 0;
  Vector3 force{};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    force += gradient[i];
    power += dot(gradient[i], balls.lines[i].velocity);
  }
  EXPECT_EQ(force, (Vector3{0, 0, 0}));
  EXPECT_NEAR(power, sum.slope, 100 * grids.slope.quantum);  // a hundred terms, each rounded to the grid
}

TEST(FaceIntersection, ResultsDoNotDependOnTheHistoryOfTheCandidates) {
  const TwoBalls balls(1, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> travelled = balls.contact(1);
  travelled.set_line(balls.lines, 0);
  for (double s = 0; s < 0.8; s += 0.037) {
    Followed<FaceIntersection> fresh = balls.contact(1);
    fresh.set_line(balls.lines, 0);
    LineSample a, b;
    travelled.sample(s, grids_for(1000), a);
    fresh.sample(s, grids_for(1000), b);
    EXPECT_EQ(a.value.value(), b.value.value());
    EXPECT_EQ(a.slope, b.slope);
    EXPECT_EQ(a.curvature, b.curvature);
    EXPECT_EQ(travelled.longest_trial(s), fresh.longest_trial(s));
  }
}

TEST(FaceIntersection, GradientDoesNotDependOnTheHistoryOfTheNearPairs) {
  const TwoBalls balls(1, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> travelled = balls.contact(1);
  const Grid grid = Grid::holding(100, 1e5);
  for (const double s : {0.4, 0.41, 0.6, 0.38, 0.8, 0.405}) {
    Followed<FaceIntersection> fresh = balls.contact(1);
    std::vector<Vector3> a(balls.positions.size()), b(balls.positions.size());
    EXPECT_GT(travelled.add_gradient(balls.lines, s, grid, a), 0);
    fresh.add_gradient(balls.lines, s, grid, b);
    EXPECT_EQ(a, b) << "s " << s;
    // A sample in between must not take a list that another instant made.
    travelled.set_line(balls.lines, 0);
    EXPECT_NEAR(value_at(travelled, s + 0.01, 1000), balls.all_pairs(s + 0.01, 1), 1e-9);
    travelled.add_gradient(balls.lines, s + 0.2, grid, a);
    EXPECT_NEAR(value_at(travelled, s + 0.01, 1000), balls.all_pairs(s + 0.01, 1), 1e-9);
  }
}

TEST(FaceIntersection, MetresAndMicrometresGiveTheSameTrials) {
  std::vector<double> trials;
  for (const double unit : {1.0, 1e-3, 1e-6}) {
    const TwoBalls balls(unit, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
    Followed<FaceIntersection> contact = balls.contact(1 / (unit * unit));
    contact.set_line(balls.lines, 0);
    double s = 0;
    for (int i = 0; i < 20; ++i) s += contact.longest_trial(s);
    trials.push_back(s);
    trials.push_back(value_at(contact, 0.4, 1000));
    EXPECT_NEAR(trials[trials.size() - 2], trials[0], 1e-9 * trials[0]);
    EXPECT_NEAR(trials.back(), trials[1], 1e-9 * trials[1]);
  }
}

TEST(FaceIntersection, UpdateOfSomeNodesEqualsANewLine) {
  TwoBalls balls(1, {1.7, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  Followed<FaceIntersection> updated = balls.contact(1), fresh = balls.contact(1);
  updated.set_line(balls.lines, 0);
  EXPECT_GT(value_at(updated, 0.05, 1000), 0);
  std::vector<std::uint8_t> changed(balls.lines.size(), 0);
  for (std::size_t i = 0; i < changed.size(); i += 3) {
    changed[i] = 1;
    balls.lines[i].velocity += Vector3{0.3, -0.2, 0.1};
  }
  updated.update_line(balls.lines, 0, changed);
  fresh.set_line(balls.lines, 0);
  for (const double s : {0.0, 0.05, 0.2}) EXPECT_EQ(value_at(updated, s, 1000), value_at(fresh, s, 1000));
}

// Two blocks in each other face to face: their faces lie in one plane or are parallel, so that none
// intersect.
TEST(FaceIntersection, KnowsHowFarBodiesAreInEachOtherThatItDoesNotFeel) {
  const TwoBlocks blocks(3);
  const FaceIntersection contact(blocks.nodes, blocks.first, blocks.second, 1);
  for (const auto& [apart, depth] : {std::pair{1.5, 0.0}, {1.001, 0.0}, {0.97, 0.03}, {0.9, 0.1}}) {
    for (const Vector3& by : {Vector3{apart, 0, 0}, Vector3{0, 0, -apart}}) {
      const std::vector<Vector3> displacements = blocks.apart(by);
      EXPECT_TRUE(contact.energies(Displacements(displacements)).empty()) << apart;
      EXPECT_NEAR(contact.unfelt_penetration(Displacements(displacements), false), depth, 1e-12) << apart;
      EXPECT_EQ(contact.unfelt_penetration(Displacements(displacements), true), 0)
          << "what has an energy is felt";
    }
  }
}

// A small block in a face of a large one: only vertices of the small one are inside the other body. Either
// one may be the first body.
TEST(FaceIntersection, KnowsItOfVerticesOfEitherBody) {
  for (const bool small_is_first : {false, true}) {
    TwoBlocks blocks(1);
    const auto half = blocks.nodes.size() / 2;
    for (std::size_t a = 0; a < half; ++a) {
      Vector3& node = blocks.nodes[a + (small_is_first ? 0 : half)];
      node = 0.25 * node;
    }
    const FaceIntersection contact(blocks.nodes, blocks.first, blocks.second, 1);
    const std::vector<Vector3> displacements = blocks.apart({0.59, 0.2, 0.23});
    EXPECT_NEAR(contact.unfelt_penetration(Displacements(displacements), false), 0.035, 1e-12);
  }
}

// Two equal cubes of eight nodes each, displaced along x: no node of either is strictly inside the other.
TEST(FaceIntersection, KnowsItOfBodiesWithoutNodesInsideTheirFaces) {
  std::vector<Vector3> nodes;
  std::vector<Triangle> first, second;
  for (int a = 0; a < 8; ++a)
    nodes.push_back(
        {static_cast<double>(a & 1), static_cast<double>(a >> 1 & 1), static_cast<double>(a >> 2)});
  first = boundary_triangles(
      {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}});
  second = first;
  for (Triangle& triangle : second)
    for (std::int32_t& node : triangle) node += 8;
  for (int a = 0; a < 8; ++a) nodes.push_back(nodes[static_cast<std::size_t>(a)]);
  const FaceIntersection contact(nodes, first, second, 1);
  for (const double deep : {0.3, 0.01, 0.0, -0.2}) {
    std::vector<Vector3> displacements(nodes.size());
    for (std::size_t a = 8; a < nodes.size(); ++a) displacements[a] = {1 - deep, 0, 0};
    EXPECT_NEAR(contact.unfelt_penetration(Displacements(displacements), false), std::max(deep, 0.0), 1e-12);
  }
}

// A vertex beside an acute edge may be behind one of the edge's two triangles although it is outside.
TEST(FaceIntersection, WhatIsBesideAnAcuteEdgeIsNotInside) {
  const std::vector<Triangle> tetrahedron = boundary_triangles({{0, 1, 2, 3}});
  std::vector<Triangle> other = tetrahedron;
  for (Triangle& triangle : other)
    for (std::int32_t& node : triangle) node += 4;
  // The edge from 0 to 3 is that of a blade of about ten degrees.
  std::vector<Vector3> nodes = {{0, 0, 0}, {1, -0.1, 0}, {1, 0.1, 0}, {0, 0, 1}};
  for (const double above : {0.01, -0.01}) {
    std::vector<Vector3> all = nodes;
    // One corner beside the edge, one far above the blade, so that the boxes have something in common.
    all.insert(all.end(),
               {{-0.003, above, 0.3}, {-0.5, above, 0.3}, {0.5, 30 * above, 0.3}, {-0.5, above, 0.4}});
    if (dot(all[5] - all[4], cross(all[6] - all[4], all[7] - all[4])) < 0) std::swap(all[5], all[6]);
    const FaceIntersection contact(all, tetrahedron, other, 1);
    EXPECT_EQ(contact.unfelt_penetration(Displacements(std::vector<Vector3>(all.size())), false), 0) << above;
  }
}

TEST(FaceIntersection, RefusesWrongInput) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  EXPECT_THROW(FaceIntersection(x, {}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 6}}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 1}}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 2}}, {{3, 4, 5}}, 0), Error);
}

}  // namespace
}  // namespace terrace::face_intersection_test
