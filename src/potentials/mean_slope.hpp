// Difference quotients of energies of one variable, to full precision also where the two ends are close.
#pragma once

#include <algorithm>
#include <cmath>

#include "numerics/gauss_rule.hpp"

namespace terrace {

/// (V(to) − V(from)) / (to − from) and its derivative with respect to `to`.
struct MeanSlope {
  double value = 0, change = 0;
};

/// The mean slope of V between `from` and `to`. law.at(x) gives {value, first, second}: V, V′ and V″ at x.
/// `smooth`: V has all its derivatives between the ends. Then, if the ends are close, the mean of V′ by
/// Gauss' rule of five points replaces the quotient, in which digits would cancel.
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
