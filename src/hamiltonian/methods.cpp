#include "hamiltonian/methods.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "hamiltonian/compositions.hpp"
#include "hamiltonian/make_methods.hpp"

namespace terrace {

const std::vector<MethodEntry>& methods() {
  constexpr auto exactly = Keeps::exactly, bounded = Keeps::bounded, not_at_all = Keeps::not_at_all;
  const std::vector<std::string> scaled = {"scaling", "scaling_exponent", "scaling_shift"};
  const auto with_scaling = [&](std::vector<std::string> keys) {
    keys.insert(keys.end(), scaled.begin(), scaled.end());
    return keys;
  };
  static const std::vector<MethodEntry> all = {
      {.name = "symplectic-euler",
       .description = "a kick and a drift",
       .keys = {"time_step", "variant"},
       .claims = {.order = 1, .symplectic = true, .is_explicit = true},
       .needs = {},
       .variants = {"momenta", "coordinates"},
       .orders = {},
       .make = make_symplectic_euler},
      {.name = "verlet",
       .description = "half kick, drift, half kick, and its compositions",
       .keys = {"time_step", "order"},
       .claims = {.symplectic = true, .reversible = true, .is_explicit = true},
       .needs = {},
       .variants = {},
       .orders = composition_orders(),
       .make = make_verlet},
      {.name = "forced-splitting",
       .description = "half drift, kick with the loads of the middle, half drift",
       .keys = {"time_step", "order"},
       .claims = {.symplectic = true, .reversible = true, .is_explicit = true},
       .needs = {},
       .variants = {},
       .orders = composition_orders(),
       .make = make_forced_splitting},
      {.name = "time-transformed-splitting",
       .description = "SYMP(T, V): explicit, symplectic, steps by the energies",
       .keys = with_scaling({"step_parameter", "order"}),
       .claims = {.symplectic = true, .reversible = true, .is_explicit = true},
       .needs = {.autonomous = true},
       .variants = {},
       .orders = composition_orders(),
       .make = make_time_transformed},
      {.name = "step-density",
       .description = "SYMM: Verlet with Hairer and Söderlind's controller",
       .keys = with_scaling({"step_parameter", "initial_density"}),
       .claims = {.reversible = true, .is_explicit = true},
       .needs = {.autonomous = true},
       .variants = {},
       .orders = {},
       .make = make_step_density},
      {.name = "doubled-phase-space",
       .description = "SYMP(q): two copies, each the other's clock; near-integrable systems",
       .keys = with_scaling({"step_parameter"}),
       .claims = {.angular_momentum = not_at_all, .is_explicit = true},
       .needs = {.autonomous = true},
       .variants = {},
       .orders = {},
       .make = make_doubled_phase_space},
      {.name = "adaptive-variational",
       .description = "the discrete Lagrangian of time scaled by l(q)",
       .keys = with_scaling({"step_parameter", "variant", "weight", "scaling_weight"}),
       .claims = {.symplectic = true, .reversible = true},
       .needs = {.quadratic = true, .autonomous = true},
       .variants = {"midpoint", "symmetric", "explicit"},
       .orders = {},
       .make = make_adaptive_variational},
      {.name = "implicit-midpoint",
       .description = "of any system, with damping and loads, and its compositions",
       .keys = {"time_step", "order"},
       .claims = {.symplectic = true, .reversible = true},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {},
       .orders = composition_orders(),
       .make = make_implicit_midpoint},
      {.name = "variational",
       .description = "discrete Lagrangians at (1 − weight) q0 + weight q1, forces, constraints",
       .keys = {"time_step", "weight"},
       .claims = {.symplectic = true, .reversible = true},
       .needs = {.quadratic = true, .conservative = false, .constraints_too = true},
       .variants = {},
       .orders = {},
       .make = make_variational},
      {.name = "shake",
       .description = "Verlet on a constraint; momenta off its tangent, of first order",
       .keys = {"time_step"},
       .claims = {.order = 1, .symplectic = true},
       .needs = {.quadratic = true, .constraint = true},
       .variants = {},
       .orders = {},
       .make = make_shake},
      {.name = "rattle",
       .description = "SHAKE with momenta on the constraint's tangent, and its compositions",
       .keys = {"time_step", "order"},
       .claims = {.symplectic = true, .reversible = true},
       .needs = {.quadratic = true, .constraint = true},
       .variants = {},
       .orders = composition_orders(),
       .make = make_rattle},
      {.name = "symplectic-energy-momentum",
       .description = "SEM: the midpoint rule whose step keeps a discrete energy",
       .keys = {"time_step", "largest_step"},
       .claims = {.reversible = true, .energy = exactly},
       .needs = {.quadratic = true, .autonomous = true},
       .variants = {},
       .orders = {},
       .make = make_symplectic_energy_momentum},
      {.name = "energy-momentum",
       .description = "discrete gradients",
       .keys = {"time_step"},
       .claims = {.reversible = true, .energy = exactly},
       .needs = {.quadratic = true, .autonomous = true},
       .variants = {},
       .orders = {},
       .make = make_energy_momentum},
      {.name = "semi-explicit",
       .description = "dear soft forces explicitly, stiff cheap ones implicitly",
       .keys = {"time_step", "explicit_weight", "implicit_weight", "tolerance"},
       .claims = {.order = 1, .energy = not_at_all},
       .needs = {.quadratic = true, .conservative = false},
       .variants = {},
       .orders = {},
       .make = make_semi_explicit},
      {.name = "rigid-body-rotations",
       .description = "the kinetic energy split by axes; with step_parameter adaptive",
       .keys = {"time_step", "step_parameter"},
       .claims = {.symplectic = true, .reversible = true, .is_explicit = true},
       .needs = {.separable = false, .rigid_body = true, .canonical = false},
       .variants = {},
       .orders = {},
       .make = make_rigid_body_rotations},
      {.name = "rigid-body-shears",
       .description = "the rate split by components; with step_parameter adaptive",
       .keys = {"time_step", "step_parameter"},
       .claims = {.reversible = true, .angular_momentum = bounded, .is_explicit = true},
       .needs = {.separable = false, .rigid_body = true, .canonical = false},
       .variants = {},
       .orders = {},
       .make = make_rigid_body_shears},
      {.name = "implicit-euler",
       .description = "PETSc's TS",
       .keys = {"time_step"},
       .claims = {.order = 1, .energy = not_at_all, .angular_momentum = not_at_all},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {},
       .orders = {},
       .make = make_implicit_euler},
      {.name = "extrapolated-implicit-euler",
       .description = "two half steps twice less a whole one",
       .keys = {"time_step"},
       .claims = {.energy = not_at_all, .angular_momentum = not_at_all},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {},
       .orders = {},
       .make = make_extrapolated_euler},
      {.name = "theta",
       .description = "PETSc's TS, one stage at the weight; 1/2: the midpoint rule",
       .keys = {"time_step", "weight"},
       .claims = {.symplectic = true, .reversible = true},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {},
       .orders = {},
       .make = make_theta},
      {.name = "bdf",
       .description = "PETSc's TS, of order 2 to 6; with a tolerance adaptive",
       .keys = {"time_step", "order", "tolerance"},
       .claims = {.energy = not_at_all, .angular_momentum = not_at_all},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {},
       .orders = {2, 3, 4, 5, 6},
       .make = make_bdf},
      {.name = "runge-kutta",
       .description = "PETSc's TS; with a tolerance adaptive",
       .keys = {"time_step", "variant", "tolerance"},
       .claims = {.order = 4, .energy = not_at_all, .angular_momentum = not_at_all, .is_explicit = true},
       .needs = {.separable = false, .conservative = false, .canonical = false},
       .variants = {"classical", "heun", "midpoint", "bogacki-shampine", "dormand-prince"},
       .orders = {},
       .make = make_runge_kutta},
      {.name = "generalized-alpha",
       .description = "by its radius at infinity",
       .keys = {"time_step", "radius"},
       .claims = {.energy = not_at_all, .angular_momentum = not_at_all},
       .needs = {.quadratic = true, .conservative = false},
       .variants = {},
       .orders = {},
       .make = make_generalized_alpha}};
  return all;
}

const MethodEntry* find_method(std::string_view name) {
  const auto found = std::find_if(methods().begin(), methods().end(),
                                  [&](const MethodEntry& entry) { return entry.name == name; });
  return found == methods().end() ? nullptr : &*found;
}

bool has_key(const MethodEntry& method, std::string_view key) {
  return std::find(method.keys.begin(), method.keys.end(), key) != method.keys.end();
}

std::optional<Refusal> refusal(const MethodEntry& method, const MethodSettings& settings,
                               const HamiltonianSystem& system) {
  const std::string name(method.name);
  const MethodNeeds& needs = method.needs;
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    return Refusal{fmt::format("{} for the method \"{}\"", expected, name),
                   fmt::format("{}, system.kind = \"{}\"", found, system.kind)};
  };
  if (needs.rigid_body && !system.inertia) return refuse("a free rigid body", "another system");
  if (needs.canonical && system.inertia)
    return refuse("a system of coordinates and momenta", "a rigid body by its angular momentum");
  if (needs.separable && system.general != nullptr)
    return refuse("a separable energy T(p) + V(q)", "a non-separable one");
  if (needs.quadratic && system.cubic != 0)
    return refuse("a kinetic energy that is quadratic in the momenta", "one with a cubic term");
  if (needs.autonomous && system.time_dependent())
    return refuse("forces that do not depend on time", "a time-dependent load");
  if (needs.conservative && system.dissipative())
    return refuse("forces that have a potential", "a damped system");
  if (needs.constraint && system.constraint == nullptr) return refuse("a system with a constraint", "none");
  if (!needs.constraint && !needs.constraints_too && system.constraint != nullptr)
    return refuse("a system without constraints", "one with a constraint");
  if (has_key(method, "scaling") && settings.scaling == ScalingKind::system && system.scaling == nullptr)
    return refuse("a system with a scaling of time of its own (integrator.scaling = \"system\")", "none");
  if (settings.order > 2 && has_key(method, "order") && method.make != make_bdf && system.dissipative())
    return refuse("integrator.order = 2 of a damped system, as compositions step back in time",
                  std::to_string(settings.order));
  return std::nullopt;
}

}  // namespace terrace
