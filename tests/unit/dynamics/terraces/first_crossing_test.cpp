// FirstCrossing on V(s) given by formulas: the crossing found is the first, by comparison with dense samples.
#include "dynamics/terraces/first_crossing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace terrace::first_crossing_test {
namespace {

using Surface = FirstCrossing::Surface;

/// V and its derivatives at s, with a certificate on [s, to].
using Line = std::function<LineTotals(double s, double to)>;

FirstCrossing search(const Line& line, const Terrace& terrace, double end, double start = 0,
                     double origin = 0, bool certified = true, double horizon = 1) {
  FirstCrossing crossing(terrace, certified, origin, start, end, horizon);
  for (int i = 0; i < 100000 && !crossing.done(); ++i)
    crossing.supply(line(crossing.sample_at(), crossing.certify_to()));
  EXPECT_TRUE(crossing.done()) << "after 100,000 samples";
  return crossing;
}

/// How far outside the terrace V is, in energy steps; negative inside.
double outside(const Terrace& terrace, double value) {
  const double above = value - terrace.top(), below = terrace.has_bottom() ? terrace.bottom() - value : above;
  return std::max(above, below) / terrace.energy_step;
}

/// Asks that V is inside the terrace at `samples` instants before the crossing (before `end` if there is
/// none), and on the surface that is named at the crossing. Tolerance: 1e-9 energy steps.
void expect_first(const FirstCrossing& crossing, const Line& line, const Terrace& terrace, double start,
                  double end, int samples) {
  const bool found = crossing.surface() != Surface::none;
  const double last = found ? crossing.instant() : end;
  ASSERT_GE(last, start);
  ASSERT_LE(last, end);
  for (int i = 1; i < samples; ++i) {
    const double s = start + (last - start) * i / samples;
    ASSERT_LE(outside(terrace, line(s, s).value), 1e-9)
        << "a crossing before " << last << " was missed at " << s;
  }
  if (!found) return;
  const bool top = crossing.surface() == Surface::top;
  ASSERT_NEAR(line(last, last).value, top ? terrace.top() : terrace.bottom(), 1e-9 * terrace.energy_step);
  ASSERT_EQ(crossing.level_beyond(), terrace.level + (top ? 1 : -1));
}

/// V = c + Σ A cos(ω s + φ), with the bound Σ |A| ω³ of |V‴|.
struct Cosines {
  double constant = 0;
  std::vector<std::array<double, 3>> terms;  // A, ω, φ

  LineTotals operator()(double s, double) const {
    LineTotals totals;
    totals.value = constant;
    for (const auto& [amplitude, rate, phase] : terms) {
      totals.value += amplitude * std::cos(rate * s + phase);
      totals.slope -= amplitude * rate * std::sin(rate * s + phase);
      totals.curvature -= amplitude * rate * rate * std::cos(rate * s + phase);
      totals.third += std::abs(amplitude) * rate * rate * rate;
    }
    return totals;
  }
  static Cosines random(std::mt19937_64& generator) {
    std::uniform_real_distribution<double> number(0, 1);
    Cosines line;
    const int count = 1 + static_cast<int>(generator() % 5);
    for (int i = 0; i < count; ++i) {
      line.terms.push_back({number(generator) - 0.5, 0.3 + 6 * number(generator), 6.3 * number(generator)});
      line.constant += 0.5;  // V ≥ 0
    }
    return line;
  }
};

// The sum of V′ over many elements is rounded to a grid. So V′ may be a little too small, and a certified
// step a little too long: here by a share of 1e-7.
TEST(FirstCrossing, AStepThatEndsBeyondTheSurfaceIsTakenBack) {
  std::mt19937_64 generator(4711);
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Cosines cosines = Cosines::random(generator);
    const Line line = [&](double s, double to) {
      LineTotals totals = cosines(s, to);
      totals.slope *= 1 - 1e-7;
      return totals;
    };
    const double value = cosines(0, 0).value;
    Terrace terrace{0.01, 0, 0};
    terrace.level = terrace.level_of(value);
    const FirstCrossing crossing = search(line, terrace, 3);
    if (crossing.surface() == Surface::none) continue;
    ++found;
    const bool top = crossing.surface() == Surface::top;
    const double surface = top ? terrace.top() : terrace.bottom();
    for (const double instant : {crossing.instant(), crossing.instant_before(), crossing.gradient_instant()})
      ASSERT_NEAR(cosines(instant, instant).value, surface, 1e-11 * terrace.energy_step) << "trial " << trial;
    ASSERT_EQ(crossing.level_beyond(), terrace.level + (top ? 1 : -1));
  }
  EXPECT_GT(found, 1500);
}

TEST(FirstCrossing, OfSumsOfCosinesIsFoundAndNoneIsMissed) {
  std::mt19937_64 generator(31);
  std::uniform_real_distribution<double> number(0, 1);
  double samples = 0;
  int most = 0, found = 0;
  constexpr int cases = 5000;
  for (int i = 0; i < cases; ++i) {
    const Cosines line = Cosines::random(generator);
    const double start = 3 * number(generator), end = start + 4;
    const double h = std::exp(-7 * number(generator));
    const Terrace terrace{h, static_cast<std::int64_t>(line(start, start).value / h)};
    const FirstCrossing crossing = search(line, terrace, end, start, 0, true, 8 * number(generator));
    ASSERT_NO_FATAL_FAILURE(expect_first(crossing, line, terrace, start, end, 1000)) << "case " << i;
    samples += crossing.samples();
    most = std::max(most, crossing.samples());
    found += crossing.surface() != Surface::none ? 1 : 0;
  }
  std::printf("sums of cosines: %.1f samples on average, %d at most; %d of %d cross\n", samples / cases, most,
              found, cases);
  EXPECT_GT(found, cases / 2);
  EXPECT_LT(samples / cases, 15);
  EXPECT_LT(most, 200);
}

/// V = Σ c_k s^k, with Σ k (k − 1) (k − 2) |c_k| t^(k − 3) as bound of |V‴|, t the end of the interval.
struct Polynomial {
  std::array<double, 6> c{};
  LineTotals operator()(double s, double to) const {
    LineTotals totals;
    for (std::size_t k = 6; k-- > 0;) {
      const auto n = static_cast<double>(k);
      totals.value = totals.value * s + c[k];
      if (k >= 1) totals.slope = totals.slope * s + n * c[k];
      if (k >= 2) totals.curvature = totals.curvature * s + n * (n - 1) * c[k];
      if (k >= 3) totals.third = totals.third * std::max(s, to) + n * (n - 1) * (n - 2) * std::abs(c[k]);
    }
    return totals;
  }
};

TEST(FirstCrossing, OfPolynomialsIsFoundAndNoneIsMissed) {
  std::mt19937_64 generator(32);
  std::normal_distribution<double> normal;
  double samples = 0;
  constexpr int cases = 5000;
  for (int i = 0; i < cases; ++i) {
    Polynomial line;
    for (double& c : line.c) c = normal(generator);
    const double h = std::exp(-3 * std::abs(normal(generator)));
    line.c[0] = 100 * h + std::abs(line.c[0]);
    const Terrace terrace{h, static_cast<std::int64_t>(line.c[0] / h)};
    const FirstCrossing crossing = search(line, terrace, 2);
    ASSERT_NO_FATAL_FAILURE(expect_first(crossing, line, terrace, 0, 2, 500)) << "case " << i;
    samples += crossing.samples();
  }
  std::printf("polynomials: %.1f samples on average\n", samples / cases);
  EXPECT_LT(samples / cases, 12);
}

TEST(FirstCrossing, StartingOnASurfaceCountsOnlyIfVLeavesTheTerrace) {
  const Terrace terrace{1, 3};
  const auto linear = [](double value, double slope, double curvature) {
    return Polynomial{{value, slope, 0.5 * curvature, 0, 0, 0}};
  };
  // V has just come up through the bottom: no crossing. The top is next.
  FirstCrossing up = search(linear(3, 2, 0), terrace, 10);
  EXPECT_EQ(up.surface(), Surface::top);
  EXPECT_NEAR(up.instant(), 0.5, 1e-12);
  // V is on the bottom to within rounding, and falls: a crossing at once.
  for (const double value : {3.0, 3 + 1e-13, 3 - 1e-13}) {
    FirstCrossing down = search(linear(value, -2, 0), terrace, 10);
    EXPECT_EQ(down.surface(), Surface::bottom);
    EXPECT_NEAR(down.instant(), 0, 1e-12);
    EXPECT_EQ(down.level_beyond(), 2);
  }
  FirstCrossing rising = search(linear(4, 1, 0), terrace, 10);
  EXPECT_EQ(rising.surface(), Surface::top);
  EXPECT_EQ(rising.instant(), 0);
  // Just reflected from the top, on its way down.
  FirstCrossing reflected = search(linear(4 + 1e-14, -1, 0), terrace, 10);
  EXPECT_EQ(reflected.surface(), Surface::bottom);
  EXPECT_NEAR(reflected.instant(), 1, 1e-12);
  // Just reflected from the top, to which its curvature brings it back: at s = 2 · slope / curvature.
  FirstCrossing back = search(linear(4, -0.1, 0.4), terrace, 10);
  EXPECT_EQ(back.surface(), Surface::top);
  EXPECT_NEAR(back.instant(), 0.5, 1e-11);
  EXPECT_EQ(search(linear(4, 0, 1), terrace, 10).instant(), 0) << "at rest on the surface, pushed out";
  EXPECT_NEAR(search(linear(4, 0, -2), terrace, 10).instant(), 1, 1e-12)
      << "at rest on the surface, pulled in";
}

TEST(FirstCrossing, LevelZeroHasNoBottom) {
  const Terrace lowest{1, 0};
  EXPECT_EQ(search(Polynomial{{0, 0, 0, 0, 0, 0}}, lowest, 5).surface(), Surface::none);
  EXPECT_EQ(search(Polynomial{{-1e-12, 0, 0, 0, 0, 0}}, lowest, 5).surface(), Surface::none);
  const FirstCrossing through_zero = search(Polynomial{{0.25, -1, 1, 0, 0, 0}}, lowest, 5);  // (s − ½)²
  EXPECT_EQ(through_zero.surface(), Surface::top);
  EXPECT_NEAR(through_zero.instant(), 1.5, 1e-12);
  EXPECT_EQ(through_zero.level_beyond(), 1);
}

TEST(FirstCrossing, GrazingASurfaceIsACrossingOnlyIfItIsReached) {
  const Terrace terrace{1, 3};
  for (const double clearance : {1e-3, 1e-6, 1e-9}) {
    for (const double quintic : {0.0, 0.01}) {
      // Least distance `clearance` to the bottom at s = 1.
      const auto grazing = [&](double depth) {
        return Polynomial{{3 + depth + 0.5 - quintic, -1 + 3 * quintic, 0.5 - 3 * quintic, quintic, 0, 0}};
      };
      const FirstCrossing above = search(grazing(clearance), terrace, 1.5);
      EXPECT_EQ(above.surface(), Surface::none) << clearance;
      EXPECT_LT(above.samples(), 200);
      const FirstCrossing below = search(grazing(-clearance), terrace, 1.5);
      EXPECT_EQ(below.surface(), Surface::bottom) << clearance;
      EXPECT_LT(below.instant(), 1);
      EXPECT_LT(below.samples(), 200);
    }
  }
  const FirstCrossing touching = search(Polynomial{{3.5, -1, 0.5, 0, 0, 0}}, terrace, 1.5);
  if (touching.surface() != Surface::none) {
    EXPECT_NEAR(touching.instant(), 1, 2e-6);
  }
}

TEST(FirstCrossing, NothingBeforeTheEndIsNothing) {
  const Polynomial line{{3.5, 0.1, 0, 0, 0, 0}};
  const Terrace terrace{1, 3};
  EXPECT_EQ(search(line, terrace, 4.999).surface(), Surface::none);
  EXPECT_EQ(search(line, terrace, 5.001).surface(), Surface::top);
  EXPECT_EQ(search(line, terrace, 2, 2).surface(), Surface::none) << "an empty interval";
  EXPECT_EQ(search(line, terrace, 4.999, 0, 0, true, 1e-3).surface(), Surface::none)
      << "a short horizon grows";
}

TEST(FirstCrossing, ACurvatureThatJumpsIsCoveredByItsBounds) {
  // A wall at s = c: V = 100.5 + b s + ½ k max(0, ±(s − c))². Its V″ is k or 0, and there is no V‴.
  std::mt19937_64 generator(33);
  std::uniform_real_distribution<double> number(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double c = number(generator), k = std::exp(8 * number(generator)),
                 b = 4 * (number(generator) - 0.5);
    const double sign = generator() % 2 == 0 ? 1 : -1;  // coming to the wall, or leaving it
    const Line line = [&](double s, double to) {
      const auto depth = [&](double t) { return std::max(0.0, sign * (t - c)); };
      LineTotals totals;
      totals.value = 100.5 + b * s + 0.5 * k * depth(s) * depth(s);
      totals.slope = b + sign * k * depth(s);
      totals.curvature = depth(s) > 0 ? k : 0;
      if ((depth(s) > 0) != (depth(to) > 0)) (depth(s) > 0 ? totals.below : totals.above) = k;
      return totals;
    };
    const Terrace terrace{1, static_cast<std::int64_t>(line(0, 0).value)};
    const FirstCrossing crossing = search(line, terrace, 2);
    ASSERT_NO_FATAL_FAILURE(expect_first(crossing, line, terrace, 0, 2, 500)) << "case " << i;
  }
}

/// A continuous V in pieces of constant V″, between which V′ may jump. The certificate has the exact largest
/// changes of V″ and V′ on the interval.
struct Pieces {
  std::vector<double> starts, values, slopes, curvatures;

  static Pieces random(std::mt19937_64& generator, bool slopes_jump) {
    std::uniform_real_distribution<double> number(-1, 1);
    Pieces line;
    double start = 0, value = 100.5 + 0.4 * number(generator), slope = 2 * number(generator);
    while (start < 2) {
      const double length = 0.01 + 0.1 * std::abs(number(generator));
      const double curvature = number(generator) * std::exp(6 * std::abs(number(generator))) - 5 * slope;
      line.starts.push_back(start);
      line.values.push_back(value);
      line.slopes.push_back(slope);
      line.curvatures.push_back(curvature);
      start += length;
      value += length * (slope + 0.5 * length * curvature);
      slope += length * curvature;
      if (slopes_jump) slope += 8 * number(generator) - 0.8 * slope;
    }
    return line;
  }

  [[nodiscard]] std::size_t piece(double s) const {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), s) - starts.begin()) - 1;
  }
  LineTotals operator()(double s, double to) const {
    const std::size_t now = piece(s);
    const double since = s - starts[now];
    LineTotals totals;
    totals.value = values[now] + since * (slopes[now] + 0.5 * since * curvatures[now]);
    totals.slope = slopes[now] + since * curvatures[now];
    totals.curvature = curvatures[now];
    double jumps = 0;
    for (std::size_t i = now + 1; i < starts.size() && starts[i] <= to; ++i) {
      jumps += slopes[i] - slopes[i - 1] - (starts[i] - starts[i - 1]) * curvatures[i - 1];
      totals.rise = std::max(totals.rise, jumps);
      totals.fall = std::max(totals.fall, -jumps);
      totals.above = std::max(totals.above, curvatures[i] - totals.curvature);
      totals.below = std::max(totals.below, totals.curvature - curvatures[i]);
    }
    return totals;
  }
};

// V may leave its terrace and come back within the step after which the parabola of the last sample leaves
// it.
TEST(FirstCrossing, AVisitBeyondTheSurfaceAndBackIsNotSteppedOver) {
  std::mt19937_64 generator(36);
  int tops = 0, bottoms = 0;
  for (int i = 0; i < 4000; ++i) {
    const Pieces line = Pieces::random(generator, i % 2 == 0);
    const Terrace terrace{1, 100};
    const FirstCrossing crossing = search(line, terrace, 2);
    ASSERT_NO_FATAL_FAILURE(expect_first(crossing, line, terrace, 0, 2, 500)) << "case " << i;
    tops += crossing.surface() == Surface::top ? 1 : 0;
    bottoms += crossing.surface() == Surface::bottom ? 1 : 0;
  }
  EXPECT_GT(tops, 500);
  EXPECT_GT(bottoms, 500);
}

TEST(FirstCrossing, AnInfiniteVIsBehindTheTopAndInvalidBoundsAreAskedForAnew) {
  // V = −ln(1 − s), certified only as long as 1 − s at most halves.
  int asked = 0;
  const Line line = [&](double s, double to) {
    LineTotals totals;
    ++asked;
    totals.infinite = s >= 1;
    if (totals.infinite) return totals;
    const double room = 1 - s;
    totals.value = -std::log(room);
    totals.slope = 1 / room;
    totals.curvature = 1 / (room * room);
    totals.bound_invalid = 1 - to < 0.5 * room;
    totals.third = 16 / (room * room * room);
    return totals;
  };
  for (const double h : {0.01, 1.0, 5.0}) {
    const FirstCrossing crossing = search(line, {h, 0}, 50, 0, 0, true, 50);
    EXPECT_EQ(crossing.surface(), Surface::top);
    EXPECT_NEAR(crossing.instant(), 1 - std::exp(-h), 1e-11 * h);
    EXPECT_LT(crossing.samples(), 150);
  }
}

/// A V without a certificate that jumps at `where` from `before` to `after`.
Line step_at(double where, double before, double after) {
  return [=](double s, double) {
    LineTotals totals;
    totals.value = s < where ? before : after;
    totals.longest_trial = 0.1;
    return totals;
  };
}

// V jumps between the last trial step, of length 0.1, and the end at 1.
TEST(FirstCrossing, WithoutACertificateTheEndIsLookedAt) {
  for (const double where : {0.93, 0.97, 0.9999}) {
    const FirstCrossing crossing = search(step_at(where, 0.5, 5.5), {1, 0}, 1, 0, 0, false);
    EXPECT_EQ(crossing.surface(), Surface::top);
    EXPECT_NEAR(crossing.instant(), where, 1e-12);
    EXPECT_EQ(crossing.level_beyond(), 5);
  }
  EXPECT_EQ(search(step_at(1.0001, 0.5, 5.5), {1, 0}, 1, 0, 0, false).surface(), Surface::none);
}

// V ≥ 0, but rounding may put a sum of many terms slightly below 0.
TEST(FirstCrossing, NoLevelIsBelowThatOfZero) {
  for (const double after : {0.0, -1e-17, -1e-3})
    EXPECT_EQ(search(step_at(0.5, 2.5, after), {1, 2}, 1, 0, 0, false).level_beyond(), 0) << after;
}

TEST(FirstCrossing, JumpsAreFoundToTheInstantWithTheLevelBehindThem) {
  // Constant pieces longer than the trial step; the jumps may pass many levels.
  std::mt19937_64 generator(34);
  std::uniform_real_distribution<double> number(0, 1);
  double samples = 0;
  constexpr int cases = 1000;
  for (int i = 0; i < cases; ++i) {
    std::vector<double> ends, values;
    for (double s = 0; s < 2;) {
      s += 0.06 + 0.3 * number(generator);
      ends.push_back(s);
      values.push_back(10 * std::pow(number(generator), 3));
    }
    const double h = 0.1 + number(generator), origin = generator() % 2 == 0 ? 0 : 1000 * number(generator);
    const auto value = [&](double s) {
      std::size_t piece = 0;
      while (piece + 1 < ends.size() && s >= ends[piece]) ++piece;
      return values[piece];
    };
    const Line line = [&](double s, double) {
      LineTotals totals;
      totals.value = value(s);
      totals.longest_trial = 0.05;
      return totals;
    };
    const Terrace terrace{h, static_cast<std::int64_t>(values[0] / h)};
    std::size_t first = 0;
    while (first < ends.size() && outside(terrace, values[first]) <= 0) ++first;
    const FirstCrossing crossing = search(line, terrace, 2, 0, origin, false, 2);
    samples += crossing.samples();
    if (first == ends.size() || ends[first - 1] >= 2) {
      ASSERT_EQ(crossing.surface(), Surface::none) << i;
      continue;
    }
    ASSERT_EQ(crossing.surface(), values[first] > terrace.top() ? Surface::top : Surface::bottom) << i;
    ASSERT_LT(crossing.instant_before(), ends[first - 1]);
    ASSERT_GE(crossing.instant(), ends[first - 1]);
    ASSERT_LE(crossing.instant() - crossing.instant_before(), 1e-15 * (4 * origin + 4)) << i;
    ASSERT_EQ(crossing.level_beyond(), static_cast<std::int64_t>(std::floor(values[first] / h))) << i;
    ASSERT_EQ(value(crossing.gradient_instant()),
              std::max(value(crossing.instant_before()), value(crossing.instant())));
  }
  std::printf("jumps: %.1f samples on average\n", samples / cases);
  EXPECT_LT(samples / cases, 120);
}

// The last step is mostly so short that the certificate gives V at its end to the tolerance. Then no sample
// is taken there, and V must be on the surface all the same.
TEST(FirstCrossing, ASurfaceThatIsForeseenIsNotSampledAndMetAllTheSame) {
  std::mt19937_64 generator(37);
  std::uniform_real_distribution<double> number(0, 1);
  int crossings = 0, of_smooth = 0, sampled = 0;
  double farthest = 0;
  for (int i = 0; i < 8000; ++i) {
    // Smooth, or with jumps of V″, or with those of V′ too.
    const Line of_kind = i % 4 < 2    ? Line(Cosines::random(generator))
                         : i % 4 == 2 ? Line(Pieces::random(generator, false))
                                      : Line(Pieces::random(generator, true));
    double last = -1;
    const Line line = [&](double s, double to) {
      last = s;
      return of_kind(s, to);
    };
    const double h = std::exp(-7 * number(generator)), value = of_kind(0, 0).value;
    const Terrace terrace{h, static_cast<std::int64_t>(value / h)};
    const FirstCrossing crossing = search(line, terrace, 2, 0, 0, true, number(generator));
    if (crossing.surface() == Surface::none) continue;
    ++crossings;
    if (i % 4 < 2) ++of_smooth, sampled += last == crossing.instant() ? 1 : 0;
    const double met = of_kind(crossing.instant(), 2).value,
                 surface = crossing.surface() == Surface::top ? terrace.top() : terrace.bottom();
    farthest = std::max(farthest, std::abs(met - surface) / h - 1e-15 * value / h);
    ASSERT_EQ(crossing.instant_before(), crossing.instant());
    ASSERT_EQ(crossing.gradient_instant(), crossing.instant());
  }
  std::printf("%d crossings; %d of %d of smooth V sampled; %.1e of an energy step off at most\n", crossings,
              sampled, of_smooth, farthest);
  EXPECT_GT(crossings, 6000);
  EXPECT_LT(sampled, of_smooth / 2);
  EXPECT_LE(farthest, 2e-12);
}

TEST(FirstPositiveRoot, IsARootAndNoEarlierOneExists) {
  std::mt19937_64 generator(35);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20000; ++i) {
    const double a0 = -std::abs(normal(generator)), a1 = normal(generator), a2 = 2 * normal(generator),
                 a3 = generator() % 4 == 0 ? 0 : normal(generator), limit = 3;
    bool found = false;
    const double x = first_positive_root(a0, a1, a2, a3, limit, found);
    const auto value = [&](double s) { return a0 + s * (a1 + s * (a2 + s * a3)); };
    if (found) {
      ASSERT_NEAR(value(x), 0, 1e-12 * (1 + std::abs(a1) + std::abs(a2) + std::abs(a3)) * 30) << i;
    }
    for (int k = 1; k < 300; ++k) ASSERT_LE(value(x * k / 300), 1e-12) << i;
  }
}

// A penetrated gap, whose certificate is worthless on intervals longer than 1e-3. The search shortens its
// intervals until the certificate is of use.
TEST(FirstCrossing, ShortensTheIntervalOfAHopelessCertificate) {
  const Terrace terrace{1, 0};
  const Line line = [](double s, double to) {
    LineTotals totals;
    totals.value = 0.1 + 20 * s;
    totals.slope = 20;
    totals.rise = totals.fall = to - s > 1e-3 ? 1e5 : 0;
    return totals;
  };
  const FirstCrossing crossing = search(line, terrace, 1);
  EXPECT_EQ(crossing.surface(), Surface::top);
  EXPECT_NEAR(crossing.instant(), 0.045, 1e-12);
  EXPECT_LT(crossing.samples(), 300);
}

}  // namespace
}  // namespace terrace::first_crossing_test
