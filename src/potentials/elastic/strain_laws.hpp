// The laws of hyperelastic materials as functions of Green's strain alone.
#pragma once

#include "mesh/model.hpp"
#include "potentials/elastic/tensor3.hpp"

namespace terrace {

/// The energies of elastic_laws.hpp as functions of the symmetric strain E = ½ (FᵀF − I). C = I + 2E must be
/// positive definite, as it is for every F that is not singular; E does not tell the sign of J.
class StrainLaw {
 public:
  explicit StrainLaw(const Material& material);

  /// S = ∂W/∂E [Pa], the second Piola-Kirchhoff stress.
  [[nodiscard]] Tensor3 stress(const Tensor3& strain) const;
  /// The change of S for the change `change` of the strain.
  [[nodiscard]] Tensor3 stress_change(const Tensor3& strain, const Tensor3& change) const;
  /// The excess W(E_m + ½ ΔE) − W(E_m − ½ ΔE) − S(E_m) : ΔE [J/m³], which is of third order in ΔE, and its
  /// derivative, a symmetric tensor to be contracted with dE, where dE_m = ½ dE and dΔE = dE. Neither is a
  /// difference of values of W and S: where strains hardly change, rounding of these would be as large as the
  /// result.
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
