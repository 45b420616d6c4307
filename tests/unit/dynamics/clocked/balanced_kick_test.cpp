// balanced_kick on a point with one degree of freedom, where leapfrog's exact behaviour is known.
#include "dynamics/clocked/balanced_kick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "dynamics/clocked/modified_energy.hpp"

namespace terrace::balanced_kick_test {
namespace {

/// A point of mass 2 in V(x), stepped with balanced kicks as KickControl does: the first two kicks are
/// leapfrog's own, and their debts become the offset. energy() = K + U is constant for any multiplier, as U
/// gives what K gains; what a kick misses shows in the debt and in the imbalance.
struct Point {
  std::function<double(double)> value, slope;
  double step;
  double correction = 0.1;
  bool with_curvature = true;
  double x = 0.7, v = 0.3, stored = 0, offset = 0;
  static constexpr double mass = 2;
  double largest_debt = 0, largest_correction = 0, largest_imbalance = 0;
  DriftStart drift = {};
  double before = 0;
  int events = 0;

  void event() {
    const bool first = events == 0;
    const double n = slope(x), s = n * n / mass, half = 0.5 * step;
    const double curvature =
        first || !with_curvature ? 0 : curvature_of_drift(drift, step, value(x), n * v, n * before / mass);
    if (first) stored = value(x);
    const bool settled = events >= 2;
    const BalancedKick kick = balanced_kick({.value = value(x),
                                             .normal_velocity = n * v,
                                             .compliance = s,
                                             .stored = stored,
                                             .offset = offset,
                                             .bend = step * step / 12 * curvature,
                                             .weight = first ? half : step,
                                             .ahead = half,
                                             .largest_correction = settled ? correction : 0});
    stored -= kinetic_gain(kick.multiplier, n * v, s);
    v += kick.multiplier * n / mass;
    drift = {value(x), n * v};
    before = n;
    if (!settled)
      offset -= kick.debt;
    else {
      largest_debt = std::max(largest_debt, std::abs(kick.debt));
      largest_correction = std::max(largest_correction, std::abs(kick.multiplier + step));
      largest_imbalance = std::max(largest_imbalance, std::abs(kick.imbalance));
    }
    ++events;
    x += step * v;
  }
  [[nodiscard]] double energy() const { return 0.5 * mass * v * v + stored; }
};

TEST(BalancedKick, IsLeapfrogsOwnInAQuadraticPotential) {
  Point point{[](double x) { return 3 * x * x; }, [](double x) { return 6 * x; }, 0.2};
  point.event();
  const double energy = point.energy();
  for (int i = 0; i < 10000; ++i) {
    point.event();
    ASSERT_NEAR(point.energy() / energy, 1, 1e-12) << i;
  }
  EXPECT_LE(point.largest_imbalance, 1e-12);
  EXPECT_LE(point.largest_debt, 1e-12);
}

TEST(BalancedKick, KeepsTheEnergyOfAHardSpringAndStaysNearLeapfrogsKick) {
  const auto spring = [](double step, bool with_curvature, double correction) {
    Point point{[](double x) { return x * x + x * x * x * x; },
                [](double x) { return 2 * x + 4 * x * x * x; }, step, correction, with_curvature};
    point.event();
    const double energy = point.energy();
    for (int i = 0; i < 2000; ++i) {
      point.event();
      EXPECT_NEAR(point.energy() / energy, 1, 1e-12);
    }
    return point;
  };
  const Point coarse = spring(0.1, true, 0.1), fine = spring(0.05, true, 0.1);
  EXPECT_LE(coarse.largest_debt, 1e-4 * coarse.energy());
  EXPECT_LE(fine.largest_debt, 1e-5 * fine.energy());
  // Without corrections (κ = 0) the debt is the sum of what all kicks of leapfrog leave unbalanced: the error
  // of its modified energy. That is of second order in the step where this energy has the tangent half a step
  // ahead alone, and of fourth order with the curvature (modified_energy.hpp). Hence 2² and 2⁴.
  const auto missing = [&](double step, bool with_curvature) {
    return spring(step, with_curvature, 0).largest_debt;
  };
  EXPECT_NEAR(missing(0.05, false) / missing(0.025, false), 4, 0.5);
  EXPECT_NEAR(missing(0.05, true) / missing(0.025, true), 16, 3);
  EXPECT_LT(missing(0.05, true), 0.05 * missing(0.05, false));
}

TEST(BalancedKick, SolvesItsEquation) {
  const KickData data{5, -3, 2, 4.99, 0.003, 0.001, 0.2, 0.1, 0.5};
  const BalancedKick kick = balanced_kick(data);
  EXPECT_FALSE(kick.clipped);
  const double lambda = kick.multiplier;
  const double stored = data.stored - (lambda * data.normal_velocity + lambda * lambda * data.compliance / 2);
  EXPECT_NEAR(stored + data.offset,
              data.value + data.ahead * (data.normal_velocity + lambda * data.compliance) + data.bend, 1e-14);
  EXPECT_NEAR(kick.debt, 0, 1e-14);
}

TEST(BalancedKick, NeverLeavesTheBoundAndOwesWhatIsLeft) {
  KickData data{5, -3, 2, 4.5, 0, 0, 0.2, 0.1, 0.01};
  const BalancedKick bounded = balanced_kick(data);
  EXPECT_TRUE(bounded.clipped);
  EXPECT_NEAR(std::abs(bounded.multiplier + 0.2), 0.01 * 0.2, 1e-15);
  const double lambda = bounded.multiplier;
  EXPECT_NEAR(bounded.debt, data.stored - (lambda * -3 + lambda * lambda) - (5 + 0.1 * (-3 + lambda * 2)),
              1e-14);
  data.largest_correction = 0;
  const BalancedKick leapfrog = balanced_kick(data);
  EXPECT_EQ(leapfrog.multiplier, -0.2);
  EXPECT_EQ(leapfrog.debt, leapfrog.imbalance);
  EXPECT_GT(std::abs(leapfrog.debt), std::abs(bounded.debt)) << "each correction pays some of it back";
}

TEST(BalancedKick, WithoutARootTheImbalanceIsMadeLeast) {
  // The root needs slope² + 2 s imbalance ≥ 0. Here slope = v_n + (a − w) s = 0.5 − 0.1 · 2 = 0.3 and the
  // imbalance is 4 + 0.06 − 5.01 = −0.95, so that 0.09 + 2 · 2 · imbalance < 0.
  KickData data{5, 0.5, 2, 4, 0, 0, 0.2, 0.1, 10};
  const BalancedKick kick = balanced_kick(data);
  EXPECT_TRUE(kick.clipped);
  for (const double change : {-1e-4, 1e-4}) {
    const double lambda = kick.multiplier + change;
    const double debt = data.stored - (lambda * 0.5 + lambda * lambda) - (5 + 0.1 * (0.5 + lambda * 2));
    EXPECT_LT(std::abs(kick.debt), std::abs(debt));
  }
}

TEST(BalancedKick, WithoutForceNothingIsDone) {
  const BalancedKick kick = balanced_kick({0, 0, 0, 0, 0, 0, 0.2, 0.1, 0.1});
  EXPECT_EQ(kick.multiplier, -0.2);
  EXPECT_EQ(kick.debt, 0);
  // An imbalance that no kick can mend: 0.5 held for an energy of 1.
  const BalancedKick unbalanced = balanced_kick({1, 0, 0, 0.5, 0, 0, 0.2, 0.1, 0.1});
  EXPECT_EQ(unbalanced.multiplier, -0.2);
  EXPECT_FALSE(unbalanced.clipped);
  EXPECT_EQ(unbalanced.debt, -0.5);
  EXPECT_EQ(unbalanced.imbalance, -0.5);
}

}  // namespace
}  // namespace terrace::balanced_kick_test
