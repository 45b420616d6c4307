// Nodal momenta as integers, so that the total momentum is a sum of integers.
//
// A nodal gradient n_a lies on a power-of-two grid, n_a = N_a g with Σ_a N_a = 0. The multiplier λ is rounded
// to an integer multiple R of quantum / g, so that the impulse λ n_a = R N_a quanta is itself an integer,
// with no rounding at all, and Σ_a R N_a = 0 identically: no residual is left over that some node would have
// to take.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "geometry/vector3.hpp"
#include "numerics/contract.hpp"

namespace terrace {

__extension__ using Integer128 = __int128;
using IntegerMomentum = std::array<Integer128, 3>;

/// As to_double, for integers of any size, by way of the sign and the leading binary digits.
inline double to_double_of_any_size(Integer128 integer) {
  __extension__ using Unsigned128 = unsigned __int128;
  const auto bits = static_cast<Unsigned128>(integer);
  const Unsigned128 size = integer < 0 ? -bits : bits;
  const auto high = static_cast<std::uint64_t>(size >> 64), low = static_cast<std::uint64_t>(size);
  const int length = 128 - (high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low));
  double value;
  if (length <= 63) {
    value = static_cast<double>(static_cast<std::int64_t>(low));
  } else {
    // The 63 leading digits, the last of them set if any digit beyond is: rounds once, in the conversion.
    const int shift = length - 63;
    const auto leading = static_cast<std::int64_t>(size >> shift);
    const bool more = (size & ((Unsigned128{1} << shift) - 1)) != 0;
    value = static_cast<double>(leading | static_cast<std::int64_t>(more)) *
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 + shift) << 52);
  }
  return integer < 0 ? -value : value;
}

/// The nearest double, ties to even, as static_cast<double> gives it. That cast is a call into libgcc, which
/// took a tenth of a step; this function has no branch on sign or size, but for small integers.
inline double to_double(Integer128 integer) {
  constexpr int low_bits = 26, middle_bits = 51;
  const auto high = static_cast<std::int64_t>(integer >> (low_bits + middle_bits));
  // From `small` on, the last digit of `odd` lies at least two places below the last digit of the double.
  constexpr std::int64_t small = 8;
  if (high < small && high >= -small) return to_double_of_any_size(integer);
  constexpr std::int64_t low_mask = (std::int64_t{1} << low_bits) - 1,
                         middle_mask = (std::int64_t{1} << middle_bits) - 1;
  const std::int64_t middle = static_cast<std::int64_t>(integer >> low_bits) & middle_mask,
                     low = static_cast<std::int64_t>(integer) & low_mask;
  // The last digit is set if any digit below is: rounds once, in the sum.
  const std::int64_t odd = middle | static_cast<std::int64_t>(low != 0);
  return static_cast<double>(high) * 0x1p77 + static_cast<double>(odd) * 0x1p26;
}

/// An integer factor mantissa · 2^exponent.
struct IntegerMultiplier {
  std::int64_t mantissa = 0;
  int exponent = 0;

  /// The factor nearest to `ratio`: an integer of 53 significant bits. One that is not finite gives a factor
  /// beyond all ranges.
  static IntegerMultiplier nearest(double ratio) {
    IntegerMultiplier factor;
    const double whole = std::nearbyint(ratio);
    if (whole == 0) return factor;
    constexpr int beyond_all = 2000;
    if (!std::isfinite(whole)) return {1, beyond_all};
    factor.exponent = std::max(0, std::ilogb(whole) - 52);
    factor.mantissa = static_cast<std::int64_t>(std::ldexp(whole, -factor.exponent));
    return factor;
  }
  [[nodiscard]] double value() const { return std::ldexp(static_cast<double>(mantissa), exponent); }
  /// The factor modulo 2^128: a product with it is exact where the true product has 128 bits. The caller
  /// makes sure that the factor is within range; builds without assertions give 0 for one that is beyond.
  __extension__ using Unsigned128 = unsigned __int128;
  [[nodiscard]] Unsigned128 whole() const {
    TERRACE_ASSERT(exponent >= 0 && exponent < 127, mantissa, exponent);
    if (exponent >= 128) return 0;
    return static_cast<Unsigned128>(static_cast<Integer128>(mantissa)) << exponent;
  }
  /// whole · multiple modulo 2^128, with `whole` from whole().
  [[nodiscard]] static Integer128 product(Unsigned128 whole, std::int64_t multiple) {
    return static_cast<Integer128>(whole * static_cast<Unsigned128>(static_cast<Integer128>(multiple)));
  }
  [[nodiscard]] Integer128 times(std::int64_t multiple) const { return product(whole(), multiple); }
};

/// The momentum quantum [kg m/s], a power of two, such that momenta up to `largest` have at most 2^110
/// quanta: 128 bits leave room for larger ones, and λ keeps all digits of a double for every impulse above
/// 2^−58 · largest.
inline double momentum_quantum(double largest) { return std::ldexp(1.0, std::ilogb(largest) + 1 - 110); }

/// Upper bound on the largest momentum that `quantum` was chosen for, at most twice that [kg m/s].
inline double largest_momentum(double quantum) { return std::ldexp(quantum, 110); }

inline Vector3 to_momentum(const IntegerMomentum& quanta, double quantum) {
  return {to_double(quanta[0]) * quantum, to_double(quanta[1]) * quantum, to_double(quanta[2]) * quantum};
}

}  // namespace terrace
