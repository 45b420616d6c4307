// The physics of a packet of neo-Hookean elements, written in the displacement gradient G = F − I, so that
// nothing cancels at small strain. Functions take the first of the lanes they work on.
#pragma once

#include "potentials/packet_kernels.hpp"
#include "potentials/simd.hpp"

namespace terrace::TERRACE_LEVEL {

using neo_hookean::PacketGeometry;
using neo_hookean::PacketLine;

#if XSIMD_WITH_AVX || XSIMD_WITH_AVX512F
/// The vectors of some elements as one row (x, y, z, 0) per element.
struct Rows {
  __m256d of_lane[lanes];
  [[gnu::always_inline]] explicit Rows(const BatchVector& v) {
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
  [[gnu::always_inline]] void add_to(double* node, int lane) const {
    _mm256_store_pd(node, _mm256_add_pd(_mm256_load_pd(node), of_lane[lane]));
  }
  [[gnu::always_inline]] void subtract_from(double* node, int lane) const {
    _mm256_store_pd(node, _mm256_sub_pd(_mm256_load_pd(node), of_lane[lane]));
  }
};
#elif XSIMD_WITH_SSE2
/// The vectors of two elements as two halves of a row, (x, y) and (z, 0), per element.
struct Rows {
  __m128d xy[lanes], z[lanes];
  [[gnu::always_inline]] explicit Rows(const BatchVector& v)
      : xy{_mm_unpacklo_pd(v.x, v.y), _mm_unpackhi_pd(v.x, v.y)},
        z{_mm_unpacklo_pd(v.z, _mm_setzero_pd()), _mm_unpackhi_pd(v.z, _mm_setzero_pd())} {}
  [[gnu::always_inline]] void add_to(double* node, int lane) const {
    _mm_store_pd(node, _mm_add_pd(_mm_load_pd(node), xy[lane]));
    _mm_store_pd(node + 2, _mm_add_pd(_mm_load_pd(node + 2), z[lane]));
  }
  [[gnu::always_inline]] void subtract_from(double* node, int lane) const {
    _mm_store_pd(node, _mm_sub_pd(_mm_load_pd(node), xy[lane]));
    _mm_store_pd(node + 2, _mm_sub_pd(_mm_load_pd(node + 2), z[lane]));
  }
};
#else
/// The vectors of some elements, component by component.
struct Rows {
  alignas(64) double component[3][lanes];
  [[gnu::always_inline]] explicit Rows(const BatchVector& v) {
    v.x.store_aligned(component[0]);
    v.y.store_aligned(component[1]);
    v.z.store_aligned(component[2]);
  }
  [[gnu::always_inline]] void add_to(double* node, int lane) const {
    for (int i = 0; i < 3; ++i) node[i] += component[i][lane];
  }
  [[gnu::always_inline]] void subtract_from(double* node, int lane) const {
    for (int i = 0; i < 3; ++i) node[i] -= component[i][lane];
  }
};
#endif

/// Adds `force[a]` to the rows of the first three nodes and minus their sum to the fourth's. Returns the
/// larger of `largest` and the magnitudes of the fourth force.
[[gnu::always_inline]] inline Batch scatter(const BatchVector (&force)[3], const PacketGeometry& packet,
                                            int first, double* values, const Batch& largest) {
  const BatchVector sum{force[0].x + force[1].x + force[2].x, force[0].y + force[1].y + force[2].y,
                        force[0].z + force[1].z + force[2].z};
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const Rows rows(force[a]);
#pragma GCC unroll 8
    for (int lane = 0; lane < lanes; ++lane) rows.add_to(values + packet.node_row[a][first + lane], lane);
  }
  const Rows rows(sum);
#pragma GCC unroll 8
  for (int lane = 0; lane < lanes; ++lane)
    rows.subtract_from(values + packet.node_row[3][first + lane], lane);
  return larger(larger(larger(largest, sum.x), sum.y), sum.z);
}

/// A 3×3 tensor of every element of a packet.
struct Tensor {
  Batch xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

[[gnu::always_inline]] inline Batch trace(const Tensor& a) { return a.xx + a.yy + a.zz; }

/// A : B
[[gnu::always_inline]] inline Batch contract(const Tensor& a, const Tensor& b) {
  const Batch x = multiply_add(a.xx, b.xx, multiply_add(a.xy, b.xy, a.xz * b.xz));
  const Batch y = multiply_add(a.yx, b.yx, multiply_add(a.yy, b.yy, a.yz * b.yz));
  const Batch z = multiply_add(a.zx, b.zx, multiply_add(a.zy, b.zy, a.zz * b.zz));
  return x + y + z;
}

/// cof A = (det A) A⁻ᵀ
[[gnu::always_inline]] inline Tensor cofactor(const Tensor& a) {
  const auto minor = [](const Batch& p, const Batch& q, const Batch& r, const Batch& s) {
    return multiply_subtract(p, q, r * s);
  };
  return {minor(a.yy, a.zz, a.yz, a.zy), minor(a.yz, a.zx, a.yx, a.zz), minor(a.yx, a.zy, a.yy, a.zx),
          minor(a.xz, a.zy, a.xy, a.zz), minor(a.xx, a.zz, a.xz, a.zx), minor(a.xy, a.zx, a.xx, a.zy),
          minor(a.xy, a.yz, a.xz, a.yy), minor(a.xz, a.yx, a.xx, a.yz), minor(a.xx, a.yy, a.xy, a.yx)};
}

/// det A from A and its cofactor.
[[gnu::always_inline]] inline Batch determinant(const Tensor& a, const Tensor& cofactor_of_a) {
  return multiply_add(a.xx, cofactor_of_a.xx, multiply_add(a.xy, cofactor_of_a.xy, a.xz * cofactor_of_a.xz));
}

/// cof G − Gᵀ + d I. With d = tr G it is cof(I + G) − I.
[[gnu::always_inline]] inline Tensor cofactor_change(const Tensor& g, const Tensor& cofactor_of_g,
                                                     const Batch& d) {
  const Tensor& c = cofactor_of_g;
  return {c.xx - g.xx + d, c.xy - g.yx, c.xz - g.zx, c.yx - g.xy,    c.yy - g.yy + d,
          c.yz - g.zy,     c.zx - g.xz, c.zy - g.yz, c.zz - g.zz + d};
}

/// Σ_a (w_a − w_4) ⊗ ∇N_a: the gradient of the field with nodal rows w.
[[gnu::always_inline]] inline Tensor field_gradient(const PacketGeometry& packet, int lane,
                                                    const double* nodal) {
  Tensor g;
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const BatchVector w = relative_to_fourth(nodal, packet.node_row, a, lane);
    const Batch nx = load(packet.shape_gradient[a][0] + lane), ny = load(packet.shape_gradient[a][1] + lane),
                nz = load(packet.shape_gradient[a][2] + lane);
    if (a == 0) {
      g = {w.x * nx, w.x * ny, w.x * nz, w.y * nx, w.y * ny, w.y * nz, w.z * nx, w.z * ny, w.z * nz};
    } else {
      g = {multiply_add(w.x, nx, g.xx), multiply_add(w.x, ny, g.xy), multiply_add(w.x, nz, g.xz),
           multiply_add(w.y, nx, g.yx), multiply_add(w.y, ny, g.yy), multiply_add(w.y, nz, g.yz),
           multiply_add(w.z, nx, g.zx), multiply_add(w.z, ny, g.zy), multiply_add(w.z, nz, g.zz)};
    }
  }
  return g;
}

/// λ and μ for every lane.
struct LameConstants {
  Batch lambda, mu;
};

/// Volume · P · ∇N_a of the first three nodes, P = μ F + (λ ln J − μ) F⁻ᵀ, as μ G + λ ln J I + q K, where
/// q = (λ ln J − μ)/J and K = cof F − J I = cof G − Gᵀ − (I₂ + det G) I. Returns j = J − 1 in `j`.
[[gnu::always_inline]] inline void nodal_forces(const PacketGeometry& packet, int lane,
                                                const double* displacements, const LameConstants& lame,
                                                Batch& j, BatchVector (&force)[3]) {
  const Tensor g = field_gradient(packet, lane, displacements);
  const Tensor c = cofactor(g);
  const Batch higher_invariants = trace(c) + determinant(g, c);  // I₂ + det G
  j = trace(g) + higher_invariants;
  const Batch jacobian = Batch(1.0) + j;
  const Batch inverse = Batch(1.0) / jacobian;
  const Batch volume = load(packet.volume + lane);
  const Batch pressure = lame.lambda * logarithm(j, jacobian, inverse).value;
  const Batch q = volume * (pressure - lame.mu) * inverse;
  const Batch mu = volume * lame.mu, p = volume * pressure;
  const Tensor k = cofactor_change(g, c, negative(higher_invariants));
  const Tensor stress{multiply_add(q, k.xx, multiply_add(mu, g.xx, p)),
                      multiply_add(q, k.xy, mu * g.xy),
                      multiply_add(q, k.xz, mu * g.xz),
                      multiply_add(q, k.yx, mu * g.yx),
                      multiply_add(q, k.yy, multiply_add(mu, g.yy, p)),
                      multiply_add(q, k.yz, mu * g.yz),
                      multiply_add(q, k.zx, mu * g.zx),
                      multiply_add(q, k.zy, mu * g.zy),
                      multiply_add(q, k.zz, multiply_add(mu, g.zz, p))};
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const Batch nx = load(packet.shape_gradient[a][0] + lane), ny = load(packet.shape_gradient[a][1] + lane),
                nz = load(packet.shape_gradient[a][2] + lane);
    force[a] = {multiply_add(stress.xx, nx, multiply_add(stress.xy, ny, stress.xz * nz)),
                multiply_add(stress.yx, nx, multiply_add(stress.yy, ny, stress.yz * nz)),
                multiply_add(stress.zx, nx, multiply_add(stress.zy, ny, stress.zz * nz))};
  }
}

[[gnu::always_inline]] inline void restrict_to_line(const PacketGeometry& packet, int lane,
                                                    const double* displacements, const double* velocities,
                                                    PacketLine& line) {
  const Tensor g = field_gradient(packet, lane, displacements);
  const Tensor d = field_gradient(packet, lane, velocities);
  const Tensor cofactor_g = cofactor(g), cofactor_d = cofactor(d);
  const Tensor k = cofactor_change(g, cofactor_g, trace(g));
  const Batch higher_invariants = trace(cofactor_g) + determinant(g, cofactor_g);
  const Batch k_rate = contract(k, d), trace_rate = trace(d);
  const Batch second = trace(cofactor_d) + contract(cofactor_d, g);
  (trace(g) + higher_invariants).store_aligned(line.jacobian[0] + lane);
  (trace_rate + k_rate).store_aligned(line.jacobian[1] + lane);
  second.store_aligned(line.jacobian[2] + lane);
  determinant(d, cofactor_d).store_aligned(line.jacobian[3] + lane);
  const Batch two(2.0);
  (contract(g, g) - two * higher_invariants).store_aligned(line.strain[0] + lane);
  (two * (contract(g, d) - k_rate)).store_aligned(line.strain[1] + lane);
  (contract(d, d) - two * second).store_aligned(line.strain[2] + lane);
  load(packet.volume + lane).store_aligned(line.volume + lane);
}

/// J − 1 and its derivatives along the line.
struct JacobianJet {
  Batch change, first, second, third;
};

[[gnu::always_inline]] inline JacobianJet jacobian_jet(const PacketLine& line, int lane, const Batch& s) {
  const Batch j0 = load(line.jacobian[0] + lane), j1 = load(line.jacobian[1] + lane),
              j2 = load(line.jacobian[2] + lane), j3 = load(line.jacobian[3] + lane);
  const Batch triple = Batch(3.0) * j3;
  return {multiply_add(s, multiply_add(s, multiply_add(s, j3, j2), j1), j0),
          multiply_add(s, multiply_add(s, triple, j2 + j2), j1), Batch(2.0) * multiply_add(s, triple, j2),
          Batch(6.0) * j3};
}

/// Energy of an element and its derivatives along the line.
struct EnergyJet {
  Batch value, slope, curvature;
};

/// W = λ/2 L² + μ (j − L) + μ/2 (tr FᵀF − 3 − 2 j), L = ln J; its parts are of second order in the strain.
[[gnu::always_inline]] inline EnergyJet energy_jet(const PacketLine& line, int lane, const JacobianJet& j,
                                                   const Batch& s, const LameConstants& lame) {
  const Batch q0 = load(line.strain[0] + lane), q1 = load(line.strain[1] + lane),
              q2 = load(line.strain[2] + lane);
  const Batch q3 = Batch(-2.0) * load(line.jacobian[3] + lane), triple = Batch(3.0) * q3;
  const Batch half_q = Batch(0.5) * multiply_add(s, multiply_add(s, multiply_add(s, q3, q2), q1), q0);
  const Batch half_q_slope = Batch(0.5) * multiply_add(s, multiply_add(s, triple, q2 + q2), q1);
  const Batch half_q_curvature = multiply_add(s, triple, q2);

  const Batch jacobian = Batch(1.0) + j.change;
  const Batch inverse = Batch(1.0) / jacobian;
  const Logarithm log = logarithm(j.change, jacobian, inverse);
  const Batch lambda_log = lame.lambda * log.value;
  const Batch first = multiply_add(lame.mu, j.change, lambda_log) * inverse;  // d/dJ of λ/2 L² + μ (j − L)
  const Batch second = ((lame.lambda + lame.mu) - lambda_log) * inverse * inverse;
  const Batch volume = load(line.volume + lane);
  return {volume * multiply_add(lame.mu, log.excess + half_q, Batch(0.5) * lambda_log * log.value),
          volume * multiply_add(first, j.first, lame.mu * half_q_slope),
          volume * multiply_add(second * j.first, j.first,
                                multiply_add(first, j.second, lame.mu * half_q_curvature))};
}

/// Bound of |W‴| Volume for the next `duration` of the line, and whether there is one: J must keep half its
/// value. V‴ = g‴ J′³ + 3 g″ J′ J″ + g′ J‴ with g = λ/2 ln²J − μ ln J; every factor is bounded by its range.
struct ThirdBound {
  Batch third;
  Mask valid;
};

[[gnu::always_inline]] inline ThirdBound third_bound(const PacketLine& line, int lane, const JacobianJet& j,
                                                     const Batch& duration, const LameConstants& lame) {
  const Batch one(1.0), half(0.5), three(3.0);
  const Batch third = xsimd::abs(j.third);
  const Batch second = multiply_add(third, duration, xsimd::abs(j.second));
  const Batch first =
      multiply_add(duration, multiply_add(half * third, duration, xsimd::abs(j.second)), xsimd::abs(j.first));
  const Batch delta =
      duration * multiply_add(duration,
                              multiply_add(third * Batch(1.0 / 6.0), duration, half * xsimd::abs(j.second)),
                              xsimd::abs(j.first));
  const Batch jacobian = one + j.change;
  const Batch least = jacobian - delta;
  const Batch inverse = one / least;
  // |ln J| ≤ |J − 1| above 1 and ≤ |J − 1| / J below.
  const Batch log = (xsimd::abs(j.change) + delta) * xsimd::max(one, inverse);
  const Batch lambda = xsimd::abs(lame.lambda);
  const Batch g1 = multiply_add(lambda, log, lame.mu) * inverse;
  const Batch g2 = multiply_add(lambda, one + log, lame.mu) * inverse * inverse;
  const Batch g3 = multiply_add(lambda, three + log + log, lame.mu + lame.mu) * inverse * inverse * inverse;
  const Batch bound =
      multiply_add(g3 * first, first * first, multiply_add(three * g2 * first, second, g1 * third));
  const Batch volume = load(line.volume + lane);
  // Also false for NaN.
  return {Batch(1.001) * volume * bound, (least >= half * jacobian) & (jacobian > Batch(0.0))};
}

template <bool rounded>
bool gradient(const PacketGeometry* packets, std::size_t count, LameParameters parameters, const Grid& grid,
              const double* displacements, double* forces, double& largest_term) {
  const LameConstants lame{Batch(parameters.lambda), Batch(parameters.mu)};
  Batch largest(0.0);
  Mask all_positive(true);
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      Batch j;
      BatchVector force[3];
      nodal_forces(packets[i], lane, displacements, lame, j, force);
      // Written so that NaN and ∞ fail too; looked at only at the end, to keep branches out.
      all_positive = all_positive & (j > Batch(-1.0)) & (j <= Batch(__DBL_MAX__));
      for (BatchVector& f : force) {
        largest = larger(larger(larger(largest, f.x), f.y), f.z);
        if constexpr (rounded) f = {grid.round(f.x), grid.round(f.y), grid.round(f.z)};
      }
      largest = scatter(force, packets[i], lane, forces, largest);
    }
  raise_to_lanes(largest_term, largest);
  return xsimd::all(all_positive);
}

inline void restrict_all_to_line(const PacketGeometry* packets, std::size_t count,
                                 const double* displacements, const double* velocities, PacketLine* lines) {
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes)
      restrict_to_line(packets[i], lane, displacements, velocities, lines[i]);
}

template <bool rounded>
void sample(const PacketLine* lines, std::size_t count, LameParameters parameters, double s,
            const LineGrids& grids, LineSample& sum) {
  const LameConstants lame{Batch(parameters.lambda), Batch(parameters.mu)};
  const Batch at(s), zero(0.0);
  Batch coarse = zero, fine = zero, slope = zero, curvature = zero, infinite = zero;
  Batch largest_value = zero, largest_slope = zero, largest_curvature = zero;
  const auto on = [](const Grid& grid, const Batch& x) { return rounded ? grid.round(x) : x; };
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      const JacobianJet j = jacobian_jet(lines[i], lane, at);
      const EnergyJet energy = energy_jet(lines[i], lane, j, at, lame);
      const Mask inverted = j.change <= Batch(-1.0);
      const Batch w = select(inverted, zero, energy.value);
      const Batch w_slope = select(inverted, zero, energy.slope);
      const Batch w_curvature = select(inverted, zero, energy.curvature);
      infinite += select(inverted, Batch(1.0), zero);
      const Batch head = on(grids.value.coarse, w);
      coarse += head;
      if constexpr (rounded) fine += grids.value.fine.round(w - head);
      slope += on(grids.slope, w_slope);
      curvature += on(grids.curvature, w_curvature);
      largest_value = larger(largest_value, w);
      largest_slope = larger(largest_slope, w_slope);
      largest_curvature = larger(largest_curvature, w_curvature);
    }
  sum.value.coarse += sum_of_lanes(coarse);
  sum.value.fine += sum_of_lanes(fine);
  sum.slope += sum_of_lanes(slope);
  sum.curvature += sum_of_lanes(curvature);
  sum.infinite += sum_of_lanes(infinite);
  raise_to_lanes(sum.largest_value, largest_value);
  raise_to_lanes(sum.largest_slope, largest_slope);
  raise_to_lanes(sum.largest_curvature, largest_curvature);
}

inline void bound(const PacketLine* lines, std::size_t count, LameParameters parameters, double from,
                  double length, const LineGrids& grids, LineBound& sum) {
  const LameConstants lame{Batch(parameters.lambda), Batch(parameters.mu)};
  const Batch at(from), duration(length), zero(0.0), quantum(grids.third.quantum);
  Batch third = zero, invalid = zero, largest = zero;
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      const JacobianJet j = jacobian_jet(lines[i], lane, at);
      const ThirdBound element = third_bound(lines[i], lane, j, duration, lame);
      const Batch term = select(element.valid, element.third, zero);
      invalid += select(element.valid, zero, Batch(1.0));
      // Outwards, also far below the quantum; padding has no term.
      third += select(term > zero, grids.third.round(term) + quantum, zero);
      largest = larger(largest, term);
    }
  sum.third += sum_of_lanes(third);
  sum.invalid += sum_of_lanes(invalid);
  raise_to_lanes(sum.largest_third, largest);
}

}  // namespace terrace::TERRACE_LEVEL
