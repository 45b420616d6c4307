// A crossing is accepted without a sample there only where the certificate excludes everything else.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "dynamics/terraces/first_crossing.hpp"

namespace terrace::foreseen_crossing_test {
namespace {

using Surface = FirstCrossing::Surface;

/// The level between 3 and 4.
constexpr Terrace level{1, 3};

/// V = 3 + depth + slope s + ½ curvature s² − cubic s³, its mirror image about the middle if not `upwards`.
struct Approach {
  double depth, slope, curvature, cubic;
  bool upwards;

  LineTotals operator()(double s) const {
    const double sign = upwards ? 1 : -1, rise = s * (slope + s * (0.5 * curvature - s * cubic));
    LineTotals totals;
    totals.value = upwards ? 3 + depth + rise : 4 - depth - rise;
    totals.slope = sign * (slope + s * (curvature - 3 * s * cubic));
    totals.curvature = sign * (curvature - 6 * s * cubic);
    totals.third = 6 * std::abs(cubic);
    return totals;
  }
};

struct Found {
  Surface surface;
  double instant;
  int samples;
};

Found search(const std::function<LineTotals(double)>& line, bool certified = true) {
  FirstCrossing crossing(level, certified, 0, 0, 3, 3);
  while (!crossing.done() && crossing.samples() < 1000) crossing.supply(line(crossing.sample_at()));
  EXPECT_TRUE(crossing.done());
  return {crossing.surface(), crossing.instant(), crossing.samples()};
}

TEST(ForeseenCrossing, OfAParabolaThatBeginsNearTheSurfaceIsKnownAfterOneSample) {
  for (const bool upwards : {true, false}) {
    const Found found = search(Approach{1 - 1e-6, 1e-6, 2e-6, 0, upwards});
    EXPECT_EQ(found.surface, upwards ? Surface::top : Surface::bottom);
    EXPECT_NEAR(found.instant, 0.5 * (std::sqrt(5) - 1), 1e-9);
    EXPECT_EQ(found.samples, 1);
  }
}

TEST(ForeseenCrossing, FromFarAwayIsSampledNear) {
  for (const bool upwards : {true, false}) {
    const Found found = search(Approach{0.5, 1, 0, 0, upwards});
    EXPECT_NEAR(found.instant, 0.5, 1e-12);
    EXPECT_GT(found.samples, 1);
  }
}

// The surface is 1e-6 energy steps away, and the certificate leaves V uncertain by some hundredths of that.
TEST(ForeseenCrossing, WhereThirdDerivativesMatterIsSampledAgain) {
  for (const bool upwards : {true, false}) {
    const Approach line{1 - 1e-6, 1e-6, 0, 1e-8, upwards};
    const Found found = search(line);
    EXPECT_EQ(found.surface, upwards ? Surface::top : Surface::bottom);
    EXPECT_NEAR(line(found.instant).value, upwards ? 4 : 3, 2e-12);
    EXPECT_GT(found.samples, 1);
  }
}

TEST(ForeseenCrossing, OfTheSurfaceThatIsLeftIsNone) {
  for (const bool upwards : {true, false}) {
    const Found found = search(Approach{1 - 1e-6, -0.5, 0, 0, upwards});
    EXPECT_EQ(found.surface, upwards ? Surface::bottom : Surface::top) << "not the one it begins at";
    EXPECT_NEAR(found.instant, 2 * (1 - 1e-6), 1e-9);
  }
}

// V begins at the surface, dips below it and comes back, like that of a ball that rocks on a wall. Over so
// large a change of V, sums of many terms lose digits, so that a sample near the crossing is needed.
TEST(ForeseenCrossing, AfterADipIsSampledNear) {
  for (const bool upwards : {true, false}) {
    const Found found = search(Approach{1, -1, 4, 0, upwards});
    EXPECT_EQ(found.surface, upwards ? Surface::top : Surface::bottom);
    EXPECT_NEAR(found.instant, 0.5, 1e-12);
    EXPECT_GT(found.samples, 1);
  }
}

// Without a certificate the trial step of a potential proves nothing about V at its end.
TEST(ForeseenCrossing, WithoutACertificateIsSampled) {
  for (const bool upwards : {true, false}) {
    const Approach smooth{1 - 1e-6, 2e-6, 0, 0, upwards};
    const Found found = search(
        [&](double s) {
          LineTotals totals = smooth(s);
          totals.longest_trial = 0.1;
          return totals;
        },
        false);
    EXPECT_EQ(found.surface, upwards ? Surface::top : Surface::bottom);
    EXPECT_NEAR(found.instant, 0.5, 1e-6);
    EXPECT_GT(found.samples, 4);
  }
}

}  // namespace
}  // namespace terrace::foreseen_crossing_test
