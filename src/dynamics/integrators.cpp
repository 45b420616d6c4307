#include "dynamics/integrators.hpp"

#include <algorithm>

#include "dynamics/clocked_energy_stepping.hpp"
#include "dynamics/discontinuous_potential.hpp"
#include "dynamics/energy_stepping.hpp"
#include "dynamics/force_stepping.hpp"
#include "dynamics/labudde_greenspan.hpp"
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

std::unique_ptr<Integrator> make_labudde_greenspan(const IntegratorSettings& settings, Lagrangian& system,
                                                   State& state) {
  return std::make_unique<LaBuddeGreenspan>(system, state, settings.time_step);
}

std::unique_ptr<Integrator> make_discontinuous_potential(const IntegratorSettings& settings,
                                                         Lagrangian& system, State& state) {
  return std::make_unique<DiscontinuousPotential>(system, state, settings.steps, settings.time_step);
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
       .description =
           "free fall in the simplices of a grid, exact energy, symplectic, from values of V alone",
       .keys = {"grid_spacing", "grid_spacings", "grid_offset", "parity", "coordinates"},
       .needs = {.whole_system = true},
       .contact = false,
       .exact_momentum = false,
       .particles = true,
       .make = make_force_stepping},
      {.name = "labudde-greenspan",
       .description = "implicit, exact energy and angular momentum of central forces",
       .keys = {"time_step"},
       .needs = {.whole_steps = true, .whole_system = true, .time_step = true},
       .contact = false,
       .exact_momentum = false,
       .particles = true,
       .meshes = false,
       .make = make_labudde_greenspan},
      {.name = "discontinuous-potential",
       .description = "steps of a potential: refraction and reflection, DP1 to DP4 and the penalty",
       .keys = {"time_step", "variant", "order", "steepness"},
       .needs = {.whole_steps = true, .whole_system = true, .time_step = true},
       .contact = false,
       .exact_momentum = false,
       .particles = true,
       .meshes = false,
       .potential_steps = true,
       .make = make_discontinuous_potential},
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
