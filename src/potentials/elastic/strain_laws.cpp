#include "potentials/elastic/strain_laws.hpp"

#include "numerics/elementary.hpp"

namespace terrace {
namespace {

/// Of C = I + A, A = 2E.
struct Stretch {
  double log;       ///< ln J = ½ ln det C
  Tensor3 inverse;  ///< C⁻¹
};

Stretch stretch_of(const Tensor3& a) {
  const Tensor3 of_a = cofactor(a), of_c = cofactor(plus_identity(a, 1));
  const double change = trace(a) + trace(of_a) + dot(a[0], of_a[0]);  // det C − 1, all digits of it
  return {0.5 * numerics::log1p(change), combined(1 / (1 + change), of_c, 0, of_c)};
}

/// tr A I − A
Tensor3 deviation(const Tensor3& a) { return plus_identity(combined(-1, a, 0, a), trace(a)); }

}  // namespace

// Mooney and Rivlin's law is that of λ − 4 c₀₁ and μ + 2 c₀₁ by neo-Hooke, and c₀₁ II(A) with II(A) = ½ (tr²A
// − A : A).
StrainLaw::StrainLaw(const Material& material)
    : linear_(material.law == MaterialLaw::st_venant_kirchhoff),
      lambda_(material.lame_lambda),
      mu_(material.lame_mu),
      c01_(material.law == MaterialLaw::mooney_rivlin ? material.c01 : 0) {
  lambda_ -= 4 * c01_;
  mu_ += 2 * c01_;
}

StrainLaw::State StrainLaw::at(const Tensor3& strain) const {
  if (linear_) {
    const Tensor3 stress = stress_change(strain, strain);
    return {0.5 * contract(stress, strain), stress};
  }
  const Tensor3 a = combined(2, strain, 0, strain);
  const auto [log, inverse] = stretch_of(a);
  const Tensor3 isochoric = deviation(a);
  State state;
  state.energy_density =
      0.5 * lambda_ * log * log + mu_ * (0.5 * trace(a) - log) + 0.5 * c01_ * contract(isochoric, a);
  // μ (I − C⁻¹) + λ ln J C⁻¹ + 2 c₀₁ (tr A I − A)
  state.stress = combined(mu_, product(inverse, a), lambda_ * log, inverse);
  state.stress = combined(1, state.stress, 2 * c01_, isochoric);
  return state;
}

Tensor3 StrainLaw::stress_change(const Tensor3& strain, const Tensor3& change) const {
  if (linear_) return plus_identity(combined(2 * mu_, change, 0, change), lambda_ * trace(change));
  const Tensor3 a = combined(2, strain, 0, strain), da = combined(2, change, 0, change);
  const auto [log, inverse] = stretch_of(a);
  const Tensor3 turned = product(product(inverse, da), inverse);
  const Tensor3 part = combined(mu_ - lambda_ * log, turned, 0.5 * lambda_ * contract(inverse, da), inverse);
  return combined(1, part, 2 * c01_, deviation(da));
}

}  // namespace terrace
