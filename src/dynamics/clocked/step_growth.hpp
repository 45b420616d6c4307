// Lengths of steps of clocked energy-stepping, as numbers of few binary digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace terrace {

/// Binary digits of a step beyond its first.
constexpr int step_bits = 12;

/// `step` rounded down to bits + 1 binary digits, so that it is a whole number of ticks for any length of a
/// tick.
[[nodiscard]] inline double rounded_down(double step, int bits) {
  const double unit = std::ldexp(1.0, std::ilogb(step) - bits);
  return std::floor(step / unit) * unit;
}

/// The next longer step [ticks]. A young clock's doubles; others grow by √2, so that an unstable step shows
/// while its error is still small. The result has step_bits + 1 binary digits, like `step`, and so is the
/// same time whatever the length of a tick, which depends on other terraces.
[[nodiscard]] inline std::int64_t longer_step(std::int64_t step, bool young) {
  const double longer = (young ? 2 : std::numbers::sqrt2) * static_cast<double>(step);
  return std::max(step + 1, static_cast<std::int64_t>(rounded_down(longer, step_bits)));
}

}  // namespace terrace
