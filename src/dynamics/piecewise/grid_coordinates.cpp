#include "dynamics/piecewise/grid_coordinates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/error.hpp"

namespace terrace {

Integer128 GridCoordinates::whole(double energy) const {
  const double quanta = energy / quantum_;
  constexpr double most = 0x1p124;
  if (!(std::abs(quanta) < most))
    throw Error(
        Error::Kind::run, "force-stepping", "a finite V at every vertex of the grid near the motion",
        fmt::format("{:g}; a smaller integrator.grid_spacing keeps the vertices nearer to it", energy));
  return IntegerMultiplier::nearest(quanta).times(1);
}

static double quantum_of(double scale) {
  constexpr int digits = 64;
  return scale > 0 && std::isfinite(scale) ? std::ldexp(1.0, std::ilogb(scale) - digits) : 1.0;
}

GridCoordinates::GridCoordinates(double scale) : quantum_(quantum_of(scale)) {}

// Σ |energies of terms| where each node has moved by about a cell of the grid, consecutive ones in opposite
// directions and by different shares of it.
static double energy_about_a_cell_away(const Lagrangian& system, const State& state,
                                       const std::array<double, 3>& spacing) {
  std::vector<Vector3> displacements;
  for (const NodeLine& line : state.lines) {
    const auto a = static_cast<double>(displacements.size() % 7);
    displacements.push_back(line.displacement_at(state.time));
    for (std::size_t axis = 0; axis < system.dimension; ++axis) {
      const double share = 1 - 0.1 * a - 0.03 * static_cast<double>(axis);
      displacements.back()[axis] += (displacements.size() % 2 == 0 ? -share : share) * spacing[axis];
    }
  }
  double sum = 0;
  for (const auto& potential : system.potentials)
    for (const double energy : potential->energies(Displacements(displacements))) sum += std::abs(energy);
  return sum;
}

double energy_scale(const Lagrangian& system, const State& state, const std::array<double, 3>& spacing) {
  double sum = 0;
  for (std::size_t a = 0; a < system.masses.size(); ++a) {
    const Vector3& v = state.lines[a].velocity;
    sum += 0.5 * system.masses[a] * dot(v, v);
  }
  for (const auto& potential : system.potentials)
    for (const double energy : potential->energies({state.lines, state.time})) sum += std::abs(energy);
  // A motion that begins nearly at rest gets its energy from the forces, from cell to cell.
  const double cell_away = energy_about_a_cell_away(system, state, spacing);
  return std::isfinite(cell_away) ? std::max(sum, cell_away) : sum;
}

}  // namespace terrace
