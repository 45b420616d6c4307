// The penalty of one pair of triangles, half the square of the length of their intersection: when it is not
// 0, derivatives against central differences, degenerate pairs, invariance under rigid motions and units.
#include "geometry/triangle_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace terrace::triangle_intersection_test {
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

/// Whether an edge of either triangle passes through the other triangle; independent of the code under test.
/// The place is found by Cramer's rule.
bool an_edge_pierces(const TrianglePair& x) {
  for (std::size_t plane : {0U, 3U}) {
    const Vector3 c = x[plane], p = x[plane + 1] - c, q = x[plane + 2] - c;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 a = x[3 - plane + i], e = x[3 - plane + (i + 1) % 3] - a;
      // a + t e = c + α p + β q
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
    const bool expected = an_edge_pierces(x);
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

/// Net force and torque about the centroid, as shares of Σ|f| and Σ|x||f|.
std::array<double, 2> imbalance(const TrianglePair& x, const TrianglePair& forces) {
  Vector3 centroid{}, force{}, torque{};
  for (const Vector3& node : x) centroid += (1.0 / 6) * (node - x[0]);
  double force_size = 0, torque_size = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vector3 arm = (x[i] - x[0]) - centroid;
    force += forces[i];
    torque += cross(arm, forces[i]);
    force_size += norm(forces[i]);
    torque_size += norm(arm) * norm(forces[i]);
  }
  return {norm(force) / force_size, norm(torque) / torque_size};
}

TEST(TrianglePairs, ForceAndTorqueAddUpToZeroForNearlyDegeneratePairsToo) {
  Random random(seed + 2);
  std::uniform_int_distribution<int> lattice(0, 2);
  std::uniform_real_distribution<double> exponent(-12, 0);
  int pairs = 0;
  double worst_force = 0, worst_torque = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    TrianglePair x = random_pair(random);
    const double thickness = std::pow(10.0, exponent(random));
    if (trial % 3 == 1) {  // nodes near those of a lattice
      for (Vector3& node : x) {
        node = Vector3{0.5 * lattice(random), 0.5 * lattice(random), 0.5 * lattice(random)} +
               random_vector(random, thickness);
      }
    } else if (trial % 3 == 2) {  // both triangles nearly in one plane, away from the origin
      for (Vector3& node : x) node = Vector3{node[0], node[1], thickness * node[2]} + Vector3{5, -3, 2};
    }
    const auto gradient = segment_penalty_gradient(x);
    if (!gradient) continue;
    ++pairs;
    const auto [force, torque] = imbalance(x, *gradient);
    worst_force = std::max(worst_force, force);
    worst_torque = std::max(worst_torque, torque);
  }
  EXPECT_GT(pairs, 10000);
  EXPECT_LT(worst_force, 1e-15) << "seed " << seed + 2;
  EXPECT_LT(worst_torque, 3e-15) << "seed " << seed + 2;
}

TEST(TrianglePairs, DoNotMeetBeforeTheyMovedByTheirSeparation) {
  Random random(seed + 7);
  int separated = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    TrianglePair x = random_pair(random);
    const double distance = separation(x);
    if (penalty(x) > 0) {
      EXPECT_EQ(distance, 0);
    }
    if (distance == 0) continue;
    ++separated;
    // Two nodes are displaced relative to each other by less than the separation in each component.
    const Vector3 centre = random_vector(random, 1);
    for (Vector3& node : x) node += centre + random_vector(random, 0.4999 * distance);
    EXPECT_EQ(penalty(x), 0) << "trial " << trial;
    EXPECT_EQ(segment_penalty_gradient(x), std::nullopt);
  }
  EXPECT_GT(separated, 50000);
}

TEST(TrianglePairs, SeparationSeesPlanesThatAreNotAxes) {
  // Two parallel triangles on the planes x + y + z = 0 and = 0.3: boxes overlap, planes are 0.1 apart in each
  // component.
  const TrianglePair x{Vector3{1, -1, 0},       Vector3{0, 1, -1},       Vector3{-1, 0, 1},
                       Vector3{1.1, -0.9, 0.1}, Vector3{0.1, 1.1, -0.9}, Vector3{-0.9, 0.1, 1.1}};
  EXPECT_NEAR(separation(x), 0.1, 1e-15);
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

}  // namespace
}  // namespace terrace::triangle_intersection_test
