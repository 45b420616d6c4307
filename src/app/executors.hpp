// The integrator of a deck, by the executor that it asks for.
#pragma once

#include <memory>

#include "dynamics/integrator.hpp"
#include "io/deck.hpp"

namespace terrace {

/// Of a system that is divided among its ranks: one event after the other, many at once, or with every event
/// checked. Collective. Throws what the integrators throw. All must outlive it.
[[nodiscard]] std::unique_ptr<Integrator> make_integrator(const Deck& deck, Lagrangian& system, State& state);

}  // namespace terrace
