// Steps of clocked energy-stepping as numbers of few digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace terrace {

/// Binary digits of a step beyond its first.
constexpr int step_bits = 12;

/// Rounded down to so many digits, so that it is a whole number of ticks whatever these are.
[[nodiscard]] inline double rounded_down(double step, int bits) {
  const double unit = std::ldexp(1.0, std::ilogb(step) - bits);
  return std::floor(step / unit) * unit;
}

/// The step [ticks] after one that may be longer: a young clock's doubles, others grow by √2, so that a step
/// beyond what is stable is known while its error is still small. The same time whatever a tick is, as others
/// decide on that: of a step of step_bits + 1 digits that many.
[[nodiscard]] inline std::int64_t longer_step(std::int64_t step, bool young) {
  const double longer = (young ? 2 : std::numbers::sqrt2) * static_cast<double>(step);
  return std::max(step + 1, static_cast<std::int64_t>(rounded_down(longer, step_bits)));
}

}  // namespace terrace
