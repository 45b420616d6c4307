// The neo-Hookean law for packets of elements, written in the displacement gradient G = F − I, so that
// nothing cancels at small strain.
#pragma once

#include "potentials/kernels/tetrahedron_kernels.hpp"

namespace terrace::TERRACE_LEVEL {

/// λ and μ for every lane.
struct LameConstants {
  Batch lambda, mu;
  explicit LameConstants(const LameParameters& parameters) : lambda(parameters.lambda), mu(parameters.mu) {}
  LameConstants(const Batch& lambda_of_lanes, const Batch& mu_of_lanes)
      : lambda(lambda_of_lanes), mu(mu_of_lanes) {}
};

/// Whether the element is not inverted and j = J − 1 is finite.
[[gnu::always_inline]] inline Mask upright(const Batch& j) {
  return (j > Batch(-1.0)) & (j <= Batch(__DBL_MAX__));
}

struct StressAndEnergy {
  Tensor stress;
  Batch energy;
};

/// Returns Volume · P and Volume · W, W as in NeoHookeanLaw::energy_jet; `good`: J > 0 and finite. P = μ F +
/// (λ ln J − μ) F⁻ᵀ is computed as μ (G − K) + λ ln J I + q K, with q = (λ ln J + μ (J − 1))/J and K = cof F
/// − J I = cof G − Gᵀ − (I₂ + det G) I. In a body that has turned K is as large as G, though the stress is
/// not. With a factor μ/J of K, whose rounding error is the same all over the body, a torque would remain; q
/// is as small as the strain.
[[gnu::always_inline]] inline StressAndEnergy neo_hookean_stress_and_energy(const Tensor& g,
                                                                            const Batch& volume,
                                                                            const LameConstants& lame,
                                                                            Mask& good) {
  const Tensor c = cofactor(g);
  const Batch higher_invariants = trace(c) + determinant(g, c);  // I₂ + det G
  const Batch j = trace(g) + higher_invariants;
  good = upright(j);
  const Batch jacobian = Batch(1.0) + j;
  const Batch inverse = Batch(1.0) / jacobian;
  const Logarithm log = logarithm(j, jacobian, inverse);
  const Batch pressure = lame.lambda * log.value;
  const Batch q = volume * multiply_add(lame.mu, j, pressure) * inverse;
  const Batch mu = volume * lame.mu, p = volume * pressure;
  const Tensor k = cofactor_change(g, c, negative(higher_invariants));
  const Batch half_strain =
      Batch(0.5) * (contract(g, g) - Batch(2.0) * higher_invariants);  // (tr FᵀF − 3 − 2 j) / 2
  const Batch xy = g.xy + g.yx, yz = g.yz + g.zy, xz = g.xz + g.zx;
  const auto diagonal = [&](const Batch& of_g, const Batch& of_k) {
    return multiply_add(q, of_k, multiply_add(mu, of_g - of_k, p));
  };
  const auto shear = [&](const Batch& twice_symmetric, const Batch& of_cofactor, const Batch& of_k) {
    return multiply_add(q, of_k, mu * (twice_symmetric - of_cofactor));
  };
  return {{diagonal(g.xx, k.xx), shear(xy, c.xy, k.xy), shear(xz, c.xz, k.xz), shear(xy, c.yx, k.yx),
           diagonal(g.yy, k.yy), shear(yz, c.yz, k.yz), shear(xz, c.zx, k.zx), shear(yz, c.zy, k.zy),
           diagonal(g.zz, k.zz)},
          volume * multiply_add(lame.mu, log.excess + half_strain, Batch(0.5) * pressure * log.value)};
}

/// The stress alone.
[[gnu::always_inline]] inline Tensor neo_hookean_stress(const Tensor& g, const Batch& volume,
                                                        const LameConstants& lame, Mask& good) {
  return neo_hookean_stress_and_energy(g, volume, lame, good).stress;
}

/// J − 1 and its derivatives along the line.
struct JacobianJet {
  Batch change, first, second, third;
};

template <class Line>
[[gnu::always_inline]] inline JacobianJet jacobian_jet(const Line& line, int lane, const Batch& s) {
  const Batch j0 = load(line.jacobian[0] + lane), j1 = load(line.jacobian[1] + lane),
              j2 = load(line.jacobian[2] + lane), j3 = load(line.jacobian[3] + lane);
  const Batch triple = Batch(3.0) * j3;
  return {multiply_add(s, multiply_add(s, multiply_add(s, j3, j2), j1), j0),
          multiply_add(s, multiply_add(s, triple, j2 + j2), j1), Batch(2.0) * multiply_add(s, triple, j2),
          Batch(6.0) * j3};
}

/// Bound of |V‴| for V = Volume · g(J), g = λ/2 ln²J − μ ln J, in the next `duration` of the line, and
/// whether there is one: J must keep half its value. V‴ / Volume = g‴ J′³ + 3 g″ J′ J″ + g′ J‴; every factor
/// is bounded over its range.
[[gnu::always_inline]] inline ThirdBound third_bound_of_jacobian(const Batch& volume, const JacobianJet& j,
                                                                 const Batch& duration,
                                                                 const LameConstants& lame) {
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
  const Batch log = (xsimd::abs(j.change) + delta) * maximum(one, inverse);
  const Batch lambda = xsimd::abs(lame.lambda);
  const Batch g1 = multiply_add(lambda, log, lame.mu) * inverse;
  const Batch g2 = multiply_add(lambda, one + log, lame.mu) * inverse * inverse;
  const Batch g3 = multiply_add(lambda, three + log + log, lame.mu + lame.mu) * inverse * inverse * inverse;
  const Batch bound =
      multiply_add(g3 * first, first * first, multiply_add(three * g2 * first, second, g1 * third));
  // Also false for NaN.
  return {Batch(1.001) * volume * bound, (least >= half * jacobian) & (jacobian > Batch(0.0))};
}

struct NeoHookeanLaw {
  using Line = neo_hookean::PacketLine;
  using Constants = LameConstants;
  [[gnu::always_inline]] static Tensor stress(const Tensor& g, const Batch& volume, const Constants& lame,
                                              Mask& good) {
    return neo_hookean_stress(g, volume, lame, good);
  }
  [[gnu::always_inline]] static StressAndEnergy stress_and_energy(const Tensor& g, const Batch& volume,
                                                                  const Constants& lame, Mask& good) {
    return neo_hookean_stress_and_energy(g, volume, lame, good);
  }
  [[gnu::always_inline]] static void restrict_to_line(const PacketGeometry& packet, int lane,
                                                      const double* displacements, const double* velocities,
                                                      const Constants& /*lame*/, Line& line) {
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

  /// W = λ/2 L² + μ (j − L) + μ/2 (tr FᵀF − 3 − 2 j), L = ln J, j = J − 1; each of its parts is of second
  /// order in the strain.
  [[gnu::always_inline]] static EnergyJet energy_jet(const Line& line, int lane, const JacobianJet& j,
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

  [[gnu::always_inline]] static EnergyJet jet(const Line& line, int lane, const Batch& s,
                                              const Constants& lame, Mask& infinite) {
    const JacobianJet j = jacobian_jet(line, lane, s);
    infinite = j.change <= Batch(-1.0);
    return energy_jet(line, lane, j, s, lame);
  }
  [[gnu::always_inline]] static ThirdBound third_bound(const Line& line, int lane, const Batch& s,
                                                       const Batch& duration, const Constants& lame) {
    return third_bound_of_jacobian(load(line.volume + lane), jacobian_jet(line, lane, s), duration, lame);
  }
};

}  // namespace terrace::TERRACE_LEVEL
