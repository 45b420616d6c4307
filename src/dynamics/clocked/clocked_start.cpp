// Clocked energy-stepping: how a system begins, or the bodies of it that a rank works on.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/state/exact_table.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

double ClockedEnergyStepping::kinetic_energy(const Lagrangian& system, const State& state) {
  return exact_table(*system.communicator, 1, 1, static_cast<double>(system.node_count) + 1, [&](auto& add) {
    for (std::size_t a = 0; a < state.lines.size(); ++a)
      if (system.owned[a]) add(0, 0, 0.5 * dot(state.momentum(a), state.lines[a].velocity));
  })[0];
}

void ClockedEnergyStepping::begin_all(const State& state) {
  std::vector<std::int32_t> all(lagrangian_.subdomains.size());
  std::iota(all.begin(), all.end(), 0);
  lowest_.find(lagrangian_);
  const double kinetic = kinetic_energy(lagrangian_, state);
  const std::vector<double> values = start_lines_of(state, all);
  const bool has_energy = kinetic > 0 || lagrangian_.energy_of_a_fall > 0 ||
                          std::ranges::any_of(values, [](double value) { return value != 0; });
  begin(state, kinetic, values, all, has_energy ? 0 : energy_of_first_steps(state));
  for (const std::int32_t j : graph_.near_pairs().start(state.lines, state.time).awake) {
    make_room(j);
    start_line(j, state, state.time);
    rest(j, state, state.time);
  }
}

std::vector<double> ClockedEnergyStepping::start_lines_of(const State& state,
                                                          std::span<const std::int32_t> numbers) {
  std::vector<double> values;
  for (const std::int32_t j : numbers) {
    graph_.subdomains().make_elements(j);
    start_line(j, state, state.time);
    values.push_back(schedule_.value(j));
  }
  return values;
}

// Of what feels forces without being deformed: particles in fields. It is all there is to measure by where
// all of them are at rest, where their V is 0.
double ClockedEnergyStepping::energy_of_first_steps(const State& state) {
  double sum = 0;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(lagrangian_.subdomains.size()); ++j) {
    const Subdomain& subdomain = at(lagrangian_.subdomains, j);
    if (subdomain.elements > 0 || graph_.touching().waits(j)) continue;
    const auto products = gradient_.evaluate(j, state, state.time, at(states_, j).gradient_grids);
    const double step = clocks_.longest_step(subdomain);
    sum += 0.5 * step * step * products.compliance;
  }
  return std::isfinite(sum) ? sum : 0;
}

void ClockedEnergyStepping::begin(const State& state, double kinetic, std::span<const double> values,
                                  std::span<const std::int32_t> numbers, double of_first_steps) {
  TERRACE_VERIFY(values.size() == lagrangian_.subdomains.size(), values.size());
  control_.measure_by(EnergyScales::of(kinetic, values, lagrangian_.energy_of_a_fall, of_first_steps));
  for (const std::int32_t j : numbers) {
    clocks_[j].stored = WideInteger::nearest(at(values, j) / control_.scales().quantum);
    rest(j, state, state.time);
  }
}

}  // namespace terrace
