#include "app/executors.hpp"

#include <utility>

#include "dynamics/checking_executor.hpp"
#include "dynamics/concurrent_energy_stepping.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/validating_executor.hpp"

namespace terrace {

std::unique_ptr<Integrator> make_integrator(const Deck& deck, Lagrangian& system, State& state) {
  if (deck.integrator.executor == Executor::concurrent)
    return std::make_unique<ConcurrentEnergyStepping>(system, state);
  if (deck.integrator.executor == Executor::validating)
    return std::make_unique<ValidatingExecutor>(system, state);
  auto integrator = deck.integrator.method->make(deck.integrator.settings, system, state);
  if (deck.integrator.executor == Executor::checking)
    return std::make_unique<CheckingExecutor>(std::move(integrator));
  return integrator;
}

}  // namespace terrace
