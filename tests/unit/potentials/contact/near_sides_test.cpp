// Smooth contact that looks at the near sides of its surfaces alone gives what contact that looks at all
// nodes gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "potentials/contact/surface_contact.hpp"
#include "support/brute_force_contact.hpp"
#include "support/followed.hpp"
#include "support/rolling_surfaces.hpp"

namespace terrace::near_sides_test {
namespace {

using namespace rolling;

struct Case {
  const char* name;
  bool rolls;
  ContactProfile::Kind profile;
};

class NearSidesAlone : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Motions, NearSidesAlone,
                         testing::Values(Case{"BallsBarrier", true, ContactProfile::Kind::barrier},
                                         Case{"BallsGap", true, ContactProfile::Kind::gap},
                                         Case{"SheetsBarrier", false, ContactProfile::Kind::barrier},
                                         Case{"SheetsGap", false, ContactProfile::Kind::gap}),
                         [](const auto& motion) { return motion.param.name; });

/// The most that two nodes of different surfaces have moved relative to each other.
double relative_motion(const std::vector<Vector3>& from, const std::vector<Vector3>& to,
                       std::size_t first_nodes) {
  double most = 0;
  for (std::size_t a = 0; a < first_nodes; ++a)
    for (std::size_t b = first_nodes; b < to.size(); ++b)
      most = std::max(most, norm((to[b] - from[b]) - (to[a] - from[a])));
  return most;
}

// Contact that looks at near sides alone, with NaN in the lines of all other nodes, gives the samples, the
// gradient, and `above` and `below` of the certificate that all nodes give, to the bit, as long as the slack
// is not used up.
TEST_P(NearSidesAlone, TellAllUntilTheSlackIsUsedUp) {
  const Case& which = GetParam();
  constexpr double activation = 0.25, stiffness = 3;
  SCOPED_TRACE("seed 1911");
  Random random(1911);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Bodies bodies = which.rolls ? balls(random) : sheets(random);
  const brute_force::Contact twin(bodies.reference, bodies.first, bodies.second,
                                  brute_force::Contact::Profile::gap, activation, stiffness);
  const auto make = [&] {
    return Followed<SurfaceContact>(bodies.reference, bodies.first, bodies.second,
                                    ContactProfile(which.profile, activation), stiffness, "test");
  };
  Followed<SurfaceContact> whole = make(), near = make();
  Motion motion(bodies, twin, activation, which.rolls, random);
  const LineGrids on = grids();
  const Grid force_grid = Grid::holding(100, 4096);
  std::vector<Vector3> since;
  NearSides sides;
  int looks = 0, answers = 0, certificates = 0, left_out = 0;
  constexpr double length = 0.25;
  for (int stretch = 0; stretch < 200; ++stretch) {
    const double origin = length * stretch;
    motion.next(origin, true);
    whole.set_line(motion.lines, origin);
    const std::vector<Vector3> end = motion.at(origin + length);
    const double way = relative_motion(motion.positions, end, bodies.first_nodes);
    if (since.empty() || relative_motion(since, end, bodies.first_nodes) > sides.slack || way > sides.slack) {
      near.look_at_all_sides();
      near.set_line(motion.lines, origin);
      sides = near.look_at_near_sides(motion.lines, origin);
      since = motion.positions;
      ++looks;
      if (way > sides.slack) {
        motion.positions = end;
        continue;
      }
    }
    std::vector<NodeLine> known(motion.lines.size(), NodeLine{{NAN, NAN, NAN}, {NAN, NAN, NAN}, 0, 1});
    for (const std::int32_t node : sides.nodes)
      known[static_cast<std::size_t>(node)] = motion.lines[static_cast<std::size_t>(node)];
    left_out += static_cast<int>(known.size() - sides.nodes.size());
    if (stretch % 2 == 0)
      near.set_line(known, origin);
    else  // as after events elsewhere
      near.update_line(known, origin, std::vector<std::uint8_t>(known.size(), 1));
    const double s = length * uniform(random), to = s + (length - s) * std::pow(uniform(random), 3);
    LineBound expected_bound, bound;
    whole.bound(s, to, on, expected_bound);
    near.bound(s, to, on, bound);
    if (bound.invalid == 0) {
      ASSERT_EQ(expected_bound.invalid, 0) << stretch;
      ASSERT_EQ(bound.above, expected_bound.above) << stretch;
      ASSERT_EQ(bound.below, expected_bound.below) << stretch;
      certificates += bound.above > 0 ? 1 : 0;
    }
    LineSample expected, sample;
    whole.sample(s, on, expected);
    near.sample(s, on, sample);
    ASSERT_EQ(sample.value.value(), expected.value.value()) << stretch;
    ASSERT_EQ(sample.slope, expected.slope) << stretch;
    ASSERT_EQ(sample.curvature, expected.curvature) << stretch;
    std::vector<Vector3> expected_gradient(known.size()), gradient(known.size());
    ASSERT_EQ(near.add_gradient(known, origin + s, force_grid, gradient),
              whole.add_gradient(motion.lines, origin + s, force_grid, expected_gradient));
    ASSERT_EQ(gradient, expected_gradient) << stretch;
    answers += expected.value.value() > 0 ? 1 : 0;
    motion.positions = end;
  }
  std::printf("%d looks, %d answers, %d certificates, %d nodes left out\n", looks, answers, certificates,
              left_out);
  EXPECT_GT(answers, 100);
  EXPECT_GT(certificates, 20);
  EXPECT_GT(looks, 5);
  EXPECT_LT(looks, 100);
  if (which.rolls) {
    EXPECT_GT(left_out, 1500) << "nodes of far sides";
  }
  ContactExtremes expected_extremes, extremes;
  whole.report(expected_extremes);
  near.report(extremes);
  EXPECT_EQ(extremes.least_distance, expected_extremes.least_distance);
  // And all sides again.
  near.look_at_all_sides();
  near.set_line(motion.lines, 200 * length);
  whole.set_line(motion.lines, 200 * length);
  LineSample expected, sample;
  whole.sample(0, on, expected);
  near.sample(0, on, sample);
  EXPECT_EQ(sample.value.value(), expected.value.value());
}

}  // namespace
}  // namespace terrace::near_sides_test
