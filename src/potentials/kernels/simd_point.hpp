// The coordinates of one point, handled at once. Only for the translation unit that is compiled once per
// level (see simd.hpp). The nodes of a surface are scattered in memory, so that packets of several nodes
// would have to be gathered first.
#pragma once

#include "potentials/kernels/simd.hpp"

namespace terrace::TERRACE_LEVEL {

/// x, y, z, and with AVX a fourth number that is never used. With AVX-512 as with AVX: half a batch.
struct Point {
#if XSIMD_WITH_AVX
  __m256d all;
#elif XSIMD_WITH_SSE2
  __m128d xy, z;
#else
  double x[3];
#endif
};

#if XSIMD_WITH_AVX
/// Loads three numbers and reads nothing beyond them.
[[gnu::always_inline]] inline Point point_at(const double* x) {
  return {_mm256_maskload_pd(x, _mm256_setr_epi64x(-1, -1, -1, 0))};
}
/// Loads three numbers; the fourth behind them may be read too.
[[gnu::always_inline]] inline Point row_at(const double* x) { return {_mm256_loadu_pd(x)}; }
[[gnu::always_inline]] inline Point all_of(double x) { return {_mm256_set1_pd(x)}; }
[[gnu::always_inline]] inline Point operator+(Point a, Point b) { return {_mm256_add_pd(a.all, b.all)}; }
[[gnu::always_inline]] inline Point operator-(Point a, Point b) { return {_mm256_sub_pd(a.all, b.all)}; }
[[gnu::always_inline]] inline Point operator*(Point a, Point b) { return {_mm256_mul_pd(a.all, b.all)}; }
/// a < b ? a : b, and a > b ? a : b: b where one is NaN and where both are zero.
[[gnu::always_inline]] inline Point minimum(Point a, Point b) { return {_mm256_min_pd(a.all, b.all)}; }
[[gnu::always_inline]] inline Point maximum(Point a, Point b) { return {_mm256_max_pd(a.all, b.all)}; }
/// Whether any coordinate of `a` is less than that of `b`, or any of `c` less than that of `d`.
[[gnu::always_inline]] inline bool any_less(Point a, Point b, Point c, Point d) {
  const __m256d less =
      _mm256_or_pd(_mm256_cmp_pd(a.all, b.all, _CMP_LT_OQ), _mm256_cmp_pd(c.all, d.all, _CMP_LT_OQ));
  return (_mm256_movemask_pd(less) & 7) != 0;
}
/// Writes the three coordinates and nothing beyond them.
[[gnu::always_inline]] inline void store(Point a, double* x) {
  _mm_storeu_pd(x, _mm256_castpd256_pd128(a.all));
  _mm_store_sd(x + 2, _mm256_extractf128_pd(a.all, 1));
}
#elif XSIMD_WITH_SSE2
[[gnu::always_inline]] inline Point point_at(const double* x) {
  return {_mm_loadu_pd(x), _mm_load_sd(x + 2)};
}
[[gnu::always_inline]] inline Point row_at(const double* x) { return {_mm_loadu_pd(x), _mm_loadu_pd(x + 2)}; }
[[gnu::always_inline]] inline Point all_of(double x) { return {_mm_set1_pd(x), _mm_set1_pd(x)}; }
[[gnu::always_inline]] inline Point operator+(Point a, Point b) {
  return {_mm_add_pd(a.xy, b.xy), _mm_add_pd(a.z, b.z)};
}
[[gnu::always_inline]] inline Point operator-(Point a, Point b) {
  return {_mm_sub_pd(a.xy, b.xy), _mm_sub_pd(a.z, b.z)};
}
[[gnu::always_inline]] inline Point operator*(Point a, Point b) {
  return {_mm_mul_pd(a.xy, b.xy), _mm_mul_pd(a.z, b.z)};
}
[[gnu::always_inline]] inline Point minimum(Point a, Point b) {
  return {_mm_min_pd(a.xy, b.xy), _mm_min_pd(a.z, b.z)};
}
[[gnu::always_inline]] inline Point maximum(Point a, Point b) {
  return {_mm_max_pd(a.xy, b.xy), _mm_max_pd(a.z, b.z)};
}
[[gnu::always_inline]] inline bool any_less(Point a, Point b, Point c, Point d) {
  const __m128d xy = _mm_or_pd(_mm_cmplt_pd(a.xy, b.xy), _mm_cmplt_pd(c.xy, d.xy));
  const __m128d z = _mm_or_pd(_mm_cmplt_pd(a.z, b.z), _mm_cmplt_pd(c.z, d.z));
  return (_mm_movemask_pd(xy) | (_mm_movemask_pd(z) & 1)) != 0;
}
[[gnu::always_inline]] inline void store(Point a, double* x) {
  _mm_storeu_pd(x, a.xy);
  _mm_store_sd(x + 2, a.z);
}
#else
template <class Of>
[[gnu::always_inline]] inline Point each(Of of) {
  return {{of(0), of(1), of(2)}};
}
[[gnu::always_inline]] inline Point point_at(const double* x) { return {{x[0], x[1], x[2]}}; }
[[gnu::always_inline]] inline Point row_at(const double* x) { return point_at(x); }
[[gnu::always_inline]] inline Point all_of(double x) { return {{x, x, x}}; }
[[gnu::always_inline]] inline Point operator+(Point a, Point b) {
  return each([&](int k) { return a.x[k] + b.x[k]; });
}
[[gnu::always_inline]] inline Point operator-(Point a, Point b) {
  return each([&](int k) { return a.x[k] - b.x[k]; });
}
[[gnu::always_inline]] inline Point operator*(Point a, Point b) {
  return each([&](int k) { return a.x[k] * b.x[k]; });
}
[[gnu::always_inline]] inline Point minimum(Point a, Point b) {
  return each([&](int k) { return a.x[k] < b.x[k] ? a.x[k] : b.x[k]; });
}
[[gnu::always_inline]] inline Point maximum(Point a, Point b) {
  return each([&](int k) { return a.x[k] > b.x[k] ? a.x[k] : b.x[k]; });
}
[[gnu::always_inline]] inline bool any_less(Point a, Point b, Point c, Point d) {
  bool any = false;
  for (int k = 0; k < 3; ++k) any = any || a.x[k] < b.x[k] || c.x[k] < d.x[k];
  return any;
}
[[gnu::always_inline]] inline void store(Point a, double* x) {
  for (int k = 0; k < 3; ++k) x[k] = a.x[k];
}
#endif

}  // namespace terrace::TERRACE_LEVEL
