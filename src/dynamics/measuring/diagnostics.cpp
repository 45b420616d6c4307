#include "dynamics/measuring/diagnostics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "dynamics/state/exact_table.hpp"
#include "dynamics/state/momenta_of_all.hpp"
#include "dynamics/system/supports.hpp"
#include "numerics/at.hpp"
#include "parallel/hash.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
/// Stands for what is not known.
constexpr Vector3 no_vector = {no_number, no_number, no_number};

WideMomentum sum_of(std::span<const WideMomentum> momenta) {
  WideMomentum total;
  for (const WideMomentum& momentum : momenta) add_momentum(total, momentum);
  return total;
}

// The sum over bodies and ledgers. It is conserved, and so fits into 128 bits as it did at the start.
IntegerMomentum total_of(std::span<const WideMomentum> momenta) {
  const WideMomentum total = sum_of(momenta);
  return {total[0].narrow(), total[1].narrow(), total[2].narrow()};
}

// Solves the symmetric 3×3 system I ω = L by Cramer's rule; zero for a body without extent.
Vector3 solve_inertia(const double* inertia, const Vector3& angular_momentum) {
  const double xx = inertia[0], yy = inertia[1], zz = inertia[2], xy = inertia[3], yz = inertia[4],
               xz = inertia[5];
  const Vector3 a{xx, xy, xz}, b{xy, yy, yz}, c{xz, yz, zz};
  const double determinant = dot(a, cross(b, c));
  const Vector3& l = angular_momentum;
  // The nodes are in a line, about which nothing turns: the inertia is the same about every axis across the
  // line, and L is across it.
  const double across = 0.5 * (xx + yy + zz);
  if (!(std::abs(determinant) > 1e-12 * across * across * across))
    return across > 0 ? (1 / across) * l : Vector3{0, 0, 0};
  return {dot(l, cross(b, c)) / determinant, dot(a, cross(l, c)) / determinant,
          dot(a, cross(b, l)) / determinant};
}

}  // namespace

Diagnostics::Diagnostics(const Lagrangian& lagrangian)
    : lagrangian_(lagrangian),
      terms_(static_cast<double>(lagrangian.node_count)),
      elements_(lagrangian.elastic_blocks.size()) {
  // Terms of contact pairs are left out: rows must not depend on which pairs are awake.
  for (const Subdomain& subdomain : lagrangian.subdomains)
    if (subdomain.order[0] < 0) terms_ += subdomain.terms;
}

// Fills owned_, positions_ and velocities_.
void Diagnostics::look_at_nodes(const State& state) {
  owned_.nodes.clear();
  owned_.runs.clear();
  owned_.masses.clear();
  for (std::size_t a = 0; a < lagrangian_.owned.size(); ++a) {
    if (!lagrangian_.owned[a]) continue;
    const auto body = static_cast<std::size_t>(lagrangian_.body_of_node[a]);
    if (owned_.runs.empty() || owned_.runs.back().body != body)
      owned_.runs.push_back({body, owned_.nodes.size(), 0});
    ++owned_.runs.back().count;
    owned_.nodes.push_back(a);
    owned_.masses.push_back(lagrangian_.masses[a]);
  }
  positions_.clear();
  velocities_.clear();
  for (const std::size_t a : owned_.nodes) {
    positions_.push_back(lagrangian_.reference[a] + state.lines[a].displacement_at(state.time));
    velocities_.push_back(state.lines[a].velocity);
  }
}

std::vector<WideMomentum> Diagnostics::body_momenta(const State& state) const {
  std::vector<WideMomentum> momenta(lagrangian_.body_names.size() + lagrangian_.reaction_names.size());
  for (std::size_t a = 0; a < state.momenta.size(); ++a)
    if (lagrangian_.owned[a]) add_momentum(at(momenta, lagrangian_.body_of_node[a]), state.momenta[a]);
  for (std::size_t r = 0; r < state.ledger.size(); ++r)
    momenta[lagrangian_.body_names.size() + r] = state.ledger[r];
  add_up_momenta(*lagrangian_.communicator, momenta);
  return momenta;
}

IntegerMomentum Diagnostics::total_momentum(const State& state) const {
  return total_of(body_momenta(state));
}

std::vector<double> Diagnostics::sums_of_all(std::span<const Column> columns) {
  return exact_table(*lagrangian_.communicator, 1, columns.size(), terms_, [&](auto& add) {
    for (std::size_t c = 0; c < columns.size(); ++c) add(0, c, std::span(columns[c]));
  });
}

std::vector<double> Diagnostics::sums_of_bodies(std::span<const Column> columns) {
  return exact_table(*lagrangian_.communicator, lagrangian_.body_names.size(), columns.size(), terms_,
                     [&](auto& add) {
                       for (const OwnedNodes::Run& run : owned_.runs)
                         for (std::size_t c = 0; c < columns.size(); ++c)
                           add(run.body, c, std::span(columns[c]).subspan(run.first, run.count));
                     });
}

// The potential energy of each body, elements and gravity [J]. Where `bodies` is not empty, also measures the
// elements' kinetic energies relative to the rotation of their bodies.
std::vector<double> Diagnostics::body_potentials(const State& state, const std::vector<BodyRecord>& bodies) {
  Column of_gravity;
  if (lagrangian_.gravity != Vector3{})
    for (const std::size_t a : owned_.nodes)
      of_gravity.push_back(-lagrangian_.masses[a] *
                           dot(lagrangian_.gravity, state.lines[a].displacement_at(state.time)));
  for (std::size_t b = 0; b < elements_.size(); ++b) {
    const ElasticBlock& block = lagrangian_.elastic_blocks[b];
    if (!bodies.empty()) {
      elements_[b].centre = at(bodies, block.body).position;
      elements_[b].spin = at(bodies, block.body).spin;
    }
    block.elastic->measure(state.lines, state.time, elements_[b]);
  }
  return exact_table(*lagrangian_.communicator, lagrangian_.body_names.size(), 1, terms_, [&](auto& add) {
    for (std::size_t b = 0; b < elements_.size(); ++b)
      add(static_cast<std::size_t>(lagrangian_.elastic_blocks[b].body), 0, std::span(elements_[b].energies));
    if (of_gravity.empty()) return;
    for (const OwnedNodes::Run& run : owned_.runs)
      add(run.body, 0, std::span(of_gravity).subspan(run.first, run.count));
  });
}

// By body, the kinetic energy of motion that no mesh resolves [J]: Σ_e ½ m_e (mean of v² − square of the mean
// of v) over the nodes of each element, v relative to the body's rigid motion, whose rotation any mesh
// resolves. Of independent velocities of nodes this is 3/4 of their energy, of waves many elements long
// nearly nothing; so it is divided by 3/4 to be the kinetic energy of noise.
std::vector<double> Diagnostics::element_scale_kinetic() {
  constexpr double of_noise = 0.75;
  std::vector<double> sums =
      exact_table(*lagrangian_.communicator, lagrangian_.body_names.size(), 1, terms_, [&](auto& add) {
        for (std::size_t b = 0; b < elements_.size(); ++b)
          add(static_cast<std::size_t>(lagrangian_.elastic_blocks[b].body), 0,
              std::span(elements_[b].kinetic_of_differences));
      });
  for (double& sum : sums) sum /= of_noise;
  return sums;
}

// The energy of all potentials but those of bodies (elements and gravity): contact, walls, forces of
// particles [J]. Also finds unfelt_penetration_.
double Diagnostics::contact_potential(const State& state, const Integrator& integrator) {
  unfelt_penetration_ = 0;
  if (!lagrangian_.has_contact) return 0;
  std::vector<std::uint8_t> of_body(lagrangian_.potentials.size(), 0);
  for (const ElasticBlock& block : lagrangian_.elastic_blocks) at(of_body, block.potential) = 1;
  for (const std::int32_t load : lagrangian_.gravity_loads) at(of_body, load) = 1;
  std::vector<double> energies;
  const auto measure = [&](const Potential& potential, const Displacements& displacements) {
    EnergyTerms& terms =
        contact_terms_.of(potential.serial_number(), [&] { return potential.energy_terms(); });
    const std::vector<double> more = terms.at(displacements);
    energies.insert(energies.end(), more.begin(), more.end());
    unfelt_penetration_ =
        std::max(unfelt_penetration_, potential.unfelt_penetration(displacements, !more.empty()));
  };
  for (std::size_t p = 0; p < of_body.size(); ++p)
    if (of_body[p] == 0) measure(*lagrangian_.potentials[p], {state.lines, state.time});
  const ShownPotentials shown = integrator.shown_contact();
  for (const auto& potential : shown.potentials) measure(*potential, {shown.lines, state.time});
  auto terms = static_cast<double>(energies.size());
  lagrangian_.communicator->sum({&terms, 1});
  return exact_table(*lagrangian_.communicator, 1, 1, std::max(terms, 1.0),
                     [&](auto& add) { add(0, 0, std::span(energies)); })[0];
}

Diagnostics::Measurement Diagnostics::measure(const State& state, const Integrator& integrator,
                                              bool with_bodies) {
  look_at_nodes(state);
  find_centre(state);
  const std::vector<WideMomentum> momenta = body_momenta(state);
  Measurement measurement;
  measurement.total_momentum = total_of(momenta);
  if (with_bodies) measurement.bodies = motions_of_bodies(state, integrator, momenta);
  const std::vector<double> potentials = body_potentials(state, measurement.bodies);
  measurement.system = system(state, integrator, potentials, momenta);
  measurement.unfelt_penetration = unfelt_penetration_;
  if (with_bodies) add_energies_of_elements(potentials, measurement.bodies);
  return measurement;
}

// Finds the centre of mass and its velocity at the first call.
void Diagnostics::find_centre(const State& state) {
  if (centre_.found) return;
  std::vector<Column> columns(7, Column(owned_.nodes.size()));
  for (std::size_t i = 0; i < owned_.nodes.size(); ++i) {
    columns[0][i] = owned_.masses[i];
    for (std::size_t d = 0; d < 3; ++d) {
      columns[1 + d][i] = owned_.masses[i] * positions_[i][d];
      columns[4 + d][i] = owned_.masses[i] * velocities_[i][d];
    }
  }
  const std::vector<double> sums = sums_of_all(columns);
  centre_ = {true, state.time, (1 / sums[0]) * Vector3{sums[1], sums[2], sums[3]},
             (1 / sums[0]) * Vector3{sums[4], sums[5], sums[6]}};
}

SystemRecord Diagnostics::system(const State& state, const Integrator& integrator,
                                 const std::vector<double>& body_potentials,
                                 const std::vector<WideMomentum>& momenta) {
  std::vector<Column> columns(7, Column(owned_.nodes.size()));
  const Vector3 centre = centre_.at(state.time);
  for (std::size_t i = 0; i < owned_.nodes.size(); ++i) {
    const Vector3 p = state.momentum(owned_.nodes[i]);
    const Vector3 about_origin = cross(positions_[i], p), about_centre = cross(positions_[i] - centre, p);
    columns[0][i] = 0.5 * dot(p, velocities_[i]);
    for (std::size_t d = 0; d < 3; ++d) {
      columns[1 + d][i] = about_origin[d];
      columns[4 + d][i] = about_centre[d];
    }
  }
  const std::vector<double> sums = sums_of_all(columns);
  SystemRecord record;
  record.time = state.time;
  record.kinetic = sums[0];
  // From the integer momenta, so that a momentum that P2 conserves to the bit shows as a constant.
  const auto first_reaction = momenta.begin() + static_cast<std::ptrdiff_t>(lagrangian_.body_names.size());
  record.momentum = to_momentum(sum_of({momenta.begin(), first_reaction}), state.quantum);
  record.angular_momentum = {sums[1], sums[2], sums[3]};
  record.own_angular_momentum = {sums[4], sums[5], sums[6]};
  for (const double energy : body_potentials) record.potential += energy;
  record.potential += contact_potential(state, integrator);
  record.terraced = integrator.conserved_potential().value_or(record.potential);
  std::vector<Vector3> received;
  for (auto reaction = first_reaction; reaction != momenta.end(); ++reaction)
    received.push_back(to_momentum(*reaction, state.quantum));
  record.support_work = work_of_supports(lagrangian_, received);
  record.energy = record.kinetic + record.terraced - record.support_work;
  record.events = integrator.events();
  return record;
}

double Diagnostics::angular_momentum_scale(const State& state) {
  look_at_nodes(state);
  find_centre(state);
  const Vector3 centre = centre_.at(state.time);
  Column sizes;
  for (std::size_t i = 0; i < owned_.nodes.size(); ++i)
    sizes.push_back(norm(cross(positions_[i] - centre, state.momentum(owned_.nodes[i]))));
  return sums_of_all({&sizes, 1})[0];
}

std::vector<BodyRecord> Diagnostics::motions_of_bodies(const State& state, const Integrator& integrator,
                                                       const std::vector<WideMomentum>& momenta) {
  const std::size_t count = lagrangian_.body_names.size();
  std::vector<Column> first(4, Column(owned_.nodes.size()));
  for (std::size_t i = 0; i < owned_.nodes.size(); ++i) {
    first[0][i] = owned_.masses[i];
    for (std::size_t d = 0; d < 3; ++d) first[1 + d][i] = owned_.masses[i] * positions_[i][d];
  }
  const std::vector<double> masses = sums_of_bodies(first);
  std::vector<BodyRecord> records(momenta.size());
  const bool told_from_change = !previous_momenta_.empty() && state.time > previous_time_;
  for (std::size_t b = 0; b < momenta.size(); ++b) {
    BodyRecord& record = records[b];
    record.name = b < count ? lagrangian_.body_names[b] : lagrangian_.reaction_names[b - count];
    record.momentum = to_momentum(momenta[b], state.quantum);
    if (told_from_change) {
      WideMomentum change = momenta[b];
      for (std::size_t d = 0; d < 3; ++d) change[d] -= previous_momenta_[b][d];
      record.contact_force = (1 / (state.time - previous_time_)) * to_momentum(change, state.quantum);
    }
    if (b >= count) {
      if (!integrator.books_reactions()) record.momentum = record.contact_force = no_vector;
      continue;
    }
    const double* sums = masses.data() + 4 * b;
    record.velocity = (1 / sums[0]) * record.momentum;
    record.position = (1 / sums[0]) * Vector3{sums[1], sums[2], sums[3]};
    if (lagrangian_.gravity != Vector3{} && told_from_change)
      record.contact_force -= sums[0] * lagrangian_.gravity;
  }
  previous_momenta_ = momenta;
  previous_time_ = state.time;

  const std::vector<double> second = sums_of_bodies(motion_about_centres(records));
  for (std::size_t b = 0; b < count; ++b) {
    const double* sums = second.data() + columns_of_motion * b;
    records[b].kinetic = sums[0];
    records[b].vibrational_kinetic = sums[1];
    records[b].spin = solve_inertia(sums + 5, {sums[2], sums[3], sums[4]});
  }
  return records;
}

void Diagnostics::add_energies_of_elements(const std::vector<double>& potentials,
                                           std::vector<BodyRecord>& records) {
  const std::vector<double> element_scale = element_scale_kinetic();
  for (std::size_t b = 0; b < potentials.size(); ++b) {
    records[b].potential = potentials[b];
    records[b].element_scale_kinetic = element_scale[b];
  }
}

// The columns of every owned node, about the centre of its body: kinetic energy, that of the motion relative
// to the centre, angular momentum (3), inertia (6: xx, yy, zz, xy, yz, zx).
std::vector<Diagnostics::Column> Diagnostics::motion_about_centres(
    const std::vector<BodyRecord>& records) const {
  std::vector<Column> columns(columns_of_motion, Column(owned_.nodes.size()));
  for (const OwnedNodes::Run& run : owned_.runs)
    for (std::size_t i = run.first; i < run.first + run.count; ++i) {
      const double mass = owned_.masses[i];
      const Vector3 x = positions_[i] - records[run.body].position,
                    w = velocities_[i] - records[run.body].velocity, l = mass * cross(x, w);
      columns[0][i] = 0.5 * mass * dot(velocities_[i], velocities_[i]);
      columns[1][i] = 0.5 * mass * dot(w, w);
      for (std::size_t d = 0; d < 3; ++d) {
        columns[2 + d][i] = l[d];
        columns[5 + d][i] = mass * (dot(x, x) - x[d] * x[d]);
        columns[8 + d][i] = -mass * x[d] * x[(d + 1) % 3];
      }
    }
  return columns;
}

std::uint64_t Diagnostics::state_hash(const State& state, const Integrator& integrator) const {
  std::uint64_t sum = 0;
  for (std::size_t a = 0; a < state.lines.size(); ++a) {
    if (!lagrangian_.owned[a]) continue;
    std::uint64_t hash = mix(static_cast<std::uint64_t>(lagrangian_.global_nodes[a]));
    const Vector3 x = lagrangian_.reference[a] + state.lines[a].displacement_at(state.time);
    for (std::size_t d = 0; d < 3; ++d) {
      hash = chain(hash, x[d]);
      hash = chain(hash, static_cast<std::uint64_t>(state.momenta[a][d]));
      hash = chain(hash, static_cast<std::uint64_t>(state.momenta[a][d] >> 64));
    }
    sum += chain(hash, state.lines[a].time);
  }
  lagrangian_.communicator->sum({&sum, 1});
  return chain(chain(sum, state.time), integrator.hash());
}

}  // namespace terrace
