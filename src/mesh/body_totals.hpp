// Sums over a body's nodes in the initial state.
#pragma once

#include <cstdint>

#include "mesh/model.hpp"
#include "numerics/at.hpp"

namespace terrace {

/// Mass of all nodes of the body [kg].
[[nodiscard]] inline double mass_of(const Model& model, const Body& body) {
  double mass = 0;
  for (std::int32_t a = 0; a < body.node_count; ++a) mass += at(model.masses, body.first_node + a);
  return mass;
}

/// Kinetic energy of all nodes of the body [J], with the velocities that the deck gives.
[[nodiscard]] inline double kinetic_energy_of(const Model& model, const Body& body) {
  double energy = 0;
  for (std::int32_t a = body.first_node; a < body.first_node + body.node_count; ++a)
    energy += 0.5 * at(model.masses, a) * dot(at(model.velocities, a), at(model.velocities, a));
  return energy;
}

}  // namespace terrace
