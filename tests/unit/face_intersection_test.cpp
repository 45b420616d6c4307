// Face-intersection contact: one pair against central differences, degenerate pairs, invariance; two bodies
// approaching.
#include "potentials/face_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr unsigned seed = 20110;

using Random = std::mt19937_64;

Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

TrianglePair random_pair(Random& random) {
  TrianglePair pair{};
  for (Vector3& node : pair) node = random_vector(random, 1);
  return pair;
}

TrianglePair moved(TrianglePair x, const TrianglePair& v, double s) {
  for (std::size_t i = 0; i < 6; ++i) x[i] += s * v[i];
  return x;
}

double penalty(const TrianglePair& x) { return segment_penalty(x, TrianglePair{}).value; }

bool same_ends(const TrianglePair& x, const TrianglePair& y) {
  const auto a = intersection_segment(x), b = intersection_segment(y);
  if (!a || !b) return false;
  for (std::size_t k = 0; k < 2; ++k) {
    if ((*a)[k].tail != (*b)[k].tail || (*a)[k].head != (*b)[k].head || (*a)[k].plane != (*b)[k].plane)
      return false;
  }
  return true;
}

bool all_finite(const TrianglePair& x) {
  return std::all_of(x.begin(), x.end(), [](const Vector3& a) { return std::isfinite(norm(a)); });
}

/// Independent of the code under test: clips the segment in which the plane of `other` cuts a triangle by
/// sampling.
bool triangles_intersect_by_clipping(const TrianglePair& x) {
  for (std::size_t plane : {0U, 3U}) {
    const Vector3 c = x[plane], p = x[plane + 1] - c, q = x[plane + 2] - c;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 a = x[3 - plane + i], e = x[3 - plane + (i + 1) % 3] - a;
      // a + t e = c + α p + β q by Cramer's rule.
      const double det = dot(p, cross(q, -1.0 * e));
      const Vector3 r = a - c;
      const double alpha = dot(r, cross(q, -1.0 * e)) / det, beta = dot(p, cross(r, -1.0 * e)) / det;
      const double t = dot(p, cross(q, r)) / det;
      if (t >= 0 && t <= 1 && alpha >= 0 && beta >= 0 && alpha + beta <= 1) return true;
    }
  }
  return false;
}

TEST(TrianglePairs, IntersectExactlyWhenAnEdgePiercesTheOtherTriangle) {
  Random random(seed);
  int hits = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const TrianglePair x = random_pair(random);
    const bool expected = triangles_intersect_by_clipping(x);
    hits += expected ? 1 : 0;
    EXPECT_EQ(penalty(x) > 0, expected) << "trial " << trial;
  }
  EXPECT_GT(hits, 5000);
}

TEST(TrianglePairs, SegmentOfAKnownPair) {
  // The second triangle stands upright on x = 0.25 and reaches through the first, whose part there is 0.75
  // long.
  const TrianglePair x{Vector3{0, 0, 0},      Vector3{1, 0, 0},     Vector3{0, 1, 0},
                       Vector3{0.25, -2, -1}, Vector3{0.25, 4, -1}, Vector3{0.25, 1, 3}};
  EXPECT_NEAR(penalty(x), 0.5 * 0.75 * 0.75, 1e-15);
}

TEST(TrianglePairs, DerivativesAgreeWithCentralDifferences) {
  Random random(seed);
  RecordProperty("seed", static_cast<int>(seed));
  const double step = 1e-5;
  int pairs = 0;
  double worst_gradient = 0, worst_slope = 0, worst_curvature = 0;
  while (pairs < 10000) {
    const TrianglePair x = random_pair(random), v = random_pair(random);
    const TrianglePair before = moved(x, v, -step), after = moved(x, v, step);
    if (penalty(x) < 1e-4 || !same_ends(x, before) || !same_ends(x, after)) continue;
    const LineDerivatives line = segment_penalty(x, v);
    // Pairs whose edge nearly slides along the plane are too stiff for differences of this step.
    if (std::abs(line.second) > 1e3 * line.value || std::abs(line.first) > 1e2 * line.value) continue;
    ++pairs;
    const auto gradient = segment_penalty_gradient(x);
    ASSERT_TRUE(gradient.has_value());
    double power = 0;
    for (std::size_t i = 0; i < 6; ++i) power += dot((*gradient)[i], v[i]);
    const double size = line.value + std::abs(line.first) + std::abs(line.second);
    const LineDerivatives down = segment_penalty(before, v), up = segment_penalty(after, v);
    worst_gradient = std::max(worst_gradient, std::abs(power - line.first) / size);
    worst_slope = std::max(worst_slope, std::abs((up.value - down.value) / (2 * step) - line.first) / size);
    worst_curvature =
        std::max(worst_curvature, std::abs((up.first - down.first) / (2 * step) - line.second) / size);
  }
  EXPECT_LT(worst_gradient, 1e-11) << "seed " << seed;
  EXPECT_LT(worst_slope, 1e-5) << "seed " << seed;
  EXPECT_LT(worst_curvature, 1e-4) << "seed " << seed;
}

TEST(TrianglePairs, EveryComponentOfTheGradientIsADifferenceQuotient) {
  Random random(seed + 1);
  const double step = 1e-6;
  for (int pairs = 0; pairs < 300;) {
    const TrianglePair x = random_pair(random);
    const auto gradient = segment_penalty_gradient(x);
    if (!gradient || penalty(x) < 1e-2) continue;
    double size = 0;
    for (const Vector3& g : *gradient) size = std::max(size, norm(g));
    if (size > 10) continue;
    ++pairs;
    for (std::size_t i = 0; i < 18; ++i) {
      TrianglePair up = x, down = x;
      up[i / 3][i % 3] += step;
      down[i / 3][i % 3] -= step;
      if (!same_ends(up, x) || !same_ends(down, x)) continue;
      EXPECT_NEAR((*gradient)[i / 3][i % 3], (penalty(up) - penalty(down)) / (2 * step), 1e-5 * size);
    }
  }
}

TEST(TrianglePairs, ForceAndTorqueAddUpToZero) {
  Random random(seed + 2);
  for (int pairs = 0; pairs < 10000;) {
    const TrianglePair x = random_pair(random);
    const auto gradient = segment_penalty_gradient(x);
    if (!gradient) continue;
    ++pairs;
    Vector3 force{}, torque{};
    double size = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      force += (*gradient)[i];
      torque += cross(x[i], (*gradient)[i]);
      size = std::max(size, norm((*gradient)[i]));
    }
    EXPECT_LT(norm(force), 1e-13 * size);
    // The barycentric weights lose digits where the triangles are needles.
    EXPECT_LT(norm(torque), 1e-9 * size);
  }
}

TEST(TrianglePairs, PenaltyIsInvariantUnderRigidMotion) {
  Random random(seed + 3);
  for (int pairs = 0; pairs < 2000;) {
    const TrianglePair x = random_pair(random);
    if (penalty(x) < 1e-3) continue;
    ++pairs;
    const double angle = random_vector(random, 3)[0];
    const Vector3 shift = random_vector(random, 10);
    TrianglePair y{};
    for (std::size_t i = 0; i < 6; ++i) {
      y[i] = shift + Vector3{std::cos(angle) * x[i][0] - std::sin(angle) * x[i][1],
                             std::sin(angle) * x[i][0] + std::cos(angle) * x[i][1], x[i][2]};
    }
    const auto gradient = segment_penalty_gradient(x);
    double stiffness = 0;
    for (const Vector3& g : *gradient) stiffness = std::max(stiffness, norm(g));
    EXPECT_NEAR(penalty(y), penalty(x), 1e-12 * (penalty(x) + stiffness));
    TrianglePair swapped{x[3], x[4], x[5], x[0], x[1], x[2]};
    EXPECT_NEAR(penalty(swapped), penalty(x), 1e-13 * (penalty(x) + stiffness));
  }
}

TEST(TrianglePairs, UnitOfLengthDoesNotMatter) {
  Random random(seed + 4);
  for (int trial = 0; trial < 5000; ++trial) {
    const TrianglePair x = random_pair(random), v = random_pair(random);
    const LineDerivatives metres = segment_penalty(x, v);
    for (const double unit : {0x1p-10, 0x1p-20, 0x1p+10}) {  // powers of two: the very same bits
      TrianglePair y = x, w = v;
      for (Vector3& node : y) node = unit * node;
      for (Vector3& node : w) node = unit * node;
      const LineDerivatives scaled = segment_penalty(y, w);
      EXPECT_EQ(scaled.value, unit * unit * metres.value);
      EXPECT_EQ(scaled.first, unit * unit * metres.first);
      EXPECT_EQ(scaled.second, unit * unit * metres.second);
    }
  }
}

void expect_harmless(const TrianglePair& x, bool nothing) {
  Random random(seed + 5);
  for (const double unit : {1.0, 1e-3, 1e-6}) {
    TrianglePair y = x;
    for (Vector3& node : y) node = unit * node;
    const LineDerivatives line = segment_penalty(y, random_pair(random));
    EXPECT_TRUE(std::isfinite(line.value) && std::isfinite(line.first) && std::isfinite(line.second));
    const auto gradient = segment_penalty_gradient(y);
    EXPECT_TRUE(!gradient || all_finite(*gradient));
    EXPECT_TRUE(!nothing || line.value == 0) << "unit " << unit;
  }
}

TEST(TrianglePairs, DegeneratePairsAreHarmless) {
  const Vector3 o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  expect_harmless({o, x, y, o, x, y}, true);  // the same triangle twice
  expect_harmless({o, x, y, Vector3{0.2, 0.2, 0}, Vector3{2, 0.1, 0}, Vector3{0, 3, 0}}, true);  // coplanar
  expect_harmless({o, x, y, Vector3{0, 0, 0.1}, Vector3{1, 0, 0.1}, Vector3{0, 1, 0.1}}, true);  // parallel
  expect_harmless({o, x, y, o, x, z}, true);                                  // a common edge
  expect_harmless({o, x, y, o, Vector3{1, 1, 1}, Vector3{1, 1, -1}}, false);  // a common node
  expect_harmless({o, x, y, o, o, o}, true);                                  // a point
  expect_harmless({o, o, o, o, o, o}, true);
  expect_harmless({o, x, y, Vector3{0.2, 0.2, -1}, Vector3{0.2, 0.2, 1}, Vector3{0.2, 0.2, 0}},
                  true);  // no area
  expect_harmless({o, x, y, Vector3{0.2, 0.2, 0}, Vector3{0.2, 0.3, 1}, Vector3{0.3, 0.2, 1}},
                  true);  // a tip touches
  expect_harmless({o, x, y, Vector3{0.2, 0.2, 0}, Vector3{0.4, 0.2, 0}, Vector3{0.3, 0.2, 1}},
                  true);  // an edge lies on
  expect_harmless({o, x, y, Vector3{-0.6, 0.2, 1e-13}, Vector3{1, 0.2, -1e-13}, Vector3{0, 0.2, 1}},
                  true);  // nearly so
}

TEST(TrianglePairs, RandomNearlyDegeneratePairsAreFinite) {
  Random random(seed + 6);
  std::uniform_int_distribution<int> lattice(0, 2);
  std::uniform_int_distribution<int> exponent(-20, -3);
  for (int trial = 0; trial < 200000; ++trial) {
    TrianglePair x{};
    for (Vector3& node : x) {
      node = Vector3{0.5 * lattice(random), 0.5 * lattice(random), 0.5 * lattice(random)} +
             random_vector(random, std::pow(10.0, exponent(random)));
    }
    const LineDerivatives line = segment_penalty(x, random_pair(random));
    ASSERT_TRUE(std::isfinite(line.value) && std::isfinite(line.first) && std::isfinite(line.second));
    ASSERT_LE(line.value, 1.5 + 0.1);  // no segment is longer than the unit cube's diagonal
    const auto gradient = segment_penalty_gradient(x);
    ASSERT_TRUE(!gradient || all_finite(*gradient));
  }
}

// ---------------------------------------------------------------------------------------------- two bodies

/// Closed surface of a ball: longitude and latitude triangles, slightly irregular.
struct Surface {
  std::vector<Vector3> nodes;
  std::vector<Triangle> triangles;
};

Surface ball(double radius, const Vector3& centre, int rings, Random& random) {
  const int around = 2 * rings;
  Surface surface;
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
    const Surface a = ball(unit, {0, 0, 0}, 7, random), b = ball(0.8 * unit, unit * centre, 6, random);
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
  [[nodiscard]] FaceIntersection contact(double stiffness) const {
    return {positions, first, second, stiffness};
  }

  /// Brute force: every pair, no candidates.
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

double value_at(const FaceIntersection& contact, double s, double size) {
  LineSample sum;
  contact.sample(s, grids_for(size), sum);
  EXPECT_LE(sum.largest_value, size);
  return sum.value.value();
}

/// The first s at which a march in steps of `step` sees an overlap.
double first_contact_by_marching(const TwoBalls& balls, double step, double end) {
  const FaceIntersection fresh = balls.contact(1);
  FaceIntersection contact = fresh;
  contact.set_line(balls.lines, 0, 0);
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
    FaceIntersection contact = balls.contact(1);
    contact.set_line(balls.lines, 0, 0);
    double s = 0, last_free = 0;
    int steps = 0;
    bool certified_holds = true;
    const double expected = first_contact_by_marching(balls, 2e-4 / speed, 3 / speed);
    while (value_at(contact, s, 100) == 0 && s < 3 / speed) {
      last_free = s;
      certified_holds = certified_holds && s + contact.first_contact_bound(s) <= expected;
      const double trial = contact.longest_trial(s);
      ASSERT_GT(trial, 0);
      s += trial;
      ASSERT_LT(++steps, 1000);
    }
    EXPECT_LT(last_free, expected + 2e-4 / speed) << "seed " << seed + variant;
    EXPECT_GE(s, expected - 2e-4 / speed) << "seed " << seed + variant;
    EXPECT_LE(s - last_free, 0.1 / speed);
    EXPECT_TRUE(certified_holds);
  }
}

TEST(FaceIntersection, BodiesThatSeparateNeverMeet) {
  const TwoBalls balls(1, {3, 0, 0}, {5, 0, 0}, 0, seed);
  FaceIntersection contact = balls.contact(1);
  contact.set_line(balls.lines, 0, 0);
  EXPECT_EQ(contact.longest_trial(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(contact.first_contact_bound(0), std::numeric_limits<double>::infinity());
}

TEST(FaceIntersection, SumEqualsTheSumOverAllPairs) {
  const TwoBalls balls(1, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  FaceIntersection contact = balls.contact(3);
  contact.set_line(balls.lines, 0, 0);
  for (const double s : {0.0, 0.1, 0.25, 0.3, 0.5, 0.2, 0.7, 3.5, 0.26}) {
    const double expected = balls.all_pairs(s, 3);
    EXPECT_NEAR(value_at(contact, s, 100), expected, 1e-11 * (1 + expected)) << "s " << s;
  }
}

TEST(FaceIntersection, SlopeAndCurvatureAreThoseOfTheValue) {
  const TwoBalls balls(1, {1.5, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  FaceIntersection contact = balls.contact(1);
  contact.set_line(balls.lines, 0, 0);
  int compared = 0;
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
  }
  EXPECT_GT(compared, 10);
}

TEST(FaceIntersection, GradientAddsUpToExactlyZeroAndGivesTheSlope) {
  const TwoBalls balls(1, {1.6, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
  FaceIntersection contact = balls.contact(7);
  contact.set_line(balls.lines, 0, 0);
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
  FaceIntersection travelled = balls.contact(1);
  travelled.set_line(balls.lines, 0, 0);
  for (double s = 0; s < 0.8; s += 0.037) {
    FaceIntersection fresh = balls.contact(1);
    fresh.set_line(balls.lines, 0, 0);
    LineSample a, b;
    travelled.sample(s, grids_for(1000), a);
    fresh.sample(s, grids_for(1000), b);
    EXPECT_EQ(a.value.value(), b.value.value());
    EXPECT_EQ(a.slope, b.slope);
    EXPECT_EQ(a.curvature, b.curvature);
    EXPECT_EQ(travelled.longest_trial(s), fresh.longest_trial(s));
    EXPECT_EQ(travelled.first_contact_bound(s), fresh.first_contact_bound(s));
  }
}

TEST(FaceIntersection, MetresAndMicrometresGiveTheSameTrials) {
  std::vector<double> trials;
  for (const double unit : {1.0, 1e-3, 1e-6}) {
    const TwoBalls balls(unit, {2, 0.2, 0.1}, {-1, 0, 0.1}, 0.5, seed);
    FaceIntersection contact = balls.contact(1 / (unit * unit));
    contact.set_line(balls.lines, 0, 0);
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
  FaceIntersection updated = balls.contact(1), fresh = balls.contact(1);
  updated.set_line(balls.lines, 0, 0);
  EXPECT_GT(value_at(updated, 0.05, 1000), 0);
  std::vector<std::uint8_t> changed(balls.lines.size(), 0);
  for (std::size_t i = 0; i < changed.size(); i += 3) {
    changed[i] = 1;
    balls.lines[i].velocity += Vector3{0.3, -0.2, 0.1};
  }
  updated.update_line(balls.lines, 0, 0, changed);
  fresh.set_line(balls.lines, 0, 0);
  for (const double s : {0.0, 0.05, 0.2}) EXPECT_EQ(value_at(updated, s, 1000), value_at(fresh, s, 1000));
}

TEST(FaceIntersection, RefusesWrongInput) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  EXPECT_THROW(FaceIntersection(x, {}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 6}}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 1}}, {{3, 4, 5}}, 1), Error);
  EXPECT_THROW(FaceIntersection(x, {{0, 1, 2}}, {{3, 4, 5}}, 0), Error);
}

}  // namespace
}  // namespace terrace
