// Clocked energy-stepping: the start of a system, or of those bodies of it that a rank works on.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/clocked/energies_of_motion.hpp"
#include "dynamics/state/exact_table.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// For each of these subdomains, whether it loads nodes of more than one body. Collective.
std::vector<bool> load_several_bodies(const Lagrangian& system, std::span<const std::int32_t> numbers) {
  std::vector<double> ends(2 * numbers.size(), -infinity);  // the largest number of a body, and of -number
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (const std::int32_t a : at(system.subdomains, numbers[i]).nodes) {
      const double body = at(system.body_of_node, a);
      ends[2 * i] = std::max(ends[2 * i], body);
      ends[2 * i + 1] = std::max(ends[2 * i + 1], -body);
    }
  system.communicator->maximum(ends);
  std::vector<bool> several;
  for (std::size_t i = 0; i < numbers.size(); ++i) several.push_back(ends[2 * i] > -ends[2 * i + 1]);
  return several;
}

}  // namespace

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
    rest(j, state, state.time, control_.scales().threshold_of_contact());
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

// The energy [J] that forces give in a first step to terraces without elements: particles in fields. It is
// the only scale of energy where all of them are at rest and V is 0.
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

// V [J] up to which each of these terraces rests. Contact and walls store exactly nothing while apart, and
// must be felt however slowly they are met, by bodies that fly along them fast or beside fast ones: the
// threshold is tiny there. A body that turns deforms at once; it rests until V is a small share of its own
// energy (K about its mean velocity, and V).
std::vector<double> ClockedEnergyStepping::thresholds(const State& state, std::span<const double> values,
                                                      std::span<const std::int32_t> numbers) const {
  constexpr double share = 1e-6;
  const std::vector<double> about_mean = energies_about_mean(lagrangian_, state, numbers);
  const std::vector<bool> several_bodies = load_several_bodies(lagrangian_, numbers);
  const double least = control_.scales().threshold_of_contact(), most = control_.scales().threshold();
  std::vector<double> thresholds(numbers.size(), least);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // Where it has several bodies one may turn, and another fly towards a wall.
    if (at(lagrangian_.subdomains, numbers[i]).elements == 0 || several_bodies[i]) continue;
    const double own = about_mean[i] + std::abs(at(values, numbers[i]));
    thresholds[i] = std::clamp(share * EnergyScales::power_of_two_below(own), least, most);
  }
  return thresholds;
}

void ClockedEnergyStepping::begin(const State& state, double kinetic, std::span<const double> values,
                                  std::span<const std::int32_t> numbers, double of_first_steps) {
  TERRACE_VERIFY(values.size() == lagrangian_.subdomains.size(), values.size());
  control_.measure_by(EnergyScales::of(kinetic, values, lagrangian_.energy_of_a_fall, of_first_steps));
  const std::vector<double> thresholds_of = thresholds(state, values, numbers);
  const std::vector<double> of_motion = energies_of_motion(lagrangian_, state, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int32_t j = numbers[i];
    // A power of two, like all scales of energy.
    clocks_[j].most_energy = EnergyScales::power_of_two_below(of_motion[i]);
    clocks_[j].stored = WideInteger::nearest(at(values, j) / control_.scales().quantum);
    rest(j, state, state.time, thresholds_of[i]);
  }
}

}  // namespace terrace
