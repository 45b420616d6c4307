#include "dynamics/system/particle_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/system/gravity_loads.hpp"
#include "dynamics/system/system_builder.hpp"
#include "geometry/show.hpp"
#include "mesh/size_limits.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/gravity.hpp"
#include "potentials/particles/particle_potential.hpp"
#include "potentials/particles/region_constraint.hpp"

namespace terrace {
namespace {

/// The same pairs, with each particle replaced by its index in the ascending list `particles`.
PairSet by_places(const PairSet& pairs, const std::vector<std::int32_t>& particles) {
  const auto place = [&](std::int32_t particle) {
    return static_cast<std::int32_t>(std::lower_bound(particles.begin(), particles.end(), particle) -
                                     particles.begin());
  };
  PairSet result = pairs;
  for (std::int32_t& particle : result.first) particle = place(particle);
  for (std::int32_t& particle : result.second) particle = place(particle);
  for (PairOfPlaces& pair : result.listed)
    for (std::int32_t& particle : pair) particle = place(particle);
  return result;
}

/// The potential of an interaction's term; `nodes` are the numbers that `table` has for its particles.
std::unique_ptr<ParticlePotential> make_interaction(const Model& model, const ParticleTerm& term,
                                                    const ParticleTable& table,
                                                    std::vector<std::int32_t> nodes) {
  const Interaction& interaction = at(model.particles.interactions, term.which);
  if (term.kind == ParticleTerm::Kind::field) return make_field(interaction, table, std::move(nodes));
  return make_pair_potential(interaction, table, std::move(nodes), by_places(term.pairs, term.nodes));
}

std::unique_ptr<Potential> make_wall(const Model& model, const ParticleTerm& term, const Lagrangian& system,
                                     std::vector<std::int32_t> nodes) {
  const Wall& either = at(model.walls, term.which);
  const Wall wall = facing(either, model, at(model.bodies, at(system.body_of_node, nodes.front())));
  const ContactProfile profile = wall.model == WallModel::penalty
                                     ? ContactProfile(ContactProfile::Kind::penalty, 0)
                                     : ContactProfile(ContactProfile::Kind::barrier, wall.distance);
  std::vector<double> weights(nodes.size(), 1.0);
  return std::make_unique<PlaneContact>(system.reference, std::move(nodes), std::move(weights),
                                        Plane{wall.point, wall.normal}, profile, wall.stiffness,
                                        "wall " + wall.name);
}

/// Throws Error(input) that names a pair or a particle for which the potential has no energy or force.
void require_regular(const Model& model, const ParticleTerm& term, const ParticlePotential& potential,
                     const Displacements& at_rest) {
  const auto pair = potential.singular_pair(at_rest);
  if (!pair) return;
  const Interaction& interaction = at(model.particles.interactions, term.which);
  const auto [one, other] = *pair;
  const Vector3 &here = at(model.positions, one), &there = at(model.positions, other);
  const bool in_field = one == other, coincide = !in_field && here == there;
  throw Error(Error::Kind::input, interaction.where,
              coincide ? fmt::format("particles apart from each other for {}", interaction.name)
                       : fmt::format("particles where {} has an energy and a force", interaction.name),
              in_field ? fmt::format("{} at {}, where it has none", particle_name(model, one), show(here))
              : coincide
                  ? fmt::format("{} and {} both at {}", particle_name(model, one),
                                particle_name(model, other), show(here))
                  : fmt::format("{} and {} at a distance of {:g}, where it has none",
                                particle_name(model, one), particle_name(model, other), norm(there - here)));
}

/// ω² is at most twice the largest sum of stiffnesses at a particle over its mass (Gershgorin).
double stable_step_of(const Model& model, const std::vector<double>& stiffness) {
  double square_of_rate = 0;
  for (std::size_t a = 0; a < stiffness.size(); ++a)
    square_of_rate = std::max(square_of_rate, 2 * stiffness[a] / model.masses[a]);
  if (square_of_rate > 0) return 2 / std::sqrt(square_of_rate);
  // Without any force a step has no bound: takes the time to cross the system.
  Vector3 low = model.positions.front(), high = low;
  double speed = 0;
  for (std::size_t a = 0; a < model.positions.size(); ++a) {
    speed = std::max(speed, norm(model.velocities[a]));
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], model.positions[a][d]);
      high[d] = std::max(high[d], model.positions[a][d]);
    }
  }
  const double size = norm(high - low);
  return size > 0 && speed > 0 ? size / speed : 1;
}

/// Raises the stiffness of particles on which Hertz's law may act to at least 3/2 k √δ, with the largest
/// approach δ that the energy 2/5 k δ^{5/2} there is allows.
void raise_stiffness_to_contacts_to_come(const Model& model, ParticleSurvey& survey) {
  double kinetic = 0;
  for (std::size_t a = 0; a < model.positions.size(); ++a)
    kinetic += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
  const double energy = kinetic_energy_to_come(survey, kinetic) + energy_of_a_fall(model);
  std::vector<double> to_come(model.positions.size(), 0);
  for (const ParticleTerm& term : localize_particles(model, {LocalizationKind::global}).terms) {
    if (term.kind == ParticleTerm::Kind::wall || term.kind == ParticleTerm::Kind::gravity) continue;
    const Interaction& interaction = at(model.particles.interactions, term.which);
    if (interaction.kind != InteractionKind::hertz) continue;
    const double root = numerics::fifth_root(2.5 * energy / interaction.strength),
                 approach = std::min(root * root, interaction.length);
    for (const std::int32_t node : term.nodes)
      at(to_come, node) = std::max(at(to_come, node), 1.5 * interaction.strength * std::sqrt(approach));
  }
  for (std::size_t a = 0; a < to_come.size(); ++a)
    survey.stiffness[a] = std::max(survey.stiffness[a], to_come[a]);
}

/// A time in which no particle goes farther than a thousandth of the extent of particles and wall. It stands
/// for a wall's stable step, to tell when impacts follow each other without end.
double duration_at_wall(const Model& model, const ParticleSurvey& survey, const Region& wall) {
  Vector3 low = model.positions.front(), high = low;
  const auto include = [&](const Vector3& x, double radius) {
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], x[d] - radius);
      high[d] = std::max(high[d], x[d] + radius);
    }
  };
  for (const std::vector<RegionPart>& piece : wall.pieces)
    for (const RegionPart& part : piece) include(part.point, part.radius);
  double kinetic = 0, lightest = infinity;
  for (std::size_t a = 0; a < model.positions.size(); ++a) {
    include(model.positions[a], 0);
    kinetic += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
    lightest = std::min(lightest, model.masses[a]);
  }
  const double energy = kinetic_energy_to_come(survey, kinetic) + energy_of_a_fall(model);
  const double duration = 1e-3 * norm(high - low) / std::sqrt(2 * energy / lightest);
  return duration > 0 && std::isfinite(duration) ? duration : survey.stable_step;
}

class ParticleBuilder {
 public:
  ParticleBuilder(const Model& model, const ParticleLocalization& localization, const ParticleSurvey& survey,
                  double energy_step, Communicator& communicator, const ParticleDivision& division)
      : model_(model),
        localization_(localization),
        builder_(communicator, model.positions, model.masses),
        system_(builder_.system()),
        survey_(survey),
        walls_reflect_(division.walls_reflect),
        ranks_(division.on_one_rank ? 1 : static_cast<std::size_t>(communicator.size())) {
    system_.layout = division.on_one_rank ? "one rank" : "own";
    system_.dimension = static_cast<std::size_t>(model.particles.dimension);
    system_.stable_step = survey.stable_step;
    system_.body_stable_steps.assign(model.bodies.size(), survey.stable_step);
    plan(energy_step);
  }

  Lagrangian result() {
    for (const Body& body : model_.bodies) builder_.add_body(body.name, body.first_node, body.node_count);
    for (const Wall& wall : model_.walls) builder_.add_reaction(wall.name);
    for (const Interaction& interaction : model_.particles.interactions) {
      reactions_.push_back(interaction.of_pairs() ? -1 : builder_.add_reaction(interaction.name));
      walls_.push_back(interaction.is_wall() && walls_reflect_ ? plan_wall(interaction) : -1);
    }
    if (model_.gravity != Vector3{}) {
      gravity_ = builder_.add_reaction("gravity");
      system_.gravity = model_.gravity;
      system_.energy_of_a_fall = energy_of_a_fall(model_);
    }
    load();
    builder_.number_nodes();
    for (const ParticleTerm& term : localization_.terms) add(term);
    for (std::size_t i = 0; i < walls_.size(); ++i) {
      const Interaction& interaction = model_.particles.interactions[i];
      if (walls_[i] >= 0)
        add_wall(interaction, walls_[i], reactions_[i]);
      else if (!interaction.smooth())
        add_step(interaction, reactions_[i]);
    }
    // With this, energies are measured from all potentials.
    system_.has_contact = true;
    return builder_.finish();
  }

 private:
  void plan(double energy_step) {
    for (std::size_t s = 0; s < localization_.subdomains.size(); ++s) {
      Subdomain subdomain;
      subdomain.name = localization_.subdomains[s];
      subdomain.energy_step = energy_step;
      subdomain.stable_step = system_.stable_step;
      subdomain.order = {-1, static_cast<std::int32_t>(s)};
      builder_.add_subdomain(std::move(subdomain));
    }
    rank_of_.assign(localization_.subdomains.size(), 0);
  }

  // Adds a subdomain for a wall that reflects: a terrace of infinite height. Returns its number.
  std::int32_t plan_wall(const Interaction& interaction) {
    Subdomain subdomain;
    subdomain.name = interaction.name;
    subdomain.energy_step = infinity;
    subdomain.impenetrable = true;
    subdomain.stable_step = duration_at_wall(model_, survey_, interaction.region);
    subdomain.node_count = static_cast<double>(nodes_of(interaction).size());
    const auto number = static_cast<std::int32_t>(system_.subdomains.size());
    subdomain.order = {-1, number};
    builder_.add_subdomain(std::move(subdomain));
    rank_of_.push_back(static_cast<int>(static_cast<std::size_t>(number) % ranks_));
    return number;
  }

  [[nodiscard]] std::vector<std::int32_t> nodes_of(const Interaction& interaction) const {
    std::vector<std::int32_t> nodes;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (interaction.groups[0] >= 0 && interaction.groups[0] != static_cast<std::int32_t>(b)) continue;
      const Body& body = model_.bodies[b];
      for (std::int32_t i = 0; i < body.node_count; ++i) nodes.push_back(body.first_node + i);
    }
    return nodes;
  }

  // Chooses a rank for each subdomain: those with most work first, each to the rank with least so far.
  void choose_ranks() {
    std::vector<double> work(localization_.subdomains.size(), 0);
    for (const ParticleTerm& term : localization_.terms)
      at(work, term.subdomain) += term.pairs.count() + static_cast<double>(term.nodes.size());
    std::vector<std::size_t> order(work.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return work[a] > work[b]; });
    std::vector<double> load(ranks_, 0);
    for (const std::size_t s : order) {
      const auto lightest = std::min_element(load.begin(), load.end());
      *lightest += work[s];
      rank_of_[s] = static_cast<int>(lightest - load.begin());
    }
  }

  void load() {
    choose_ranks();
    std::vector<std::uint8_t> is_loaded(model_.positions.size(), 0);
    for (const ParticleTerm& term : localization_.terms) {
      builder_.load(term.nodes, term.subdomain, at(rank_of_, term.subdomain));
      for (const std::int32_t node : term.nodes) at(is_loaded, node) = 1;
    }
    for (std::size_t i = 0; i < walls_.size(); ++i) {
      if (walls_[i] < 0) continue;
      const std::vector<std::int32_t> nodes = nodes_of(model_.particles.interactions[i]);
      builder_.load(nodes, walls_[i], at(rank_of_, walls_[i]));
      for (const std::int32_t node : nodes) at(is_loaded, node) = 1;
    }
    std::vector<std::int32_t> free;
    for (std::size_t a = 0; a < is_loaded.size(); ++a)
      if (is_loaded[a] == 0) free.push_back(static_cast<std::int32_t>(a));
    builder_.hold_on_all_ranks(free);
  }

  // Counts a term in its subdomain, the same on all ranks: the numbers decide grids.
  void count(const ParticleTerm& term, double terms, double at_particle, bool comes_and_goes) {
    Subdomain& subdomain = builder_.subdomain(term.subdomain);
    subdomain.terms += terms;
    subdomain.terms_at_node += at_particle;
    subdomain.node_count += static_cast<double>(term.nodes.size());
    if (!comes_and_goes || subdomain.contact) return;
    subdomain.contact = true;
    subdomain.terms += usual_contact_terms;
    subdomain.terms_at_node += usual_contact_terms_at_node;
  }

  void add(const ParticleTerm& term) {
    const bool mine = at(rank_of_, term.subdomain) == system_.communicator->rank();
    switch (term.kind) {
      case ParticleTerm::Kind::pairs:
      case ParticleTerm::Kind::field: {
        // All ranks make the potential to count its terms; where it is not `mine`, with model numbers.
        const ParticleTable table = mine ? ParticleTable{system_.reference, system_.masses}
                                         : ParticleTable{model_.positions, model_.masses};
        auto potential =
            make_interaction(model_, term, table, mine ? builder_.local(term.nodes) : term.nodes);
        count(term, potential->terms(), potential->terms_at_particle(), potential->has_reach());
        if (mine) builder_.add(term.subdomain, std::move(potential), at(reactions_, term.which));
        break;
      }
      case ParticleTerm::Kind::wall:
        count(term, 0, 0, true);
        if (mine)
          builder_.add(term.subdomain, make_wall(model_, term, system_, builder_.local(term.nodes)),
                       term.which);
        break;
      case ParticleTerm::Kind::gravity:
        count(term, static_cast<double>(term.nodes.size()), 1, false);
        if (mine)
          system_.gravity_loads.push_back(builder_.add(
              term.subdomain,
              std::make_unique<Gravity>(builder_.local(term.nodes), system_.masses, model_.gravity),
              gravity_));
    }
  }

  // Adds a step of W, for methods that have all particles on rank 0.
  void add_step(const Interaction& interaction, int reaction) {
    PotentialStep step{interaction.name, interaction.strength, interaction.region, {}, reaction};
    for (const std::int32_t node : nodes_of(interaction))
      if (const std::int32_t local = at(builder_.local_numbers(), node); local >= 0)
        step.nodes.push_back(local);
    system_.potential_steps.push_back(std::move(step));
  }

  void add_wall(const Interaction& interaction, std::int32_t subdomain, int reaction) {
    if (at(rank_of_, subdomain) != system_.communicator->rank()) return;
    builder_.add_constraint(subdomain,
                            std::make_unique<RegionConstraint>(
                                system_.reference, builder_.local(nodes_of(interaction)), interaction.region),
                            reaction);
  }

  const Model& model_;
  const ParticleLocalization& localization_;
  SystemBuilder builder_;
  Lagrangian& system_;  // what the builder has made so far
  const ParticleSurvey& survey_;
  bool walls_reflect_;
  std::size_t ranks_;                // number of ranks that have potentials
  std::vector<int> rank_of_;         // by subdomain
  std::vector<int> reactions_;       // by interaction; -1: of pairs
  std::vector<std::int32_t> walls_;  // by interaction: the subdomain of a wall that reflects, or -1
  int gravity_ = -1;
};

}  // namespace

/// Throws Error(input) if memory cannot hold the list of pairs of an interaction that has no cutoff.
static void require_room_for_pairs(const Interaction& interaction, double pairs) {
  constexpr double bytes_of_one = 120;  // measured
  const bool reaches_all = interaction.of_pairs() && interaction.kind != InteractionKind::hertz &&
                           interaction.cutoff == 0 && interaction.pairs.empty();
  if (!reaches_all) return;
  const double memory = available_memory();
  if (pairs * bytes_of_one > memory)
    throw Error(Error::Kind::input, interaction.where,
                fmt::format("fewer than {:.2g} pairs, all that memory holds", memory / bytes_of_one),
                fmt::format("{:.2g}", pairs));
}

ParticleSurvey survey_particles(const Model& model) {
  ParticleSurvey survey;
  survey.stiffness.assign(model.positions.size(), 0);
  const std::vector<Vector3> nowhere(model.positions.size(), Vector3{});
  const Displacements at_rest{std::span(nowhere)};
  const ParticleTable table{model.positions, model.masses};
  for (const ParticleTerm& term : localize_particles(model, {LocalizationKind::global}).terms) {
    if (term.kind == ParticleTerm::Kind::wall) {
      const Wall& wall = at(model.walls, term.which);
      const bool is_barrier = wall.model == WallModel::barrier;  // κ is an energy for particles
      const double stiffness = is_barrier ? wall.stiffness / (wall.distance * wall.distance) : wall.stiffness;
      if (std::isfinite(stiffness))
        for (const std::int32_t node : term.nodes) at(survey.stiffness, node) += 0.5 * stiffness;
      continue;
    }
    if (term.kind == ParticleTerm::Kind::gravity) {
      survey.lowest = -infinity;
      continue;
    }
    require_room_for_pairs(at(model.particles.interactions, term.which), term.pairs.count());
    const auto potential = make_interaction(model, term, table, term.nodes);
    require_regular(model, term, *potential, at_rest);
    survey.potential += potential->value(at_rest);
    survey.lowest += potential->infimum();
    if (!std::isfinite(potential->infimum()))
      survey.force_without_bottom += largest_force(*potential, at_rest, model.positions.size());
    const Interaction& interaction = at(model.particles.interactions, term.which);
    if (interaction.kind == InteractionKind::circle)  // as for a wall, also if nothing touches it now
      for (const std::int32_t node : term.nodes) at(survey.stiffness, node) += 0.5 * interaction.strength;
    else
      potential->add_stiffness(at_rest, survey.stiffness);
  }
  raise_stiffness_to_contacts_to_come(model, survey);
  survey.stable_step = stable_step_of(model, survey.stiffness);
  return survey;
}

Lagrangian particle_system(const Model& model, const ParticleLocalization& localization,
                           const ParticleSurvey& survey, double energy_step, Communicator& communicator,
                           const ParticleDivision& division) {
  return ParticleBuilder(model, localization, survey, energy_step, communicator, division).result();
}

double kinetic_energy_to_come(const ParticleSurvey& survey, double initial_kinetic) {
  return initial_kinetic +
         (std::isfinite(survey.lowest) ? survey.potential - survey.lowest : 10 * std::abs(survey.potential));
}

}  // namespace terrace
