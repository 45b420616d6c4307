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

/// The places where the slope is 0, ascending; infinite for each that does not exist. `discriminant`: a2² − 3
/// a1 a3, whose rounding is the caller's choice.
[[nodiscard]] inline std::array<double, 2> turning_points(const Cubic& f, double discriminant) {
  constexpr double none = infinity;
  if (!(discriminant > 0)) return {none, none};  // a double root is no turning point
  const double a = 3 * f.a[3], q = -(f.a[2] + std::copysign(std::sqrt(discriminant), f.a[2]));
  // For a parabola q/a overflows to ±∞: it has only one turning point.
  std::array<double, 2> at = {a != 0 ? q / a : none, q != 0 ? f.a[1] / q : none};
  if (at[0] > at[1]) std::swap(at[0], at[1]);
  return at;
}

/// An interval on which a cubic is monotone.
struct MonotoneStretch {
  double low, high;
};

/// The first stretch of [from, to], between places in `turning`, at whose end f has a value that is
/// `reached`; nothing if there is none. `turning`: the turning points of f, ascending. The value at `from`
/// must not be reached. A cubic is monotone between its turning points, so that this stretch holds the first
/// place with a value that is reached.
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
