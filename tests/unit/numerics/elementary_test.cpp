#include "numerics/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numerics/infinity.hpp"

namespace terrace::elementary_test {
namespace {

constexpr std::uint64_t seed = 20;

/// The largest error of `function`, in units in the last place of `exact`, which computes in extended
/// precision. |x| is random, its binary logarithm even in [low, high); with `both_signs` every other x is
/// negative.
template <class Function, class Exact>
double largest_error(Function function, Exact exact, double low, double high, bool both_signs) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(low, high);
  double largest = 0;
  for (int k = 0; k < 20000; ++k) {
    const double x = std::exp2(exponent(random)) * (both_signs && k % 2 == 1 ? -1 : 1);
    const long double wanted = exact(static_cast<long double>(x));
    const auto nearest = static_cast<double>(wanted);
    const double unit = std::nextafter(std::abs(nearest), infinity) - std::abs(nearest);
    const auto error = static_cast<double>(std::abs((static_cast<long double>(function(x)) - wanted) / unit));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

TEST(Elementary, LogarithmWithinOneUnit) {
  const auto exact = [](long double x) { return std::log(x); };
  EXPECT_LT(largest_error(numerics::log, exact, -1074, 1024, false), 1);
  EXPECT_LT(largest_error(numerics::log, exact, -2, 2, false), 1);
  EXPECT_LT(largest_error(numerics::log, exact, -1e-6, 1e-6, false), 1);
  EXPECT_EQ(numerics::log(1), 0);
  EXPECT_EQ(numerics::log(0), -infinity);
  EXPECT_EQ(numerics::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(numerics::log(-1)));
  EXPECT_TRUE(std::isnan(numerics::log(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Elementary, LogarithmOfOnePlusXWithinOneUnit) {
  const auto exact = [](long double x) { return std::log1p(x); };
  EXPECT_LT(largest_error(numerics::log1p, exact, -60, -0.001, true), 1);
  EXPECT_LT(largest_error(numerics::log1p, exact, -5, 100, false), 1);
  EXPECT_LT(largest_error(numerics::log1p, exact, -1074, -50, true), 1);
  EXPECT_LT(largest_error(numerics::log1p, exact, 100, 1024, false), 1);
  EXPECT_EQ(numerics::log1p(-1), -infinity);
  EXPECT_TRUE(std::isnan(numerics::log1p(-1.5)));
}

TEST(Elementary, ExcessOfXOverItsLogarithmAndOfArtanhOverX) {
  const auto exact = [](long double x) { return x - std::log1p(x); };
  EXPECT_LT(largest_error(numerics::log1p_excess, exact, -6, -0.001, true), 10);
  EXPECT_LT(largest_error(numerics::log1p_excess, exact, -5, 100, false), 10);
  const auto series = [](long double x) { return x * x * (0.5L - x * (1 / 3.0L - x * (0.25L - x / 5))); };
  EXPECT_LT(largest_error(numerics::log1p_excess, series, -500, -16, true), 10);
  EXPECT_EQ(numerics::log1p_excess(0), 0);
  EXPECT_EQ(numerics::log1p_excess(-1), infinity);
  EXPECT_EQ(numerics::log1p_excess(infinity), infinity);
  EXPECT_TRUE(std::isnan(numerics::log1p_excess(-1.5)));
  const auto of_artanh = [](long double x) { return std::atanh(x) - x; };
  EXPECT_LT(largest_error(numerics::artanh_excess, of_artanh, -4, -0.001, true), 180);
  const auto cube = [](long double x) { return x * x * x * (1 / 3.0L + x * x * (0.2L + x * x / 7)); };
  EXPECT_LT(largest_error(numerics::artanh_excess, cube, -300, -9, true), 180);
  EXPECT_EQ(numerics::artanh_excess(0), 0);
  for (const double x : {1.0, -1.0, 2.0, infinity, std::nan("")})
    EXPECT_TRUE(std::isnan(numerics::artanh_excess(x))) << x;
}

TEST(Elementary, RootsWithinOneUnit) {
  const auto third = [](long double x) { return std::cbrt(x); };
  const auto fifth = [](long double x) { return std::copysign(std::pow(std::abs(x), 0.2L), x); };
  EXPECT_LT(largest_error(numerics::cube_root, third, -1074, 1024, true), 1);
  EXPECT_LT(largest_error(numerics::fifth_root, fifth, -1074, 1024, true), 1);
  for (double k = -40; k <= 40; ++k) {
    EXPECT_EQ(numerics::cube_root(k * k * k), k);
    EXPECT_EQ(numerics::fifth_root(k * k * k * k * k), k);
  }
  EXPECT_EQ(numerics::cube_root(infinity), infinity);
}

TEST(Elementary, SineAndCosineWithinOneUnit) {
  const auto sine = [](long double x) { return std::sin(x); };
  const auto cosine = [](long double x) { return std::cos(x); };
  for (const double most : {3.0, 19.9}) {
    EXPECT_LT(largest_error(numerics::sine, sine, -30, most, true), 1);
    EXPECT_LT(largest_error(numerics::cosine, cosine, -30, most, true), 1);
  }
  // The doubles nearest to multiples of π/2: all digits come from the reduction.
  for (const double quarters : {1.0, 2.0, 3.0, 4.0, 5.0, 1000.0, 500001.0}) {
    const double x = quarters * 1.57079632679489661923;
    const auto s = static_cast<double>(std::sin(static_cast<long double>(x)));
    const auto c = static_cast<double>(std::cos(static_cast<long double>(x)));
    EXPECT_NEAR(numerics::sine(x), s, 4e-16 * std::abs(s)) << quarters;
    EXPECT_NEAR(numerics::cosine(x), c, 4e-16 * std::abs(c)) << quarters;
  }
  EXPECT_EQ(numerics::sine(0), 0);
  EXPECT_EQ(numerics::cosine(0), 1);
  EXPECT_NEAR(numerics::sine(1e10), std::sin(1e10), 1e-5);
}

TEST(Elementary, AnglesWithinTwoUnits) {
  for (const double x : {1.0, 0.3, -1.0, -7.0}) {
    const auto angle = [x](double y) { return numerics::angle(y, x); };
    const auto exact = [x](long double y) { return std::atan2(y, static_cast<long double>(x)); };
    EXPECT_LT(largest_error(angle, exact, -40, 40, false), 2) << x;
    EXPECT_LT(largest_error(angle, exact, -3, 4, false), 2) << x;
  }
  EXPECT_EQ(numerics::angle(0, 2), 0);
  EXPECT_EQ(numerics::angle(0, -2), std::acos(-1.0));
  EXPECT_EQ(numerics::angle(2, 0), std::asin(1.0));
  EXPECT_EQ(numerics::angle(1, 1), std::atan(1.0));
}

TEST(Elementary, ArcCosine) {
  for (double x = -1; x <= 1; x += 1.0 / 1024)
    EXPECT_NEAR(numerics::arc_cosine(x), std::acos(x), 6.7e-16) << x;
}

}  // namespace
}  // namespace terrace::elementary_test
