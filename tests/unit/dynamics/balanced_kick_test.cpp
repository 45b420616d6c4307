// The multiplier of clocked energy-stepping on one degree of freedom, where everything is known.
#include "dynamics/balanced_kick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace terrace {
namespace {

/// A point of mass 2 in V(x), stepped with balanced kicks.
struct Point {
  std::function<double(double)> value, slope;
  double step;
  double correction = 0.1;
  double x = 0.7, v = 0.3, stored = 0, offset = 0;
  static constexpr double mass = 2;
  double largest_debt = 0, largest_correction = 0, largest_imbalance = 0;
  bool first = true;

  void event() {
    const double n = slope(x), s = n * n / mass, half = 0.5 * step;
    KickData data{value(x), n * v, s, stored, offset, first ? half : step, half, first ? 0 : correction};
    if (first) stored = data.stored = value(x);
    const BalancedKick kick = balanced_kick(data);
    stored -= kinetic_gain(kick.multiplier, n * v, s);
    v += kick.multiplier * n / mass;
    if (first)
      offset = value(x) + half * n * v - stored;
    else {
      largest_debt = std::max(largest_debt, std::abs(kick.debt));
      largest_correction = std::max(largest_correction, std::abs(kick.multiplier + step));
      largest_imbalance = std::max(largest_imbalance, std::abs(kick.imbalance));
    }
    first = false;
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
  const auto spring = [](double step) {
    Point point{[](double x) { return x * x + x * x * x * x; },
                [](double x) { return 2 * x + 4 * x * x * x; }, step};
    point.event();
    const double energy = point.energy();
    for (int i = 0; i < 2000; ++i) {
      point.event();
      EXPECT_NEAR(point.energy() / energy, 1, 1e-12);
    }
    EXPECT_LE(point.largest_debt, 1e-3 * energy);
    return point;
  };
  const Point coarse = spring(0.1), fine = spring(0.05);
  EXPECT_GT(coarse.largest_imbalance, 0);
  // The trapezoid error of a step is of third order.
  EXPECT_NEAR(coarse.largest_imbalance / fine.largest_imbalance, 8, 2.5);
}

TEST(BalancedKick, SolvesItsEquation) {
  const KickData data{5, -3, 2, 4.99, 0.003, 0.2, 0.1, 0.5};
  const BalancedKick kick = balanced_kick(data);
  EXPECT_FALSE(kick.clipped);
  const double lambda = kick.multiplier;
  const double stored = data.stored - (lambda * data.normal_velocity + lambda * lambda * data.compliance / 2);
  EXPECT_NEAR(stored + data.offset,
              data.value + data.ahead * (data.normal_velocity + lambda * data.compliance), 1e-14);
  EXPECT_NEAR(kick.debt, 0, 1e-14);
}

TEST(BalancedKick, NeverLeavesTheBoundAndOwesWhatIsLeft) {
  KickData data{5, -3, 2, 4.5, 0, 0.2, 0.1, 0.01};
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
  // slope = v_n + (a − w) s = 0.5 − 0.1 · 2 = 0.3; 0.09 + 2 · 2 · imbalance < 0.
  KickData data{5, 0.5, 2, 4, 0, 0.2, 0.1, 10};
  const BalancedKick kick = balanced_kick(data);
  EXPECT_TRUE(kick.clipped);
  for (const double change : {-1e-4, 1e-4}) {
    const double lambda = kick.multiplier + change;
    const double debt = data.stored - (lambda * 0.5 + lambda * lambda) - (5 + 0.1 * (0.5 + lambda * 2));
    EXPECT_LT(std::abs(kick.debt), std::abs(debt));
  }
}

TEST(BalancedKick, WithoutForceNothingIsDone) {
  const BalancedKick kick = balanced_kick({0, 0, 0, 0, 0, 0.2, 0.1, 0.1});
  EXPECT_EQ(kick.multiplier, -0.2);
  EXPECT_EQ(kick.debt, 0);
  EXPECT_TRUE(std::isfinite(balanced_kick({1, 0, 0, 0.5, 0, 0.2, 0.1, 0.1}).multiplier));
}

}  // namespace
}  // namespace terrace
