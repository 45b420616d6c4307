#include "app/moving_system.hpp"

#include <utility>

#include "app/coarse_start.hpp"
#include "app/preparation.hpp"
#include "dynamics/concurrent/concurrent_energy_stepping.hpp"
#include "dynamics/concurrent/validating_executor.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "parallel/together.hpp"

namespace terrace {

static std::unique_ptr<State> make_state(const Model& model, const Lagrangian& system) {
  auto state = std::make_unique<State>(system, bound_of_momenta(model), State::InParts{});
  for (std::size_t a = 0; a < system.global_nodes.size(); ++a)
    state->start_row(a, system.masses[a], at(model.velocities, system.global_nodes[a]));
  return state;
}

static std::vector<Warning> warnings_of_start(const Deck& deck, const Model& model,
                                              const Lagrangian& system) {
  std::vector<Warning> all = unstable_step(*deck.integrator.method, deck.integrator.settings, system);
  for (Warning& coarse : coarse_energy_step_of_contact(deck, system, initial_kinetic_energy(model)))
    all.push_back(std::move(coarse));
  for (Warning& coarse : coarse_at_start(deck, model)) all.push_back(std::move(coarse));
  return all;
}

WholeSystem::WholeSystem(const Deck& deck, const Model& model, const Lagrangian& share)
    : system(make_system(deck, model, alone, Elements::on_demand, &share)),
      state(std::make_unique<State>(system, bound_of_momenta(model), State::InParts{})) {}

MovingSystem make_moving_system(const Deck& deck, const Model& model, Lagrangian system) {
  MovingSystem moving{std::move(system), nullptr, nullptr, {}};
  together(moving.system.communicator->handle(), [&] { require_feasible(deck, model, moving.system); });
  moving.state = make_state(model, moving.system);
  moving.warnings = warnings_of_start(deck, model, moving.system);
  if (moving.system.layout == "windows")
    moving.whole = std::make_unique<WholeSystem>(deck, model, moving.system);
  return moving;
}

std::unique_ptr<Integrator> make_integrator(const Deck& deck, MovingSystem& moving) {
  if (moving.whole != nullptr) {
    auto windows = std::make_unique<WindowedEnergyStepping>(moving.system, *moving.state,
                                                            moving.whole->system, *moving.whole->state,
                                                            clock_settings(deck.integrator.settings));
    windows->use_teams(deck.teams);
    windows->use_helpers(deck.helpers);
    return windows;
  }
  if (deck.integrator.executor == Executor::concurrent)
    return std::make_unique<ConcurrentEnergyStepping>(moving.system, *moving.state);
  if (deck.integrator.executor == Executor::validating)
    return std::make_unique<ValidatingExecutor>(moving.system, *moving.state);
  auto integrator = deck.integrator.method->make(deck.integrator.settings, moving.system, *moving.state);
  if (deck.integrator.executor == Executor::checking)
    return std::make_unique<CheckingExecutor>(std::move(integrator));
  return integrator;
}

}  // namespace terrace
