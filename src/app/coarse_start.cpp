#include "app/coarse_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "app/preparation.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/state/exact_momentum.hpp"
#include "dynamics/system/gravity_loads.hpp"
#include "dynamics/system/particle_localization.hpp"
#include "mesh/body_totals.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

bool has_particles(const Model& model) { return model.particles.dimension > 0; }

const std::string& body_of(const Model& model, std::int32_t node) {
  const auto after = std::ranges::upper_bound(model.bodies, node, {}, &Body::first_node);
  return std::prev(after)->name;
}

/// Warns where a node or particle has so little momentum beside the largest possible that its forces are
/// coarse. An impulse is an integer multiple of its force's grid values, of which the largest is about 2^50,
/// in quanta of momentum; where the momentum is small, so is that integer. Methods of whole systems have no
/// such forces.
std::optional<Warning> coarse_momenta(const Deck& deck, const Model& model) {
  constexpr double digits = 1e-16;
  // At this share clocked runs of meshes begin to end with debts. For particles it is where forces are
  // coarse.
  const double little = has_particles(model) ? 1e-12 : 1e-10;
  if (deck.integrator.method->needs.whole_system) return {};
  const double mass = std::accumulate(model.masses.begin(), model.masses.end(), 0.0),
               of_a_fall = has_particles(model) ? 0 : energy_of_a_fall(model),
               usual = std::sqrt(2 * (initial_kinetic_energy(model) + of_a_fall) / mass);
  double least = infinity;
  std::int32_t which = 0;
  for (std::int32_t a = 0; a < std::ssize(model.masses); ++a) {
    const double momentum = at(model.masses, a) * std::max(norm(at(model.velocities, a)), usual);
    if (!(momentum > 0 && momentum < least)) continue;
    least = momentum;
    which = a;
  }
  const double share = least / largest_momentum(momentum_quantum(bound_of_momenta(model)));
  if (!(share < little)) return {};
  const std::string advice = has_particles(model)
                                 ? "for what is heavy and hardly moves take a field, as of kind \"central\""
                                 : "leave out of the deck what is heavy or fast and meets nothing";
  return Warning{"coarse forces", fmt::format("{} has only {:.0e} of the largest possible momentum: changes "
                                              "of its momentum are accurate to {:.0e} at best; {}",
                                              has_particles(model) ? particle_name(model, which)
                                                                   : "a node of " + body_of(model, which),
                                              share, digits / share, advice)};
}

/// Mean mass of the body's nodes [kg].
double mass_of_node(const Model& model, const Body& body) { return mass_of(model, body) / body.node_count; }

/// Warns of nodes so light beside others that forces on them are coarse: methods of whole steps round all
/// forces to one grid, 2^−47 of the largest.
std::optional<Warning> coarse_grid(const Deck& deck, const Model& model) {
  constexpr double little = 1e-9;
  if (!deck.integrator.method->needs.whole_steps || deck.integrator.method->needs.whole_system ||
      has_particles(model))
    return {};
  const auto [light, heavy] = std::ranges::minmax_element(
      model.bodies, {}, [&](const Body& body) { return mass_of_node(model, body); });
  const double share = mass_of_node(model, *light) / mass_of_node(model, *heavy);
  if (!(share < little)) return {};
  return Warning{
      "coarse forces",
      fmt::format("nodes of {} have {:.0e} of the mass of those of {}: all forces are rounded to one "
                  "grid, which is coarse for such light nodes; simulate {} in a deck of its own",
                  light->name, share, heavy->name, light->name)};
}

/// Kinetic energy of a body, with what gravity adds on its way to a wall [J]; 0 where gravity acts and no
/// wall stops the fall, as the energy to come is then unknown.
double energy_to_feel_by(const Model& model, const Body& body) {
  const double of_fall = energy_of_fall_to_walls(model, body);
  return model.gravity != Vector3{} && of_fall == 0 ? 0 : kinetic_energy_of(model, body) + of_fall;
}

/// Warns where the energy step is above a tenth of the energy of the body that has least.
std::optional<Warning> coarse_energy_step(const Deck& deck, const Model& model) {
  if (!deck.integrator.method->needs.energy_steps || has_particles(model)) return {};
  const double step = energy_step(deck, model);
  double least = infinity;
  const Body* slightest = nullptr;
  for (const Body& body : model.bodies) {
    const double energy = energy_to_feel_by(model, body);
    if (!(energy > 0 && energy < least)) continue;
    least = energy;
    slightest = &body;
  }
  // coarse_energy_steps warns where the step is coarse for all bodies.
  const bool is_told = model.gravity == Vector3{} && step > 0.1 * initial_kinetic_energy(model);
  if (slightest == nullptr || !(step > 0.1 * least) || is_told) return {};
  return Warning{
      "energy step of a body",
      fmt::format("the energy step is {:.3g} where {} has an energy of {:.3g}, which can hardly feel "
                  "any force: lower integrator.energy_step, or leave out what meets nothing",
                  step, slightest->name, least)};
}

}  // namespace

std::vector<Warning> coarse_at_start(const Deck& deck, const Model& model) {
  std::vector<Warning> all;
  for (const std::optional<Warning>& found :
       {coarse_momenta(deck, model), coarse_grid(deck, model), coarse_energy_step(deck, model)})
    if (found) all.push_back(*found);
  return all;
}

}  // namespace terrace
