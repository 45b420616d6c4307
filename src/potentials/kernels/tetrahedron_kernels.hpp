// What the kernels of all materials share: packets of tetrahedra, their displacement gradients and nodal
// forces, and the loops over packets. The argument `lane` or `first` is the first of the lanes that a
// function works on.
#pragma once

#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/simd.hpp"

namespace terrace::TERRACE_LEVEL {

using neo_hookean::PacketGeometry;

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

/// Adds force[a] to the rows of the first three nodes, and minus their sum to that of the fourth. Returns the
/// larger of `largest` and the magnitudes of the components of that sum.
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

/// The gradient Σ_a (w_a − w_4) ⊗ ∇N_a of the field with the nodal values w, which are rows of `nodal`.
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

/// Energy of an element and its first two derivatives along the line.
struct EnergyJet {
  Batch value, slope, curvature;
};

/// Bound of |V‴| of an element for the next `duration` of the line, and whether there is one.
struct ThirdBound {
  Batch third;
  Mask valid;
};

/// The forces σ · ∇N_a on the first three nodes, where σ is the first Piola-Kirchhoff stress times the
/// volume.
[[gnu::always_inline]] inline void forces_of(const Tensor& stress, const PacketGeometry& packet, int lane,
                                             BatchVector (&force)[3]) {
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const Batch nx = load(packet.shape_gradient[a][0] + lane), ny = load(packet.shape_gradient[a][1] + lane),
                nz = load(packet.shape_gradient[a][2] + lane);
    force[a] = {multiply_add(stress.xx, nx, multiply_add(stress.xy, ny, stress.xz * nz)),
                multiply_add(stress.yx, nx, multiply_add(stress.yy, ny, stress.yz * nz)),
                multiply_add(stress.zx, nx, multiply_add(stress.zy, ny, stress.zz * nz))};
  }
}

/// ElementKernels::Gradient. A law has: Line, its energy restricted to a line; Constants, made from
/// LameParameters; stress(g, volume, constants, good), which sets `good` to false where there is none;
/// restrict_to_line; jet, which sets `infinite` to true where V = +∞; third_bound.
template <class Law, bool rounded>
bool gradient(const PacketGeometry* packets, std::size_t count, LameParameters parameters, const Grid& grid,
              const double* displacements, double* forces, double& largest_term) {
  const typename Law::Constants constants(parameters);
  Batch largest(0.0);
  Mask all_good(true);
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      BatchVector force[3];
      Mask good(true);
      forces_of(Law::stress(field_gradient(packets[i], lane, displacements), load(packets[i].volume + lane),
                            constants, good),
                packets[i], lane, force);
      // Tested only at the end, so that the loop has no branches.
      all_good = all_good & good;
      for (BatchVector& f : force) {
        largest = larger(larger(larger(largest, f.x), f.y), f.z);
        if constexpr (rounded) f = {grid.round(f.x), grid.round(f.y), grid.round(f.z)};
      }
      largest = scatter(force, packets[i], lane, forces, largest);
    }
  raise_to_lanes(largest_term, largest);
  return xsimd::all(all_good);
}

/// ElementKernels::gradient_and_value: as `gradient`, rounded, and adds V. An element without stress adds no
/// energy either. Only for laws with stress_and_energy.
template <class Law>
bool gradient_and_value(const PacketGeometry* packets, std::size_t count, LameParameters parameters,
                        const Grid& grid, const double* displacements, double* forces, double& largest_term,
                        const DoubleGrid& value_grid, ValueSum& value) {
  const typename Law::Constants constants(parameters);
  const Batch zero(0.0);
  Batch largest = zero, coarse = zero, fine = zero, largest_value = zero;
  Mask all_good(true);
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      BatchVector force[3];
      Mask good(true);
      const auto at = Law::stress_and_energy(field_gradient(packets[i], lane, displacements),
                                             load(packets[i].volume + lane), constants, good);
      forces_of(at.stress, packets[i], lane, force);
      all_good = all_good & good;
      const Batch w = select(good, at.energy, zero), head = value_grid.coarse.round(w);
      coarse += head;
      fine += value_grid.fine.round(w - head);
      largest_value = larger(largest_value, w);
      for (BatchVector& f : force) {
        largest = larger(larger(larger(largest, f.x), f.y), f.z);
        f = {grid.round(f.x), grid.round(f.y), grid.round(f.z)};
      }
      largest = scatter(force, packets[i], lane, forces, largest);
    }
  raise_to_lanes(largest_term, largest);
  value.sum.coarse += sum_of_lanes(coarse);
  value.sum.fine += sum_of_lanes(fine);
  raise_to_lanes(value.largest, largest_value);
  return xsimd::all(all_good);
}

template <class Law>
void restrict_all_to_line(const PacketGeometry* packets, std::size_t count, LameParameters parameters,
                          const double* displacements, const double* velocities, typename Law::Line* lines) {
  const typename Law::Constants constants(parameters);
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes)
      Law::restrict_to_line(packets[i], lane, displacements, velocities, constants, lines[i]);
}

template <class Law, bool rounded>
void sample(const typename Law::Line* lines, std::size_t count, LameParameters parameters, double s,
            const LineGrids& grids, LineSample& sum) {
  const typename Law::Constants constants(parameters);
  const Batch at(s), zero(0.0);
  Batch coarse = zero, fine = zero, slope = zero, curvature = zero, infinite = zero;
  Batch largest_value = zero, largest_slope = zero, largest_curvature = zero;
  const auto on = [](const Grid& grid, const Batch& x) { return rounded ? grid.round(x) : x; };
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      Mask is_infinite(false);
      const EnergyJet energy = Law::jet(lines[i], lane, at, constants, is_infinite);
      const Batch w = select(is_infinite, zero, energy.value);
      const Batch w_slope = select(is_infinite, zero, energy.slope);
      const Batch w_curvature = select(is_infinite, zero, energy.curvature);
      infinite += select(is_infinite, Batch(1.0), zero);
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

/// Volume · W of an element; `good`: whether it has one.
template <class Law>
[[gnu::always_inline]] inline Batch energy_of(const PacketGeometry& packet, int lane,
                                              const double* displacements,
                                              const typename Law::Constants& constants, Mask& good) {
  if constexpr (requires { &Law::stress_and_energy; }) {
    return Law::stress_and_energy(field_gradient(packet, lane, displacements), load(packet.volume + lane),
                                  constants, good)
        .energy;
  } else {
    typename Law::Line line;
    Law::restrict_to_line(packet, lane, displacements, displacements, constants, line);
    Mask infinite(false);
    const Batch energy = Law::jet(line, lane, Batch(0.0), constants, infinite).value;
    good = !infinite;
    return energy;
  }
}

template <class Law>
void measure(const PacketGeometry* packets, std::size_t count, LameParameters parameters,
             const double* displacements, const double* velocities, double* energies, double* differences) {
  const typename Law::Constants constants(parameters);
  const auto square = [](const BatchVector& v) {
    return multiply_add(v.x, v.x, multiply_add(v.y, v.y, v.z * v.z));
  };
  const auto apart = [&](const BatchVector& v, const BatchVector& w) {
    return square(BatchVector{v.x - w.x, v.y - w.y, v.z - w.z});
  };
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      Mask good(true);
      const Batch energy = energy_of<Law>(packets[i], lane, displacements, constants, good);
      select(good, energy, Batch(__builtin_nan(""))).store_unaligned(energies + i * width + lane);
      const BatchVector a = relative_to_fourth(velocities, packets[i].node_row, 0, lane),
                        b = relative_to_fourth(velocities, packets[i].node_row, 1, lane),
                        c = relative_to_fourth(velocities, packets[i].node_row, 2, lane);
      const Batch sum = square(a) + square(b) + square(c) + apart(a, b) + apart(b, c) + apart(a, c);
      (load(packets[i].volume + lane) * sum).store_unaligned(differences + i * width + lane);
    }
}

template <class Law>
void bound(const typename Law::Line* lines, std::size_t count, LameParameters parameters, double from,
           double length, const LineGrids& grids, LineBound& sum) {
  const typename Law::Constants constants(parameters);
  const Batch at(from), duration(length), zero(0.0), quantum(grids.third.quantum);
  Batch third = zero, invalid = zero, largest = zero;
  for (std::size_t i = 0; i < count; ++i)
    for (int lane = 0; lane < width; lane += lanes) {
      const ThirdBound element = Law::third_bound(lines[i], lane, at, duration, constants);
      const Batch term = select(element.valid, element.third, zero);
      invalid += select(element.valid, zero, Batch(1.0));
      // Rounded upwards, also far below the quantum; padding has no term.
      third += select(term > zero, grids.third.round(term) + quantum, zero);
      largest = larger(largest, term);
    }
  sum.third += sum_of_lanes(third);
  sum.invalid += sum_of_lanes(invalid);
  raise_to_lanes(sum.largest_third, largest);
}

}  // namespace terrace::TERRACE_LEVEL
