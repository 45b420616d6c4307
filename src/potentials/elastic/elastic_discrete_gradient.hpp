// The discrete gradient of elastic elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "potentials/discrete_gradient.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/strain_laws.hpp"

namespace terrace {

/// Of tetrahedra, element by element, by the strains alone (Simo and Tarnow, ZAMP 43, 1992; Gonzalez, Comput.
/// Methods Appl. Mech. Eng. 190, 2000): the force on node a is volume · F_m S̄ ∇N_a, F_m the mean of both F,
///   S̄ = S(E_m) + (W(E′) − W(E) − S(E_m) : ΔE) / |ΔE|² ΔE,   E_m the mean of both E.
/// As ΔE is the symmetric part of F_mᵀ ΔF the work is volume · ΔW, and as S̄ is symmetric forces have no
/// moment about the means of the positions.
class ElasticDiscreteGradient : public DiscreteGradient {
 public:
  struct Element {
    Tetrahedron nodes;
    double volume;                          ///< [m³]
    std::array<Vector3, 3> shape_gradient;  ///< ∇N_a of the first three nodes [1/m]
  };
  /// `names`: what error messages call the elements.
  ElasticDiscreteGradient(const Material& material, std::vector<Element> elements, ElementNames names);

  /// Throws Error(run) for an element with J ≤ 0 at `to` where the law needs J > 0.
  double add(const Displacements& from, const Displacements& to, const Grid& grid,
             std::span<Vector3> gradient) const override;
  void linearize(const Displacements& from, const Displacements& to) override;
  void add_change(std::span<const Vector3> direction, std::span<Vector3> product) const override;

 private:
  struct Motion;
  struct Stress;
  [[nodiscard]] Motion motion_of(const Element& element, const Displacements& from,
                                 const Displacements& to) const;
  [[nodiscard]] Stress stress_of(const Motion& motion) const;
  [[nodiscard]] Tensor3 stress_change(const Motion& motion, const Stress& stress, const Tensor3& d) const;

  StrainLaw law_;
  bool needs_positive_jacobian_;
  std::vector<Element> elements_;
  ElementNames names_;
  std::vector<std::array<Tensor3, 9>> tangents_;  // of each element, dP for dF of one component each
};

}  // namespace terrace
