#include "potentials/elastic/strain_laws.hpp"

#include "numerics/elementary.hpp"

namespace terrace {
namespace {

/// Of C = I + A with A = 2E.
struct Stretch {
  double log;       ///< ln J = ½ ln det C
  Tensor3 inverse;  ///< C⁻¹
};

Stretch stretch_of(const Tensor3& a) {
  const Tensor3 of_a = cofactor(a), of_c = cofactor(plus_identity(a, 1));
  const double change = trace(a) + trace(of_a) + dot(a[0], of_a[0]);  // det C − 1 to all digits
  return {0.5 * numerics::log1p(change), combined(1 / (1 + change), of_c, 0, of_c)};
}

/// tr A I − A
Tensor3 deviation(const Tensor3& a) { return plus_identity(combined(-1, a, 0, a), trace(a)); }

}  // namespace

// The Mooney-Rivlin energy is the neo-Hookean one of λ − 4 c₀₁ and μ + 2 c₀₁, plus c₀₁ II(A) with II(A) = ½
// (tr²A − A : A).
StrainLaw::StrainLaw(const Material& material)
    : linear_(material.law == MaterialLaw::st_venant_kirchhoff),
      lambda_(material.lame_lambda),
      mu_(material.lame_mu),
      c01_(material.law == MaterialLaw::mooney_rivlin ? material.c01 : 0) {
  lambda_ -= 4 * c01_;
  mu_ += 2 * c01_;
}

Tensor3 StrainLaw::stress(const Tensor3& strain) const {
  if (linear_) return stress_change(strain, strain);
  const Tensor3 a = combined(2, strain, 0, strain);
  const auto [log, inverse] = stretch_of(a);
  // μ (I − C⁻¹) + λ ln J C⁻¹ + 2 c₀₁ (tr A I − A)
  const Tensor3 part = combined(mu_, product(inverse, a), lambda_ * log, inverse);
  return combined(1, part, 2 * c01_, deviation(a));
}

Tensor3 StrainLaw::stress_change(const Tensor3& strain, const Tensor3& change) const {
  if (linear_) return plus_identity(combined(2 * mu_, change, 0, change), lambda_ * trace(change));
  const Tensor3 a = combined(2, strain, 0, strain), da = combined(2, change, 0, change);
  const auto [log, inverse] = stretch_of(a);
  const Tensor3 turned = product(product(inverse, da), inverse);
  const Tensor3 part = combined(mu_ - lambda_ * log, turned, 0.5 * lambda_ * contract(inverse, da), inverse);
  return combined(1, part, 2 * c01_, deviation(da));
}

// With B = C_m⁻¹ ΔE the two ends have C = C_m (I ± B), and det(I ± B) = 1 ± t + II ± d with the invariants t,
// II, d of B. As S(E_m) : ΔE = μ (tr ΔE − t) + λ ln J_m t, the excess is (λ ln J_m − μ) (P − t) + ½ λ P Q,
// where
//   P = ln J′ − ln J = artanh y,  y = (t + d)/(1 + II),
//   Q = ln J′ + ln J − 2 ln J_m = ½ ln((1 + II)² − (t + d)²).
// II(A) is quadratic and adds nothing to the excess. For dE, dB = C_m⁻¹ dE (I − B), so that tr(X dB) = X H :
// dE for every power X of B, with H = (I − B) C_m⁻¹.
StrainLaw::Excess StrainLaw::excess(const Tensor3& mean_strain, const Tensor3& change) const {
  if (linear_) return {};
  const auto [log, inverse] = stretch_of(combined(2, mean_strain, 0, mean_strain));
  const Tensor3 b = product(inverse, change), of_b = cofactor(b);
  const double t = trace(b), second = trace(of_b), d = dot(b[0], of_b[0]);
  const double middle = 1 + second, y = (t + d) / middle, rest = (d - t * second) / middle;  // y = t + rest
  const double artanh_rest = numerics::artanh_excess(y), p = y + artanh_rest, less = artanh_rest + rest;
  const double q = 0.5 * numerics::log1p(second * (2 + second) - (t + d) * (t + d));
  const double factor = lambda_ * log - mu_;

  // From dt = H : dE, dII = X₁ H : dE and dd = adj B H : dE follow dP = (X₂ − y X₁) H : dE / ((1 + II) (1 −
  // y²)) and dQ = (X₁ − y X₂) H : dE / ((1 + II) (1 − y²)), with X₁ = t I − B and X₂ = I + adj B.
  const Tensor3 adjoint = transposed(of_b), trace_less = plus_identity(combined(-1, b, 0, b), t);
  const double steepness = 1 / (1 - y * y), of_p = 0.5 * lambda_ * q + factor * y * y;
  const double along_adjoint = steepness * (of_p - 0.5 * lambda_ * p * y);
  const double along_trace = steepness * (0.5 * lambda_ * p - y * of_p) - factor * y;
  Tensor3 sum = combined(along_adjoint + factor, adjoint, along_trace, trace_less);
  sum = plus_identity(sum, along_adjoint - factor * second);
  const Tensor3 h = combined(1, inverse, -1, product(b, inverse));
  return {factor * less + 0.5 * lambda_ * p * q,
          combined(0.5 * lambda_ * less, inverse, 1 / middle, product(sum, h))};
}

}  // namespace terrace
