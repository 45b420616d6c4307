#include "dynamics/piecewise/nodal_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/system/reactions_of_potentials.hpp"
#include "dynamics/system/supports.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

NodalCoordinates::NodalCoordinates(const Lagrangian& system, const State& state, std::size_t dimension,
                                   double spacing, double scale)
    : GridCoordinates(scale),
      system_(system),
      coordinates_(system.masses.size(), {none, none, none}),
      reactions_(reactions_of_potentials(system)),
      part_changes_(system.held_by.empty() ? system.reaction_names.size() : 0),
      reach_(infinity) {
  for (std::size_t a = 0; a < system.masses.size(); ++a)
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      if (!system.held_by.empty() && system.held_by[a][axis] != nothing_holds) continue;
      coordinates_[a][axis] = static_cast<std::int32_t>(list_.size());
      list_.push_back({system.masses[a], axis});
      node_of_.push_back(static_cast<std::int32_t>(a));
    }
  for (const auto& potential : system.potentials) {
    terms_.push_back(potential->terms_at_nodes());
    reach_ = std::min(reach_, terms_.back()->reach());
  }
  constexpr double of_reach = 0.1, of_spacing = 2;
  slack_ = std::max(of_reach * reach_, of_spacing * spacing);
  for (std::size_t a = 0; a < system.masses.size(); ++a)
    displacements_.push_back(state.lines[a].displacement_at(state.time));
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

Integer128 NodalCoordinates::energy_at(std::int32_t node, int sign) {
  Integer128 sum = 0;
  for (std::size_t p = 0; p < terms_.size(); ++p) {
    energies_.clear();
    terms_[p]->append_energies(node, Displacements(displacements_), energies_);
    Integer128 of_potential = 0;
    for (const double energy : energies_) of_potential += whole(energy);
    sum += of_potential;
    if (reactions_[p] >= 0 && !part_changes_.empty())
      at(part_changes_, reactions_[p]) += sign > 0 ? of_potential : -of_potential;
  }
  return sum;
}

// Whether the lists of terms hold for a change of this component. A coordinate reaches each plane by such a
// change of its own, so that checking the one that changes is enough. Listed terms out of reach are zero: no
// value depends on when terms were listed.
bool NodalCoordinates::lists_hold(std::int32_t node, std::size_t axis, double to) const {
  if (reach_ == infinity) return true;
  if (listed_at_.empty()) return false;
  const double listed = at(listed_at_, node)[axis];
  return std::abs(at(displacements_, node)[axis] - listed) <= slack_ && std::abs(to - listed) <= slack_;
}

void NodalCoordinates::list(const Vertex& vertex) {
  for (std::size_t a = 0; a < coordinates_.size(); ++a) place(static_cast<std::int32_t>(a), vertex);
  listed_at_ = displacements_;
  for (const auto& terms : terms_) terms->list(Displacements(displacements_), slack_);
}

Integer128 NodalCoordinates::value_beyond(const Vertex& vertex, Integer128 value, std::size_t coordinate,
                                          double to) {
  const std::int32_t node = node_of_[coordinate];
  const std::size_t axis = list_[coordinate].axis;
  place(node, vertex);
  const double moved = to - at(system_.reference, node)[axis];
  if (!lists_hold(node, axis, moved)) list(vertex);
  for (const auto& terms : terms_)
    for (const std::int32_t other : terms->nodes_around(node)) place(other, vertex);
  std::ranges::fill(part_changes_, Integer128{0});
  const Integer128 before = energy_at(node, -1);
  at(displacements_, node)[axis] = moved;
  return value + (energy_at(node, 1) - before);
}

}  // namespace terrace
