#include "app/preparation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/c_library.hpp"
#include "dynamics/measuring/advice.hpp"
#include "dynamics/steps/newmark.hpp"
#include "dynamics/system/automatic_layout.hpp"
#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/system/decomposition.hpp"
#include "dynamics/system/gravity_loads.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/model.hpp"
#include "numerics/at.hpp"
#include "parallel/broadcast.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"

namespace terrace {

Model distribute_model(const Deck& deck, Communicator& communicator) {
  const StageScope stage(Stage::mesh);
  Model model;
  together(communicator.handle(), [&] {
    if (communicator.rank() == 0) model = build_model(deck);
  });
  broadcast(model, communicator.handle());
  return_free_memory();
  return model;
}

void drop_mesh(Model& model) {
  std::vector<Vector3>().swap(model.positions);
  std::vector<Vector3>().swap(model.velocities);
  std::vector<double>().swap(model.masses);
  std::vector<Tetrahedron>().swap(model.tetrahedra);
  std::vector<std::int32_t>().swap(model.body_of_tetrahedron);
  return_free_memory();
}

double initial_kinetic_energy(const Model& model) {
  double energy = 0;
  for (std::size_t a = 0; a < model.masses.size(); ++a)
    energy += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
  return energy;
}

static bool is_of_particles(const Model& model) { return model.particles.dimension > 0; }

// The energy divided by `steps` and an irrational fraction of a step. With a whole number of steps, a body
// that gives all of its kinetic energy to gravity, as one thrown upwards, would come to rest at the surface
// of a terrace and stay there; so would bodies that have simple fractions of that energy.
static double one_of(double steps, double energy) { return energy / (steps + 0.6180339887498949); }

static double suggested_energy_step_of_particles(const Model& model) {
  const double kinetic = initial_kinetic_energy(model);
  const double energy = std::abs(kinetic + survey_particles(model).potential);
  return one_of(100, energy > 0 ? energy : kinetic);
}

double energy_of_fall_to_walls(const Model& model, const Body& body) {
  const double speed = largest_speed(model, body);
  double most = 0;
  for (const Wall& wall : model.walls) {
    const double at_wall = speed_at_wall(model, body, facing(wall, model, body));
    most = std::max(most, at_wall * at_wall - speed * speed);
  }
  if (!(most > 0)) return 0;
  return 0.5 * mass_of(model, body) * most;
}

double suggested_energy_step(const Deck& deck, const Model& model) {
  if (is_of_particles(model)) return suggested_energy_step_of_particles(model);
  double most = 0;
  int parts = 1;
  for (const Body& body : model.bodies) {
    const double kinetic = kinetic_energy_of(model, body) + energy_of_fall_to_walls(model, body);
    if (!(kinetic > most)) continue;
    most = kinetic;
    parts = parts_of(body, deck.localization);
  }
  return one_of(10000, most) / parts;
}

double energy_step(const Deck& deck, const Model& model) {
  if (deck.integrator.energy_step > 0) return deck.integrator.energy_step;
  const double kinetic = initial_kinetic_energy(model);
  if (!(kinetic > 0) && (deck.integrator.energy_step_fraction > 0 || !is_of_particles(model) ||
                         !(suggested_energy_step(deck, model) > 0)))
    throw Error(Error::Kind::input, deck.integrator.where,
                "integrator.energy_step in joules: no body moves at the start, and a fraction of no kinetic "
                "energy is none",
                deck.integrator.energy_step_fraction > 0 ? "integrator.energy_step_fraction" : "none");
  return deck.integrator.energy_step_fraction > 0 ? deck.integrator.energy_step_fraction * kinetic
                                                  : suggested_energy_step(deck, model);
}

double bound_of_momenta(const Model& model) {
  const double heaviest = *std::max_element(model.masses.begin(), model.masses.end());
  const double of_a_fall = energy_of_a_fall(model);
  double kinetic = initial_kinetic_energy(model) + of_a_fall, force = heaviest * norm(model.gravity);
  bool has_bottom = model.gravity == Vector3{};
  if (is_of_particles(model)) {
    const ParticleSurvey survey = survey_particles(model);
    kinetic = kinetic_energy_to_come(survey, kinetic);
    if (kinetic == 0) force += survey.force_without_bottom;
    has_bottom = has_bottom && std::isfinite(survey.lowest);
  }
  const double largest = std::sqrt(2 * heaviest * kinetic);
  if (kinetic > 0 && (has_bottom || of_a_fall > 0)) return largest;
  // Nothing bounds the energy to come of a single particle that falls, or with potentials without a lowest
  // value. The bound is then at least the momentum of the heaviest node at a velocity of one, as where
  // nothing moves, and what gravity gives it in a time of one; where there is no energy either, what any
  // force gives in a time of one.
  return std::max({largest, heaviest, force});
}

static double energy_step_or_none(const Deck& deck, const Model& model) {
  return deck.integrator.method->needs.energy_steps ? energy_step(deck, model) : 1.0;
}

/// As localize_particles, with the place of the key in the deck in its errors.
static ParticleLocalization localized_particles(const Deck& deck, const Model& model) {
  try {
    return localize_particles(model, deck.localization);
  } catch (const Error& error) {
    throw Error(error.kind(), deck.place(error.where()), error.expected(), error.found());
  }
}

Lagrangian make_system(const Deck& deck, const Model& model, Communicator& communicator, Elements elements,
                       const Lagrangian* known) {
  if (is_of_particles(model))
    return particle_system(
        model, localized_particles(deck, model), survey_particles(model), energy_step_or_none(deck, model),
        communicator, {deck.integrator.method->needs.whole_system, deck.integrator.method->set_constraints});
  const Division division = divide(deck, model, communicator.size(), communicator.handle());
  return decompose(model, division.localization, division.layout, deck.contact, communicator, elements,
                   known);
}

static LayoutKind chosen_layout(const Deck& deck, const Model& model, const Localization& localization,
                                int ranks) {
  if (deck.layout != LayoutKind::automatic) return deck.layout;
  return !obstacle_to_windows(deck) && windows_are_worth_while(model, localization, ranks)
             ? LayoutKind::windows
             : LayoutKind::slice;
}

static void require_tetrahedra_for_parts(const Deck& deck, const Model& model) {
  if (deck.localization.kind != LocalizationKind::metis || model.bodies.empty()) return;
  const std::int32_t most = std::ranges::max(model.bodies, {}, &Body::tetrahedron_count).tetrahedron_count;
  if (most < deck.localization.parts)
    throw Error(Error::Kind::input, deck.place("localization.parts"),
                fmt::format("at most as many parts as the largest body has tetrahedra, {}", most),
                std::to_string(deck.localization.parts));
}

Division divide(const Deck& deck, const Model& model, int ranks, MPI_Comm communicator) {
  Division division;
  require_tetrahedra_for_parts(deck, model);
  division.localization =
      localize(model, deck.localization, deck.contact, energy_step_or_none(deck, model), communicator);
  if (!deck.integrator.method->groups) division.localization.touching_share = false;
  division.layout =
      deck.integrator.method->needs.whole_system
          ? lay_out_on_one_rank(model, division.localization)
          : lay_out(model, division.localization, chosen_layout(deck, model, division.localization, ranks),
                    ranks, communicator);
  return division;
}

// Bounds the number of rows, frames and restart files: a slip of the pen must not fill a disk.
static void require_few(const Deck& deck, const std::string& key, double interval, double most) {
  const double end = deck.end_time;
  if (interval > 0 && !(end / interval <= most))
    throw Error(Error::Kind::input, deck.place(key),
                fmt::format("at least time.end / {:g} = {:g}", most, end / most),
                fmt::format("{:g}", interval));
}

void require_end(const Deck& deck, double step) {
  constexpr double shortest = 1e-290;  // its thousandth, an interval of output, must still be a number
  // So many steps would take a thousand years; and integers must hold times in parts of a step.
  constexpr double most_steps = 0x1p36;
  const auto reject = [&](const std::string& expected) {
    throw Error(Error::Kind::input, deck.place("time.end"), expected, fmt::format("{:g}", deck.end_time));
  };
  if (deck.end_time < shortest) reject(fmt::format("at least {:g}", shortest));
  if (step > 0 && deck.end_time > most_steps * step)
    reject(fmt::format("at most {:.5g} ({:.1g} steps of {:.3g})", most_steps * step, most_steps, step));
}

/// contact.energy_step is checked as the deck has it: pairs have subdomains only while their bodies are near.
static void require_energy_steps(const Deck& deck, const Model& model) {
  if (!deck.integrator.method->needs.energy_steps) return;
  constexpr double rounding = 1e-16;  // relative, of K + Σ h k
  const double kinetic = initial_kinetic_energy(model);
  const auto require = [&](const std::string& key, double least, double found) {
    if (found < least)
      throw Error(Error::Kind::input, deck.place(key),
                  fmt::format("at least {:g}, the rounding of the kinetic energy {:g}", least, kinetic),
                  fmt::format("{:g}", found));
  };
  if (deck.integrator.energy_step_fraction > 0)
    require("integrator.energy_step_fraction", rounding, deck.integrator.energy_step_fraction);
  else
    require("integrator.energy_step", rounding * kinetic, energy_step(deck, model));
  if (deck.contact.energy_step > 0)
    require("contact.energy_step", rounding * kinetic, deck.contact.energy_step);
}

std::vector<Warning> coarse_energy_step_of_contact(const Deck& deck, const Lagrangian& system,
                                                   double kinetic) {
  if (!deck.integrator.method->needs.energy_steps || is_driven(system) || !(kinetic > 0)) return {};
  if (!(deck.contact.energy_step > 0.1 * kinetic) || !coarse_energy_steps(system, kinetic, 0).empty())
    return {};
  return {
      {"energy step", fmt::format("contact.energy_step is {:.3g} for an energy of {:.3g}: bodies can hardly "
                                  "feel each other; lower it",
                                  deck.contact.energy_step, kinetic)}};
}

void require_feasible(const Deck& deck, const Model& model, const Lagrangian& system) {
  const auto reject = [&](const std::string& key, const std::string& expected, double found) {
    throw Error(Error::Kind::input, deck.place(key), expected, fmt::format("{:g}", found));
  };
  if (!(system.stable_step > 0) || !std::isfinite(system.stable_step))
    reject("materials", "a stable step within the range of a double", system.stable_step);
  // Infinite where nothing can touch anything.
  if (!(system.stable_contact_step > 0))
    reject(
        deck.contact.model != ContactModel::none ? "contact" : "walls",
        "stiffnesses, distances, speeds and materials that give contact and walls a stable step within the "
        "range of a double",
        system.stable_contact_step);
  const IntegratorEntry& method = *deck.integrator.method;
  const double set_step = deck.integrator.settings.time_step;
  double shortest_step = std::min(system.stable_step, system.stable_contact_step);
  if (set_step > 0) shortest_step = method.needs.whole_steps ? set_step : std::min(shortest_step, set_step);
  // Elements and contact together have a stable step of at least 0.7 of the shorter of theirs.
  const bool by_factor = std::ranges::find(method.keys, "time_step_factor") != method.keys.end();
  if (by_factor && !(set_step > 0))
    shortest_step = std::min(shortest_step, deck.integrator.settings.time_step_factor * shortest_step);
  require_end(deck, shortest_step);
  const double step = equal_step(deck.integrator.settings, system);
  if (method.needs.whole_steps && step > deck.end_time) {
    if (set_step > 0)
      reject("integrator.time_step", fmt::format("at most time.end = {:g}", deck.end_time), step);
    reject("time.end", fmt::format("at least one time step, {:g} without integrator.time_step", step),
           deck.end_time);
  }
  require_energy_steps(deck, model);
  require_few(deck, "output.history_interval", deck.output.history_interval, 1e8);
  require_few(deck, "output.bodies_interval", deck.output.bodies_interval, 1e8);
  require_few(deck, "output.field_interval", deck.output.field_interval, 1e6);
  require_few(deck, "output.restart_time", deck.output.restart_time, 1e6);
}

}  // namespace terrace
