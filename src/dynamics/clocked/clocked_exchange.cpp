// Clocked energy-stepping on a part of the system: terraces are taken over, let go, saved and restored.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

ClockedTerrace ClockedEnergyStepping::terrace_of(std::int32_t body) const {
  const TouchingBodies& touching = graph_.touching();
  const std::int32_t number = touching.terrace_of(body);
  ClockedTerrace terrace;
  touching.visit_members(number, [&](std::int32_t member) {
    if (graph_.near_pairs().bodies_of(member) == nullptr) terrace.bodies.push_back(member);
  });
  for (const std::int32_t pair : touching.pairs(number))
    terrace.touches.push_back({*graph_.near_pairs().bodies_of(pair), at(states_, pair).looks_apart});
  std::sort(terrace.touches.begin(), terrace.touches.end(),
            [](const auto& a, const auto& b) { return a.bodies < b.bodies; });
  terrace.clock = clocks_[number];
  terrace.state = at(states_, number);
  terrace.event_at = schedule_.known_event(number);
  terrace.none_before = schedule_.none_before(number);
  return terrace;
}

void ClockedEnergyStepping::stop(std::int32_t number) {
  schedule_.stop(number);
  clocks_.set_due(number, infinity);
}

void ClockedEnergyStepping::put_pairs_to_sleep(std::int32_t body) {
  const std::span<const std::int32_t> awake = graph_.near_pairs().awake_pairs(body);
  for (const std::int32_t pair : std::vector<std::int32_t>(awake.begin(), awake.end())) {
    graph_.near_pairs().put_to_sleep(pair);
    stop(pair);
    forget(pair);
  }
}

void ClockedEnergyStepping::release(std::span<const std::int32_t> bodies) {
  for (const std::int32_t body : bodies) {
    const std::int32_t number = graph_.touching().terrace_of(body);
    stop(number);
    if (number == body) continue;
    clocks_[number] = {};
    forget_gradient(number);
    graph_.touching().dissolve(number);
  }
  for (const std::int32_t body : bodies) {
    put_pairs_to_sleep(body);
    lines_.forget(at(lagrangian_.subdomains, body));
    clocks_[body] = {};
    forget_gradient(body);
    stop(body);
  }
}

void ClockedEnergyStepping::end_elements_of(std::span<const std::int32_t> bodies) {
  for (const std::int32_t body : bodies) {
    graph_.subdomains().end_elements(body);
    gradient_.forget_values(graph_.subdomains().whole_nodes(body));
  }
}

void ClockedEnergyStepping::take_over(const State& state, const ClockedTerrace& terrace) {
  for (const std::int32_t body : terrace.bodies)
    if (at(lagrangian_.subdomains, body).everywhere ||
        at(lagrangian_.rank_of_body, body) == lagrangian_.communicator->rank())
      graph_.subdomains().make_elements(body);
  restore_line(state, adopt(terrace));
}

// Makes a subdomain state and clock from `terrace`, waking up its pairs that touch. Returns its subdomain.
std::int32_t ClockedEnergyStepping::adopt(const ClockedTerrace& terrace) {
  TERRACE_VERIFY(!terrace.bodies.empty());
  std::int32_t number = terrace.bodies.front();
  if (!terrace.touches.empty()) {
    std::set<std::int32_t> pairs;
    for (const ClockedTerrace::Touch& touch : terrace.touches) {
      const std::int32_t pair = graph_.near_pairs().awakened(touch.bodies);
      make_room(pair);
      graph_.near_pairs().set_touching(pair, true);
      at(states_, pair).looks_apart = touch.looks_apart;
      clocks_[pair] = {};
      pairs.insert(pair);
    }
    number = graph_.touching().unite(pairs);
    make_room(number);
    for (const std::int32_t pair : pairs) stop(pair);
  }
  SubdomainState& own = at(states_, number);
  EventMonitor monitor = std::move(own.monitor);
  own = terrace.state;
  own.monitor = std::move(monitor);
  own.monitor.resume(own.origin);
  clocks_[number] = terrace.clock;
  schedule_.set(number, terrace.event_at, terrace.none_before);
  clocks_.set_next(number, terrace.clock.next);
  return number;
}

void ClockedEnergyStepping::look_for_pairs(const State& state, std::span<const std::int32_t> bodies,
                                           double time) {
  follow(state, time,
         graph_.near_pairs().renew_boxes(bodies, state.lines, time, [&](auto j) { return may_sleep(j); }));
}

Agenda ClockedEnergyStepping::suspend(std::span<const std::int32_t> bodies) {
  Agenda agenda;
  NearPairs& pairs = graph_.near_pairs();
  const auto take = [&](std::int32_t number) {
    const Agenda::Due due = {number, clocks_.due(number), schedule_.known_event(number),
                             schedule_.none_before(number)};
    if (std::min({due.event, due.known_event, due.none_before}) == infinity) return;
    agenda.dues.push_back(due);
    stop(number);
  };
  for (const std::int32_t body : bodies) {
    const double from_tube = pairs.watching() != nullptr ? pairs.watching()->exit(body) : infinity;
    agenda.exits.push_back({body, pairs.exit(body), from_tube});
    pairs.set_exit(body, infinity);
    if (pairs.watching() != nullptr) pairs.watching()->set_exit(body, infinity);
    take(body);
    take(graph_.touching().terrace_of(body));
    for (const std::int32_t pair : pairs.awake_pairs(body)) take(pair);
  }
  return agenda;
}

void ClockedEnergyStepping::go_on(const Agenda& agenda, double time) {
  NearPairs& pairs = graph_.near_pairs();
  for (const auto& [body, from_box, from_tube] : agenda.exits) {
    pairs.set_exit(body, from_box);
    if (pairs.watching() != nullptr) pairs.watching()->set_exit(body, from_tube);
  }
  for (const auto& [number, event, known_event, none_before] : agenda.dues) {
    clocks_.set_due(number, event);
    schedule_.set(number, known_event, none_before);
  }
  schedule_.go_on_from(time);
}

void ClockedEnergyStepping::forget_guesses() {
  schedule_.forget_guesses();
  searches_first_ = 0;
  owes_reduction_ = false;
}

bool ClockedEnergyStepping::is_idle() const {
  return clocks_.next_time() == infinity && schedule_.is_idle() &&
         graph_.near_pairs().next_exit() == infinity;
}

ClockedSystem ClockedEnergyStepping::whole_system() const {
  ClockedSystem system{{}, monitors_.of_bodies(graph_.near_pairs().bodies()), events_, control_.balance()};
  std::vector<std::uint8_t> seen(system.monitors.size(), 0);
  for (std::int32_t body = 0; body < graph_.near_pairs().bodies(); ++body) {
    if (at(seen, body) != 0) continue;
    const ClockedTerrace terrace = terrace_of(body);
    for (const std::int32_t member : terrace.bodies) at(seen, member) = 1;
    system.terraces.emplace_back(terrace);
  }
  return system;
}

// Of a terrace at rest only U and its scale are written: the remainder depends on how far searches have come.
// The monitor of groups is left out: it is a sum whose order may differ.
void ClockedEnergyStepping::save_motion(ByteWriter& writer) const {
  if (!can_divide_) return save(writer);
  ClockedSystem system = whole_system();
  for (ToldTerrace& terrace : system.terraces)
    if (!terrace.clock.running) {
      Clock resting;
      resting.stored = terrace.clock.stored;
      resting.most_energy = terrace.clock.most_energy;
      terrace.clock = resting;
      terrace.rest.clear();
    }
  system.monitors.pop_back();
  writer(std::as_const(system));
}

void ClockedEnergyStepping::restore_bodies(const State& state, ByteReader& reader) {
  ClockedSystem system;
  reader(system);
  NearPairs& pairs = graph_.near_pairs();
  std::vector<std::int32_t> bodies(static_cast<std::size_t>(pairs.bodies()));
  std::iota(bodies.begin(), bodies.end(), 0);
  release(bodies);
  schedule_.forget(state.time);
  searches_first_ = 0;
  set_counts(system.events, system.balance);
  NearPairs::Changes near = pairs.start(state.lines, state.time);
  std::vector<std::int32_t> numbers;
  for (const ToldTerrace& terrace : system.terraces) {
    numbers.push_back(adopt(terrace.terrace()));
    restore_line(state, numbers.back());
  }
  monitors_.set(std::move(system.monitors));  // replaces those that adopt() has just resumed
  for (const std::int32_t number : numbers)
    at(states_, number).monitor.go_on_from(at(states_, number).origin);
  std::erase_if(near.awake, [&](std::int32_t pair) { return !graph_.touching().waits(pair); });
  follow(state, state.time, near);
}

}  // namespace terrace
