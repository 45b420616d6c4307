// Functions of one variable, of which forces are made.
#pragma once

#include <cmath>
#include <functional>

#include "numerics/gauss_rule.hpp"

namespace terrace {

/// A function of one variable and its first two derivatives, at one argument.
struct Derivatives {
  double value = 0, first = 0, second = 0;
};
using Curve = std::function<Derivatives(double)>;

/// (f(s1) − f(s0)) / (s1 − s0) and its derivative by s1.
struct DifferenceQuotient {
  double value, slope;
};

/// The difference quotient of f between s0 and s1, with all digits even if f hardly changes compared with its
/// size: as long as the quotient and the mean of f′ by Gauss' rule differ by no more than rounding, the mean
/// is returned. Across a kink they differ by more, and the quotient is returned.
template <class Function>
[[nodiscard]] DifferenceQuotient difference_quotient(const Function& f, double s0, double s1) {
  const double change = s1 - s0;
  DifferenceQuotient mean{0, 0};
  for (const auto& [share, weight] : gauss_rule) {
    const Derivatives here = f(s0 + share * change);
    mean.value += weight * here.first;
    mean.slope += weight * share * here.second;
  }
  const Derivatives start = f(s0), end = f(s1);
  // The size whose rounding counts is that of f and that of its argument's effect: f may be a small
  // difference of large terms.
  constexpr double rounding = 0x1p-48;
  const double size =
      std::abs(start.value) + std::abs(end.value) + std::abs(s0 * start.first) + std::abs(s1 * end.first);
  const double gain = end.value - start.value;
  if (std::abs(gain - mean.value * change) <= rounding * size) return mean;
  const double value = gain / change;
  return {value, (end.first - value) / change};
}

}  // namespace terrace
