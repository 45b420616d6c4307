// What commands do before the time loop: mesh on rank 0, distribute, divide, choose energy steps, refuse what
// no run can do.
#pragma once

#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/mesh_system.hpp"
#include "dynamics/system/particle_system.hpp"
#include "io/deck.hpp"

namespace terrace {

/// Meshes on rank 0 and returns the whole model, on every rank. Collective; errors of rank 0 are thrown on
/// all.
Model distribute_model(const Deck& deck, Communicator& communicator);

/// Frees the model's arrays of nodes and tetrahedra, once every rank has its share of them.
void drop_mesh(Model& model);

/// ½ Σ m v² of the initial velocities [J].
double initial_kinetic_energy(const Model& model);

/// The energy step that is chosen where the deck gives none [J], slightly less than the following. Particles:
/// a hundredth of |K + V| at the start, as in the literature, or of K where that is 0. Meshes: a
/// ten-thousandth of a body's kinetic energy, at the start and by its fall to a wall, for the body that has
/// most, divided by the parts of that body. At impacts of two and of ten beads (tests/README.md, A7 and A6) 2
/// to 3 % of the energy then ends as numerical vibration. 0 where nothing moves or falls.
double suggested_energy_step(const Deck& deck, const Model& model);

/// The most kinetic energy that gravity gives the body on its way to any of the walls [J].
[[nodiscard]] double energy_of_fall_to_walls(const Model& model, const Body& body);

/// The deck's energy step [J]: as given, or the given fraction of the initial kinetic energy, or else the
/// suggested one. Throws Error(input) where one of the latter is needed and nothing moves.
double energy_step(const Deck& deck, const Model& model);

/// Warns where contact.energy_step is above a tenth of the kinetic energy at the start, `kinetic` [J].
/// coarse_energy_steps cannot tell this before bodies are near each other; where it warns already, there is
/// no second warning.
[[nodiscard]] std::vector<Warning> coarse_energy_step_of_contact(const Deck& deck, const Lagrangian& system,
                                                                 double kinetic);

/// Bound of every nodal momentum of the run [kg m/s]: all kinetic energy, with that of a fall under gravity,
/// in the heaviest node; for particles also what their potentials may give. Where nothing bounds the energy,
/// an estimate.
double bound_of_momenta(const Model& model);

/// Throws Error(input) where time.end is too short for a double, or more than 2^36 times `step` [time]:
/// nobody waits for so many steps, nor do integers count them. `step` 0: any end.
void require_end(const Deck& deck, double step);

/// Throws Error(input), with the key, for what no run can do: times and steps of time or energy that rounding
/// takes away, a step beyond the end with a method of whole steps, and more rows or frames than a disk holds.
void require_feasible(const Deck& deck, const Model& model, const Lagrangian& system);

/// This rank's share of the deck's system, of meshes or of particles. `elements` and `known` are for meshes,
/// as in decompose. Collective.
Lagrangian make_system(const Deck& deck, const Model& model, Communicator& communicator,
                       Elements elements = Elements::at_once, const Lagrangian* known = nullptr);

/// How a model of meshes is divided by the deck's choices.
struct Division {
  Localization localization;
  Layout layout;
};
Division divide(const Deck& deck, const Model& model, int ranks, MPI_Comm communicator = MPI_COMM_SELF);

}  // namespace terrace
