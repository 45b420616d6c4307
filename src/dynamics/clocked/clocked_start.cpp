// Clocked energy-stepping: how a system begins, or the bodies of it that a rank works on.
#include <algorithm>
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
  const double kinetic = kinetic_energy(lagrangian_, state);
  begin(state, kinetic, start_lines_of(state, all), all);
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

void ClockedEnergyStepping::begin(const State& state, double kinetic, std::span<const double> values,
                                  std::span<const std::int32_t> numbers) {
  TERRACE_VERIFY(values.size() == lagrangian_.subdomains.size(), values.size());
  control_.measure_by(EnergyScales::of(kinetic, values, lagrangian_.energy_of_a_fall));
  for (const std::int32_t j : numbers) {
    clocks_[j].stored = WideInteger::nearest(at(values, j) / control_.scales().quantum);
    rest(j, state, state.time);
  }
}

}  // namespace terrace
