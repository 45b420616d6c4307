// Intervals of real numbers whose ends are rounded outwards: what certificates are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// All real numbers from `low` to `high`; ends may be infinite. The result of every operation holds all
/// results for all members of its operands: an operation of IEEE 754 is off by at most half a unit in the
/// last place, and each end is moved outwards by a whole one. Where there is no bound the result is (−∞, ∞).
struct Interval {
  double low = 0, high = 0;

  constexpr Interval() = default;
  constexpr Interval(double x) : low(x), high(x) {}  // NOLINT: numbers are intervals
  constexpr Interval(double from, double to) : low(from), high(to) {}
  [[nodiscard]] static Interval everything() { return {-infinity, infinity}; }
  /// The interval between rounded ends, which are moved outwards; everything if an end is NaN.
  [[nodiscard]] static Interval outwards(double low, double high) {
    constexpr double unit = std::numeric_limits<double>::epsilon(),
                     least = 2 * std::numeric_limits<double>::denorm_min();
    if (!(low <= high) || low == infinity || high == -infinity) return everything();
    return {low - (std::abs(low) * unit + least), high + (std::abs(high) * unit + least)};
  }
  [[nodiscard]] double largest() const { return std::max(std::abs(low), std::abs(high)); }
  [[nodiscard]] bool is_finite() const { return std::isfinite(low) && std::isfinite(high); }
  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
};

/// Whether x is finite, of full precision and not 0.
[[nodiscard]] inline bool is_normal(double x) { return std::isnormal(x); }
[[nodiscard]] inline bool is_normal(const Interval& x) {
  return std::isnormal(x.low) && std::isnormal(x.high) && !x.contains(0);
}

/// The least interval that holds both.
[[nodiscard]] inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
[[nodiscard]] inline bool is_zero(const Interval& a) { return a.low == 0 && a.high == 0; }
[[nodiscard]] inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
// If an operand is 0 nothing is rounded: what does not change at all has a bound of 0.
[[nodiscard]] inline Interval operator+(const Interval& a, const Interval& b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  return Interval::outwards(a.low + b.low, a.high + b.high);
}
[[nodiscard]] inline Interval operator-(const Interval& a, const Interval& b) {
  if (is_zero(b)) return a;
  return Interval::outwards(a.low - b.high, a.high - b.low);
}
[[nodiscard]] inline Interval operator*(const Interval& a, const Interval& b) {
  if (is_zero(a) || is_zero(b)) return {};
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  if (std::isnan(p + q + r + s)) return Interval::everything();  // 0 · ∞, or ∞ − ∞ of the sum
  return Interval::outwards(std::min({p, q, r, s}), std::max({p, q, r, s}));
}
[[nodiscard]] inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0)) return Interval::everything();
  return a * Interval::outwards(1 / b.high, 1 / b.low);
}
[[nodiscard]] inline Interval sqrt(const Interval& a) {
  if (!(a.high >= 0)) return Interval::everything();
  const Interval root = Interval::outwards(std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high));
  return {std::max(root.low, 0.0), root.high};
}
/// The square. It is never negative, as a · a may be.
[[nodiscard]] inline Interval square(const Interval& a) {
  const double most = a.largest(), least = a.contains(0) ? 0 : std::min(std::abs(a.low), std::abs(a.high));
  if (most == 0) return {};
  const Interval result = Interval::outwards(least * least, most * most);
  return {std::max(result.low, 0.0), result.high};
}
[[nodiscard]] inline double square(double x) { return x * x; }

/// An enclosure from values of functions that are within two units in the last place.
[[nodiscard]] inline Interval around(double low, double high) {
  constexpr double rounding = 0x1p-50, least = 0x1p-1021;
  return Interval::outwards(low - (std::abs(low) * rounding + least),
                            high + (std::abs(high) * rounding + least));
}
[[nodiscard]] inline Interval exponential(const Interval& a) {
  const Interval result = around(numerics::exp(a.low), numerics::exp(a.high));
  return {std::max(result.low, 0.0), result.high};
}
[[nodiscard]] inline Interval logarithm(const Interval& a) {
  return a.low > 0 ? around(numerics::log(a.low), numerics::log(a.high)) : Interval::everything();
}
/// More than the rounding error of the middle of an interval of numbers up to 10⁶, where the sine is taken.
constexpr double middle_rounding = 0x1p-31;
/// An enclosure of the sine or cosine over an interval by its value at the middle: the slope is at most 1.
[[nodiscard]] inline Interval within_unit_slope(double at_middle, double half_width) {
  const Interval result = around(at_middle - half_width, at_middle + half_width);
  return {std::max(result.low, -1.0), std::min(result.high, 1.0)};
}
[[nodiscard]] inline Interval sine(const Interval& a) {
  if (!(a.largest() < 1e6)) return {-1, 1};
  return within_unit_slope(numerics::sine(0.5 * (a.low + a.high)), 0.5 * (a.high - a.low) + middle_rounding);
}
[[nodiscard]] inline Interval cosine(const Interval& a) {
  if (!(a.largest() < 1e6)) return {-1, 1};
  return within_unit_slope(numerics::cosine(0.5 * (a.low + a.high)),
                           0.5 * (a.high - a.low) + middle_rounding);
}
[[nodiscard]] inline double exponential(double x) { return numerics::exp(x); }
[[nodiscard]] inline double logarithm(double x) { return numerics::log(x); }
[[nodiscard]] inline double sine(double x) { return numerics::sine(x); }
[[nodiscard]] inline double cosine(double x) { return numerics::cosine(x); }

/// base^exponent for a whole exponent ≥ 0, by squaring.
template <class Real>
[[nodiscard]] Real whole_power(Real base, unsigned exponent) {
  Real result(1.0);
  for (bool first = true; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = first ? base : result * base, first = false;
    if (exponent > 1) base = square(base);
  }
  return result;
}

}  // namespace terrace
