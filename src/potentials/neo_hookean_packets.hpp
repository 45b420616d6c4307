// Packets of elements, and how they read and load nodes: rows of four doubles (x, y, z, unused) per node.
#pragma once

#include <cstdint>

#include "potentials/simd.hpp"

namespace terrace::neo_hookean {

using simd::Batch;
using simd::BatchVector;
using simd::relative_to_fourth;
using simd::row;
using simd::width;

/// Reference geometry of `width` elements; padding has zero volume and zero gradients.
struct alignas(64) PacketGeometry {
  double shape_gradient[3][3][width];  ///< ∂N_a/∂X_i [1/length] of the first three nodes; the fourth is minus
                                       ///< their sum
  double volume[width];             ///< [length³]
  std::int32_t node_row[4][width];  ///< `row` · compact node number
};

#if XSIMD_WITH_AVX || XSIMD_WITH_AVX512F
/// The vectors of a packet as one row (x, y, z, 0) per element.
struct Rows {
  __m256d of_lane[width];
  explicit Rows(const BatchVector& v) {
#if XSIMD_WITH_AVX512F
    const __m512d zero = _mm512_setzero_pd();
    const __m512d xy0 = _mm512_unpacklo_pd(v.x, v.y), xy1 = _mm512_unpackhi_pd(v.x, v.y);
    const __m512d z0 = _mm512_unpacklo_pd(v.z, zero), z1 = _mm512_unpackhi_pd(v.z, zero);
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d pair[4] = {_mm512_permutex2var_pd(xy0, low, z0), _mm512_permutex2var_pd(xy1, low, z1),
                             _mm512_permutex2var_pd(xy0, high, z0), _mm512_permutex2var_pd(xy1, high, z1)};
    for (int lane = 0; lane < 4; ++lane) {
      of_lane[lane] = _mm512_castpd512_pd256(pair[lane]);
      of_lane[lane + 4] = _mm512_extractf64x4_pd(pair[lane], 1);
    }
#else
    const __m256d zero = _mm256_setzero_pd();
    const __m256d xy0 = _mm256_unpacklo_pd(v.x, v.y), xy1 = _mm256_unpackhi_pd(v.x, v.y);
    const __m256d z0 = _mm256_unpacklo_pd(v.z, zero), z1 = _mm256_unpackhi_pd(v.z, zero);
    of_lane[0] = _mm256_permute2f128_pd(xy0, z0, 0x20);
    of_lane[1] = _mm256_permute2f128_pd(xy1, z1, 0x20);
    of_lane[2] = _mm256_permute2f128_pd(xy0, z0, 0x31);
    of_lane[3] = _mm256_permute2f128_pd(xy1, z1, 0x31);
#endif
  }
};
#endif

/// Adds `force[a]` to the rows of the first three nodes and minus their sum to the fourth's. Returns the
/// larger of `largest` and the magnitudes of the fourth force.
[[gnu::always_inline]] inline Batch scatter(const BatchVector (&force)[3],
                                            const std::int32_t (&node_row)[4][width], double* values,
                                            const Batch& largest) {
  const BatchVector sum{force[0].x + force[1].x + force[2].x, force[0].y + force[1].y + force[2].y,
                        force[0].z + force[1].z + force[2].z};
#if XSIMD_WITH_AVX || XSIMD_WITH_AVX512F
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const Rows rows(force[a]);
#pragma GCC unroll 8
    for (int lane = 0; lane < width; ++lane) {
      double* node = values + node_row[a][lane];
      _mm256_store_pd(node, _mm256_add_pd(_mm256_load_pd(node), rows.of_lane[lane]));
    }
  }
  const Rows rows(sum);
#pragma GCC unroll 8
  for (int lane = 0; lane < width; ++lane) {
    double* node = values + node_row[3][lane];
    _mm256_store_pd(node, _mm256_sub_pd(_mm256_load_pd(node), rows.of_lane[lane]));
  }
#else
  const auto add = [&](const BatchVector& v, int a, double sign) {
    alignas(64) double component[3][width];
    v.x.store_aligned(component[0]);
    v.y.store_aligned(component[1]);
    v.z.store_aligned(component[2]);
#pragma GCC unroll 8
    for (int lane = 0; lane < width; ++lane)
      for (int i = 0; i < 3; ++i) values[node_row[a][lane] + i] += sign * component[i][lane];
  };
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) add(force[a], a, 1.0);
  add(sum, 3, -1.0);
#endif
  return xsimd::max(largest, xsimd::max(xsimd::abs(sum.x), xsimd::max(xsimd::abs(sum.y), xsimd::abs(sum.z))));
}

}  // namespace terrace::neo_hookean
