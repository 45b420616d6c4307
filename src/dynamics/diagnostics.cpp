#include "dynamics/diagnostics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dynamics/exact_table.hpp"
#include "dynamics/supports.hpp"
#include "parallel/hash.hpp"
#include "potentials/elastic_potential.hpp"

namespace terrace {

namespace {

// Integers of 128 bits as four words of 32 bits, whose sums over ranks no reduction can overflow.
void add_integer_momenta(Communicator& communicator, std::vector<IntegerMomentum>& momenta) {
  std::vector<std::int64_t> words;
  for (const IntegerMomentum& momentum : momenta)
    for (const Integer128 component : momentum)
      for (int w = 0; w < 4; ++w) {
        const Integer128 shifted = component >> (32 * w);
        words.push_back(w == 3 ? static_cast<std::int64_t>(shifted)
                               : static_cast<std::int64_t>(shifted & 0xffffffffLL));
      }
  communicator.sum(words);
  std::size_t next = 0;
  for (IntegerMomentum& momentum : momenta)
    for (Integer128& component : momentum) {
      component = 0;
      for (int w = 0; w < 4; ++w)
        component += static_cast<Integer128>(words[next++]) * (static_cast<Integer128>(1) << (32 * w));
    }
}

// Solves the symmetric 3×3 system I ω = L by Cramer's rule; zero for a body without extent.
Vector3 solve_inertia(const double* inertia, const Vector3& angular_momentum) {
  const double xx = inertia[0], yy = inertia[1], zz = inertia[2], xy = inertia[3], yz = inertia[4],
               xz = inertia[5];
  const Vector3 a{xx, xy, xz}, b{xy, yy, yz}, c{xz, yz, zz};
  const double determinant = dot(a, cross(b, c));
  if (!(std::abs(determinant) > 0)) return {0, 0, 0};
  const Vector3& l = angular_momentum;
  return {dot(l, cross(b, c)) / determinant, dot(a, cross(l, c)) / determinant,
          dot(a, cross(b, l)) / determinant};
}

}  // namespace

Diagnostics::Diagnostics(const Lagrangian& lagrangian)
    : lagrangian_(lagrangian), terms_(static_cast<double>(lagrangian.node_count)) {
  for (const Subdomain& subdomain : lagrangian.subdomains) terms_ += subdomain.terms;
}

std::vector<IntegerMomentum> Diagnostics::body_momenta(const State& state) const {
  std::vector<IntegerMomentum> momenta(lagrangian_.body_names.size() + lagrangian_.reaction_names.size(),
                                       IntegerMomentum{0, 0, 0});
  for (std::size_t a = 0; a < state.momenta.size(); ++a) {
    if (!lagrangian_.owned[a]) continue;
    IntegerMomentum& body = momenta[static_cast<std::size_t>(lagrangian_.body_of_node[a])];
    for (std::size_t d = 0; d < 3; ++d) body[d] += state.momenta[a][d];
  }
  for (std::size_t r = 0; r < state.ledger.size(); ++r)
    momenta[lagrangian_.body_names.size() + r] = state.ledger[r];
  add_integer_momenta(*lagrangian_.communicator, momenta);
  return momenta;
}

IntegerMomentum Diagnostics::total_momentum(const State& state) const {
  IntegerMomentum total{0, 0, 0};
  for (const IntegerMomentum& body : body_momenta(state))
    for (std::size_t d = 0; d < 3; ++d) total[d] += body[d];
  return total;
}

std::vector<double> Diagnostics::body_potentials(const State& state) {
  std::vector<std::vector<double>> energies;
  for (const ElasticBlock& block : lagrangian_.elastic_blocks)
    energies.push_back(block.elastic->energies({state.lines, state.time}));
  const auto visit = [&](auto add) {
    for (std::size_t b = 0; b < energies.size(); ++b)
      for (const double energy : energies[b])
        add(static_cast<std::size_t>(lagrangian_.elastic_blocks[b].body), 0, energy);
    if (lagrangian_.gravity == Vector3{}) return;
    for (std::size_t a = 0; a < state.lines.size(); ++a)
      if (lagrangian_.owned[a])
        add(static_cast<std::size_t>(lagrangian_.body_of_node[a]), 0,
            -lagrangian_.masses[a] * dot(lagrangian_.gravity, state.lines[a].displacement_at(state.time)));
  };
  return exact_table(*lagrangian_.communicator, lagrangian_.body_names.size(), 1, terms_, visit);
}

// What no mesh resolves: Σ_e ½ m_e (mean of v² − square of the mean of v) over the nodes of each element.
// Nodes whose velocities know nothing of each other have 3/4 of their energy in it, waves many elements long
// nearly nothing; divided by 3/4 it is the kinetic energy of noise.
std::vector<double> Diagnostics::element_scale_kinetic(const State& state) const {
  constexpr double of_noise = 0.75;
  const auto visit = [&](auto add) {
    for (const ElasticBlock& block : lagrangian_.elastic_blocks)
      for (const Tetrahedron& nodes : block.tetrahedra) {
        const auto x = [&](std::size_t k) {
          return lagrangian_.reference[static_cast<std::size_t>(nodes[k])];
        };
        const double mass = block.density * std::abs(dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0)))) / 6;
        Vector3 mean{};
        double square = 0;
        for (const std::int32_t node : nodes) {
          const Vector3& v = state.lines[static_cast<std::size_t>(node)].velocity;
          mean += 0.25 * v;
          square += 0.25 * dot(v, v);
        }
        // Rounding of a motion without differences is no energy.
        const double difference = std::max(square - dot(mean, mean), 0.0);
        add(static_cast<std::size_t>(block.body), 0, 0.5 / of_noise * mass * difference);
      }
  };
  return exact_table(*lagrangian_.communicator, lagrangian_.body_names.size(), 1, terms_, visit);
}

// Of all potentials but those of bodies.
double Diagnostics::contact_potential(const State& state) {
  if (!lagrangian_.has_contact) return 0;
  std::vector<std::uint8_t> of_body(lagrangian_.potentials.size(), 0);
  for (const ElasticBlock& block : lagrangian_.elastic_blocks)
    of_body[static_cast<std::size_t>(block.potential)] = 1;
  for (const std::int32_t load : lagrangian_.gravity_loads) of_body[static_cast<std::size_t>(load)] = 1;
  std::vector<double> energies;
  for (std::size_t p = 0; p < of_body.size(); ++p) {
    if (of_body[p] != 0) continue;
    const std::vector<double> more = lagrangian_.potentials[p]->energies({state.lines, state.time});
    energies.insert(energies.end(), more.begin(), more.end());
  }
  auto terms = static_cast<double>(energies.size());
  lagrangian_.communicator->sum({&terms, 1});
  return exact_table(*lagrangian_.communicator, 1, 1, std::max(terms, 1.0), [&](auto add) {
    for (const double energy : energies) add(0, 0, energy);
  })[0];
}

Diagnostics::Measurement Diagnostics::measure(const State& state, const Integrator& integrator) {
  const std::vector<double> potentials = body_potentials(state);
  return {system(state, integrator, potentials), bodies(state, potentials)};
}

SystemRecord Diagnostics::system(const State& state, const Integrator& integrator,
                                 const std::vector<double>& body_potentials) {
  const auto visit = [&](auto add) {
    for (std::size_t a = 0; a < state.lines.size(); ++a) {
      if (!lagrangian_.owned[a]) continue;
      const Vector3 p = state.momentum(a), v = state.lines[a].velocity;
      const Vector3 x = lagrangian_.reference[a] + state.lines[a].displacement_at(state.time);
      add(0, 0, 0.5 * dot(p, v));
      for (std::size_t d = 0; d < 3; ++d) {
        add(0, 1 + d, x[(d + 1) % 3] * p[(d + 2) % 3]);
        add(0, 1 + d, -x[(d + 2) % 3] * p[(d + 1) % 3]);
      }
    }
  };
  const std::vector<double> sums = exact_table(*lagrangian_.communicator, 1, 4, 2 * terms_, visit);
  SystemRecord record;
  record.time = state.time;
  record.kinetic = sums[0];
  // From the integers: what P2 keeps to the bit shows as a constant.
  IntegerMomentum total{0, 0, 0};
  const std::vector<IntegerMomentum> momenta = body_momenta(state);
  for (std::size_t b = 0; b < lagrangian_.body_names.size(); ++b)
    for (std::size_t d = 0; d < 3; ++d) total[d] += momenta[b][d];
  record.momentum = to_momentum(total, state.quantum);
  record.angular_momentum = {sums[1], sums[2], sums[3]};
  for (const double energy : body_potentials) record.potential += energy;
  record.potential += contact_potential(state);
  record.terraced = integrator.conserved_potential().value_or(record.potential);
  std::vector<Vector3> received;
  for (std::size_t r = lagrangian_.body_names.size(); r < momenta.size(); ++r)
    received.push_back(to_momentum(momenta[r], state.quantum));
  record.support_work = work_of_supports(lagrangian_, received);
  record.energy = record.kinetic + record.terraced - record.support_work;
  record.events = integrator.events();
  return record;
}

double Diagnostics::angular_momentum_scale(const State& state) {
  return exact_table(*lagrangian_.communicator, 1, 1, terms_, [&](auto add) {
    for (std::size_t a = 0; a < state.lines.size(); ++a)
      if (lagrangian_.owned[a])
        add(0, 0,
            norm(cross(lagrangian_.reference[a] + state.lines[a].displacement_at(state.time),
                       state.momentum(a))));
  })[0];
}

std::vector<BodyRecord> Diagnostics::bodies(const State& state, const std::vector<double>& potentials) {
  const std::size_t count = lagrangian_.body_names.size();
  const auto each = [&](auto visit) {
    for (std::size_t a = 0; a < state.lines.size(); ++a)
      if (lagrangian_.owned[a])
        visit(static_cast<std::size_t>(lagrangian_.body_of_node[a]), lagrangian_.masses[a],
              lagrangian_.reference[a] + state.lines[a].displacement_at(state.time), state.lines[a].velocity);
  };
  const std::vector<double> first = exact_table(*lagrangian_.communicator, count, 4, terms_, [&](auto add) {
    each([&](std::size_t body, double mass, const Vector3& x, const Vector3&) {
      add(body, 0, mass);
      for (std::size_t d = 0; d < 3; ++d) add(body, 1 + d, mass * x[d]);
    });
  });
  const std::vector<IntegerMomentum> momenta = body_momenta(state);
  std::vector<BodyRecord> records(momenta.size());
  for (std::size_t b = 0; b < momenta.size(); ++b) {
    BodyRecord& record = records[b];
    record.name = b < count ? lagrangian_.body_names[b] : lagrangian_.reaction_names[b - count];
    record.momentum = to_momentum(momenta[b], state.quantum);
    if (!previous_momenta_.empty() && state.time > previous_time_) {
      IntegerMomentum change = momenta[b];
      for (std::size_t d = 0; d < 3; ++d) change[d] -= previous_momenta_[b][d];
      record.contact_force = (1 / (state.time - previous_time_)) * to_momentum(change, state.quantum);
    }
    if (b >= count) continue;
    record.velocity = (1 / first[4 * b]) * record.momentum;
    record.position = (1 / first[4 * b]) * Vector3{first[4 * b + 1], first[4 * b + 2], first[4 * b + 3]};
    record.potential = potentials[b];
  }
  previous_momenta_ = momenta;
  previous_time_ = state.time;

  constexpr std::size_t columns = 11;  // K, vibrational K, angular momentum 3, inertia 6
  const std::vector<double> second =
      exact_table(*lagrangian_.communicator, count, columns, 2 * terms_, [&](auto add) {
        each([&](std::size_t body, double mass, const Vector3& position, const Vector3& velocity) {
          const Vector3 x = position - records[body].position, w = velocity - records[body].velocity;
          const Vector3 l = mass * cross(x, w);
          add(body, 0, 0.5 * mass * dot(velocity, velocity));
          add(body, 1, 0.5 * mass * dot(w, w));
          for (std::size_t d = 0; d < 3; ++d) {
            add(body, 2 + d, l[d]);
            add(body, 5 + d, mass * (dot(x, x) - x[d] * x[d]));
            add(body, 8 + d, -mass * x[d] * x[(d + 1) % 3]);  // xy, yz, zx
          }
        });
      });
  const std::vector<double> element_scale = element_scale_kinetic(state);
  for (std::size_t b = 0; b < count; ++b) {
    const double* sums = second.data() + columns * b;
    records[b].kinetic = sums[0];
    records[b].vibrational_kinetic = sums[1];
    records[b].element_scale_kinetic = element_scale[b];
    records[b].spin = solve_inertia(sums + 5, {sums[2], sums[3], sums[4]});
  }
  return records;
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
