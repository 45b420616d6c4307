// A cubic polynomial.
#pragma once

#include <array>

namespace terrace {

/// a0 + a1 s + a2 s² + a3 s³.
struct Cubic {
  std::array<double, 4> a{};
  [[nodiscard]] double operator()(double s) const { return a[0] + s * (a[1] + s * (a[2] + s * a[3])); }
  [[nodiscard]] double slope(double s) const { return a[1] + s * (2 * a[2] + s * 3 * a[3]); }
};

}  // namespace terrace
