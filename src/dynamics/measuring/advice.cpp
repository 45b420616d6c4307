#include "dynamics/measuring/advice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/records/grouped_warnings.hpp"

namespace terrace {

Vibration Vibration::of(std::span<const BodyRecord> bodies) {
  Vibration all;
  for (const BodyRecord& body : bodies) {
    all.kinetic += body.vibrational_kinetic;
    all.element_scale += std::min(body.element_scale_kinetic, body.vibrational_kinetic);
  }
  return all;
}

bool is_driven(const Lagrangian& system) {
  return system.gravity != Vector3{} ||
         std::any_of(system.reaction_velocities.begin(), system.reaction_velocities.end(),
                     [](const Vector3& velocity) { return velocity != Vector3{}; });
}

std::vector<Warning> coarse_energy_steps(const Lagrangian& system, double kinetic, double potential) {
  std::vector<Warning> all, told;
  // |V| counts too, as particles that attract each other may have little kinetic energy.
  if (is_driven(system) || !(kinetic > 0)) return told;
  const double energy = std::max(kinetic, std::abs(potential));
  // With ten levels hardly anything is resolved, and a level above all energy is never reached.
  for (const Subdomain& subdomain : system.subdomains)
    if (!subdomain.impenetrable && !subdomain.asleep && subdomain.energy_step > 0.1 * energy)
      all.push_back({"energy step",
                     fmt::format("subdomain {} has the energy step {:.3g} for an energy of {:.3g}: it can "
                                 "hardly feel any force; lower its energy step",
                                 subdomain.name, subdomain.energy_step, energy)});
  add_one_of_each_subject(all, told);
  return told;
}

static void advise_of_vibration(const Vibration& vibration, double initial_kinetic, bool terraces,
                                std::vector<Warning>& warnings) {
  // A vibration has as much potential energy again.
  if (!(initial_kinetic > 0) || !(2 * vibration.element_scale > 0.02 * initial_kinetic) ||
      !(vibration.element_scale > 0.3 * vibration.kinetic))
    return;
  warnings.push_back(
      {"vibration of elements",
       fmt::format("vibration on the scale of single elements, which no mesh resolves: {:.0f} % of the "
                   "vibrational kinetic energy, with its potential energy {:.1f} % of the kinetic energy at "
                   "the start, an artefact of the mesh{}",
                   100 * vibration.element_scale / vibration.kinetic,
                   200 * vibration.element_scale / initial_kinetic,
                   terraces ? " or of the energy step: see whether it falls with it" : "")});
}

std::vector<Warning> advice(const Lagrangian& system, const Integrator& integrator, bool terraces,
                            const Drifts& drifts, const Vibration& vibration,
                            const ContactExtremes& extremes) {
  std::vector<Warning> warnings;
  // 0: no scale.
  const double initial_kinetic = is_driven(system) ? 0 : drifts.first().kinetic;
  if (terraces) warnings = coarse_energy_steps(system, drifts.first().kinetic, drifts.first().potential);
  integrator.describe_trouble(warnings);
  advise_of_vibration(vibration, initial_kinetic, terraces, warnings);
  const Tell tell_drift = drifts.scale_grows() ? Tell::at_end : Tell::while_so;
  if (drifts.energy() > 0.02)
    warnings.push_back(
        {"energy",
         fmt::format("the energy is off by up to {:.2g} of what it was: the results mean little. "
                     "Lower integrator.time_step or integrator.time_step_factor",
                     drifts.energy()),
         tell_drift});
  const std::optional<BalanceRecord> balance = integrator.balance();
  if (balance && !balance->follows_potential && drifts.potential() > 0.02)
    warnings.push_back(
        {"ledger",
         fmt::format(
             "terraces share nodes: what is kept is a ledger, and the energy itself, K + V, is off by "
             "up to {:.2g} of it. Lower integrator.time_step or integrator.time_step_factor, or let "
             "what shares nodes be one terrace: localization.kind = \"global\", or \"bodies\" with "
             "contact = \"touching\"",
             drifts.potential()),
         tell_drift});
  // U is half a step ahead of V: where the fastest vibration is most of the motion they differ by some per
  // cent, and by more in the first steps from rest.
  constexpr double many_steps = 100;
  if (balance && balance->follows_potential && drifts.elapsed() > many_steps * integrator.average_step() &&
      drifts.potential() > 0.1)
    warnings.push_back(
        {"balance",
         fmt::format("what is kept, K + Σ U, is off from the energy, K + V, by up to {:.2g} of it: "
                     "the results mean little. Lower integrator.time_step or "
                     "integrator.time_step_factor",
                     drifts.potential()),
         tell_drift});
  if (extremes.widest_contact > 1)
    warnings.push_back(
        {"width of a contact",
         fmt::format(
             "a contact by Hertz's law became {:.2f} times as wide as its patch is meant for: the force "
             "is too small there; raise contact.patch, or the larger of contact.forces",
             extremes.widest_contact)});
  if (extremes.largest_shift > 0.1)
    warnings.push_back(
        {"shift of a contact",
         fmt::format(
             "a contact by Hertz's law moved off the middle of its patch by {:.2f} of the patch's radius, "
             "as balls turned or passed each other: it is felt too late there; such contacts want the "
             "barrier",
             extremes.largest_shift)});
  if (extremes.unfelt_penetration > 0)
    warnings.push_back(
        {"unfelt penetration",
         fmt::format("bodies are in each other and feel too little of it: a point of a surface is {:.3g} "
                     "behind a face, where a gap is too soft, no triangles cross, as of blocks face to face, "
                     "or balls with Hertz's law meet each other or a wall beside their patches; use the "
                     "barrier",
                     extremes.unfelt_penetration)});
  else if (extremes.deepest_penetration > 0)
    warnings.push_back(
        {"penetration",
         fmt::format("bodies penetrated each other: a point of a surface is {:.3g} behind a face; raise "
                     "contact.stiffness or contact.distance, or use the barrier",
                     extremes.deepest_penetration)});
  return warnings;
}

}  // namespace terrace
