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

struct BatchVector {
  Batch x, y, z;
};

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
