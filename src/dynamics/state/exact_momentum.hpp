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

/// Of any size, by its sign and leading digits.
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
    // The 63 leading digits, the last of them 1 if anything follows: rounded once, in the conversion.
    const int shift = length - 63;
    const auto leading = static_cast<std::int64_t>(size >> shift);
    const bool more = (size & ((Unsigned128{1} << shift) - 1)) != 0;
    value = static_cast<double>(leading | static_cast<std::int64_t>(more)) *
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 + shift) << 52);
  }
  return integer < 0 ? -value : value;
}

/// As static_cast<double>, to the nearest and halves to even, without the call into libgcc that this is, and,
/// for what is not small, without a branch on its sign or size: a tenth of a step was spent there.
inline double to_double(Integer128 integer) {
  constexpr int low_bits = 26, middle_bits = 51;
  const auto high = static_cast<std::int64_t>(integer >> (low_bits + middle_bits));
  // Its last digit stands at least two places behind those of the double.
  constexpr std::int64_t small = 8;
  if (high < small && high >= -small) return to_double_of_any_size(integer);
  constexpr std::int64_t low_mask = (std::int64_t{1} << low_bits) - 1,
                         middle_mask = (std::int64_t{1} << middle_bits) - 1;
  const std::int64_t middle = static_cast<std::int64_t>(integer >> low_bits) & middle_mask,
                     low = static_cast<std::int64_t>(integer) & low_mask;
  // The last digit is 1 if anything follows: rounded once, in the sum.
  const std::int64_t odd = middle | static_cast<std::int64_t>(low != 0);
  return static_cast<double>(high) * 0x1p77 + static_cast<double>(odd) * 0x1p26;
}

/// An integer factor mantissa · 2^exponent.
struct IntegerMultiplier {
  std::int64_t mantissa = 0;
  int exponent = 0;

  /// The factor nearest to `ratio` (rounded to an integer, 53 significant bits).
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
  /// Modulo 2^128, as products of it are that fit again; 0 where it is beyond all.
  __extension__ using Unsigned128 = unsigned __int128;
  [[nodiscard]] Unsigned128 whole() const {
    TERRACE_ASSERT(exponent >= 0 && exponent < 127, mantissa, exponent);
    if (exponent >= 128) return 0;
    return static_cast<Unsigned128>(static_cast<Integer128>(mantissa)) << exponent;
  }
  [[nodiscard]] static Integer128 product(Unsigned128 whole, std::int64_t multiple) {
    return static_cast<Integer128>(whole * static_cast<Unsigned128>(static_cast<Integer128>(multiple)));
  }
  [[nodiscard]] Integer128 times(std::int64_t multiple) const { return product(whole(), multiple); }
};

/// The momentum quantum [kg m/s], a power of two, such that momenta up to `largest` use 2^110 quanta: below
/// 2^126 with room for more, and fine enough that λ keeps all digits of a double for every impulse above
/// 2^−58 · largest.
inline double momentum_quantum(double largest) { return std::ldexp(1.0, std::ilogb(largest) + 1 - 110); }

/// The largest momentum that a quantum was chosen for, or up to twice that.
inline double largest_momentum(double quantum) { return std::ldexp(quantum, 110); }

inline Vector3 to_momentum(const IntegerMomentum& quanta, double quantum) {
  return {to_double(quanta[0]) * quantum, to_double(quanta[1]) * quantum, to_double(quanta[2]) * quantum};
}

}  // namespace terrace
