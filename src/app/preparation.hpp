// What every command does first: mesh on rank 0, distribute, divide.
#pragma once

#include "dynamics/lagrangian.hpp"
#include "dynamics/layout.hpp"
#include "dynamics/localization.hpp"
#include "io/deck.hpp"

namespace terrace {

/// The whole model on every rank. Collective; errors of rank 0 are thrown on all.
Model distribute_model(const Deck& deck, Communicator& communicator);

/// ½ Σ m v² of the initial velocities.
double initial_kinetic_energy(const Model& model);

/// The deck's energy step, absolute or the fraction of the initial kinetic energy. Throws Error(input) when
/// it asks for a fraction and nothing moves.
double energy_step(const Deck& deck, const Model& model);

/// Bound of every nodal momentum of the run: all energy in the heaviest node.
double largest_momentum(const Model& model);

/// Localization and layout of a model by the deck's choices.
struct Division {
  Localization localization;
  Layout layout;
};
Division divide(const Deck& deck, const Model& model, int ranks);

}  // namespace terrace
