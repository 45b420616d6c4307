// What every elastic potential offers besides its energy, whatever the law of its material.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "mesh/model.hpp"
#include "potentials/elastic/element_names.hpp"
#include "potentials/kernels/packets.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// State of one element, for output.
struct ElementState {
  double energy = 0;               ///< Volume · W [J]
  double energy_density = 0;       ///< W, per reference volume [J/m³]
  double jacobian = 0;             ///< J = det F
  std::array<double, 6> cauchy{};  ///< σ [Pa]: xx, yy, zz, xy, yz, xz (VTK's order of symmetric tensors)
};

/// Energies of a potential's elements that are measured again and again, and the state they were measured in.
struct ElementMeasures {
  struct alignas(32) NodalRow {
    double component[simd::row] = {};
  };
  /// The rotation of the body as a whole, with angular velocity `spin` about the point `centre`. It is taken
  /// off the velocities. 0 at first.
  Vector3 centre{}, spin{};
  std::vector<NodalRow> displacements, velocities;  ///< of its nodes; velocities without the rotation
  std::vector<double> energies;                     ///< of each element [J]; NaN where the law has none
  /// Of each element ½ m (mean of v² − square of the mean of v) [J], v the velocities above of its nodes.
  std::vector<double> kinetic_of_differences;
};

/// Tetrahedra of one material: (a rank's part of) a body.
class ElasticPotential : public Potential {
 public:
  [[nodiscard]] virtual std::span<const Tetrahedron> tetrahedra() const = 0;
  [[nodiscard]] virtual const Material& material() const = 0;

  /// Energy, J and Cauchy stress of every element, in the order of the given tetrahedra. Does not throw for
  /// an inverted element: its energy and stress are NaN where the law has none.
  [[nodiscard]] virtual std::vector<ElementState> element_states(
      const Displacements& displacements) const = 0;

  /// Updates `measures` to the state of the lines at `time`. Before the first call only its rotation may be
  /// set. Computes nothing if no node's displacement or velocity has changed since the last call. Gives the
  /// same bits for every division of the elements over ranks.
  virtual void measure(std::span<const NodeLine> lines, double time, ElementMeasures& measures) const = 0;
};

/// Makes the potential of some tetrahedra by the law of their material. Arguments and errors as for
/// TetrahedralBlock.
[[nodiscard]] std::unique_ptr<ElasticPotential> make_elastic(std::span<const Vector3> positions,
                                                             std::vector<Tetrahedron> tetrahedra,
                                                             const Material& material, ElementNames names,
                                                             std::size_t inner = 0);

}  // namespace terrace
