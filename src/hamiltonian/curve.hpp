// Functions of one variable that forces are made of.
#pragma once

#include <cmath>
#include <functional>

namespace terrace {

/// A function of one variable and its first two derivatives at a place.
struct Derivatives {
  double value = 0, first = 0, second = 0;
};
using Curve = std::function<Derivatives(double)>;

/// (f(s1) − f(s0)) / (s1 − s0) and its derivative by s1; where both are near by the derivative between them,
/// which is as near as double precision sees.
struct DifferenceQuotient {
  double value, slope;
};

template <class Function>
[[nodiscard]] DifferenceQuotient difference_quotient(const Function& f, double s0, double s1) {
  const double change = s1 - s0;
  if (std::abs(change) <= 1e-5 * (std::abs(s0) + std::abs(s1))) {
    const Derivatives middle = f(0.5 * (s0 + s1));
    return {middle.first, 0.5 * middle.second};
  }
  const Derivatives start = f(s0), end = f(s1);
  const double value = (end.value - start.value) / change;
  return {value, (end.first - value) / change};
}

}  // namespace terrace
