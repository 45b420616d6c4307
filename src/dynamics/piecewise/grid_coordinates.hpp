// What moves over the grid of force-stepping: coordinates in which the kinetic energy is a sum of squares.
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

/// Coordinates of a system whose nodes are all on this rank, and V as a function of them: the system's own,
/// or what is left of them after a reduction by its symmetries (thesis 3.4.2).
class GridCoordinates : public VertexPotential {
 public:
  struct Coordinate {
    double mass = 0;
    std::size_t axis = 0;  ///< along which it is measured: x, y, z
  };

  [[nodiscard]] std::span<const Coordinate> list() const { return list_; }
  [[nodiscard]] std::size_t coordinates() const override { return list_.size(); }
  [[nodiscard]] double quantum() const override { return quantum_; }

  /// Where the coordinates are, and how they move, at state.time.
  virtual void read(const State& state, std::span<double> values, std::span<double> rates) = 0;
  /// The nodes' places and momenta at a time that is not later than walk.next().
  virtual void write(const SimplexWalk& walk, double time, State& state) const = 0;
  /// The walk is about to go on to walk.next(): for what a reduction must sum up on the way.
  virtual void follow(const SimplexWalk& /*walk*/) {}
  /// Kinetic energy of what was reduced away, which V(coordinates) holds besides the system's V.
  [[nodiscard]] virtual double kinetic_part(const SimplexWalk& /*walk*/, double /*time*/) const { return 0; }
  virtual void save(ByteWriter& /*writer*/) const {}
  virtual void restore(ByteReader& /*reader*/) {}

 protected:
  /// Energies are counted in 2⁻⁶⁴ of `scale` [J] or less: digits to spare, and room for 2⁶⁰ times as much.
  explicit GridCoordinates(double scale);
  /// In quanta; throws Error(run) for what is not finite or far beyond the energies of the start.
  [[nodiscard]] Integer128 whole(double energy) const;

  std::vector<Coordinate> list_;

 private:
  double quantum_;
};

/// K + Σ |energies of terms| of a state whose nodes are all on this rank [J]; where these are all 0, that of
/// one whose nodes are about a cell of the grid away: forces may move what is at rest. `spacing`: of the
/// cells, by axis [length].
[[nodiscard]] double energy_scale(const Lagrangian& system, const State& state,
                                  const std::array<double, 3>& spacing);

}  // namespace terrace
