// The result of an operation on intervals holds the results for all members, in spite of rounding.
#include "numerics/interval.hpp"

#include <gtest/gtest.h>

#include <random>

#include "numerics/jet.hpp"

namespace terrace::interval_test {
namespace {

using Real = long double;

bool holds(const Interval& interval, Real x) { return Real(interval.low) <= x && x <= Real(interval.high); }

// Results for members are computed in long double, which has 11 bits more than the ends of intervals:
// rounding of an end to the wrong side would be seen.
TEST(Interval, HoldsTheResultsOfItsMembers) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2), share(0, 1);
  for (int i = 0; i < 20000; ++i) {
    const double a = uniform(random), b = uniform(random);
    const Interval x{a, a + (i % 3 == 0 ? 0 : share(random))}, y{b, b + (i % 5 == 0 ? 0 : share(random))};
    for (const double t : {0.0, 0.37, 1.0}) {
      const Real p = Real(x.low) + Real(t) * (Real(x.high) - Real(x.low)),
                 q = Real(y.low) + Real(1 - t) * (Real(y.high) - Real(y.low));
      ASSERT_TRUE(holds(x + y, p + q));
      ASSERT_TRUE(holds(x - y, p - q));
      ASSERT_TRUE(holds(x * y, p * q));
      ASSERT_TRUE(holds(square(x), p * p));
      ASSERT_TRUE(holds(x / y, p / q) || y.contains(0));
      if (p >= 0) {
        ASSERT_TRUE(holds(sqrt(x), std::sqrt(p)));
      }
    }
  }
}

TEST(Interval, IsNotWiderThanRoundingMakesIt) {
  const Interval product = Interval(1.0, 3.0) * Interval(-2.0, 5.0);
  EXPECT_NEAR(product.low, -6, 1e-14);
  EXPECT_NEAR(product.high, 15, 1e-14);
  EXPECT_EQ(square(Interval(-1, 2)).low, 0);
}

TEST(Interval, SaysNothingWhereThereIsNoBound) {
  EXPECT_FALSE((Interval(1) / Interval(-1, 1)).is_finite());
  EXPECT_FALSE(sqrt(Interval(-2, -1)).is_finite());
  EXPECT_FALSE((Interval::everything() - Interval::everything()).is_finite());
  EXPECT_EQ((Interval::everything() * Interval(0)).largest(), 0);
  // Both ends beyond all numbers: the true result is within.
  for (const Interval& beyond : {Interval(1e200) * Interval(1e200), Interval(1.7e308) + Interval(1.7e308),
                                 Interval(-1e200) * Interval(1e200)}) {
    EXPECT_FALSE(beyond.is_finite());
    EXPECT_TRUE(beyond.contains(1e308) && beyond.contains(-1e308));
    EXPECT_EQ(beyond.largest(), infinity);
  }
}

// (1 + s)^½ / (2 − s)² and its derivatives at 0.
TEST(Jet, CarriesDerivativesThroughFormulas) {
  const Jet<double> s = Jet<double>::line(0, 1);
  const Jet<double> f = sqrt(s + 1.0) / square(Jet<double>(2.0) - s);
  EXPECT_NEAR(f.value, 0.25, 1e-15);
  EXPECT_NEAR(f.first, 0.375, 1e-15);
  EXPECT_NEAR(f.second, 0.5625, 1e-14);
  EXPECT_NEAR(f.third, 1.21875, 1e-14);
  const Jet<Interval> t = Jet<Interval>::line(Interval(-1e-3, 1e-3), Interval(1));
  const Jet<Interval> enclosed = sqrt(t + 1.0) / square(Jet<Interval>(2.0) - t);
  EXPECT_TRUE(enclosed.third.contains(f.third));
  EXPECT_LT(enclosed.third.high - enclosed.third.low, 0.1);
}

}  // namespace
}  // namespace terrace::interval_test
