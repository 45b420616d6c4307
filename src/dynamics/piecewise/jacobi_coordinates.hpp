// Jacobi coordinates of force-stepping: the reduction by translations.
#pragma once

#include "dynamics/piecewise/grid_coordinates.hpp"

namespace terrace {

/// q′_j = q_{j+1} − the centre of mass of the nodes 1 … j (thesis (3.44)), with the masses m′_j of (3.49).
/// The centre of mass of all nodes moves on with constant velocity. The last node gets what the others leave
/// of the total momentum, which is so kept to the bit.
class JacobiCoordinates : public GridCoordinates {
 public:
  /// `system`, which must outlive this, holds all nodes. V must not change when all nodes are moved alike:
  /// throws Error(input) that names anything that acts from outside or holds nodes. Throws Error(input) for
  /// fewer than two nodes, too. `scale`: energy_scale.
  JacobiCoordinates(const Lagrangian& system, std::size_t dimension, double scale);

  void read(const State& state, std::span<double> values, std::span<double> rates) override;
  void write(const SimplexWalk& walk, double time, State& state) const override;
  [[nodiscard]] Integer128 value(const Vertex& vertex) override;
  [[nodiscard]] Integer128 value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                        double to) override;
  void save(ByteWriter& writer) const override { writer(centre_, velocity_, start_, total_); }
  void restore(ByteReader& reader) override { reader(centre_, velocity_, start_, total_); }

 private:
  /// Computes one component of all nodes (3.47), from that of the centre of mass and from the coordinates,
  /// component(i). Places and velocities alike.
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
