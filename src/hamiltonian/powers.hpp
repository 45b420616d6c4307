// Powers and the arc tangent, from elementary functions that have the same bits everywhere.
#pragma once

#include <cmath>

#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// x^a of x ≥ 0; infinite for x = 0 and a < 0. Exponents that are used often need no logarithm.
[[nodiscard]] inline double power(double x, double a) {
  if (a == 0) return 1;
  if (a == 1) return x;
  if (a == 0.5) return std::sqrt(x);
  if (a == -0.5) return 1 / std::sqrt(x);
  if (a == 1.5) return x * std::sqrt(x);
  if (a == -1.5) return 1 / (x * std::sqrt(x));
  if (!(x > 0)) return a > 0 ? 0 : infinity;
  return numerics::exp(a * numerics::log(x));
}

/// The arc tangent, in (−π/2, π/2).
[[nodiscard]] inline double arc_tangent(double x) {
  return std::copysign(numerics::angle(std::abs(x), 1), x);
}

inline constexpr double pi = 3.14159265358979323846;

}  // namespace terrace
