#include "dynamics/integrators.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/piecewise/discontinuous_potential.hpp"
#include "dynamics/piecewise/force_stepping.hpp"
#include "dynamics/steps/adaptive_integrator.hpp"
#include "dynamics/steps/implicit_integrator.hpp"
#include "dynamics/steps/labudde_greenspan.hpp"
#include "dynamics/steps/newmark.hpp"
#include "dynamics/steps/symplectic_energy_momentum.hpp"
#include "dynamics/terraces/energy_stepping.hpp"

namespace terrace {
namespace {

std::unique_ptr<Integrator> make_energy_stepping(const IntegratorSettings& /*settings*/, Lagrangian& system,
                                                 State& state) {
  return std::make_unique<EnergyStepping>(system, state);
}

std::unique_ptr<Integrator> make_clocked(const IntegratorSettings& settings, Lagrangian& system,
                                         State& state) {
  return std::make_unique<ClockedEnergyStepping>(system, state, clock_settings(settings));
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

ImplicitSettings implicit_settings(const IntegratorSettings& settings, const Lagrangian& system) {
  return {equal_step(settings, system), settings.solver_tolerance};
}

std::unique_ptr<Integrator> make_implicit_midpoint(const IntegratorSettings& settings, Lagrangian& system,
                                                   State& state) {
  return std::make_unique<ImplicitIntegrator>(system, state, implicit_settings(settings, system),
                                              std::make_unique<Lines>(),
                                              std::make_unique<MidpointForce>(system, "implicit-midpoint"));
}

std::unique_ptr<Integrator> make_energy_momentum(const IntegratorSettings& settings, Lagrangian& system,
                                                 State& state) {
  return std::make_unique<ImplicitIntegrator>(system, state, implicit_settings(settings, system),
                                              std::make_unique<Lines>(),
                                              std::make_unique<DiscreteGradientForce>(system));
}

std::unique_ptr<Integrator> make_symplectic_energy_momentum(const IntegratorSettings& settings,
                                                            Lagrangian& system, State& state) {
  return std::make_unique<SymplecticEnergyMomentum>(system, state, implicit_settings(settings, system));
}

std::unique_ptr<Integrator> make_semi_explicit(const IntegratorSettings& settings, Lagrangian& system,
                                               State& state) {
  auto lines = std::make_unique<Lines>();
  auto force =
      std::make_unique<SemiExplicitForce>(system, *lines, settings.explicit_weight, settings.implicit_weight);
  return std::make_unique<ImplicitIntegrator>(system, state, implicit_settings(settings, system),
                                              std::move(lines), std::move(force));
}

ScalingSettings scaling_settings(const IntegratorSettings& settings, const Lagrangian& system) {
  return {equal_step(settings, system), settings.order, settings.scaling_exponent, settings.scaling_shift};
}

std::unique_ptr<Integrator> make_time_transformed_splitting(const IntegratorSettings& settings,
                                                            Lagrangian& system, State& state) {
  return std::make_unique<AdaptiveIntegrator>(AdaptiveMethod::time_transformed_splitting, system, state,
                                              scaling_settings(settings, system));
}

std::unique_ptr<Integrator> make_step_density(const IntegratorSettings& settings, Lagrangian& system,
                                              State& state) {
  return std::make_unique<AdaptiveIntegrator>(AdaptiveMethod::step_density, system, state,
                                              scaling_settings(settings, system));
}

std::unique_ptr<Integrator> make_adaptive_variational(const IntegratorSettings& settings, Lagrangian& system,
                                                      State& state) {
  return std::make_unique<AdaptiveIntegrator>(AdaptiveMethod::adaptive_variational, system, state,
                                              scaling_settings(settings, system));
}

}  // namespace

ClockSettings clock_settings(const IntegratorSettings& settings) {
  return {settings.time_step, settings.time_step_factor, settings.largest_correction,
          settings.debt_tolerance};
}

double equal_step(const IntegratorSettings& settings, const Lagrangian& system) {
  return settings.time_step > 0 ? settings.time_step
                                : settings.time_step_factor * stable_newmark_step(system);
}

std::optional<double> step_of_a_run(const IntegratorEntry& method, const IntegratorSettings& settings,
                                    const Lagrangian& system) {
  if (std::ranges::find(method.keys, "time_step") == method.keys.end()) return {};
  const double step = equal_step(settings, system);
  return method.bounded_steps ? std::min(step, stable_newmark_step(system)) : step;
}

std::vector<Warning> unstable_step(const IntegratorEntry& method, const IntegratorSettings& settings,
                                   const Lagrangian& system) {
  if (method.stable_step == nullptr) return {};
  const double step = equal_step(settings, system), stable = method.stable_step(system);
  if (!(step > stable)) return {};
  return {{"stable step", fmt::format("the time step, {:.4g}, is {:.3g} times the stable one, {:.4g}: "
                                      "vibrations grow from step to step. Lower integrator.time_step or "
                                      "integrator.time_step_factor",
                                      step, step / stable, stable)}};
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
       .windows = true,
       .bounded_steps = true,
       .recommended = true,
       .make = make_clocked},
      {.name = "newmark",
       .description = "explicit, velocity Verlet",
       .keys = {"time_step", "time_step_factor"},
       .needs = {.whole_steps = true},
       .particles = true,
       .stable_step = stable_newmark_step,
       .make = make_newmark},
      {.name = "force-stepping",
       .description =
           "free fall in the simplices of a grid, exact energy, symplectic, from values of V alone",
       .keys = {"grid_spacing", "grid_spacings", "grid_offset", "parity", "coordinates"},
       .needs = {.whole_system = true},
       .contact = false,
       .particles = true,
       .make = make_force_stepping},
      {.name = "labudde-greenspan",
       .description = "implicit, exact energy and angular momentum of central forces",
       .keys = {"time_step"},
       .needs = {.whole_steps = true, .whole_system = true, .time_step = true},
       .contact = false,
       .particles = true,
       .meshes = false,
       .make = make_labudde_greenspan},
      {.name = "discontinuous-potential",
       .description = "steps of a potential: refraction and reflection, DP1 to DP4 and the penalty",
       .keys = {"time_step", "variant", "order", "steepness"},
       .needs = {.whole_steps = true, .whole_system = true, .time_step = true},
       .contact = false,
       .particles = true,
       .meshes = false,
       .potential_steps = true,
       .make = make_discontinuous_potential},
      {.name = "implicit-midpoint",
       .description = "implicit, symplectic, exact angular momentum; steps beyond the stable one",
       .keys = {"time_step", "time_step_factor", "solver_tolerance"},
       .needs = {.whole_steps = true},
       .contact = false,
       .no_contact = "bodies that may touch, whose contact has no second derivatives",
       .particles = true,
       .time_step_factor = 4,
       .make = make_implicit_midpoint},
      {.name = "energy-momentum",
       .description = "implicit, exact energy and momenta by discrete gradients",
       .keys = {"time_step", "time_step_factor", "solver_tolerance"},
       .needs = {.whole_steps = true},
       .contact = false,
       .no_contact = "bodies that may touch, whose contact has no discrete gradient",
       .time_step_factor = 4,
       .make = make_energy_momentum},
      {.name = "symplectic-energy-momentum",
       .description =
           "SEM: the midpoint rule with steps that keep a discrete energy, symplectic, exact momenta",
       .keys = {"time_step", "time_step_factor", "solver_tolerance"},
       .needs = {.whole_steps = true},
       .contact = false,
       .no_contact = "bodies that may touch, whose contact has no second derivatives",
       .particles = true,
       .time_step_factor = 4,
       .make = make_symplectic_energy_momentum},
      {.name = "semi-explicit",
       .description = "bodies implicitly, contact and walls explicitly",
       .keys = {"time_step", "time_step_factor", "solver_tolerance", "explicit_weight", "implicit_weight"},
       .needs = {.whole_steps = true},
       .stable_step = [](const Lagrangian& system) { return system.stable_contact_step; },
       .make = make_semi_explicit},
      {.name = "time-transformed-splitting",
       .description = "SYMP: explicit, symplectic, shorter steps where energy is stored",
       .keys = {"time_step", "time_step_factor", "scaling_exponent", "scaling_shift", "order"},
       .needs = {.whole_steps = true},
       .particles = true,
       .stable_step = stable_newmark_step,
       .make = make_time_transformed_splitting},
      {.name = "step-density",
       .description = "SYMM: explicit, reversible, shorter steps where energy is stored",
       .keys = {"time_step", "time_step_factor", "scaling_exponent", "scaling_shift"},
       .needs = {.whole_steps = true},
       .particles = true,
       .stable_step = stable_newmark_step,
       .make = make_step_density},
      {.name = "adaptive-variational",
       .description = "met2: explicit, symplectic, of first order, shorter steps where energy is stored",
       .keys = {"time_step", "time_step_factor", "scaling_exponent", "scaling_shift"},
       .needs = {.whole_steps = true},
       .particles = true,
       .stable_step = stable_newmark_step,
       .make = make_adaptive_variational},
  };
  return all;
}

const IntegratorEntry* find_integrator(std::string_view name) {
  if (name == "sem") name = "symplectic-energy-momentum";  // as its literature calls it
  const auto entry = std::find_if(integrators().begin(), integrators().end(),
                                  [&](const IntegratorEntry& one) { return one.name == name; });
  return entry == integrators().end() ? nullptr : &*entry;
}

const IntegratorEntry& recommended_integrator() {
  return *std::find_if(integrators().begin(), integrators().end(),
                       [](const IntegratorEntry& one) { return one.recommended; });
}

}  // namespace terrace
