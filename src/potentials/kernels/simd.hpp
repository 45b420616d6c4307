// The vector operations of one level of the processor that the kernels of elements and of contact need. Only
// for the translation unit that is compiled once per level. Everything lies in a namespace of the level, and
// nothing of the standard library is called: else the linker might take one level's copy of an inline
// function for all levels. All operations are defined to the bit, by IEEE 754 or on the bits themselves, so
// that every level gives the same results.
#pragma once

#ifndef TERRACE_LEVEL
#error "only for packet_kernels_of_level.cpp"
#endif

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "potentials/kernels/packets.hpp"

namespace terrace::TERRACE_LEVEL {

using simd::row;
using simd::width;
using Batch = xsimd::batch<double>;
using Mask = xsimd::batch_bool<double>;
using xsimd::select;
inline constexpr int lanes = static_cast<int>(Batch::size);  ///< how many of `width` are handled at once
static_assert(width % lanes == 0);

/// x y + z and x y − z, rounded twice: not every level can do it with one rounding.
[[gnu::always_inline]] inline Batch multiply_add(const Batch& x, const Batch& y, const Batch& z) {
  return x * y + z;
}
[[gnu::always_inline]] inline Batch multiply_subtract(const Batch& x, const Batch& y, const Batch& z) {
  return x * y - z;
}

/// −x, with −0 for 0 (xsimd's own minus gives 0 with AVX-512).
[[gnu::always_inline]] inline Batch negative(const Batch& x) { return Batch(-0.0) - x; }

/// a ≠ b, true also where one is NaN (xsimd's own != is so with SSE2 alone).
[[gnu::always_inline]] inline Mask differ(const Batch& a, const Batch& b) { return !(a == b); }

/// a > b ? a : b; hence b where one is NaN and where both are zero.
[[gnu::always_inline]] inline Batch maximum(const Batch& a, const Batch& b) {
#if XSIMD_WITH_SSE2
  return xsimd::max(a, b);
#else
  return select(a > b, a, b);
#endif
}
/// a < b ? a : b.
[[gnu::always_inline]] inline Batch minimum(const Batch& a, const Batch& b) {
#if XSIMD_WITH_SSE2
  return xsimd::min(a, b);
#else
  return select(a < b, a, b);
#endif
}

struct BatchVector {
  Batch x, y, z;
};

/// The vectors at node `a` minus those at the fourth node, for the elements from lane `first` on. `node_row`:
/// as in PacketGeometry.
[[gnu::always_inline]] inline BatchVector relative_to_fourth(const double* values,
                                                             const std::int32_t (&node_row)[4][width], int a,
                                                             int first) {
  const std::int32_t* near = node_row[a] + first;
  const std::int32_t* far = node_row[3] + first;
#if XSIMD_WITH_AVX512F
  const auto difference = [&](int lane) {
    const auto wide = [&](const std::int32_t* node) {
      return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(values + node[lane])),
                                _mm256_load_pd(values + node[lane + 4]), 1);
    };
    return _mm512_sub_pd(wide(near), wide(far));
  };
  const __m512d r0 = difference(0), r1 = difference(1), r2 = difference(2), r3 = difference(3);
  const __m512d x0z0 = _mm512_unpacklo_pd(r0, r1), y0 = _mm512_unpackhi_pd(r0, r1);
  const __m512d x2z2 = _mm512_unpacklo_pd(r2, r3), y2 = _mm512_unpackhi_pd(r2, r3);
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  return {Batch(_mm512_permutex2var_pd(x0z0, low, x2z2)), Batch(_mm512_permutex2var_pd(y0, low, y2)),
          Batch(_mm512_permutex2var_pd(x0z0, high, x2z2))};
#elif XSIMD_WITH_AVX
  const auto difference = [&](int lane) {
    return _mm256_sub_pd(_mm256_load_pd(values + near[lane]), _mm256_load_pd(values + far[lane]));
  };
  const __m256d r0 = difference(0), r1 = difference(1), r2 = difference(2), r3 = difference(3);
  const __m256d x0z0 = _mm256_unpacklo_pd(r0, r1), y0 = _mm256_unpackhi_pd(r0, r1);
  const __m256d x2z2 = _mm256_unpacklo_pd(r2, r3), y2 = _mm256_unpackhi_pd(r2, r3);
  return {Batch(_mm256_permute2f128_pd(x0z0, x2z2, 0x20)), Batch(_mm256_permute2f128_pd(y0, y2, 0x20)),
          Batch(_mm256_permute2f128_pd(x0z0, x2z2, 0x31))};
#elif XSIMD_WITH_SSE2
  const auto difference = [&](int lane, int component) {
    return _mm_sub_pd(_mm_load_pd(values + near[lane] + component),
                      _mm_load_pd(values + far[lane] + component));
  };
  const __m128d xy0 = difference(0, 0), xy1 = difference(1, 0), z0 = difference(0, 2), z1 = difference(1, 2);
  return {Batch(_mm_unpacklo_pd(xy0, xy1)), Batch(_mm_unpackhi_pd(xy0, xy1)), Batch(_mm_unpacklo_pd(z0, z1))};
#else
  alignas(64) double x[lanes], y[lanes], z[lanes];
#pragma GCC unroll 8
  for (int lane = 0; lane < lanes; ++lane) {
    x[lane] = values[near[lane]] - values[far[lane]];
    y[lane] = values[near[lane] + 1] - values[far[lane] + 1];
    z[lane] = values[near[lane] + 2] - values[far[lane] + 2];
  }
  return {Batch::load_aligned(x), Batch::load_aligned(y), Batch::load_aligned(z)};
#endif
}

[[gnu::always_inline]] inline Batch load(const double* values) { return Batch::load_aligned(values); }

/// The larger of `largest` and |x|. NaN in x is passed over, so that the result does not depend on the order.
[[gnu::always_inline]] inline Batch larger(const Batch& largest, const Batch& x) {
  return maximum(xsimd::abs(x), largest);
}

[[gnu::always_inline]] inline double sum_of_lanes(const Batch& x) {
  alignas(64) double lane[lanes];
  x.store_aligned(lane);
  double sum = 0;
  for (const double value : lane) sum += value;
  return sum;
}

/// Raises `largest` to the largest lane.
[[gnu::always_inline]] inline void raise_to_lanes(double& largest, const Batch& x) {
  alignas(64) double lane[lanes];
  x.store_aligned(lane);
  for (const double value : lane)
    if (value > largest) largest = value;
}

/// ln J and (J − 1) − ln J, both to a few units in the last place, from j = J − 1 > −1.
struct Logarithm {
  Batch value;
  Batch excess;
};

/// Splits 1 + j = 2^k (1 + f) with 1 + f in [√½, √2) and uses the series of fdlibm's log1p in f/(2 + f).
/// `jacobian` = 1 + j, `inverse` = 1/(1 + j). NaN and ∞ give NaN.
[[gnu::always_inline]] inline Logarithm logarithm(const Batch& j, const Batch& jacobian,
                                                  const Batch& inverse) {
  using Bits = xsimd::batch<std::uint64_t>;
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd,
                          two_to_52 = 0x4330000000000000;
  const Bits shifted = xsimd::bitwise_cast<Bits>(jacobian) + Bits(one - root_half);
  const Batch exponent =
      xsimd::bitwise_cast<Batch>((shifted >> 52) | Bits(two_to_52)) - Batch(4503599627370496.0 + 1023.0);
  const Batch mantissa = xsimd::bitwise_cast<Batch>((shifted & Bits(0x000fffffffffffff)) + Bits(root_half));

  // Near 1 the digits of j that 1 + j has lost still count: f is j itself there. Elsewhere what was lost,
  // divided by J, is added to the logarithm.
  const auto near_one = exponent == Batch(0.0);
  const Batch f = select(near_one, j, mantissa - Batch(1.0));
  const Batch lost = select(near_one, Batch(0.0), (j - (jacobian - Batch(1.0))) * inverse);

  const Batch s = f / (Batch(2.0) + f);
  const Batch z = s * s, w = z * z;
  const Batch even =
      w * multiply_add(w, multiply_add(w, Batch(1.531383769920937332e-01), Batch(2.222219843214978396e-01)),
                       Batch(3.999999999940941908e-01));
  const Batch odd =
      z *
      multiply_add(
          w,
          multiply_add(w, multiply_add(w, Batch(1.479819860511658591e-01), Batch(1.818357216161805012e-01)),
                       Batch(2.857142874366239149e-01)),
          Batch(6.666666666666735130e-01));
  const Batch half_square = Batch(0.5) * f * f;
  const Batch f_excess = half_square - s * (half_square + (even + odd));  // f − ln(1 + f)
  const Batch high = exponent * Batch(6.93147180369123816490e-01);
  const Batch low = multiply_add(exponent, Batch(1.90821492927058770002e-10), lost);
  return {high + (f - (f_excess - low)), f_excess + (((j - f) - high) - low)};
}

}  // namespace terrace::TERRACE_LEVEL
