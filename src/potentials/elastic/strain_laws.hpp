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

  /// S = ∂W/∂E [Pa], the second Piola-Kirchhoff stress.
  [[nodiscard]] Tensor3 stress(const Tensor3& strain) const;
  /// dS for dE.
  [[nodiscard]] Tensor3 stress_change(const Tensor3& strain, const Tensor3& change) const;
  /// W(E_m + ½ ΔE) − W(E_m − ½ ΔE) − S(E_m) : ΔE [J/m³], of third order in ΔE, and what it changes by, as a
  /// symmetric tensor for dE, where dE_m = ½ dE and dΔE = dE. Differences of W and S are not taken, whose
  /// rounding is of the order of what is looked for where strains hardly change.
  struct Excess {
    double value = 0;
    Tensor3 slope{};
  };
  [[nodiscard]] Excess excess(const Tensor3& mean_strain, const Tensor3& change) const;

 private:
  bool linear_;
  double lambda_, mu_;  ///< of the part that is neo-Hookean or St. Venant-Kirchhoff
  double c01_;
};

}  // namespace terrace
