// The coordinates of force-stepping, in which the kinetic energy is a sum of squares.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "dynamics/piecewise/simplex_walk.hpp"
#include "dynamics/piecewise/vertex_potential.hpp"
#include "dynamics/state/state.hpp"
#include "parallel/archive.hpp"

namespace terrace {

/// The coordinates of a system whose nodes are all on this rank, and V as a function of them: all components
/// of the nodes' positions, or fewer after a reduction by the system's symmetries (thesis 3.4.2).
class GridCoordinates : public VertexPotential {
 public:
  struct Coordinate {
    double mass = 0;
    std::size_t axis = 0;  ///< along which it is measured: x, y, z
  };

  [[nodiscard]] std::span<const Coordinate> list() const { return list_; }
  [[nodiscard]] std::size_t coordinates() const override { return list_.size(); }
  [[nodiscard]] double quantum() const override { return quantum_; }

  /// Reads the coordinates and their rates at state.time from the nodes.
  virtual void read(const State& state, std::span<double> values, std::span<double> rates) = 0;
  /// Writes the nodes' places and momenta at a time that is not later than walk.next().
  virtual void write(const SimplexWalk& walk, double time, State& state) const = 0;
  /// Called when the walk is about to go on to walk.next(), for what a reduction must integrate on the way.
  virtual void follow(const SimplexWalk& /*walk*/) {}
  /// Kinetic energy of the motion that was reduced away [J]; V as a function of the coordinates includes it.
  [[nodiscard]] virtual double kinetic_part(const SimplexWalk& /*walk*/, double /*time*/) const { return 0; }
  virtual void save(ByteWriter& /*writer*/) const {}
  virtual void restore(ByteReader& /*reader*/) {}

 protected:
  /// The quantum of energy is the largest power of two that is not above 2⁻⁶⁴ `scale` [J]: there are digits
  /// to spare, and room for 2⁶⁰ times `scale`.
  explicit GridCoordinates(double scale);
  /// An energy [J] in whole quanta. Throws Error(run) if it is not finite or far beyond `scale`.
  [[nodiscard]] Integer128 whole(double energy) const;

  std::vector<Coordinate> list_;

 private:
  double quantum_;
};

/// A scale of the energies of a motion that starts from a state whose nodes are all on this rank [J]: K +
/// Σ |energies of terms|, or Σ |energies of terms| where nodes are about a cell of the grid away, if that is
/// more, as forces may move what is at rest. `spacing`: of the cells, by axis [length].
[[nodiscard]] double energy_scale(const Lagrangian& system, const State& state,
                                  const std::array<double, 3>& spacing);

}  // namespace terrace
