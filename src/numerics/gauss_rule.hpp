// Gauss' quadrature rule of five points.
#pragma once

#include <array>

namespace terrace {

/// A point of a rule for the mean of a function over an interval.
struct RulePoint {
  double share;   ///< of the interval, from its beginning
  double weight;  ///< the weights add up to 1
};

/// Gives the mean of a function over an interval, exactly for polynomials up to the ninth degree (Abramowitz
/// and Stegun, table 25.4).
inline constexpr std::array<RulePoint, 5> gauss_rule = {
    {{0.5 * (1 - 0.9061798459386640), 0.5 * 0.2369268850561891},
     {0.5 * (1 - 0.5384693101056831), 0.5 * 0.4786286704993665},
     {0.5, 0.5 * 0.5688888888888889},
     {0.5 * (1 + 0.5384693101056831), 0.5 * 0.4786286704993665},
     {0.5 * (1 + 0.9061798459386640), 0.5 * 0.2369268850561891}}};

}  // namespace terrace
