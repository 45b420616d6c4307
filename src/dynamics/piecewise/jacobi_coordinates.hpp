// Jacobi coordinates of force-stepping: the reduction by translations.
#pragma once

#include "dynamics/piecewise/grid_coordinates.hpp"

namespace terrace {

/// q′_j = q_{j+1} − the centre of mass of the nodes 1 … j (thesis (3.44)), with the masses m′_j of (3.49).
/// The centre of mass of all moves on as it did; with the last node's momentum as what is left of the total,
/// that is kept to the bit.
class JacobiCoordinates : public GridCoordinates {
 public:
  /// `system`, which must outlive this, holds all nodes, two or more. Throws Error(input) naming what acts
  /// from outside or what is held: V must not change when all nodes are moved alike. `scale`: energy_scale.
  JacobiCoordinates(const Lagrangian& system, std::size_t dimension, double scale);

  void read(const State& state, std::span<double> values, std::span<double> rates) override;
  void write(const SimplexWalk& walk, double time, State& state) const override;
  [[nodiscard]] Integer128 value(const Vertex& vertex) override;
  [[nodiscard]] Integer128 value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                        double to) override;
  void save(ByteWriter& writer) const override { writer(centre_, velocity_, start_, total_); }
  void restore(ByteReader& reader) override { reader(centre_, velocity_, start_, total_); }

 private:
  /// One component of all nodes from that of the centre of mass and of the coordinates (3.47).
  template <class Component>
  void unfold(double centre, std::size_t axis, Component component, std::span<Vector3> nodes) const;

  const Lagrangian& system_;
  std::size_t dimension_;
  std::vector<double> mass_up_to_;  ///< m₁ + … + m_j
  Vector3 centre_{}, velocity_{};   ///< of the centre of mass, at start_
  double start_ = 0;
  IntegerMomentum total_{};
  std::vector<Vector3> places_;
};

}  // namespace terrace
