#include "dynamics/nodal_coordinates.hpp"

#include "dynamics/supports.hpp"
#include "numerics/at.hpp"

namespace terrace {

NodalCoordinates::NodalCoordinates(const Lagrangian& system, const State& state, std::size_t dimension)
    : system_(system), coordinates_(system.masses.size(), {none, none, none}) {
  for (std::size_t a = 0; a < system.masses.size(); ++a)
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      if (!system.held_by.empty() && system.held_by[a][axis] != nothing_holds) continue;
      coordinates_[a][axis] = static_cast<std::int32_t>(list_.size());
      list_.push_back({system.masses[a], axis});
      node_of_.push_back(static_cast<std::int32_t>(a));
    }
  for (const auto& potential : system.potentials) terms_.push_back(potential->terms_at_nodes());
  for (std::size_t a = 0; a < system.masses.size(); ++a)
    displacements_.push_back(state.lines[a].displacement_at(state.time));
  set_scale(energy_scale(system, state));
}

void NodalCoordinates::read(const State& state, std::span<double> values, std::span<double> rates) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const NodeLine& line = at(state.lines, node_of_[i]);
    values[i] =
        at(system_.reference, node_of_[i])[list_[i].axis] + line.displacement_at(state.time)[list_[i].axis];
    rates[i] = line.velocity[list_[i].axis];
  }
}

void NodalCoordinates::write(const SimplexWalk& walk, double time, State& state) const {
  std::vector<Vector3> velocities;
  for (NodeLine& line : state.lines) {
    line.displacement = line.displacement_at(time);
    line.time = time;
    velocities.push_back(line.velocity);
  }
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const auto a = static_cast<std::size_t>(node_of_[i]);
    const std::size_t axis = list_[i].axis;
    state.lines[a].displacement[axis] = walk.value(i, time) - system_.reference[a][axis];
    velocities[a][axis] = walk.rate(i, time);
  }
  state.set_velocities(velocities);
}

void NodalCoordinates::place(std::int32_t node, const Vertex& vertex) {
  const auto a = static_cast<std::size_t>(node);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (coordinates_[a][axis] != none)
      displacements_[a][axis] =
          vertex[static_cast<std::size_t>(coordinates_[a][axis])] - system_.reference[a][axis];
}

Integer128 NodalCoordinates::value(const Vertex& vertex) {
  for (std::size_t a = 0; a < coordinates_.size(); ++a) place(static_cast<std::int32_t>(a), vertex);
  Integer128 sum = 0;
  for (const auto& potential : system_.potentials)
    for (const double energy : potential->energies(Displacements(displacements_))) sum += whole(energy);
  return sum;
}

Integer128 NodalCoordinates::energy_at(std::int32_t node) {
  energies_.clear();
  for (const auto& terms : terms_) terms->append_energies(node, Displacements(displacements_), energies_);
  Integer128 sum = 0;
  for (const double energy : energies_) sum += whole(energy);
  return sum;
}

Integer128 NodalCoordinates::value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                          double to) {
  const std::int32_t node = node_of_[coordinate];
  place(node, vertex);
  for (const auto& terms : terms_)
    for (const std::int32_t other : terms->nodes_around(node)) place(other, vertex);
  const Integer128 before = energy_at(node);
  at(displacements_, node)[list_[coordinate].axis] = to - at(system_.reference, node)[list_[coordinate].axis];
  return value + (energy_at(node) - before);
}

}  // namespace terrace
