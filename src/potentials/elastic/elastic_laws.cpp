#include "potentials/elastic/elastic_laws.hpp"

#include <cstddef>
#include <limits>

#include "numerics/elementary.hpp"

namespace terrace {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

/// J − 1, ln J and (J − 1) − ln J; the last two are NaN where J ≤ 0.
struct Dilatation {
  double change, log, excess;
};

Dilatation dilatation(const Tensor3& g, const Tensor3& cofactor_of_g) {
  const double change = trace(g) + cofactor_of_g[0][0] + cofactor_of_g[1][1] + cofactor_of_g[2][2] +
                        dot(g[0], cofactor_of_g[0]);
  if (!(change > -1)) return {change, not_a_number, not_a_number};
  return {change, numerics::log1p(change), numerics::log1p_excess(change)};
}

/// tr FᵀF − 3 − 2 (J − 1), which is of second order in G.
double square_of_strain(const Tensor3& g, const Tensor3& cofactor_of_g) {
  return contract(g, g) - 2 * (trace(cofactor_of_g) + dot(g[0], cofactor_of_g[0]));
}

// A sum of terms of second order alone: terms of first order would cancel and take the digits of small
// strains with them.
double neo_hookean_energy(const Material& material, const Tensor3& g, const Tensor3& cofactor_of_g,
                          const Dilatation& dilatation) {
  return 0.5 * material.lame_lambda * dilatation.log * dilatation.log +
         material.lame_mu * (dilatation.excess + 0.5 * square_of_strain(g, cofactor_of_g));
}

MaterialState neo_hookean_state(const Material& material, const Tensor3& g) {
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  const Tensor3 cofactor_of_g = cofactor(g);
  const Dilatation of_volume = dilatation(g, cofactor_of_g);
  const auto [j, log, excess] = of_volume;
  MaterialState state{neo_hookean_energy(material, g, cofactor_of_g, of_volume), 1 + j, {}};
  for (std::size_t c = 0; c < 6; ++c) {
    const auto [i, k] = component[c];
    const double strain = g[i][k] + g[k][i] + dot(g[i], g[k]);  // FFᵀ − I
    state.cauchy[c] = (mu * strain + (i == k ? lambda * log : 0.0)) / (1 + j);
  }
  return state;
}

/// Sets the Cauchy stress σ = P Fᵀ / J, P = `stress`.
void set_cauchy(MaterialState& state, const Tensor3& stress, const Tensor3& deformation) {
  for (std::size_t c = 0; c < 6; ++c)
    state.cauchy[c] = dot(stress[component[c][0]], deformation[component[c][1]]) / state.jacobian;
}

Tensor3 second_stress(const Material& material, const Tensor3& strain) {
  return plus_identity(combined(2 * material.lame_mu, strain, 0, strain),
                       material.lame_lambda * trace(strain));
}

MaterialState st_venant_kirchhoff(const Material& material, const Tensor3& g) {
  const Tensor3 e = green_strain(g), f = plus_identity(g, 1);
  MaterialState state{0.5 * material.lame_lambda * trace(e) * trace(e) + material.lame_mu * contract(e, e),
                      1 + dilatation(g, cofactor(g)).change,
                      {}};
  set_cauchy(state, product(f, second_stress(material, e)), f);
  return state;
}

/// The material with λ − 4 c₀₁ and μ + 2 c₀₁. The Mooney-Rivlin energy is its neo-Hookean energy plus c₀₁
/// times the second invariant of 2E.
Material of_jacobian(const Material& material) {
  Material part = material;
  part.lame_lambda -= 4 * material.c01;
  part.lame_mu += 2 * material.c01;
  return part;
}

MaterialState mooney_rivlin(const Material& material, const Tensor3& g) {
  const double c01 = material.c01, c10 = 0.5 * material.lame_mu - c01;
  const Material part = of_jacobian(material);
  const Tensor3 c = cofactor(g), f = plus_identity(g, 1);
  const auto [j, log, excess] = dilatation(g, c);
  const double second = trace(c), det = dot(g[0], c[0]);
  const Tensor3 k = plus_identity(combined(1, c, -1, transposed(g)), trace(g));  // cof F − I
  const double q = square_of_strain(g, c), r = contract(k, k) - 2 * second - 4 * det;
  MaterialState state{
      c10 * q + c01 * r + part.lame_mu * excess + 0.5 * part.lame_lambda * log * log, 1 + j, {}};
  const Tensor3 inverse = combined(1 / (1 + j), plus_identity(k, 1), 0, k);  // F⁻ᵀ
  const Tensor3 a = combined(2, green_strain(g), 0, g);
  const Tensor3 isochoric = product(f, plus_identity(combined(-1, a, 0, a), trace(a)));
  Tensor3 stress = combined(part.lame_mu, f, part.lame_lambda * log - part.lame_mu, inverse);
  stress = combined(1, stress, 2 * c01, isochoric);
  set_cauchy(state, stress, f);
  return state;
}

// dP = μ dF + λ tr(F⁻¹ dF) F⁻ᵀ − (λ ln J − μ) F⁻ᵀ dFᵀ F⁻ᵀ for dF = d.
Tensor3 neo_hookean_change(const Material& material, const Tensor3& g, const Tensor3& d) {
  const Tensor3 f = plus_identity(g, 1), c = cofactor(f);
  const double jacobian = dot(f[0], c[0]), log = numerics::log1p(jacobian - 1);
  const Tensor3 inverse = combined(1 / jacobian, c, 0, c);
  const Tensor3 turned = product(product(inverse, transposed(d)), inverse);
  const Tensor3 change = combined(material.lame_mu, d, material.lame_lambda * contract(inverse, d), inverse);
  return combined(1, change, material.lame_mu - material.lame_lambda * log, turned);
}

}  // namespace

MaterialState material_state(const Material& material, const Tensor3& g) {
  switch (material.law) {
    case MaterialLaw::mooney_rivlin:
      return mooney_rivlin(material, g);
    case MaterialLaw::st_venant_kirchhoff:
      return st_venant_kirchhoff(material, g);
    case MaterialLaw::neo_hookean:
      break;
  }
  return neo_hookean_state(material, g);
}

double energy_density(const Material& material, const Tensor3& g) {
  if (material.law != MaterialLaw::neo_hookean) return material_state(material, g).energy_density;
  const Tensor3 c = cofactor(g);
  return neo_hookean_energy(material, g, c, dilatation(g, c));
}

Tensor3 stress_change(const Material& material, const Tensor3& g, const Tensor3& change) {
  const Tensor3 f = plus_identity(g, 1);
  const Tensor3 e = green_strain(g), de = symmetric_product(f, change);
  switch (material.law) {
    case MaterialLaw::st_venant_kirchhoff:
      return combined(1, product(change, second_stress(material, e)), 1,
                      product(f, second_stress(material, de)));
    case MaterialLaw::mooney_rivlin: {
      const auto deviation = [](const Tensor3& strain) {  // tr A I − A, A twice the strain
        return plus_identity(combined(-2, strain, 0, strain), 2 * trace(strain));
      };
      const Tensor3 more = combined(1, product(change, deviation(e)), 1, product(f, deviation(de)));
      return combined(1, neo_hookean_change(of_jacobian(material), g, change), 2 * material.c01, more);
    }
    case MaterialLaw::neo_hookean:
      break;
  }
  return neo_hookean_change(material, g, change);
}

}  // namespace terrace
