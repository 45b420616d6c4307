#include "dynamics/terraces/terrace_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"

namespace terrace {

void TerraceChanges::begin_all(const State& state) {
  lowest_.find(lagrangian_);
  const auto count = static_cast<std::int32_t>(lagrangian_.subdomains.size());
  for (std::int32_t j = 0; j < count; ++j) begin(j, state, state.time);
  for (const std::int32_t j : graph_.near_pairs().start(state.lines, state.time).awake)
    begin(j, state, state.time);
}

void TerraceChanges::make_room(std::int32_t number) {
  while (static_cast<std::int32_t>(states_.size()) <= number) {
    const Subdomain& subdomain = lagrangian_.subdomains[states_.size()];
    SubdomainState& state = states_.emplace_back();
    state.terrace.energy_step = subdomain.energy_step;
    state.terrace.lowest = lowest(static_cast<std::int32_t>(states_.size()) - 1);
    state.monitor = EventMonitor(subdomain.name, subdomain.energy_step);
  }
}

// Begins the subdomain's line at `time`; the time before is not counted as a step.
void TerraceChanges::start_line(std::int32_t number, const State& state, double time) {
  const OperationScope operation(Operation::line_set_up);
  SubdomainState& own = at(states_, number);
  own.origin = own.search_start = own.next_look = time;
  own.monitor.resume(time);
  own.horizon = schedule_.first_horizon(number);
  lines_.for_each(at(lagrangian_.subdomains, number),
                  [&](OnLine& line) { line.set_line(state.lines, time); });
}

// Starts a subdomain on its level, or a contact pair that wakes up.
void TerraceChanges::begin(std::int32_t number, const State& state, double time) {
  const bool is_new = static_cast<std::size_t>(number) >= states_.size();
  make_room(number);
  start_line(number, state, time);
  if (graph_.touching().waits(number)) return wait_for_touch(number, state, time);
  if (is_new && !at(lagrangian_.subdomains, number).impenetrable) find_level(number);
  schedule_.renew(time, {&number, 1});
}

void TerraceChanges::find_level(std::int32_t number) {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  const double value = schedule_.value(number);
  // Rounding may put the energy of a stress-free body slightly below 0.
  if (value < lowest(number) - 1e-6 * subdomain.energy_step)
    throw Error(Error::Kind::input, "subdomain " + subdomain.name,
                "a potential energy that is not below its lowest value", std::to_string(value));
  // Beyond that many levels a double does not tell one from the next, nor an integer count them.
  constexpr double most_levels = 0x1p50;
  if (!(std::abs(value) <= most_levels * subdomain.energy_step))
    throw Error(Error::Kind::input, "subdomain " + subdomain.name,
                fmt::format("an energy step of at least {:.3g} for a potential energy of {:.3g} at the start",
                            std::abs(value) / most_levels, value),
                fmt::format("{:.3g}", subdomain.energy_step));
  at(states_, number).terrace.start_at(value);
}

// Lets a pair wait for its bodies to touch: they do when its energy exceeds a small part of an energy step.
void TerraceChanges::wait_for_touch(std::int32_t pair, const State& state, double time) {
  constexpr double touch = 0.01;
  const auto j = static_cast<std::size_t>(pair);
  states_[j].terrace = {touch * lagrangian_.subdomains[j].energy_step, 0, 0};
  states_[j].line_sums = {};  // as at the begin of its searches: what was sampled before leaves no trace
  if (schedule_.value(pair) > states_[j].terrace.top())
    regroup(graph_.touching().touch(pair), state, time);
  else
    schedule_.renew(time, {&pair, 1});
}

void TerraceChanges::touch(std::int32_t pair, const State& state, double time) {
  regroup(graph_.touching().touch(pair), state, time);
}

// Ends the terraces `change.ending` and begins those of `change.beginning`, which share the levels.
void TerraceChanges::regroup(const TouchingBodies::Change& change, const State& state, double time) {
  std::int64_t levels = 0;
  for (const std::int32_t number : change.ending) {
    SubdomainState& ending = at(states_, number);
    levels += ending.terrace.level;
    ending.terrace.level = 0;
    ending.next = {};
    schedule_.stop(number);
  }
  std::vector<std::int32_t> sharing, waiting;
  std::vector<double> values;
  for (const std::int32_t number : change.beginning) {
    make_room(number);
    start_line(number, state, time);
    if (graph_.touching().waits(number)) {
      waiting.push_back(number);
      continue;
    }
    // The number of a group may be used again: the grids are those of other potentials.
    SubdomainState& beginning = at(states_, number);
    beginning.line_sums = {};
    beginning.gradient_grids = {};
    sharing.push_back(number);
    values.push_back(schedule_.value(number));
  }
  const double energy_step = at(states_, sharing.front()).monitor.energy_step();
  const std::vector<Terrace> terraces = share_levels(levels, energy_step, values);
  for (std::size_t k = 0; k < sharing.size(); ++k) {
    const auto j = static_cast<std::size_t>(sharing[k]);
    states_[j].terrace = terraces[k];
    states_[j].terrace.lowest = lowest(sharing[k]);
  }
  schedule_.renew(time, sharing);
  for (const std::int32_t pair : waiting) wait_for_touch(pair, state, time);
}

void TerraceChanges::look_for_parting(std::int32_t group, const State& state, double time) {
  constexpr double steps_between_looks = 10;
  constexpr int enough = 5;
  const std::vector<std::int32_t> pairs = graph_.touching().pairs(group);
  SubdomainState& own = at(states_, group);
  if (pairs.empty() || time < own.next_look) return;
  own.next_look = time + steps_between_looks * at(lagrangian_.subdomains, group).stable_step;
  std::vector<std::int32_t> parted;
  for (const std::int32_t pair : pairs) {
    int& looks = at(states_, pair).looks_apart;
    looks = schedule_.value(pair) > 0 ? 0 : looks + 1;
    if (looks < enough) continue;
    parted.push_back(pair);
    looks = 0;
  }
  if (!parted.empty()) regroup(graph_.touching().part(group, parted), state, time);
}

NearPairs::Changes TerraceChanges::renew_box(const State& state, double time) {
  // A pair may only fall asleep on level 0, as its energy is 0 then. Where the search may miss crossings,
  // without a certificate, its level may be another.
  const auto may_sleep = [&](std::int32_t j) {
    return graph_.touching().terrace_of(j) == j && at(states_, j).terrace.level == 0;
  };
  NearPairs::Changes changes = graph_.near_pairs().renew_box(state.lines, may_sleep);
  for (const std::int32_t j : changes.asleep) {
    schedule_.stop(j);
    lines_.forget(at(lagrangian_.subdomains, j));
    graph_.near_pairs().release(j);
  }
  for (const std::int32_t j : changes.awake) begin(j, state, time);
  return changes;
}

}  // namespace terrace
