// The laws of hyperelastic materials at one point, for output and for all that is not computed in packets.
#pragma once

#include <array>

#include "mesh/model.hpp"
#include "potentials/elastic/tensor3.hpp"

namespace terrace {

/// Energy density W [J/m³], J = det F and Cauchy stress σ [Pa] (xx, yy, zz, xy, yz, xz: VTK's order).
struct MaterialState {
  double energy_density = 0, jacobian = 0;
  std::array<double, 6> cauchy{};
};

/// The state of a material at the displacement gradient g = F − I. With L = ln J and E = ½ (FᵀF − I), W is
///   neo-Hookean           λ/2 L² − μ L + μ/2 (tr FᵀF − 3)  (thesis (2.88));
///   Mooney-Rivlin         c₁₀ (I₁ − 3) + c₀₁ (I₂ − 3) − (μ + 2 c₀₁) L + (λ − 4 c₀₁)/2 L², c₁₀ = μ/2 − c₀₁;
///   St. Venant-Kirchhoff  λ/2 (tr E)² + μ E : E;
/// with the Lamé constants λ and μ at small strain for all three. Where J ≤ 0, W and σ are NaN for the first
/// two.
[[nodiscard]] MaterialState material_state(const Material& material, const Tensor3& g);

/// The W of `material_state` alone.
[[nodiscard]] double energy_density(const Material& material, const Tensor3& g);

/// The change of the first Piola-Kirchhoff stress P for the change `change` of F, at F = I + g. The first two
/// laws need J > 0.
[[nodiscard]] Tensor3 stress_change(const Material& material, const Tensor3& g, const Tensor3& change);

}  // namespace terrace
