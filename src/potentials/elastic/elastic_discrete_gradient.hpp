// The discrete gradient of elastic elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "potentials/discrete_gradient.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/strain_laws.hpp"

namespace terrace {

/// The discrete gradient of tetrahedra, element by element and from the strains alone (Simo and Tarnow, ZAMP
/// 43, 1992; Gonzalez, Comput. Methods Appl. Mech. Eng. 190, 2000). The force on node a is volume · F_m S̄
/// ∇N_a, with F_m the mean of F and F′, E_m the mean of E and E′, and
///   S̄ = S(E_m) + (W(E′) − W(E) − S(E_m) : ΔE) / |ΔE|² ΔE.
/// ΔE is the symmetric part of F_mᵀ ΔF, so that the work is volume · ΔW. S̄ is symmetric, so that the forces
/// have no moment about the means of the positions.
class ElasticDiscreteGradient : public DiscreteGradient {
 public:
  struct Element {
    Tetrahedron nodes;
    double volume;                          ///< [m³]
    std::array<Vector3, 3> shape_gradient;  ///< ∇N_a of the first three nodes [1/m]
  };
  /// `names`: how error messages name the elements.
  ElasticDiscreteGradient(const Material& material, std::vector<Element> elements, ElementNames names);

  /// Throws Error(run) if an element has J ≤ 0 at `to` and the law needs J > 0.
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
  std::vector<std::array<Tensor3, 9>> tangents_;  // by element: dP for a unit change of each F′ component
};

}  // namespace terrace
