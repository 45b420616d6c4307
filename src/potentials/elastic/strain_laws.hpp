// The laws of hyperelastic materials as functions of Green's strain alone.
#pragma once

#include "mesh/model.hpp"
#include "potentials/elastic/tensor3.hpp"

namespace terrace {

/// The energies of elastic_laws.hpp as functions of E = ½ (FᵀF − I), symmetric. C = I + 2E must be positive
/// definite, as it is for every F that is not singular: of which sign J is, E does not say.
class StrainLaw {
 public:
  explicit StrainLaw(const Material& material);

  /// W [J/m³] and S = ∂W/∂E [Pa], the second Piola-Kirchhoff stress.
  struct State {
    double energy_density = 0;
    Tensor3 stress{};
  };
  [[nodiscard]] State at(const Tensor3& strain) const;
  /// dS for dE.
  [[nodiscard]] Tensor3 stress_change(const Tensor3& strain, const Tensor3& change) const;
  /// Whether S is linear in E.
  [[nodiscard]] bool is_linear() const { return linear_; }

 private:
  bool linear_;
  double lambda_, mu_;  ///< of the part that is neo-Hookean or St. Venant-Kirchhoff
  double c01_;
};

}  // namespace terrace
