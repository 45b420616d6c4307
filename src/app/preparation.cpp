#include "app/preparation.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/gravity_loads.hpp"
#include "mesh/broadcast.hpp"
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
  return model;
}

double initial_kinetic_energy(const Model& model) {
  double energy = 0;
  for (std::size_t a = 0; a < model.masses.size(); ++a)
    energy += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
  return energy;
}

double suggested_energy_step(const Deck& deck, const Model& model) {
  double most = 0;
  for (const Body& body : model.bodies) {
    double kinetic = 0;
    for (std::int32_t node = body.first_node; node < body.first_node + body.node_count; ++node) {
      const auto a = static_cast<std::size_t>(node);
      kinetic += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
    }
    most = std::max(most, kinetic);
  }
  const int parts = deck.localization.kind == LocalizationKind::metis ? deck.localization.parts : 1;
  return 1e-4 * most / parts;
}

double energy_step(const Deck& deck, const Model& model) {
  if (deck.integrator.energy_step > 0) return deck.integrator.energy_step;
  const double kinetic = initial_kinetic_energy(model);
  if (!(kinetic > 0))
    throw Error(
        Error::Kind::input, deck.integrator.where,
        "integrator.energy_step in joules, as no body moves and a fraction of the kinetic energy is zero",
        deck.integrator.energy_step_fraction > 0 ? "integrator.energy_step_fraction" : "none");
  return deck.integrator.energy_step_fraction > 0 ? deck.integrator.energy_step_fraction * kinetic
                                                  : suggested_energy_step(deck, model);
}

double largest_momentum(const Model& model) {
  const double heaviest = *std::max_element(model.masses.begin(), model.masses.end());
  const double kinetic = initial_kinetic_energy(model) + energy_of_a_fall(model);
  return kinetic > 0 ? std::sqrt(2 * heaviest * kinetic) : heaviest;
}

Division divide(const Deck& deck, const Model& model, int ranks) {
  Division division;
  const double step = deck.integrator.method->needs.energy_steps ? energy_step(deck, model) : 1.0;
  division.localization = localize(model, deck.localization, deck.contact, step);
  if (!deck.integrator.method->groups) division.localization.touching_share = false;
  division.layout = lay_out(model, division.localization, deck.layout, ranks);
  return division;
}

}  // namespace terrace
