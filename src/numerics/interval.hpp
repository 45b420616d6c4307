// Intervals of real numbers whose ends are rounded outwards: what certificates are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace terrace {

/// All real numbers from `low` to `high`; ends may be infinite. Every operation gives an interval that holds
/// all results for all members of its operands: an operation of IEEE 754 is off by at most half a unit in the
/// last place, and each end is moved by a whole one. Where there is no bound the result is (−∞, ∞).
struct Interval {
  double low = 0, high = 0;

  constexpr Interval() = default;
  constexpr Interval(double x) : low(x), high(x) {}  // NOLINT: numbers are intervals
  constexpr Interval(double from, double to) : low(from), high(to) {}
  [[nodiscard]] static Interval everything() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  /// From rounded ends; a NaN says nothing.
  [[nodiscard]] static Interval outwards(double low, double high) {
    constexpr double unit = std::numeric_limits<double>::epsilon(),
                     least = 2 * std::numeric_limits<double>::denorm_min();
    if (!(low <= high)) return everything();
    return {low - (std::abs(low) * unit + least), high + (std::abs(high) * unit + least)};
  }
  [[nodiscard]] double largest() const { return std::max(std::abs(low), std::abs(high)); }
  [[nodiscard]] bool is_finite() const { return std::isfinite(low) && std::isfinite(high); }
  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
};

/// The least interval that holds both.
[[nodiscard]] inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
[[nodiscard]] inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
[[nodiscard]] inline Interval operator+(const Interval& a, const Interval& b) {
  return Interval::outwards(a.low + b.low, a.high + b.high);
}
[[nodiscard]] inline Interval operator-(const Interval& a, const Interval& b) {
  return Interval::outwards(a.low - b.high, a.high - b.low);
}
[[nodiscard]] inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  if (std::isnan(p + q + r + s)) {  // 0 · ∞, or ∞ − ∞ of the sum
    const bool zero = (a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0);
    return zero ? Interval() : Interval::everything();
  }
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
/// Never negative, as a · a may be.
[[nodiscard]] inline Interval square(const Interval& a) {
  const double most = a.largest(), least = a.contains(0) ? 0 : std::min(std::abs(a.low), std::abs(a.high));
  const Interval result = Interval::outwards(least * least, most * most);
  return {std::max(result.low, 0.0), result.high};
}
[[nodiscard]] inline double square(double x) { return x * x; }

/// a^n of a whole n ≥ 0, by squaring.
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
