// What moves a deck's system: its state at the start and the integrator, by the layout and the executor that
// it asks for.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/state/integrator.hpp"
#include "io/deck.hpp"

namespace terrace {

/// All of a system as one rank alone would have it, to work on parts of it in turn, of which alone there are
/// elements and rows of nodes; at first none.
struct WholeSystem {
  Communicator alone{MPI_COMM_SELF};
  Lagrangian system;
  std::unique_ptr<State> state;
  /// `share`: of this rank among all. Throws what make_system throws.
  WholeSystem(const Deck& deck, const Model& model, const Lagrangian& share);
};

/// A rank's share of a system at the start of its motion.
struct MovingSystem {
  Lagrangian system;
  std::unique_ptr<State> state;
  std::unique_ptr<WholeSystem> whole;  ///< where the layout is windows
  std::vector<Warning> warnings;       ///< of steps of time and energy that the deck asks for
};

/// `system`: this rank's share of it. Throws Error(input) for what no run can do (require_feasible).
/// Collective.
[[nodiscard]] MovingSystem make_moving_system(const Deck& deck, const Model& model, Lagrangian system);

/// In windows, or of a system that is divided among its ranks: one event after the other, many at once, or
/// with every event checked. Collective. Throws what the integrators throw. All must outlive it.
[[nodiscard]] std::unique_ptr<Integrator> make_integrator(const Deck& deck, MovingSystem& moving);

}  // namespace terrace
