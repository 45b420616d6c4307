// The larger of two numbers, where a NaN must not get lost.
#pragma once

#include <cmath>

namespace terrace {

/// The larger of a and b; NaN if either is. std::max may return the other one, depending on their order.
[[nodiscard]] inline double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

}  // namespace terrace
