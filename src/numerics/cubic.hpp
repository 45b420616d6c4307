// A cubic polynomial.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "numerics/infinity.hpp"

namespace terrace {

/// a0 + a1 s + a2 s² + a3 s³.
struct Cubic {
  std::array<double, 4> a{};
  [[nodiscard]] double operator()(double s) const { return a[0] + s * (a[1] + s * (a[2] + s * a[3])); }
  [[nodiscard]] double slope(double s) const { return a[1] + s * (2 * a[2] + s * 3 * a[3]); }
};

/// Where the slope is 0, ascending; +∞ where there is no such place. `discriminant`: a2² − 3 a1 a3, whose
/// rounding is the caller's choice.
[[nodiscard]] inline std::array<double, 2> turning_points(const Cubic& f, double discriminant) {
  constexpr double none = infinity;
  if (!(discriminant > 0)) return {none, none};  // a double one is no turning point
  const double a = 3 * f.a[3], q = -(f.a[2] + std::copysign(std::sqrt(discriminant), f.a[2]));
  // q/a overflows to ±∞ when the cubic is a parabola: then there is one alone.
  std::array<double, 2> at = {a != 0 ? q / a : none, q != 0 ? f.a[1] / q : none};
  if (at[0] > at[1]) std::swap(at[0], at[1]);
  return at;
}

/// Where a cubic is monotone.
struct MonotoneStretch {
  double low, high;
};

/// The first stretch of [from, to] at whose end, `turning` point or `to`, there is a value that is `reached`,
/// as the value at `from` is not. Between its turning points, ascending, a cubic is monotone: this stretch
/// holds the first such place.
template <class Reached>
[[nodiscard]] std::optional<MonotoneStretch> first_stretch(const Cubic& f,
                                                           const std::array<double, 2>& turning, double from,
                                                           double to, Reached reached) {
  double low = from;
  for (const double end : turning) {
    if (!(end > low && end < to)) continue;
    if (reached(f(end))) return MonotoneStretch{low, end};
    low = end;
  }
  if (reached(f(to))) return MonotoneStretch{low, to};
  return std::nullopt;
}

}  // namespace terrace
