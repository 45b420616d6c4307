#include "app/moving_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/preparation.hpp"
#include "dynamics/concurrent/concurrent_energy_stepping.hpp"
#include "dynamics/concurrent/validating_executor.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/system/particle_localization.hpp"
#include "dynamics/terraces/checking_executor.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/together.hpp"

namespace terrace {

static std::unique_ptr<State> make_state(const Model& model, const Lagrangian& system) {
  auto state = std::make_unique<State>(system, largest_momentum(model), State::InParts{});
  for (std::size_t a = 0; a < system.global_nodes.size(); ++a)
    state->start_row(a, system.masses[a], at(model.velocities, system.global_nodes[a]));
  return state;
}

/// Where a particle has so little momentum beside the largest there may be that its forces, of 2^50 quanta at
/// their largest, come in few multiples of a quantum of momentum. Methods of whole systems have no such
/// forces.
static std::vector<Warning> coarse_forces(const Deck& deck, const Model& model, const State& state) {
  constexpr double little = 1e-12, digits = 1e-16;
  if (model.particles.dimension == 0 || deck.integrator.method->needs.whole_system) return {};
  const double mass = std::accumulate(model.masses.begin(), model.masses.end(), 0.0),
               usual = std::sqrt(2 * initial_kinetic_energy(model) / mass);
  double least = infinity;
  std::int32_t which = 0;
  for (std::int32_t a = 0; a < std::ssize(model.masses); ++a) {
    const double momentum = at(model.masses, a) * std::max(norm(at(model.velocities, a)), usual);
    if (!(momentum > 0 && momentum < least)) continue;
    least = momentum;
    which = a;
  }
  const double share = least / largest_momentum(state.quantum);
  if (!(share < little)) return {};
  return {
      {"coarse forces",
       fmt::format("{} has {:.0e} of the largest momentum there may be: its changes are right to {:.0e} at "
                   "best; for what is heavy and hardly moves take a field, as of kind \"central\"",
                   particle_name(model, which), share, digits / share)}};
}

static std::vector<Warning> warnings_of_start(const Deck& deck, const Model& model, const Lagrangian& system,
                                              const State& state) {
  std::vector<Warning> all = unstable_step(*deck.integrator.method, deck.integrator.settings, system);
  for (Warning& coarse : coarse_energy_step_of_contact(deck, system, initial_kinetic_energy(model)))
    all.push_back(std::move(coarse));
  for (Warning& coarse : coarse_forces(deck, model, state)) all.push_back(std::move(coarse));
  return all;
}

WholeSystem::WholeSystem(const Deck& deck, const Model& model, const Lagrangian& share)
    : system(make_system(deck, model, alone, Elements::on_demand, &share)),
      state(std::make_unique<State>(system, largest_momentum(model), State::InParts{})) {}

MovingSystem make_moving_system(const Deck& deck, const Model& model, Lagrangian system) {
  MovingSystem moving{std::move(system), nullptr, nullptr, {}};
  together(moving.system.communicator->handle(), [&] { require_feasible(deck, model, moving.system); });
  moving.state = make_state(model, moving.system);
  moving.warnings = warnings_of_start(deck, model, moving.system, *moving.state);
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
