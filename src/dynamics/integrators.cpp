#include "dynamics/integrators.hpp"

#include <algorithm>

#include "dynamics/clocked_energy_stepping.hpp"
#include "dynamics/energy_stepping.hpp"
#include "dynamics/force_stepping.hpp"
#include "dynamics/newmark.hpp"

namespace terrace {
namespace {

std::unique_ptr<Integrator> make_energy_stepping(const IntegratorSettings& /*settings*/, Lagrangian& system,
                                                 State& state) {
  return std::make_unique<EnergyStepping>(system, state);
}

std::unique_ptr<Integrator> make_clocked(const IntegratorSettings& settings, Lagrangian& system,
                                         State& state) {
  return std::make_unique<ClockedEnergyStepping>(
      system, state,
      ClockSettings{settings.time_step, settings.time_step_factor, settings.largest_correction,
                    settings.debt_tolerance});
}

std::unique_ptr<Integrator> make_newmark(const IntegratorSettings& settings, Lagrangian& system,
                                         State& state) {
  return std::make_unique<Newmark>(system, state, equal_step(settings, system));
}

std::unique_ptr<Integrator> make_force_stepping(const IntegratorSettings& settings, Lagrangian& system,
                                                State& state) {
  return std::make_unique<ForceStepping>(system, state, settings.grid);
}

}  // namespace

double equal_step(const IntegratorSettings& settings, const Lagrangian& system) {
  return settings.time_step > 0 ? settings.time_step
                                : settings.time_step_factor * stable_newmark_step(system);
}

bool can_do(const IntegratorEntry& method, ContactModel contact) {
  if (!method.contact && contact != ContactModel::none) return false;
  if (contact == ContactModel::rigid) return method.set_constraints;
  return contact != ContactModel::face_intersection || !method.needs.certificates;
}

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> all = {
      {.name = "energy-stepping",
       .description = "asynchronous by its localization",
       .keys = {"energy_step", "energy_step_fraction"},
       .needs = {.energy_steps = true},
       .groups = true,
       .set_constraints = true,
       .particles = true,
       .make = make_energy_stepping},
      {.name = "clocked-energy-stepping",
       .description = "equal steps, exact energy, asynchronous by bodies",
       .keys = {"time_step", "time_step_factor", "largest_correction", "debt_tolerance"},
       .needs = {.certificates = true},
       .groups = true,
       .particles = true,
       .recommended = true,
       .make = make_clocked},
      {.name = "newmark",
       .description = "explicit, velocity Verlet",
       .keys = {"time_step", "time_step_factor"},
       .needs = {.whole_steps = true},
       .particles = true,
       .make = make_newmark},
      {.name = "force-stepping",
       .description = "free fall in the simplices of a grid, exact energy, symplectic, from values of V alone",
       .keys = {"grid_spacing", "grid_spacings", "grid_offset", "parity", "coordinates"},
       .needs = {.whole_system = true},
       .contact = false,
       .exact_momentum = false,
       .make = make_force_stepping},
  };
  return all;
}

const IntegratorEntry* find_integrator(std::string_view name) {
  const auto entry = std::find_if(integrators().begin(), integrators().end(),
                                  [&](const IntegratorEntry& one) { return one.name == name; });
  return entry == integrators().end() ? nullptr : &*entry;
}

const IntegratorEntry& recommended_integrator() {
  return *std::find_if(integrators().begin(), integrators().end(),
                       [](const IntegratorEntry& one) { return one.recommended; });
}

}  // namespace terrace
