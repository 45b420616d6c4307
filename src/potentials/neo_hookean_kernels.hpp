// The physics of a packet of neo-Hookean elements, written in the displacement gradient G = F − I, so that
// nothing cancels at small strain.
#pragma once

#include <cstdint>

#include "potentials/neo_hookean_packets.hpp"

namespace terrace::neo_hookean {

using simd::fma;
using simd::load;
using simd::Logarithm;
using simd::logarithm;

/// A 3×3 tensor of every element of a packet.
struct Tensor {
  Batch xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

[[gnu::always_inline]] inline Batch trace(const Tensor& a) { return a.xx + a.yy + a.zz; }

/// A : B
[[gnu::always_inline]] inline Batch contract(const Tensor& a, const Tensor& b) {
  const Batch x = fma(a.xx, b.xx, fma(a.xy, b.xy, a.xz * b.xz));
  const Batch y = fma(a.yx, b.yx, fma(a.yy, b.yy, a.yz * b.yz));
  const Batch z = fma(a.zx, b.zx, fma(a.zy, b.zy, a.zz * b.zz));
  return x + y + z;
}

/// cof A = (det A) A⁻ᵀ
[[gnu::always_inline]] inline Tensor cofactor(const Tensor& a) {
  const auto minor = [](const Batch& p, const Batch& q, const Batch& r, const Batch& s) {
    return xsimd::fms(p, q, r * s);
  };
  return {minor(a.yy, a.zz, a.yz, a.zy), minor(a.yz, a.zx, a.yx, a.zz), minor(a.yx, a.zy, a.yy, a.zx),
          minor(a.xz, a.zy, a.xy, a.zz), minor(a.xx, a.zz, a.xz, a.zx), minor(a.xy, a.zx, a.xx, a.zy),
          minor(a.xy, a.yz, a.xz, a.yy), minor(a.xz, a.yx, a.xx, a.yz), minor(a.xx, a.yy, a.xy, a.yx)};
}

/// det A from A and its cofactor.
[[gnu::always_inline]] inline Batch determinant(const Tensor& a, const Tensor& cofactor_of_a) {
  return fma(a.xx, cofactor_of_a.xx, fma(a.xy, cofactor_of_a.xy, a.xz * cofactor_of_a.xz));
}

/// cof G − Gᵀ + d I. With d = tr G it is cof(I + G) − I.
[[gnu::always_inline]] inline Tensor cofactor_change(const Tensor& g, const Tensor& cofactor_of_g,
                                                     const Batch& d) {
  const Tensor& c = cofactor_of_g;
  return {c.xx - g.xx + d, c.xy - g.yx, c.xz - g.zx, c.yx - g.xy,    c.yy - g.yy + d,
          c.yz - g.zy,     c.zx - g.xz, c.zy - g.yz, c.zz - g.zz + d};
}

/// Σ_a (w_a − w_4) ⊗ ∇N_a: the gradient of the field with nodal rows w.
[[gnu::always_inline]] inline Tensor field_gradient(const PacketGeometry& packet, const double* nodal) {
  Tensor g;
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const BatchVector w = relative_to_fourth(nodal, packet.node_row, a);
    const Batch nx = load(packet.shape_gradient[a][0]), ny = load(packet.shape_gradient[a][1]),
                nz = load(packet.shape_gradient[a][2]);
    if (a == 0) {
      g = {w.x * nx, w.x * ny, w.x * nz, w.y * nx, w.y * ny, w.y * nz, w.z * nx, w.z * ny, w.z * nz};
    } else {
      g = {fma(w.x, nx, g.xx), fma(w.x, ny, g.xy), fma(w.x, nz, g.xz), fma(w.y, nx, g.yx), fma(w.y, ny, g.yy),
           fma(w.y, nz, g.yz), fma(w.z, nx, g.zx), fma(w.z, ny, g.zy), fma(w.z, nz, g.zz)};
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
[[gnu::always_inline]] inline void nodal_forces(const PacketGeometry& packet, const double* displacements,
                                                const LameConstants& lame, Batch& j,
                                                BatchVector (&force)[3]) {
  const Tensor g = field_gradient(packet, displacements);
  const Tensor c = cofactor(g);
  const Batch higher_invariants = trace(c) + determinant(g, c);  // I₂ + det G
  j = trace(g) + higher_invariants;
  const Batch jacobian = Batch(1.0) + j;
  const Batch inverse = Batch(1.0) / jacobian;
  const Batch volume = load(packet.volume);
  const Batch pressure = lame.lambda * logarithm(j, jacobian, inverse).value;
  const Batch q = volume * (pressure - lame.mu) * inverse;
  const Batch mu = volume * lame.mu, p = volume * pressure;
  const Tensor k = cofactor_change(g, c, -higher_invariants);
  const Tensor stress{
      fma(q, k.xx, fma(mu, g.xx, p)), fma(q, k.xy, mu * g.xy),        fma(q, k.xz, mu * g.xz),
      fma(q, k.yx, mu * g.yx),        fma(q, k.yy, fma(mu, g.yy, p)), fma(q, k.yz, mu * g.yz),
      fma(q, k.zx, mu * g.zx),        fma(q, k.zy, mu * g.zy),        fma(q, k.zz, fma(mu, g.zz, p))};
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    const Batch nx = load(packet.shape_gradient[a][0]), ny = load(packet.shape_gradient[a][1]),
                nz = load(packet.shape_gradient[a][2]);
    force[a] = {fma(stress.xx, nx, fma(stress.xy, ny, stress.xz * nz)),
                fma(stress.yx, nx, fma(stress.yy, ny, stress.yz * nz)),
                fma(stress.zx, nx, fma(stress.zy, ny, stress.zz * nz))};
  }
}

/// Restriction of `width` elements to a line: J − 1 is the cubic Σ jacobian[i] sⁱ, and tr FᵀF − 3 − 2 (J −
/// 1), which is of second order in the strain, is strain[0] + strain[1] s + strain[2] s² − 2 jacobian[3] s³.
struct alignas(64) PacketLine {
  double jacobian[4][width];
  double strain[3][width];
  double volume[width];
};

[[gnu::always_inline]] inline void restrict_to_line(const PacketGeometry& packet, const double* displacements,
                                                    const double* velocities, PacketLine& line) {
  const Tensor g = field_gradient(packet, displacements);
  const Tensor d = field_gradient(packet, velocities);
  const Tensor cofactor_g = cofactor(g), cofactor_d = cofactor(d);
  const Tensor k = cofactor_change(g, cofactor_g, trace(g));
  const Batch higher_invariants = trace(cofactor_g) + determinant(g, cofactor_g);
  const Batch k_rate = contract(k, d), trace_rate = trace(d);
  const Batch second = trace(cofactor_d) + contract(cofactor_d, g);
  (trace(g) + higher_invariants).store_aligned(line.jacobian[0]);
  (trace_rate + k_rate).store_aligned(line.jacobian[1]);
  second.store_aligned(line.jacobian[2]);
  determinant(d, cofactor_d).store_aligned(line.jacobian[3]);
  const Batch two(2.0);
  (contract(g, g) - two * higher_invariants).store_aligned(line.strain[0]);
  (two * (contract(g, d) - k_rate)).store_aligned(line.strain[1]);
  (contract(d, d) - two * second).store_aligned(line.strain[2]);
  load(packet.volume).store_aligned(line.volume);
}

/// J − 1 and its derivatives along the line.
struct JacobianJet {
  Batch change, first, second, third;
};

[[gnu::always_inline]] inline JacobianJet jacobian_jet(const PacketLine& line, const Batch& s) {
  const Batch j0 = load(line.jacobian[0]), j1 = load(line.jacobian[1]), j2 = load(line.jacobian[2]),
              j3 = load(line.jacobian[3]);
  const Batch triple = Batch(3.0) * j3;
  return {fma(s, fma(s, fma(s, j3, j2), j1), j0), fma(s, fma(s, triple, j2 + j2), j1),
          Batch(2.0) * fma(s, triple, j2), Batch(6.0) * j3};
}

/// Energy of an element and its derivatives along the line.
struct EnergyJet {
  Batch value, slope, curvature;
};

/// W = λ/2 L² + μ (j − L) + μ/2 (tr FᵀF − 3 − 2 j), L = ln J; its parts are of second order in the strain.
[[gnu::always_inline]] inline EnergyJet energy_jet(const PacketLine& line, const JacobianJet& j,
                                                   const Batch& s, const LameConstants& lame) {
  const Batch q0 = load(line.strain[0]), q1 = load(line.strain[1]), q2 = load(line.strain[2]);
  const Batch q3 = Batch(-2.0) * load(line.jacobian[3]), triple = Batch(3.0) * q3;
  const Batch half_q = Batch(0.5) * fma(s, fma(s, fma(s, q3, q2), q1), q0);
  const Batch half_q_slope = Batch(0.5) * fma(s, fma(s, triple, q2 + q2), q1);
  const Batch half_q_curvature = fma(s, triple, q2);

  const Batch jacobian = Batch(1.0) + j.change;
  const Batch inverse = Batch(1.0) / jacobian;
  const Logarithm log = logarithm(j.change, jacobian, inverse);
  const Batch lambda_log = lame.lambda * log.value;
  const Batch first = fma(lame.mu, j.change, lambda_log) * inverse;  // d/dJ of λ/2 L² + μ (j − L)
  const Batch second = ((lame.lambda + lame.mu) - lambda_log) * inverse * inverse;
  const Batch volume = load(line.volume);
  return {volume * fma(lame.mu, log.excess + half_q, Batch(0.5) * lambda_log * log.value),
          volume * fma(first, j.first, lame.mu * half_q_slope),
          volume * fma(second * j.first, j.first, fma(first, j.second, lame.mu * half_q_curvature))};
}

/// Bound of |W‴| Volume for the next `duration` of the line, and whether there is one: J must keep half its
/// value. V‴ = g‴ J′³ + 3 g″ J′ J″ + g′ J‴ with g = λ/2 ln²J − μ ln J; every factor is bounded by its range.
struct ThirdBound {
  Batch third;
  xsimd::batch_bool<double> valid;
};

[[gnu::always_inline]] inline ThirdBound third_bound(const PacketLine& line, const JacobianJet& j,
                                                     const Batch& duration, const LameConstants& lame) {
  const Batch one(1.0), half(0.5), three(3.0);
  const Batch third = xsimd::abs(j.third);
  const Batch second = fma(third, duration, xsimd::abs(j.second));
  const Batch first = fma(duration, fma(half * third, duration, xsimd::abs(j.second)), xsimd::abs(j.first));
  const Batch delta =
      duration * fma(duration, fma(third * Batch(1.0 / 6.0), duration, half * xsimd::abs(j.second)),
                     xsimd::abs(j.first));
  const Batch jacobian = one + j.change;
  const Batch least = jacobian - delta;
  const Batch inverse = one / least;
  // |ln J| ≤ |J − 1| above 1 and ≤ |J − 1| / J below.
  const Batch log = (xsimd::abs(j.change) + delta) * xsimd::max(one, inverse);
  const Batch lambda = xsimd::abs(lame.lambda);
  const Batch g1 = fma(lambda, log, lame.mu) * inverse;
  const Batch g2 = fma(lambda, one + log, lame.mu) * inverse * inverse;
  const Batch g3 = fma(lambda, three + log + log, lame.mu + lame.mu) * inverse * inverse * inverse;
  const Batch bound = fma(g3 * first, first * first, fma(three * g2 * first, second, g1 * third));
  const Batch volume = load(line.volume);
  // Also false for NaN.
  return {Batch(1.001) * volume * bound, (least >= half * jacobian) & (jacobian > Batch(0.0))};
}

}  // namespace terrace::neo_hookean
