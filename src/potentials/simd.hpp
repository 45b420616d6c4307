// Packets of doubles and what the kernels of elements and of contact need of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace terrace::simd {

using xsimd::fma;
using Batch = xsimd::batch<double>;
using Mask = xsimd::batch_bool<double>;
inline constexpr int width = static_cast<int>(Batch::size);  ///< lanes: elements or pairs per packet

inline constexpr int row = 4;  ///< doubles per node: x, y, z, unused

struct BatchVector {
  Batch x, y, z;
};

/// Values of node `a` minus those of the fourth node, of every element of a packet.
[[gnu::always_inline]] inline BatchVector relative_to_fourth(const double* values,
                                                             const std::int32_t (&node_row)[4][width],
                                                             int a) {
  const std::int32_t* near = node_row[a];
  const std::int32_t* far = node_row[3];
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
#else
  alignas(64) double x[width], y[width], z[width];
#pragma GCC unroll 8
  for (int lane = 0; lane < width; ++lane) {
    x[lane] = values[near[lane]] - values[far[lane]];
    y[lane] = values[near[lane] + 1] - values[far[lane] + 1];
    z[lane] = values[near[lane] + 2] - values[far[lane] + 2];
  }
  return {Batch::load_aligned(x), Batch::load_aligned(y), Batch::load_aligned(z)};
#endif
}

[[gnu::always_inline]] inline Batch load(const double* lanes) { return Batch::load_aligned(lanes); }

[[gnu::always_inline]] inline Batch larger(const Batch& largest, const Batch& x) {
  return xsimd::max(largest, xsimd::abs(x));
}

inline double sum_of_lanes(const Batch& x) {
  alignas(64) double lane[width];
  x.store_aligned(lane);
  double sum = 0;
  for (const double value : lane) sum += value;
  return sum;
}

inline double largest_lane(const Batch& x) {
  alignas(64) double lane[width];
  x.store_aligned(lane);
  return *std::max_element(lane, lane + width);
}

/// ln J and (J − 1) − ln J, both to a few units in the last place, from j = J − 1 > −1.
struct Logarithm {
  Batch value;
  Batch excess;
};

/// 1 + j = 2^k (1 + f) with 1 + f in [√½, √2), and the series of fdlibm's log1p in f/(2 + f). `jacobian` = 1
/// + j, `inverse` = 1/(1 + j). NaN and ∞ give NaN.
[[gnu::always_inline]] inline Logarithm logarithm(const Batch& j, const Batch& jacobian,
                                                  const Batch& inverse) {
  using Bits = xsimd::batch<std::uint64_t>;
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd,
                          two_to_52 = 0x4330000000000000;
  const Bits shifted = xsimd::bitwise_cast<Bits>(jacobian) + Bits(one - root_half);
  const Batch exponent =
      xsimd::bitwise_cast<Batch>((shifted >> 52) | Bits(two_to_52)) - Batch(4503599627370496.0 + 1023.0);
  const Batch mantissa = xsimd::bitwise_cast<Batch>((shifted & Bits(0x000fffffffffffff)) + Bits(root_half));

  // Near 1 the digits of j that 1 + j has lost still count: take f = j itself; elsewhere add what was lost,
  // over J.
  const auto near_one = exponent == Batch(0.0);
  const Batch f = xsimd::select(near_one, j, mantissa - Batch(1.0));
  const Batch lost = xsimd::select(near_one, Batch(0.0), (j - (jacobian - Batch(1.0))) * inverse);

  const Batch s = f / (Batch(2.0) + f);
  const Batch z = s * s, w = z * z;
  const Batch even = w * fma(w, fma(w, Batch(1.531383769920937332e-01), Batch(2.222219843214978396e-01)),
                             Batch(3.999999999940941908e-01));
  const Batch odd = z * fma(w,
                            fma(w, fma(w, Batch(1.479819860511658591e-01), Batch(1.818357216161805012e-01)),
                                Batch(2.857142874366239149e-01)),
                            Batch(6.666666666666735130e-01));
  const Batch half_square = Batch(0.5) * f * f;
  const Batch f_excess = half_square - s * (half_square + (even + odd));  // f − ln(1 + f)
  const Batch high = exponent * Batch(6.93147180369123816490e-01);
  const Batch low = fma(exponent, Batch(1.90821492927058770002e-10), lost);
  return {high + (f - (f_excess - low)), f_excess + (((j - f) - high) - low)};
}

}  // namespace terrace::simd
