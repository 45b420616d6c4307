#include "dynamics/steps/system_energies.hpp"

#include <algorithm>

#include "dynamics/state/exact_table.hpp"

namespace terrace {

SystemEnergies::SystemEnergies(const Lagrangian& lagrangian)
    : lagrangian_(lagrangian),
      terms_(static_cast<double>(lagrangian.node_count)),
      elements_(lagrangian.elastic_blocks.size()) {
  for (const Subdomain& subdomain : lagrangian.subdomains) terms_ += subdomain.terms;
  for (const ElasticBlock& block : lagrangian.elastic_blocks) is_elastic_.insert(block.elastic);
}

double SystemEnergies::kinetic(const State& state) {
  first_.clear();
  for (std::size_t a = 0; a < state.lines.size(); ++a)
    if (lagrangian_.owned[a] != 0) first_.push_back(0.5 * dot(state.momentum(a), state.lines[a].velocity));
  return exact_table(*lagrangian_.communicator, 1, 1, terms_,
                     [&](auto& add) { add(0, 0, std::span<const double>(first_)); })[0];
}

double SystemEnergies::potential(std::span<const NodeLine> lines, double instant) {
  for (std::size_t b = 0; b < elements_.size(); ++b) {
    const ElasticBlock& block = lagrangian_.elastic_blocks[b];
    block.elastic->measure(lines, instant, elements_[b]);
    evaluations_ += static_cast<std::int64_t>(block.tetrahedra.size());
  }
  first_.clear();
  for (const Subdomain& subdomain : lagrangian_.subdomains)
    for (const Potential* potential : subdomain.potentials) {
      if (subdomain.asleep || is_elastic_.contains(potential)) continue;
      EnergyTerms& terms =
          terms_of_others_.of(potential->serial_number(), [&] { return potential->energy_terms(); });
      const std::vector<double> more = terms.at({lines, instant});
      first_.insert(first_.end(), more.begin(), more.end());
    }
  auto terms = static_cast<double>(first_.size());
  lagrangian_.communicator->sum({&terms, 1});
  const std::vector<double> sums =
      exact_table(*lagrangian_.communicator, 2, 1, std::max(terms, terms_), [&](auto& add) {
        for (const ElementMeasures& block : elements_) add(0, 0, std::span<const double>(block.energies));
        add(1, 0, std::span<const double>(first_));
      });
  return sums[0] + sums[1];
}

SystemEnergies::Products SystemEnergies::products(const State& state, std::span<const Vector3> gradient) {
  first_.clear();
  second_.clear();
  for (std::size_t a = 0; a < state.lines.size(); ++a) {
    if (lagrangian_.owned[a] == 0) continue;
    const Vector3 pushes =
        lagrangian_.held_by.empty() ? gradient[a] : free_part(gradient[a], lagrangian_.held_by[a]);
    first_.push_back(dot(gradient[a], state.lines[a].velocity));
    second_.push_back(dot(pushes, pushes) * state.lines[a].inverse_mass);
  }
  const std::vector<double> sums = exact_table(*lagrangian_.communicator, 1, 2, terms_, [&](auto& add) {
    add(0, 0, std::span<const double>(first_));
    add(0, 1, std::span<const double>(second_));
  });
  return {sums[0], sums[1]};
}

}  // namespace terrace
