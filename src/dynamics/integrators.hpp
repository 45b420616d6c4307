// The one list of integrators: their names, the keys of the deck that are theirs, what they need, and how
// they are made.
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

/// What the deck says of the integrator's own parameters.
struct IntegratorSettings {
  double time_step = 0;             ///< 0: time_step_factor times the stable step
  double time_step_factor = 0.4;    ///< large deformation halves the stable step of soft bodies
  double largest_correction = 0.1;  ///< of a clocked kick, in kicks of leapfrog
  double debt_tolerance = 1e-6;     ///< of a clocked run, of Clock::most_energy
  double solver_tolerance = 1e-12;  ///< of implicit steps, in momenta of the step
  double explicit_weight = 0.5;     ///< α of the semi-explicit method, in steps
  double implicit_weight = 0.5;     ///< β of it
  double scaling_exponent = -0.5;   ///< of methods whose steps follow V
  double scaling_shift = 0;         ///< [J]; 0: chosen
  int order = 2;                    ///< of compositions
  GridChoice grid;                  ///< of force-stepping
  StepMethodChoice steps;           ///< of discontinuous potentials
};

/// What a method asks of a system, besides its gradient.
struct IntegratorNeeds {
  bool energy_steps = false;  ///< of its subdomains: terraces are levels of energy
  bool whole_steps = false;   ///< of the deck: one step, the same for all, fits into the time
  bool certificates = false;  ///< of its potentials: no contact.model = "face-intersection"
  bool whole_system = false;  ///< on rank 0: it cannot be divided
  bool time_step = false;     ///< of the deck: integrator.time_step, with no factor of a stable one
};

struct IntegratorEntry {
  std::string_view name;          ///< integrator.method
  std::string_view description;   ///< for `terrace list`
  std::vector<std::string> keys;  ///< of [integrator], besides `method` and `executor`
  IntegratorNeeds needs{};
  bool groups = false;  ///< bodies that touch can share a terrace
  bool contact = true;  ///< of bodies with each other, whose pairs come and go
  std::string_view no_contact = "bodies that may touch, whose pairs come and go";  ///< else
  bool set_constraints = false;  ///< can do contact.model = "rigid"
  bool particles = false;        ///< can move [[particles]]
  bool meshes = true;            ///< can move [[bodies]]
  bool potential_steps = false;  ///< can do potentials of kind = "step"
  bool windows = false;          ///< ranks can work alone for a while: WindowedEnergyStepping
  double (*stable_step)(const Lagrangian&) = nullptr;  ///< beyond it steps as set are unstable; null: never
  bool bounded_steps = false;                          ///< never beyond Newmark's stable one, whatever is set
  double time_step_factor = 0.4;                       ///< where the deck says nothing, of the stable step
  bool recommended = false;                            ///< where nothing speaks against it; one entry
  std::unique_ptr<Integrator> (*make)(const IntegratorSettings&, Lagrangian&, State&);  ///< collective
};

/// Those of clocked energy-stepping.
[[nodiscard]] ClockSettings clock_settings(const IntegratorSettings& settings);

/// The step [s] of a method whose steps are equal: as set, or a fraction of the stable one of the system.
[[nodiscard]] double equal_step(const IntegratorSettings& settings, const Lagrangian& system);

/// The step [s] that a run begins with; nothing of methods whose steps end at surfaces.
[[nodiscard]] std::optional<double> step_of_a_run(const IntegratorEntry& method,
                                                  const IntegratorSettings& settings,
                                                  const Lagrangian& system);

/// Of a method that is explicit, or in part, whose step is beyond its stable one: what a user is told before
/// it grows.
[[nodiscard]] std::vector<Warning> unstable_step(const IntegratorEntry& method,
                                                 const IntegratorSettings& settings,
                                                 const Lagrangian& system);

/// Whether the method can do what this contact needs of it.
[[nodiscard]] bool can_do(const IntegratorEntry& method, ContactModel contact);

/// All integrators, the first of them the default of programs that ask for none.
[[nodiscard]] const std::vector<IntegratorEntry>& integrators();

/// The one of this name, or nullptr; "sem" is another name of "symplectic-energy-momentum".
[[nodiscard]] const IntegratorEntry* find_integrator(std::string_view name);

[[nodiscard]] const IntegratorEntry& recommended_integrator();

}  // namespace terrace
