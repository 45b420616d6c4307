// What every command does first: mesh on rank 0, distribute, divide.
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

/// The whole model on every rank. Collective; errors of rank 0 are thrown on all.
Model distribute_model(const Deck& deck, Communicator& communicator);

/// Gives up what is as long as there are nodes or tetrahedra, once every rank has its share of it.
void drop_mesh(Model& model);

/// ½ Σ m v² of the initial velocities.
double initial_kinetic_energy(const Model& model);

/// Hardly less than: of particles a hundredth of |K + V| at the start, as in the literature, or of K where
/// that is 0. Of meshes a ten-thousandth of the kinetic energy that a body has at the start and by falling to
/// a wall, of the one that has most, divided by the parts of a body: at impacts of two and of ten beads
/// (tests/README.md, A7 and A6) 2 to 3 % of the energy then ends as numerical vibration. 0 where nothing
/// moves or falls. [J]
double suggested_energy_step(const Deck& deck, const Model& model);

/// What gravity adds until a body meets a wall, at most [J].
[[nodiscard]] double energy_of_fall_to_walls(const Model& model, const Body& body);

/// The deck's energy step: absolute, the fraction of the initial kinetic energy, or else the suggested one.
/// Throws Error(input) when one of the latter is asked for and nothing moves.
double energy_step(const Deck& deck, const Model& model);

/// A warning where the energy step of contact is beyond a tenth of the kinetic energy at the start, which
/// coarse_energy_steps does not tell of before bodies are near each other; none where it has told already.
[[nodiscard]] std::vector<Warning> coarse_energy_step_of_contact(const Deck& deck, const Lagrangian& system,
                                                                 double kinetic);

/// Bound of every nodal momentum of the run: all energy in the heaviest node, of particles also what their
/// potentials may give.
double largest_momentum(const Model& model);

/// Throws Error(input) where time.end is no time, or so many of these steps [time] that nobody waits for
/// them, nor integers count them; 0: of none.
void require_end(const Deck& deck, double step);

/// Throws Error(input) with the key for what no run can do: times, steps of time or energy that rounding
/// takes away, a step beyond the end of a method that makes whole steps, and more rows or frames than a disk
/// holds.
void require_feasible(const Deck& deck, const Model& model, const Lagrangian& system);

/// This rank's share of the deck's system, of meshes or of particles. `elements`, `known`: of meshes, as
/// decompose. Collective.
Lagrangian make_system(const Deck& deck, const Model& model, Communicator& communicator,
                       Elements elements = Elements::at_once, const Lagrangian* known = nullptr);

/// Localization and layout of a model of meshes by the deck's choices. Collective over `communicator`.
struct Division {
  Localization localization;
  Layout layout;
};
Division divide(const Deck& deck, const Model& model, int ranks, MPI_Comm communicator = MPI_COMM_SELF);

}  // namespace terrace
