// Difference quotients of energies of one distance, with all digits also where the ends are near each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

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
  constexpr std::array<double, 5> place = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                           0.9061798459386640},
                                  weight = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                            0.4786286704993665, 0.2369268850561891};
  MeanSlope mean;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const double share = 0.5 * (1 + place[k]);
    const auto here = law.at(from + share * change);
    mean.value += 0.5 * weight[k] * here.first;
    mean.change += 0.5 * weight[k] * share * here.second;
  }
  return mean;
}

}  // namespace terrace
