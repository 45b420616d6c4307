// Laws for packets of elements whose energy along a line is a polynomial of degree 4 plus a function of J:
// St. Venant-Kirchhoff and compressible Mooney-Rivlin.
#pragma once

#include "potentials/kernels/neo_hookean_kernels.hpp"

namespace terrace::TERRACE_LEVEL {

/// A polynomial of degree 4 and its derivatives.
struct QuarticJet {
  Batch value, first, second;
};

[[gnu::always_inline]] inline QuarticJet quartic_jet(const double (&coefficient)[5][width], int lane,
                                                     const Batch& s) {
  const Batch c0 = load(coefficient[0] + lane), c1 = load(coefficient[1] + lane),
              c2 = load(coefficient[2] + lane), c3 = load(coefficient[3] + lane),
              c4 = load(coefficient[4] + lane);
  const Batch three(3.0), four(4.0), six(6.0), twelve(12.0);
  return {multiply_add(s, multiply_add(s, multiply_add(s, multiply_add(s, c4, c3), c2), c1), c0),
          multiply_add(s, multiply_add(s, multiply_add(s, four * c4, three * c3), c2 + c2), c1),
          multiply_add(s, multiply_add(s, twelve * c4, six * c3), c2 + c2)};
}

/// The largest magnitude of the quartic's third derivative 6 c₃ + 24 c₄ s on [from, from + duration]: it is
/// linear, so that this is at one of the ends.
[[gnu::always_inline]] inline Batch largest_third(const Batch& c3, const Batch& c4, const Batch& from,
                                                  const Batch& duration) {
  const Batch six(6.0), slope = Batch(24.0) * c4;
  const Batch begin = multiply_add(slope, from, six * c3),
              end = multiply_add(slope, from + duration, six * c3);
  return maximum(xsimd::abs(begin), xsimd::abs(end));
}

/// Cof(A + B) − cof A − cof B.
[[gnu::always_inline]] inline Tensor mixed_cofactor(const Tensor& a, const Tensor& b) {
  const auto minor = [](const Batch& p, const Batch& q, const Batch& r, const Batch& s, const Batch& t,
                        const Batch& u, const Batch& v, const Batch& w) {
    return multiply_subtract(p, q, r * s) + multiply_subtract(t, u, v * w);
  };
  return {minor(a.yy, b.zz, a.yz, b.zy, b.yy, a.zz, b.yz, a.zy),
          minor(a.yz, b.zx, a.yx, b.zz, b.yz, a.zx, b.yx, a.zz),
          minor(a.yx, b.zy, a.yy, b.zx, b.yx, a.zy, b.yy, a.zx),
          minor(a.xz, b.zy, a.xy, b.zz, b.xz, a.zy, b.xy, a.zz),
          minor(a.xx, b.zz, a.xz, b.zx, b.xx, a.zz, b.xz, a.zx),
          minor(a.xy, b.zx, a.xx, b.zy, b.xy, a.zx, b.xx, a.zy),
          minor(a.xy, b.yz, a.xz, b.yy, b.xy, a.yz, b.xz, a.yy),
          minor(a.xz, b.yx, a.xx, b.yz, b.xz, a.yx, b.xx, a.yz),
          minor(a.xx, b.yy, a.xy, b.yx, b.xx, a.yy, b.xy, a.yx)};
}

/// A symmetric tensor.
struct Symmetric {
  Batch xx, yy, zz, yz, xz, xy;
};

/// ½ (AᵀB + BᵀA)
[[gnu::always_inline]] inline Symmetric symmetric_product(const Tensor& a, const Tensor& b) {
  const Batch half(0.5);
  const auto column = [](const Batch& p, const Batch& q, const Batch& r, const Batch& u, const Batch& v,
                         const Batch& w) { return multiply_add(p, u, multiply_add(q, v, r * w)); };
  return {column(a.xx, a.yx, a.zx, b.xx, b.yx, b.zx),
          column(a.xy, a.yy, a.zy, b.xy, b.yy, b.zy),
          column(a.xz, a.yz, a.zz, b.xz, b.yz, b.zz),
          half * (column(a.xy, a.yy, a.zy, b.xz, b.yz, b.zz) + column(b.xy, b.yy, b.zy, a.xz, a.yz, a.zz)),
          half * (column(a.xx, a.yx, a.zx, b.xz, b.yz, b.zz) + column(b.xx, b.yx, b.zx, a.xz, a.yz, a.zz)),
          half * (column(a.xx, a.yx, a.zx, b.xy, b.yy, b.zy) + column(b.xx, b.yx, b.zx, a.xy, a.yy, a.zy))};
}

/// ½ (A + Aᵀ) + factor · B
[[gnu::always_inline]] inline Symmetric symmetric_part_and(const Tensor& a, const Batch& factor,
                                                           const Symmetric& b) {
  const Batch half(0.5);
  return {multiply_add(factor, b.xx, a.xx),
          multiply_add(factor, b.yy, a.yy),
          multiply_add(factor, b.zz, a.zz),
          multiply_add(factor, b.yz, half * (a.yz + a.zy)),
          multiply_add(factor, b.xz, half * (a.xz + a.zx)),
          multiply_add(factor, b.xy, half * (a.xy + a.yx))};
}

[[gnu::always_inline]] inline Batch trace(const Symmetric& a) { return a.xx + a.yy + a.zz; }

/// A : B
[[gnu::always_inline]] inline Batch contract(const Symmetric& a, const Symmetric& b) {
  const Batch diagonal = multiply_add(a.xx, b.xx, multiply_add(a.yy, b.yy, a.zz * b.zz));
  return multiply_add(Batch(2.0), multiply_add(a.yz, b.yz, multiply_add(a.xz, b.xz, a.xy * b.xy)), diagonal);
}

/// A + B S, S symmetric.
[[gnu::always_inline]] inline Tensor product_and(const Symmetric& a, const Tensor& b, const Symmetric& s) {
  const auto row_times = [&](const Batch& x, const Batch& y, const Batch& z, const Batch& p, const Batch& q,
                             const Batch& r, const Batch& start) {
    return multiply_add(x, p, multiply_add(y, q, multiply_add(z, r, start)));
  };
  return {row_times(b.xx, b.xy, b.xz, s.xx, s.xy, s.xz, a.xx),
          row_times(b.xx, b.xy, b.xz, s.xy, s.yy, s.yz, a.xy),
          row_times(b.xx, b.xy, b.xz, s.xz, s.yz, s.zz, a.xz),
          row_times(b.yx, b.yy, b.yz, s.xx, s.xy, s.xz, a.xy),
          row_times(b.yx, b.yy, b.yz, s.xy, s.yy, s.yz, a.yy),
          row_times(b.yx, b.yy, b.yz, s.xz, s.yz, s.zz, a.yz),
          row_times(b.zx, b.zy, b.zz, s.xx, s.xy, s.xz, a.xz),
          row_times(b.zx, b.zy, b.zz, s.xy, s.yy, s.yz, a.yz),
          row_times(b.zx, b.zy, b.zz, s.xz, s.yz, s.zz, a.zz)};
}

/// W = λ/2 (tr E)² + μ E : E, E = ½ (G + Gᵀ + GᵀG): a quartic along a line, whatever the sign of J.
struct StVenantKirchhoffLaw {
  using Line = tetrahedra::QuarticLine;
  using Constants = LameConstants;

  /// Volume · P with P = F S and S = λ tr E I + 2 μ E. `good`: finite.
  [[gnu::always_inline]] static Tensor stress(const Tensor& g, const Batch& volume, const Constants& lame,
                                              Mask& good) {
    const Symmetric e = symmetric_part_and(g, Batch(0.5), symmetric_product(g, g));
    const Batch two_mu = Batch(2.0) * volume * lame.mu, pressure = volume * lame.lambda * trace(e);
    const Symmetric s{multiply_add(two_mu, e.xx, pressure),
                      multiply_add(two_mu, e.yy, pressure),
                      multiply_add(two_mu, e.zz, pressure),
                      two_mu * e.yz,
                      two_mu * e.xz,
                      two_mu * e.xy};
    const Batch size = contract(e, e);
    good = size <= Batch(__DBL_MAX__);  // false for NaN too
    return product_and(s, g, s);
  }

  [[gnu::always_inline]] static void restrict_to_line(const PacketGeometry& packet, int lane,
                                                      const double* displacements, const double* velocities,
                                                      const Constants& lame, Line& line) {
    const Tensor g = field_gradient(packet, lane, displacements);
    const Tensor d = field_gradient(packet, lane, velocities);
    const Batch half(0.5), zero(0.0);
    const Symmetric e0 = symmetric_part_and(g, half, symmetric_product(g, g)),
                    e1 = symmetric_part_and(d, Batch(1.0), symmetric_product(g, d)),
                    dd = symmetric_product(d, d);
    const Symmetric e2{half * dd.xx, half * dd.yy, half * dd.zz, half * dd.yz, half * dd.xz, half * dd.xy};
    const auto energy = [&](const Symmetric& a, const Symmetric& b) {  // λ/2 tr A tr B + μ A : B
      return multiply_add(half * lame.lambda * trace(a), trace(b), lame.mu * contract(a, b));
    };
    const Batch two(2.0);
    energy(e0, e0).store_aligned(line.energy[0] + lane);
    (two * energy(e0, e1)).store_aligned(line.energy[1] + lane);
    (two * energy(e0, e2) + energy(e1, e1)).store_aligned(line.energy[2] + lane);
    (two * energy(e1, e2)).store_aligned(line.energy[3] + lane);
    energy(e2, e2).store_aligned(line.energy[4] + lane);
    for (auto& coefficient : line.jacobian) zero.store_aligned(coefficient + lane);
    load(packet.volume + lane).store_aligned(line.volume + lane);
  }

  [[gnu::always_inline]] static EnergyJet jet(const Line& line, int lane, const Batch& s,
                                              const Constants& /*lame*/, Mask& /*infinite*/) {
    const QuarticJet w = quartic_jet(line.energy, lane, s);
    const Batch volume = load(line.volume + lane);
    return {volume * w.value, volume * w.first, volume * w.second};
  }

  /// V‴ is linear in s, so that its bound is exact but for rounding.
  [[gnu::always_inline]] static ThirdBound third_bound(const Line& line, int lane, const Batch& from,
                                                       const Batch& duration, const Constants& /*lame*/) {
    const Batch third =
        largest_third(load(line.energy[3] + lane), load(line.energy[4] + lane), from, duration);
    return {Batch(1.001) * load(line.volume + lane) * third, third <= Batch(__DBL_MAX__)};
  }
};

/// The constants of the Mooney-Rivlin law for every lane: λ′ and m of the part that is a function of J, c₁₀
/// and c₀₁ of the invariants.
struct MooneyRivlinConstants {
  LameConstants of_jacobian;  ///< λ′ = λ − 4 c₀₁, m = μ + 2 c₀₁
  Batch c10, c01;
  explicit MooneyRivlinConstants(const LameParameters& parameters)
      : of_jacobian(Batch(parameters.lambda - 4 * parameters.c01), Batch(parameters.mu + 2 * parameters.c01)),
        c10(0.5 * parameters.mu - parameters.c01),
        c01(parameters.c01) {}
};

/// W = c₁₀ (I₁ − 3) + c₀₁ (I₂ − 3) − m ln J + λ′/2 (ln J)². I₁ − 3 = q + 2 j and I₂ − 3 = r + 4 j with j = J
/// − 1 and q = tr FᵀF − 3 − 2 j, r = |K|² − 2 tr cof G − 4 det G of second order in the strain, K = cof F −
/// I; hence W = c₁₀ q + c₀₁ r + m (j − ln J) + λ′/2 (ln J)².
struct MooneyRivlinLaw {
  using Line = tetrahedra::QuarticLine;
  using Constants = MooneyRivlinConstants;

  /// Volume · P: the neo-Hookean stress with λ′ and m in place of λ and μ, plus 2 c₀₁ F (tr A I − A), A = G +
  /// Gᵀ + GᵀG.
  [[gnu::always_inline]] static Tensor stress(const Tensor& g, const Batch& volume,
                                              const Constants& constants, Mask& good) {
    const Tensor p = neo_hookean_stress(g, volume, constants.of_jacobian, good);
    const Symmetric e = symmetric_part_and(g, Batch(0.5), symmetric_product(g, g));
    const Batch four = Batch(4.0) * volume * constants.c01;
    const Batch t = four * trace(e);
    const Symmetric b{t - four * e.xx,       t - four * e.yy,       t - four * e.zz,
                      negative(four * e.yz), negative(four * e.xz), negative(four * e.xy)};
    const Tensor more = product_and(b, g, b);
    return {p.xx + more.xx, p.xy + more.xy, p.xz + more.xz, p.yx + more.yx, p.yy + more.yy,
            p.yz + more.yz, p.zx + more.zx, p.zy + more.zy, p.zz + more.zz};
  }

  [[gnu::always_inline]] static void restrict_to_line(const PacketGeometry& packet, int lane,
                                                      const double* displacements, const double* velocities,
                                                      const Constants& constants, Line& line) {
    const Tensor g = field_gradient(packet, lane, displacements);
    const Tensor d = field_gradient(packet, lane, velocities);
    const Tensor cofactor_g = cofactor(g), cofactor_d = cofactor(d), mixed = mixed_cofactor(g, d);
    const Tensor k0 = cofactor_change(g, cofactor_g, trace(g)), k1 = cofactor_change(d, mixed, trace(d));
    const Batch det0 = determinant(g, cofactor_g), det1 = contract(cofactor_g, d),
                det2 = contract(cofactor_d, g), det3 = determinant(d, cofactor_d);
    const Batch sum0 = trace(cofactor_g), sum1 = trace(mixed), sum2 = trace(cofactor_d);
    (trace(g) + (sum0 + det0)).store_aligned(line.jacobian[0] + lane);
    (trace(d) + (sum1 + det1)).store_aligned(line.jacobian[1] + lane);
    (sum2 + det2).store_aligned(line.jacobian[2] + lane);
    det3.store_aligned(line.jacobian[3] + lane);
    const Batch two(2.0), four(4.0);
    const Batch q[4] = {contract(g, g) - two * (sum0 + det0), two * (contract(g, d) - (sum1 + det1)),
                        contract(d, d) - two * (sum2 + det2), negative(two * det3)};
    const Batch r[5] = {
        contract(k0, k0) - multiply_add(two, sum0, four * det0),
        two * contract(k0, k1) - multiply_add(two, sum1, four * det1),
        multiply_add(two, contract(k0, cofactor_d), contract(k1, k1)) - multiply_add(two, sum2, four * det2),
        two * contract(k1, cofactor_d) - four * det3, contract(cofactor_d, cofactor_d)};
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      multiply_add(constants.c10, q[i], constants.c01 * r[i]).store_aligned(line.energy[i] + lane);
    (constants.c01 * r[4]).store_aligned(line.energy[4] + lane);
    load(packet.volume + lane).store_aligned(line.volume + lane);
  }

  [[gnu::always_inline]] static EnergyJet jet(const Line& line, int lane, const Batch& s,
                                              const Constants& constants, Mask& infinite) {
    const JacobianJet j = jacobian_jet(line, lane, s);
    infinite = j.change <= Batch(-1.0);
    const QuarticJet w = quartic_jet(line.energy, lane, s);
    const Batch lambda = constants.of_jacobian.lambda, m = constants.of_jacobian.mu;
    const Batch jacobian = Batch(1.0) + j.change;
    const Batch inverse = Batch(1.0) / jacobian;
    const Logarithm log = logarithm(j.change, jacobian, inverse);
    const Batch lambda_log = lambda * log.value;
    const Batch first = multiply_add(m, j.change, lambda_log) * inverse;
    const Batch second = ((lambda + m) - lambda_log) * inverse * inverse;
    const Batch volume = load(line.volume + lane);
    return {volume * (w.value + multiply_add(m, log.excess, Batch(0.5) * lambda_log * log.value)),
            volume * multiply_add(first, j.first, w.first),
            volume * multiply_add(second * j.first, j.first, multiply_add(first, j.second, w.second))};
  }

  /// The sum of two bounds: that of λ′/2 (ln J)² − m ln J as in the neo-Hookean law, and that of the quartic
  /// together with m j.
  [[gnu::always_inline]] static ThirdBound third_bound(const Line& line, int lane, const Batch& from,
                                                       const Batch& duration, const Constants& constants) {
    const Batch volume = load(line.volume + lane);
    const ThirdBound of_jacobian =
        third_bound_of_jacobian(volume, jacobian_jet(line, lane, from), duration, constants.of_jacobian);
    const Batch cubic =
        multiply_add(constants.of_jacobian.mu, load(line.jacobian[3] + lane), load(line.energy[3] + lane));
    const Batch third = largest_third(cubic, load(line.energy[4] + lane), from, duration);
    return {of_jacobian.third + Batch(1.001) * volume * third,
            of_jacobian.valid & (third <= Batch(__DBL_MAX__))};
  }
};

}  // namespace terrace::TERRACE_LEVEL
