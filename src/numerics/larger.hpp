// The larger of two numbers, of which none may be lost.
#pragma once

#include <cmath>

namespace terrace {

/// NaN where either is: std::max, by which one comes first, may tell of the other.
[[nodiscard]] inline double larger(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

}  // namespace terrace
