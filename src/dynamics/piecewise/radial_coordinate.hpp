// The distance from a centre as the one coordinate of force-stepping: the reduction by rotations.
#pragma once

#include "dynamics/piecewise/grid_coordinates.hpp"

namespace terrace {

/// One node in a central field (thesis (3.79) to (3.81)). The coordinate is its distance r from the centre,
/// in the potential V(r) + Θ²/(2 m r²); the angle follows from it, θ = ∫ Θ/(m r²) dt along the parabolas of
/// r. The angular momentum Θ is constant; rounding changes it only in the places and momenta that are
/// written.
class RadialCoordinate : public GridCoordinates {
 public:
  /// `system`, which must outlive this, has one node. Throws Error(input) for more nodes, for potentials that
  /// are not all functions of the distance from one and the same point, and for a node at that point.
  /// `scale`: energy_scale.
  RadialCoordinate(const Lagrangian& system, const State& state, double scale);

  void read(const State& state, std::span<double> values, std::span<double> rates) override;
  void write(const SimplexWalk& walk, double time, State& state) const override;
  [[nodiscard]] Integer128 value(const Vertex& vertex) override { return energy_at(vertex[0]); }
  [[nodiscard]] Integer128 value_beyond(const Vertex& /*vertex*/, Integer128 /*value*/,
                                        std::size_t /*coordinate*/, double to) override {
    return energy_at(to);
  }
  void follow(const SimplexWalk& walk) override { angle_ += turn(walk, walk.next()); }
  [[nodiscard]] double kinetic_part(const SimplexWalk& walk, double time) const override;
  void save(ByteWriter& writer) const override {
    writer(angle_, angular_momentum_, radial_, across_, start_momentum_);
  }
  void restore(ByteReader& reader) override {
    reader(angle_, angular_momentum_, radial_, across_, start_momentum_);
  }

 private:
  [[nodiscard]] double centrifugal(double distance) const;
  [[nodiscard]] Integer128 energy_at(double distance);
  [[nodiscard]] double turn(const SimplexWalk& walk, double time) const;

  const Lagrangian& system_;
  Vector3 centre_;
  double mass_;
  double angle_ = 0;                  ///< θ at the last crossing
  double angular_momentum_ = 0;       ///< Θ
  IntegerMomentum start_momentum_{};  ///< the node's; a field has received it less the present momentum
  Vector3 radial_{}, across_{};       ///< unit vectors in the plane of motion, at θ = 0 and θ = π/2
};

}  // namespace terrace
