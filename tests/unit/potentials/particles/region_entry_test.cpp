// Entries of straight lines into regions in doubtful cases: corners of several surfaces, met exactly and
// almost, also at times so large that rounding leaves a reflected point behind a surface; tangents; and parts
// whose surface does not bound the region where the line passes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geometry/region_surface.hpp"
#include "io/parse_formula.hpp"
#include "potentials/particles/region_constraint.hpp"

namespace terrace::region_entry_test {
namespace {

RegionPart half_space(const Vector3& point, const Vector3& normal) {
  return {RegionPart::Kind::half_space, point, (1 / norm(normal)) * normal, 0, true, {}};
}
RegionPart ball(const Vector3& centre, double radius, bool inside = true) {
  return {RegionPart::Kind::ball, centre, {}, radius, inside, {}};
}
RegionPart formula(const std::string& text) {
  RegionPart part;
  part.kind = RegionPart::Kind::formula;
  part.function = parse_formula(text, {"x", "y", "z"});
  return part;
}
/// All but the cube [0, 1]³.
Region cube() {
  Region region{{{}}, true};
  for (std::size_t d = 0; d < 3; ++d)
    for (const double side : {0.0, 1.0}) {
      Vector3 point{}, normal{};
      point[d] = side;
      normal[d] = 2 * side - 1;
      region.pieces[0].push_back(half_space(point, normal));
    }
  return region;
}

/// A point that is reflected whenever it enters the region. Its position is computed from rounded times: the
/// larger `time`, the farther it may be behind the surface (`farthest_in`) at a reflection.
struct Walker {
  Vector3 x, v;
  double time = 0;
  double farthest_in = 0;
  int impacts = 0;

  bool goes_on(const Region& region) {
    const auto entry = first_entry(region, x, v, 0);
    if (!entry) return false;
    const double then = time + entry->instant;
    x += (then - time) * v;
    time = then;
    farthest_in = std::max(farthest_in, -region.signed_distance(x));
    EXPECT_NEAR(norm(entry->outward), 1, 1e-14);
    EXPECT_LT(dot(entry->outward, v), 1e-12 * norm(v));
    v -= (2 * dot(v, entry->outward)) * entry->outward;
    ++impacts;
    return true;
  }
};

// Three walls are met at once, exactly or nearly. The number of impacts is the sum of those with each pair of
// walls alone, up to one impact for each direction at the end.
TEST(RegionEntryAtCorners, NothingLeavesACube) {
  const std::vector<Vector3> directions = {{1, 1, 1}, {-1, 1, -1}, {1, 1, 0},
                                           {0, 1, 1}, {2, 2, 1},   {1, -1, 1}};
  for (const Vector3& direction : directions)
    for (const double off : {0.0, 1e-16, -1e-16, 1e-15, 3e-15, -1e-14, 1e-13, 1e-12, 1e-9})
      for (const double start : {0.0, 10.0, 1000.0, 1e6}) {
        Walker walker{{0.5, 0.5, 0.5}, direction, start};
        walker.v[1] *= 1 + off;
        const double most = 1e-13 + 1e-15 * start;
        while (walker.time < start + 30.25 && walker.impacts < 1000) ASSERT_TRUE(walker.goes_on(cube()));
        ASSERT_LE(walker.farthest_in, most) << off << ", " << start;
        double expected = 0;  // walls of one direction are met at the times (0.5, 1.5, …) / speed along it
        for (const double speed : direction) expected += std::round(30.25 * std::abs(speed));
        EXPECT_NEAR(walker.impacts, expected, 3 + 1e-15) << off << ", " << start;
      }
}

// The corners of half a disc, where a circle and a plane meet at a right angle. A point hits a corner,
// reaches it along the plane, or leaves it along the circle's tangent.
TEST(RegionEntryAtCorners, NothingLeavesHalfADisc) {
  const Region region{{{ball({}, 1), half_space({}, {0, -1, 0})}}, true};
  const std::vector<std::pair<Vector3, Vector3>> starts = {
      {{0.5, 0.5, 0}, {1, -1, 0}},   {{0, 0, 0}, {1, 0, 0}},   {{1, 0, 0}, {0, -1, 0}},
      {{1, 0, 0}, {0, 1, 0}},        {{-1, 0, 0}, {0, -1, 0}}, {{0.6, 0.8, 0}, {0.8, -0.6, 0}},
      {{0.25, 0.5, 0}, {1.5, -1, 0}}};
  for (const auto& [x, v] : starts) {
    Walker walker{x, v};
    while (walker.impacts < 2000) ASSERT_TRUE(walker.goes_on(region)) << x[0] << ' ' << v[1];
    EXPECT_LE(walker.farthest_in, 1e-12) << x[0] << ' ' << v[1];
  }
}

// The point starts on a circle along its tangent, both off by rounding, into the circle or out of it.
TEST(RegionEntryAtCorners, NothingLeavesACircleAlongATangent) {
  constexpr unsigned seed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> angle(0, 2 * M_PI), little(-1e-15, 1e-15);
  const Region region{{{ball({}, 1)}}, true};
  for (int trial = 0; trial < 500; ++trial) {
    const double a = angle(random), b = a + little(random);
    Walker walker{(1 + little(random)) * Vector3{std::cos(a), std::sin(a), 0},
                  {-std::sin(b), std::cos(b), 0}};
    for (int impact = 0; impact < 5; ++impact) ASSERT_TRUE(walker.goes_on(region)) << trial;
    ASSERT_LE(walker.farthest_in, 1e-12) << trial;
  }
}

// A point that hits an obstacle's corner is sent back, on whichever side of the corner rounding puts it.
TEST(RegionEntryAtCorners, AConvexCornerIsNotEntered) {
  const Region block{{{half_space({}, {1, 0, 0}), half_space({}, {0, 1, 0})}}, false};  // x < 0, y < 0
  for (const double off : {0.0, 1e-16, -1e-16, 1e-14, -1e-14}) {
    Walker walker{{1, 1 + off, 0}, {-1, -1, 0}};
    ASSERT_TRUE(walker.goes_on(block));
    while (walker.goes_on(block)) ASSERT_LT(walker.impacts, 3);
    EXPECT_LE(walker.farthest_in, 1e-13);
  }
  Walker along{{1, 0, 0}, {-1, 0, 0}};
  EXPECT_FALSE(along.goes_on(block)) << "slides along its face";
}

// At the origin the line enters the half-space x < 0 and passes the plane y = 0 of a piece that is elsewhere,
// whichever of the pieces comes first.
TEST(RegionEntryAtCorners, OnlyWhatBoundsTheRegionThereReflects) {
  const std::vector<RegionPart> wall = {half_space({}, {1, 0, 0})},
                                elsewhere = {half_space({}, {0, 1, 0}), half_space({0, 0, 5}, {0, 0, -1})};
  for (const bool swapped : {false, true}) {
    const Region region{swapped ? std::vector{elsewhere, wall} : std::vector{wall, elsewhere}, false};
    for (const Vector3& v : {Vector3{-1, -1, 0}, Vector3{-1, -3, 0}, Vector3{-3, -1, 0}}) {
      const auto entry = first_entry(region, -1.0 * v, v, 0);
      ASSERT_TRUE(entry.has_value());
      EXPECT_EQ(entry->outward, (Vector3{1, 0, 0}));
      EXPECT_EQ(entry->instant, 1);
    }
  }
}

// Walls of a room that lie within a passage to the next room do not reflect, not even at the passage's lip.
TEST(RegionEntryAtCorners, APassageIsOpen) {
  const auto room = [](double low, double high) {
    return std::vector<RegionPart>{half_space({low, 0, 0}, {-1, 0, 0}), half_space({high, 0, 0}, {1, 0, 0}),
                                   half_space({0, -1, 0}, {0, -1, 0}), half_space({0, 1, 0}, {0, 1, 0})};
  };
  std::vector<RegionPart> passage = {half_space({-1, 0, 0}, {-1, 0, 0}), half_space({5, 0, 0}, {1, 0, 0}),
                                     half_space({0, -0.1, 0}, {0, -1, 0}),
                                     half_space({0, 0.1, 0}, {0, 1, 0})};
  const Region region{{room(-2, 1), room(3, 6), passage}, true};
  Walker through{{-1.5, 0.05, 0}, {1, 0, 0}};
  ASSERT_TRUE(through.goes_on(region));
  EXPECT_EQ(through.x[0], 6);
  Walker at_the_lip{{0, -0.9, 0}, {1, 1, 0}};  // at (1, 0.1)
  while (at_the_lip.impacts < 100) ASSERT_TRUE(at_the_lip.goes_on(region));
  EXPECT_LE(at_the_lip.farthest_in, 1e-13);
}

// Two rooms on either side of one oblique plane, which each describes by another point of the plane. By
// rounding some places on the plane are in neither room; that makes no wall of the plane.
TEST(RegionEntryAtCorners, RoundingShutsNoDoor) {
  constexpr unsigned seed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const Vector3 normal{1, 0.37, -0.21}, point{0.3, 0.1, 0.7}, along{0.37, -1, 0};
  const Region region{{{half_space(point, normal)}, {half_space(point + 1.7 * along, -1.0 * normal)}}, true};
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3 x = point - normal + Vector3{0.3 * any(random), any(random), any(random)},
                  v{1, 0.3 * any(random), 0.3 * any(random)};
    ASSERT_FALSE(first_entry(region, x, v, 0)) << trial;
  }
}

// The entry does not depend on the instant from which on the line is looked at.
TEST(RegionEntryAtCorners, FromALaterInstant) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> any(-1, 1);
  const Region region{
      {{ball({0.2, 0.1, 0}, 0.5), half_space({0.1, 0, 0}, {1, 1, 0})}, {ball({-1, 0, 1}, 0.4)}}, false};
  int entries = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3 x{2 * any(random), 2 * any(random), any(random)}, v{any(random), any(random), any(random)};
    if (region.contains(x)) continue;
    const auto entry = first_entry(region, x, v, 0);
    if (!entry) continue;
    ++entries;
    const auto later = first_entry(region, x, v, 0.7 * entry->instant);
    ASSERT_TRUE(later.has_value());
    EXPECT_EQ(later->instant, entry->instant);
    EXPECT_EQ(later->outward, entry->outward);
    const auto after = first_entry(region, x, v, entry->instant * (1 + 1e-9) + 1e-9);
    EXPECT_TRUE(!after || after->instant > entry->instant);
  }
  EXPECT_GT(entries, 40);
}

// An empty intersection of half-spaces, and one that is a plane: no line gets into either.
TEST(RegionEntryAtCorners, NothingIsInAnEmptyRegion) {
  for (const double gap : {1.0, 0.0}) {
    const Region nowhere{{{half_space({}, {1, 0, 0}), half_space({gap, 0, 0}, {-1, 0, 0})}}, false};
    EXPECT_FALSE(first_entry(nowhere, {-2, 0, 0}, {1, 0.3, 0}, 0)) << gap;
    EXPECT_FALSE(first_entry(nowhere, {gap, 0, 0}, {-1, 0.3, 0}, 0)) << gap;
    EXPECT_TRUE(first_entry({nowhere.pieces, true}, {gap, 0, 0}, {1, 0, 0}, 0))
        << "nor a place outside of it";
  }
}

TEST(RegionSurface, SidesHangOnFormulasOnlyWhereTheyDecide) {
  const RegionPart root = formula("log(x)");  // negative for 0 < x < 1
  const Region alone{{{root}}, false}, guarded{{{root, half_space({0.5, 0, 0}, {-1, 0, 0})}}, false},
      joined{{{root}, {ball({-1, 0, 0}, 0.5)}}, false}, pole{{{formula("-log(x)")}}, false};
  EXPECT_TRUE(has_a_side(alone, {0.5, 0, 0}));
  EXPECT_TRUE(has_a_side(alone, {2, 0, 0}));
  EXPECT_FALSE(has_a_side(alone, {-1, 0, 0}));
  EXPECT_FALSE(has_a_side(alone, {0, 0, 0})) << "minus infinity";
  EXPECT_FALSE(has_a_side(pole, {0, 0, 0})) << "nor plus infinity";
  EXPECT_TRUE(has_a_side(guarded, {-1, 0, 0})) << "outside of the half-space, whatever the formula";
  EXPECT_TRUE(has_a_side(joined, {-1, 0, 0})) << "in the other piece";
  EXPECT_FALSE(has_a_side(joined, {-3, 0, 0}));
}

}  // namespace
}  // namespace terrace::region_entry_test
