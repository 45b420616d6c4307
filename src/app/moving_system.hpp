// From a deck's system to one that moves: its state at the start, and the integrator by the layout and the
// executor that the deck asks for.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/state/integrator.hpp"
#include "io/deck.hpp"

namespace terrace {

/// In windows: the whole system as one rank holds it, to work on parts of it in turn. It has elements and
/// rows of nodes only for these parts; at first none.
struct WholeSystem {
  Communicator alone{MPI_COMM_SELF};
  Lagrangian system;
  std::unique_ptr<State> state;
  /// `share`: this rank's share of the system among all ranks. Throws what make_system throws.
  WholeSystem(const Deck& deck, const Model& model, const Lagrangian& share);
};

/// A rank's share of a system at the start of its motion.
struct MovingSystem {
  Lagrangian system;
  std::unique_ptr<State> state;
  std::unique_ptr<WholeSystem> whole;  ///< only with the layout "windows"
  std::vector<Warning> warnings;       ///< of the deck's steps of time and energy, and of coarse forces
};

/// The state at the start, the warnings, and in windows the whole system. `system`: this rank's share. Throws
/// Error(input) for what no run can do (require_feasible). Collective.
[[nodiscard]] MovingSystem make_moving_system(const Deck& deck, const Model& model, Lagrangian system);

/// The integrator: in windows WindowedEnergyStepping; else by the deck's executor one event after the other,
/// many at once, or with every event checked. Both arguments must outlive it. Collective. Throws what the
/// integrators throw.
[[nodiscard]] std::unique_ptr<Integrator> make_integrator(const Deck& deck, MovingSystem& moving);

}  // namespace terrace
