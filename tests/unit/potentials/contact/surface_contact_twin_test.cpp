// Smooth contact against its brute-force twin along long motions. Value, gradient and slope are those of the
// sum over all pairs, and certificates hold for it, however often the lists have been renewed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "potentials/contact/surface_contact.hpp"
#include "support/brute_force_contact.hpp"
#include "support/followed.hpp"
#include "support/rolling_surfaces.hpp"

namespace terrace::surface_contact_twin_test {
namespace {

using namespace rolling;

struct Case {
  const char* name;
  bool rolls, self;
  ContactProfile::Kind profile;
};

class Twin : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Motions, Twin,
                         testing::Values(Case{"BallsBarrier", true, false, ContactProfile::Kind::barrier},
                                         Case{"BallsGap", true, false, ContactProfile::Kind::gap},
                                         Case{"SheetsBarrier", false, false, ContactProfile::Kind::barrier},
                                         Case{"SheetsGap", false, false, ContactProfile::Kind::gap},
                                         Case{"ItselfBarrier", true, true, ContactProfile::Kind::barrier},
                                         Case{"ItselfGap", true, true, ContactProfile::Kind::gap}),
                         [](const auto& motion) { return motion.param.name; });

TEST_P(Twin, AgreesAlongALongMotion) {
  const Case& which = GetParam();
  constexpr unsigned seed = 1911;
  constexpr double activation = 0.25, stiffness = 3;
  SCOPED_TRACE("seed 1911");
  Random random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Bodies bodies = which.rolls ? balls(random) : sheets(random);
  if (which.self) bodies.unite();
  const bool barrier = which.profile == ContactProfile::Kind::barrier;
  const brute_force::Contact twin(
      bodies.reference, bodies.first, bodies.second,
      barrier ? brute_force::Contact::Profile::barrier : brute_force::Contact::Profile::gap, activation,
      stiffness);
  Followed<SurfaceContact> contact(bodies.reference, bodies.first, bodies.second,
                                   ContactProfile(which.profile, activation), stiffness, "test");
  Motion motion(bodies, twin, activation, which.rolls, random);
  const LineGrids on = grids();
  const Grid force_grid = Grid::holding(100, 4096);
  brute_force::Sum all;  // pairs in contact over the whole motion
  std::vector<std::uint8_t> changed(bodies.reference.size(), 0);
  for (std::size_t a = bodies.first_nodes; a < changed.size(); ++a) changed[a] = 1;
  int certificates = 0, sharp = 0;
  double way = 0;
  Real least = HUGE_VALL, reported_from = HUGE_VALL;
  for (int stretch = 0; stretch < 32; ++stretch) {
    const double origin = stretch;
    motion.next(origin, true);
    contact.set_line(motion.lines, origin);
    double s = 0;
    if (stretch % 4 == 3) {  // the nodes of the second body get new lines at s = 0.3
      s = 0.3;
      motion.positions = motion.at(origin + s);
      motion.next(origin + s, false);
      contact.update_line(motion.lines, origin, changed);
    }
    for (int question = 0; question < 2; ++question) {
      s += (1 - s) * (question == 0 ? 0.2 : 0.9) * uniform(random);
      const double to = s + (1 - s) * std::pow(uniform(random), 3);
      LineSample sample;
      LineBound bound;
      if (question == 0) contact.bound(s, to, on, bound);
      contact.sample(s, on, sample);
      const auto x = motion.at(origin + s);
      const brute_force::Sum expected = twin.at(x);
      ASSERT_EQ(sample.infinite, 0);
      ASSERT_LE(sample.largest_slope, on.slope.bound);
      ASSERT_LE(std::abs(sample.value.value() - expected.value), 1e-8L * expected.value + 1e-12L) << stretch;
      Real slope = 0, scale = 0;
      for (std::size_t a = 0; a < x.size(); ++a) {
        const brute_force::Point v = brute_force::point(motion.lines[a].velocity);
        slope += brute_force::inner(expected.gradient[a], v);
        scale += brute_force::length(expected.gradient[a]) * brute_force::length(v);
      }
      ASSERT_LE(std::abs(sample.slope - slope), 1e-7L * scale + 1e-7L) << stretch;
      all.vertices_of_first += expected.vertices_of_first;
      all.vertices_of_second += expected.vertices_of_second;
      all.edges += expected.edges;
      all.parallel_edges += expected.parallel_edges;
      if (question != 0 || bound.invalid > 0) continue;
      // V at four instants of the interval must be within the certificate.
      ++certificates;
      const Real step = (to - s) / 4;
      for (int k = 1; k <= 4; ++k) {
        const Real t = k * step, later = twin.at(motion.at(origin + s + static_cast<double>(t))).value;
        const Real change =
            later - expected.value - t * slope - t * t / 2 * static_cast<Real>(sample.curvature);
        const Real rounding = 1e-8L * (later + expected.value) + 1e-7L * scale * t + 1e-7L * t;
        ASSERT_LE(change, bound.rise * t + bound.above * t * t / 2 + rounding) << stretch;
        ASSERT_GE(change, -bound.fall * t - bound.below * t * t / 2 - rounding) << stretch;
      }
      if (expected.value > 0 &&
          (bound.rise + bound.fall) * (to - s) + (bound.above + bound.below) * (to - s) * (to - s) / 2 <
              expected.value)
        ++sharp;
    }
    // The gradient, node by node, at a later instant than the samples.
    const double instant = origin + s + (1 - s) * uniform(random);
    const auto x = motion.at(instant);
    const brute_force::Sum expected = twin.at(x);
    std::vector<Vector3> gradient(x.size());
    ASSERT_LE(contact.add_gradient(motion.lines, instant, force_grid, gradient), force_grid.bound);
    Real largest = 1e-3L;
    for (const auto& force : expected.gradient) largest = std::max(largest, brute_force::length(force));
    for (std::size_t a = 0; a < x.size(); ++a)
      ASSERT_LE(
          brute_force::length(brute_force::minus(brute_force::point(gradient[a]), expected.gradient[a])),
          1e-7L * largest)
          << "node " << a << " stretch " << stretch;
    reported_from = std::min(reported_from, expected.least_distance);
    least = std::min(least, expected.least_distance);
    way += norm(motion.at(origin + 1).back() - motion.positions.back());
    motion.positions = motion.at(origin + 1);
  }
  ContactExtremes extremes;
  contact.report(extremes);
  EXPECT_NEAR(extremes.least_distance, static_cast<double>(reported_from), 1e-9);
  EXPECT_GT(way, 5 * activation) << "many times the reach of the lists";
  EXPECT_GT(all.vertices_of_first, 50);
  if (!which.self) {
    EXPECT_GT(all.vertices_of_second, 50);
  }
  EXPECT_GT(all.edges, 50);
  if (!which.rolls) {
    EXPECT_GT(all.parallel_edges, 500);
  }
  EXPECT_GT(certificates, 15);
  EXPECT_GT(sharp, 5) << "certificates below the energy itself";
  std::printf("%d and %d vertices, %d edges, %d mollified; %d certificates, %d sharp; way %.1f; least %.3f\n",
              all.vertices_of_first, all.vertices_of_second, all.edges, all.parallel_edges, certificates,
              sharp, way, static_cast<double>(least));
}

// The twin's own gradient is that of its value.
TEST(BruteForceContact, GradientIsThatOfTheValue) {
  Random random(3);
  for (const bool flat : {false, true})
    for (const auto profile : {brute_force::Contact::Profile::barrier, brute_force::Contact::Profile::gap}) {
      Bodies bodies = flat ? sheets(random) : balls(random);
      if (!flat)
        for (std::size_t a = bodies.first_nodes; a < bodies.reference.size(); ++a)
          bodies.reference[a][0] -= 0.35;
      const brute_force::Contact twin(bodies.reference, bodies.first, bodies.second, profile, 0.3, 2);
      const brute_force::Sum here = twin.at(bodies.reference);
      ASSERT_GT(here.value, 0);
      for (int trial = 0; trial < 3; ++trial) {
        const double step = std::ldexp(1.0, -22);
        std::vector<Vector3> before = bodies.reference, after = before;
        Real slope = 0, scale = 0;
        for (std::size_t a = 0; a < before.size(); ++a) {
          const Vector3 v = random_vector(random, 1);
          before[a] += -step * v;
          after[a] += step * v;
          const auto moved = brute_force::minus(brute_force::point(after[a]), brute_force::point(before[a]));
          slope += brute_force::inner(here.gradient[a], moved);
          scale += brute_force::length(here.gradient[a]) * brute_force::length(moved);
        }
        const Real difference = twin.at(after).value - twin.at(before).value;
        ASSERT_LE(std::abs(difference - slope), 1e-5L * scale) << trial;
      }
    }
}

// One part of the second body rests near the first. Another part comes from beyond the reach of all lists and
// gets into contact elsewhere.
TEST(SurfaceContact, ListsWhatComesFromAfarWhereNothingListedMoves) {
  std::vector<Vector3> x;
  std::vector<Triangle> floor, body;
  for (const double place : {0.0, 10.0})
    for (const double height : {0.0, place == 0 ? 0.05 : 5.0}) {
      const auto base = static_cast<std::int32_t>(x.size());
      for (const Vector3& corner : {Vector3{}, Vector3{1, 0, 0}, Vector3{0.1, 1, 0}})
        x.push_back(Vector3{place + (height > 0 ? 0.1 : 0), height > 0 ? 0.15 : 0, height} + corner);
      (height == 0 ? floor : body).push_back({base, base + 1, base + 2});
    }
  for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap}) {
    const brute_force::Contact twin(x, floor, body,
                                    kind == ContactProfile::Kind::barrier
                                        ? brute_force::Contact::Profile::barrier
                                        : brute_force::Contact::Profile::gap,
                                    0.1, 1);
    Followed<SurfaceContact> contact(x, floor, body, ContactProfile(kind, 0.1), 1, "test");
    std::vector<NodeLine> lines(12, NodeLine{{}, {}, 0, 1});
    for (std::size_t a = 9; a < 12; ++a) lines[a].velocity = {0, 0, -1};
    contact.set_line(lines, 0);
    Real at_rest = 0;
    for (const double s : {0.0, 1.0, 2.5, 4.0, 4.93, 4.95, 4.97}) {
      std::vector<Vector3> now = x, gradient(12);
      for (std::size_t a = 9; a < 12; ++a) now[a][2] -= s;
      LineSample sample;
      contact.sample(s, grids(), sample);
      const brute_force::Sum expected = twin.at(now);
      EXPECT_NEAR(sample.value.value(), static_cast<double>(expected.value), 1e-9) << s;
      const double alone = s < 4.9 ? 1 : 1.1;  // the part that came adds its own
      if (s == 0) at_rest = expected.value;
      EXPECT_GE(expected.value, alone * at_rest) << s;
      contact.add_gradient(lines, s, Grid::holding(100, 64), gradient);
      EXPECT_NEAR(gradient[9][2], static_cast<double>(expected.gradient[9][2]), 1e-9) << s;
    }
  }
}

// Nothing that is found out along one line may be used on the next: that the bodies are apart, which pairs
// are open and how they move, how fast nodes approach.
TEST(SurfaceContact, ANewLineForgetsWhatWasKnownOfTheOldOne) {
  struct Change {
    std::array<double, 2> heights, velocities;  ///< of the parts of the second body
  };
  for (const Change& change :
       {Change{{0.15, 0.15}, {-0.1, -0.1}}, Change{{0.05, 5}, {0.02, 0}}, Change{{0.05, 0.15}, {0, -0.1}}}) {
    std::vector<Vector3> x;
    std::vector<NodeLine> lines;
    for (const double velocity : {0.0, 1.0})
      for (std::size_t part = 0; part < 2; ++part)
        for (const Vector3& corner : {Vector3{}, Vector3{1, 0, 0}, Vector3{0.1, 1, 0}}) {
          const bool floor = velocity == 0;
          x.push_back(corner + Vector3{10.0 * static_cast<double>(part), floor ? 0 : 0.15,
                                       floor ? 0 : change.heights[part]});
          lines.push_back({{}, {0, 0, velocity * change.velocities[part]}, 0, 1});
        }
    const std::vector<Triangle> floor = {{0, 1, 2}, {3, 4, 5}}, body = {{6, 7, 8}, {9, 10, 11}};
    const brute_force::Contact twin(x, floor, body, brute_force::Contact::Profile::barrier, 0.1, 1);
    Followed<SurfaceContact> contact(x, floor, body, ContactProfile(ContactProfile::Kind::barrier, 0.1), 1,
                                     "test");
    LineBound at_rest, bound;
    contact.set_line(std::vector<NodeLine>(12, NodeLine{{}, {}, 0, 1}), 0);
    contact.bound(0, 1, grids(), at_rest);
    contact.set_line(lines, 0);
    contact.bound(0, 1, grids(), bound);
    std::vector<Vector3> now = x;
    for (std::size_t a = 0; a < 12; ++a) now[a] += 0.9 * lines[a].velocity;
    const auto expected = static_cast<double>(twin.at(now).value);
    ASSERT_GT(expected, 1e-9);
    LineSample sample;
    contact.sample(0.9, grids(), sample);
    EXPECT_NEAR(sample.value.value(), expected, 1e-9 * expected)
        << change.heights[0] << ' ' << change.heights[1];
  }
}

// A corner of one body behind a face of the other, before it, and beside it.
TEST(SurfaceContact, ReportsHowDeepAVertexIsBehindItsNearestFace) {
  const std::vector<Triangle> face = {{0, 1, 2}}, corner = {{3, 4, 5}};
  const auto extremes = [&](const Vector3& tip, ContactProfile::Kind kind = ContactProfile::Kind::gap) {
    const std::vector<Vector3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, tip, {1, 1, 9}, {1.1, 1, 9}};
    Followed<SurfaceContact> contact(x, face, corner, ContactProfile(kind, 0.5), 1, "test");
    std::vector<Vector3> gradient(6);
    contact.add_gradient(std::vector<NodeLine>(6, NodeLine{}), 0, Grid::holding(10, 64), gradient);
    ContactExtremes seen;
    contact.report(seen);
    return seen;
  };
  EXPECT_NEAR(extremes({1, 1, -0.125}).deepest_penetration, 0.125, 1e-15);
  EXPECT_EQ(extremes({1, 1, 0.125}).deepest_penetration, 0);
  EXPECT_NEAR(extremes({1, 1, 0.125}).least_distance, 0.125, 1e-15);
  EXPECT_EQ(extremes({-0.125, 1, -0.125}).deepest_penetration, 0) << "beside the face";
  const ContactExtremes within = extremes({1, 1, -0.125}, ContactProfile::Kind::barrier);
  EXPECT_EQ(within.deepest_penetration, 0) << "nothing passes the barrier";
  EXPECT_NEAR(within.least_distance, 0.125, 1e-15);
}

// In contact of a surface with itself a vertex behind a face counts as a penetration only if it was before
// that face in the mesh. The faces around a vertex and those across a thin plate do not count.
TEST(SurfaceContact, OfItselfIsPenetratedOnlyWhereAVertexWasNotBehindTheFaceInTheMesh) {
  const std::vector<Triangle> both = {{0, 1, 2}, {3, 4, 5}};
  const auto depth = [&](const Vector3& tip) {
    const std::vector<Vector3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, tip, {1, 1, 9}, {1.1, 1, 9}};
    Followed<SurfaceContact> contact(x, both, both, ContactProfile(ContactProfile::Kind::gap, 0.5), 1,
                                     "test");
    std::vector<NodeLine> lines(6, NodeLine{});
    lines[3].displacement = Vector3{1, 1, -0.125} - tip;
    std::vector<Vector3> gradient(6);
    contact.add_gradient(lines, 0, Grid::holding(10, 64), gradient);
    ContactExtremes seen;
    contact.report(seen);
    return seen.deepest_penetration;
  };
  EXPECT_EQ(depth({1, 1, -1}), 0) << "across a plate";
  EXPECT_EQ(depth({6, 1, 0}), 0) << "beside it, on a surface that was bent since";
  EXPECT_NEAR(depth({1, 1, 3}), 0.125, 1e-15) << "it passed";
}

TEST(NearestPair, IsThatOfTheTwinAndNoneBeyondTheLimit) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    Bodies bodies = trial % 2 == 0 ? balls(random) : sheets(random);
    const Vector3 shift = random_vector(random, 0.1);
    for (std::size_t a = bodies.first_nodes; a < bodies.reference.size(); ++a) bodies.reference[a] += shift;
    const brute_force::Contact twin(bodies.reference, bodies.first, bodies.second,
                                    brute_force::Contact::Profile::gap, 1, 1);
    const auto distance = static_cast<double>(twin.distance(bodies.reference));
    const ContactSurfaces surfaces(bodies.reference, bodies.first, bodies.second, "test");
    const auto found = nearest_pair(surfaces, 1.01 * distance);
    ASSERT_TRUE(found.has_value()) << trial;
    EXPECT_NEAR(found->distance, distance, 1e-12);
    EXPECT_FALSE(nearest_pair(surfaces, 0.99 * distance).has_value()) << trial;
  }
}

}  // namespace
}  // namespace terrace::surface_contact_twin_test
