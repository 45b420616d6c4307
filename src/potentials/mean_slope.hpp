// Difference quotients of energies of one distance, with all digits also where the ends are near each other.
#pragma once

#include <algorithm>
#include <cmath>

#include "numerics/gauss_rule.hpp"

namespace terrace {

/// (V(to) − V(from)) / (to − from) and its derivative by `to`.
struct MeanSlope {
  double value = 0, change = 0;
};

/// Of a law with `at(x)` → {value, first, second}. `smooth`: V has all its derivatives between the ends;
/// there the mean of the slope, by Gauss' rule of five points, takes the quotient's place if the ends are
/// near each other.
template <class Law>
[[nodiscard]] MeanSlope mean_slope(const Law& law, double from, double to, bool smooth) {
  constexpr double near = 0.05;
  const double change = to - from;
  if (change == 0) {
    const auto here = law.at(to);
    return {here.first, 0.5 * here.second};
  }
  if (!smooth || std::abs(change) > near * std::min(std::abs(from), std::abs(to))) {
    const auto first = law.at(from), last = law.at(to);
    const double quotient = (last.value - first.value) / change;
    return {quotient, (last.first - quotient) / change};
  }
  MeanSlope mean;
  for (const auto& [share, weight] : gauss_rule) {
    const auto here = law.at(from + share * change);
    mean.value += weight * here.first;
    mean.change += weight * share * here.second;
  }
  return mean;
}

}  // namespace terrace
