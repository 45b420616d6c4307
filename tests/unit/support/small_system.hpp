// A few small cubes made ready to run, on one rank unless told otherwise: what a deck would give, without a
// deck.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/preparation.hpp"
#include "dynamics/measuring/diagnostics.hpp"
#include "dynamics/system/decomposition.hpp"
#include "io/deck.hpp"
#include "numerics/infinity.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

/// Unit cube of `cells`³ cells (24 tetrahedra each) at `position`.
inline BodyEntry cube_entry(const std::string& name, int cells, const Vector3& position = {}) {
  BodyEntry body;
  body.name = body.where = name;
  body.material = 0;
  body.shape = LatticeShape{{1, 1, 1}, {cells, cells, cells}};
  body.position = position;
  return body;
}

/// The material of the spinning cube A1 (dimensionless).
inline Deck soft_deck(std::vector<BodyEntry> bodies) {
  Deck deck;
  deck.materials = {{"soft", 0.1, 0.01, 0.0066}};
  deck.bodies = std::move(bodies);
  return deck;
}

/// A free cube that spins once in 2π.
inline Deck spinning_cube(int cells) {
  BodyEntry body = cube_entry("cube", cells);
  body.spin = {0, 0, 1};
  return soft_deck({body});
}

/// Three cubes in a row, `gap` apart, above a wall at z = −2.
inline Deck three_cubes(int cells, bool wall, double gap = 0.5) {
  Deck deck = soft_deck({});
  for (int i = 0; i < 3; ++i)
    deck.bodies.push_back(
        cube_entry(std::string(1, static_cast<char>('a' + i)), cells, {i * (1 + gap), 0, 0}));
  if (wall) deck.walls = {{"floor", {0, 0, -2}, {0, 0, 1}, 1}};
  return deck;
}

/// A model on one rank, or on those of `handle`, divided and in its initial state.
struct SmallSystem {
  explicit SmallSystem(const Deck& deck, const LocalizationEntry& choice = {LocalizationKind::global},
                       double energy_step = 1e-5)
      : SmallSystem(build_model(deck), deck.contact, choice, energy_step) {}
  SmallSystem(const Model& whole, const ContactEntry& contact, const LocalizationEntry& choice,
              double energy_step, LayoutKind kind = LayoutKind::own, MPI_Comm handle = MPI_COMM_SELF,
              Elements elements = Elements::at_once)
      : communicator(handle),
        model(whole),
        localization(localize(model, choice, contact, energy_step)),
        layout(lay_out(model, localization, kind, communicator.size())),
        lagrangian(decompose(model, localization, layout, contact, communicator, elements)),
        state(lagrangian, bound_of_momenta(model)),
        diagnostics(lagrangian) {
    std::vector<Vector3> velocities;
    for (const std::int32_t node : lagrangian.global_nodes)
      velocities.push_back(model.velocities[static_cast<std::size_t>(node)]);
    state.set_velocities(velocities);
  }

  /// The smallest J of any element now.
  [[nodiscard]] double smallest_jacobian() const {
    double smallest = infinity;
    for (const ElasticBlock& block : lagrangian.elastic_blocks) {
      for (const ElementState& element : block.elastic->element_states({state.lines, state.time}))
        smallest = std::min(smallest, element.jacobian);
    }
    return smallest;
  }
  /// Energies and momenta now.
  SystemRecord record(const Integrator& integrator) { return diagnostics.measure(state, integrator).system; }
  [[nodiscard]] Vector3 position(std::size_t node) const {
    return lagrangian.reference[node] + state.lines[node].displacement_at(state.time);
  }

  Communicator communicator;
  Model model;
  Localization localization;
  Layout layout;
  Lagrangian lagrangian;
  State state;
  Diagnostics diagnostics;
};

}  // namespace terrace
