// The one list of integrators: their names, their keys in the deck, what they need and can do, and how they
// are made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/choices.hpp"
#include "dynamics/system/lagrangian.hpp"

namespace terrace {

/// The settings of integrators in the deck (section [integrator]).
struct IntegratorSettings {
  double time_step = 0;             ///< [s]; 0: time_step_factor times the stable step
  double time_step_factor = 0.4;    ///< large deformation halves the stable step of soft bodies
  double largest_correction = 0.1;  ///< clocked: largest correction of a kick, as a share of leapfrog's kick
  double debt_tolerance = 1e-6;     ///< clocked: energy a kick may leave unbalanced, in Clock::most_energy
  double solver_tolerance = 1e-12;  ///< implicit: residual of a step's equations, in momenta of the step
  double explicit_weight = 0.5;     ///< semi-explicit: α, where in the step explicit forces are evaluated
  double implicit_weight = 0.5;     ///< semi-explicit: β, the same for implicit forces
  double scaling_exponent = -0.5;   ///< methods whose step follows a power of V + c: the exponent
  double scaling_shift = 0;         ///< the same methods: c [J]; 0: chosen by the method
  int order = 2;                    ///< order of compositions
  GridChoice grid;                  ///< force-stepping
  StepMethodChoice steps;           ///< discontinuous potentials
};

/// What a method needs besides the gradient of the system.
struct IntegratorNeeds {
  bool energy_steps = false;  ///< every subdomain has an energy step: terraces are levels of energy
  bool whole_steps = false;   ///< one step, the same for all, must fit into the time of the run
  bool certificates = false;  ///< every potential has one: no contact.model = "face-intersection"
  bool whole_system = false;  ///< rank 0 has the whole system: it cannot be divided
  bool time_step = false;     ///< the deck must set integrator.time_step: time_step_factor does not apply
};

/// An integrator: its name, keys, needs and abilities, and the function that makes it.
struct IntegratorEntry {
  std::string_view name;          ///< integrator.method
  std::string_view description;   ///< for `terrace list`
  std::vector<std::string> keys;  ///< its keys in [integrator], besides `method` and `executor`
  IntegratorNeeds needs{};
  bool groups = false;  ///< bodies that touch can share a terrace
  bool contact = true;  ///< can do contact of bodies with each other, whose pairs come and go
  /// Without `contact`: what an error says was found, and why it is refused.
  std::string_view no_contact = "bodies that may touch, whose pairs come and go";
  bool set_constraints = false;  ///< can do contact.model = "rigid"
  bool particles = false;        ///< can move [[particles]]
  bool meshes = true;            ///< can move [[bodies]]
  bool potential_steps = false;  ///< can do potentials of kind = "step"
  bool windows = false;          ///< can do layout.kind = "windows" (WindowedEnergyStepping)
  /// The longest stable step [s]; null if no step is unstable, or the method itself bounds its steps.
  double (*stable_step)(const Lagrangian&) = nullptr;
  bool bounded_steps = false;     ///< takes no step beyond Newmark's stable one, whatever is set
  double time_step_factor = 0.4;  ///< default of integrator.time_step_factor
  bool recommended = false;       ///< the method to take where nothing speaks against it; true for one entry
  std::unique_ptr<Integrator> (*make)(const IntegratorSettings&, Lagrangian&, State&);  ///< collective
};

/// Returns the settings of clocked energy-stepping.
[[nodiscard]] ClockSettings clock_settings(const IntegratorSettings& settings);

/// Returns the step [s] of a method with equal steps: time_step if it is set, else time_step_factor times the
/// stable Newmark step of the system.
[[nodiscard]] double equal_step(const IntegratorSettings& settings, const Lagrangian& system);

/// Returns the step [s] with which a run begins; nothing for methods without a time step, whose events come
/// at surfaces.
[[nodiscard]] std::optional<double> step_of_a_run(const IntegratorEntry& method,
                                                  const IntegratorSettings& settings,
                                                  const Lagrangian& system);

/// Returns a warning if the step of a method that is at least partly explicit is longer than its stable step;
/// else nothing.
[[nodiscard]] std::vector<Warning> unstable_step(const IntegratorEntry& method,
                                                 const IntegratorSettings& settings,
                                                 const Lagrangian& system);

/// Whether the method can do this model of contact.
[[nodiscard]] bool can_do(const IntegratorEntry& method, ContactModel contact);

/// Returns all integrators. The first is the default where a program names none.
[[nodiscard]] const std::vector<IntegratorEntry>& integrators();

/// Returns the integrator of this name, or nullptr; "sem" is another name of "symplectic-energy-momentum".
[[nodiscard]] const IntegratorEntry* find_integrator(std::string_view name);

/// Returns the entry that is `recommended`.
[[nodiscard]] const IntegratorEntry& recommended_integrator();

}  // namespace terrace
