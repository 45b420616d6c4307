// Overlaps of two tetrahedra: cases by hand, and random ones against sampled points that are in both.
#include "geometry/tetrahedron_overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace terrace::tetrahedron_overlap_test {
namespace {

using Corners = std::array<Vector3, 4>;
const Corners corner = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Corners moved(Corners t, const Vector3& by) {
  for (Vector3& point : t) point += by;
  return t;
}

TEST(TetrahedronOverlap, IsTheWayThatParts) {
  // Along x the other's tip is 0.1 behind the face x = 0.
  const Corners tip = {{{0.1, 0.3, 0.3}, {-1, 0.3, 0.3}, {-1, 0.4, 0.3}, {-1, 0.3, 0.4}}};
  for (const double far : {0.0, 1e6}) {
    const Vector3 place = {far, far, -far};
    EXPECT_TRUE(overlap_by_more_than(0.099, moved(corner, place), moved(tip, place)));
    EXPECT_FALSE(overlap_by_more_than(0.101, moved(corner, place), moved(tip, place)));
    EXPECT_FALSE(overlap_by_more_than(0.101, moved(tip, place), moved(corner, place)));
  }
  EXPECT_TRUE(overlap_by_more_than(0.05, corner, corner));
  // Edges that cross, 0.02 deep: no corner of either is in the other.
  const Corners above = {{{0, -1, 0.02}, {0, 1, 0.02}, {-0.1, 0, -1}, {0.1, 0, -1}}};
  const Corners below = {{{-1, 0, 0}, {1, 0, 0}, {0, -0.1, 1}, {0, 0.1, 1}}};
  EXPECT_TRUE(overlap_by_more_than(0.0199, above, below));
  EXPECT_FALSE(overlap_by_more_than(0.0201, above, below));
}

TEST(TetrahedronOverlap, OfAnySize) {
  for (const double size : {1e-100, 1e-30, 1e30, 1e100}) {
    Corners t = corner, other = moved(corner, {0.9, 0, 0});
    for (std::size_t i = 0; i < 4; ++i) {
      t[i] = size * t[i];
      other[i] = size * other[i];
    }
    EXPECT_TRUE(overlap_by_more_than(0.01 * size, t, other)) << size;
    EXPECT_FALSE(overlap_by_more_than(0.11 * size, t, other)) << size;
  }
  EXPECT_NEAR(least_height(corner), 1 / std::sqrt(3.0), 1e-15);
}

TEST(TetrahedronOverlap, NotWhereTheyTouch) {
  EXPECT_FALSE(overlap_by_more_than(0, corner, moved(corner, {1, 0, 0}))) << "corner on corner";
  const Corners mirrored = {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
  EXPECT_FALSE(overlap_by_more_than(0, corner, mirrored)) << "a face in common";
  EXPECT_TRUE(overlap_by_more_than(0, corner, moved(mirrored, {0, 0, 1e-6})));
}

// For random pairs: where a sampled point is in both tetrahedra, an overlap is found, and where one deeper
// than 0.15 is found, one of 10,000 sampled points is in both.
TEST(TetrahedronOverlap, AgreesWithPointsOfBoth) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto any = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
  const auto volume = [](const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
    return dot(cross(b - a, c - a), d - a);
  };
  const auto contains = [&](const Corners& t, const Vector3& p) {
    const double whole = volume(t[0], t[1], t[2], t[3]);
    return volume(p, t[1], t[2], t[3]) / whole > 0 && volume(t[0], p, t[2], t[3]) / whole > 0 &&
           volume(t[0], t[1], p, t[3]) / whole > 0 && volume(t[0], t[1], t[2], p) / whole > 0;
  };
  int apart = 0, deep = 0;
  for (int pair = 0; pair < 1000; ++pair) {
    const Vector3 away = 0.4 * any();
    Corners a, b;
    for (std::size_t i = 0; i < 4; ++i) {
      a[i] = any();
      b[i] = any() + away;
    }
    bool has_point = false;
    for (int sample = 0; sample < 10000 && !has_point; ++sample) {
      std::array<double, 4> share{};
      double sum = 0;
      for (double& s : share) sum += s = -std::log(1 - uniform(random));
      Vector3 point{};
      for (std::size_t i = 0; i < 4; ++i) point += (share[i] / sum) * a[i];
      has_point = contains(b, point);
    }
    const bool overlaps = overlap_by_more_than(0, a, b);
    EXPECT_TRUE(overlaps || !has_point) << "pair " << pair;
    if (!overlaps) ++apart;
    if (!overlap_by_more_than(0.15, a, b)) continue;
    ++deep;
    EXPECT_TRUE(has_point) << "pair " << pair;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(deep, 50);
}

}  // namespace
}  // namespace terrace::tetrahedron_overlap_test
