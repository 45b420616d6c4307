#include "dynamics/clocked/clocked_energy_stepping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "dynamics/clocked/same_order.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/profile.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

ClockedEnergyStepping::ClockedEnergyStepping(Lagrangian& lagrangian, State& state,
                                             const ClockSettings& settings)
    : ClockedEnergyStepping(lagrangian, state, settings, InParts{}) {
  begin_all(state);
}

ClockedEnergyStepping::ClockedEnergyStepping(Lagrangian& lagrangian, State& state,
                                             const ClockSettings& settings, InParts)
    : lagrangian_(lagrangian),
      clocks_(lagrangian, settings, state.time),
      control_(settings, clocks_),
      gradient_(lagrangian, lines_),
      graph_(lagrangian),
      can_divide_(lagrangian.touching_bodies_share && graph_.near_pairs().has_bodies_as_subdomains()),
      far_sides_(lagrangian, graph_, lines_),
      schedule_(lagrangian, states_, lines_),
      changed_(lagrangian.masses.size(), 0),
      waiting_({lagrangian, graph_, clocks_, changed_, states_, lines_, far_sides_, schedule_}),
      monitors_(lagrangian, graph_.touching(), states_) {
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(lagrangian.subdomains.size()); ++j)
    if (!balances(j)) control_.follows_no_potential();
  graph_.share_pairs_in_touch();
  make_room(static_cast<std::int32_t>(lagrangian.subdomains.size()) - 1);
  schedule_.note_event(state.time);
}

// Whether the kicks of a terrace balance its energy. Not where it shares nodes with other terraces: a
// correction for one of them would be wrong for the others.
bool ClockedEnergyStepping::balances(std::int32_t number) const {
  if (graph_.near_pairs().any() && !lagrangian_.touching_bodies_share) return false;
  bool alone = true;
  graph_.touching().visit_members(number, [&](std::int32_t member) {
    alone = alone && at(lagrangian_.subdomains, member).neighbours.empty();
  });
  return alone;
}

void ClockedEnergyStepping::make_room(std::int32_t number) {
  while (static_cast<std::int32_t>(states_.size()) <= number) {
    const Subdomain& subdomain = lagrangian_.subdomains[states_.size()];
    states_.emplace_back().monitor = EventMonitor(subdomain.name, 0);
    gradients_.emplace_back();
  }
  clocks_.make_room(states_.size());
}

// Starts a subdomain's line at `time`. Its event monitor counts no step for the time before.
void ClockedEnergyStepping::start_line(std::int32_t number, const State& state, double time) {
  const OperationScope operation(Operation::line_set_up);
  SubdomainState& own = at(states_, number);
  own.origin = own.search_start = time;
  own.monitor.resume(time);
  own.horizon = schedule_.first_horizon(number);
  lines_.for_each(at(lagrangian_.subdomains, number),
                  [&](OnLine& line) { line.set_line(state.lines, time); });
}

// Puts a terrace to rest: it has no events until V exceeds `threshold` [J]. Where a force acts already its
// clock starts at once. Weight always counts as such a force. So does any force on particles: each has a
// motion of its own, however small beside others.
void ClockedEnergyStepping::rest(std::int32_t number, const State& state, double time, double threshold) {
  SubdomainState& own = at(states_, number);
  Clock& clock = clocks_[number];
  clock.running = false;
  clocks_.set_next(number, -1);
  const bool is_deformed = at(lagrangian_.subdomains, number).elements > 0;
  const bool may_attract = !is_deformed && lowest_.of(number, graph_.touching()) < 0;
  own.terrace = may_attract ? Terrace{2 * threshold, 0, -threshold, -infinity} : Terrace{threshold, 0, 0};
  schedule_.renew(time, {&number, 1});
  const bool waits = graph_.touching().waits(number);
  const double value = schedule_.value(number);
  const bool weighs = lagrangian_.gravity != Vector3{} && is_deformed;
  bool loaded = weighs || std::abs(value) > threshold;
  if (!loaded && !waits) {
    const auto products = gradient_.evaluate(number, state, time, own.gradient_grids);
    const double step = clocks_.longest_step(at(lagrangian_.subdomains, number));
    const bool is_of_particles = !is_deformed && !graph_.near_pairs().any();
    const double least = is_of_particles ? 0 : threshold;
    loaded = 0.5 * step * step * products.compliance > least;
  }
  if (loaded) start_gently(number, clocks_.tick_after(time, number));
}

// The first tick at which a waiting pair touches, near `time`, where its search found the touch. The last
// digit of that instant depends on when the pair woke up; the pair's energy at a tick does not.
std::int64_t ClockedEnergyStepping::tick_of_touch(std::int32_t pair, const State& state, double time) {
  const std::int64_t unit = clocks_.ticks_in_unit(pair);
  const std::int64_t found = clocks_.tick_after(time, pair);
  double known_from = clocks_.time_of(0);
  for (const std::int32_t node : at(lagrangian_.subdomains, pair).nodes)
    known_from = std::max(known_from, at(state.lines, node).time);
  const auto touches_at = [&](std::int64_t tick) {
    at(states_, pair).line_sums = {};  // their grids must not depend on earlier touches
    start_line(pair, state, clocks_.time_of(tick));
    return schedule_.value(pair) > at(states_, pair).terrace.energy_step;
  };
  if (clocks_.time_of(found - unit) >= known_from && touches_at(found - unit)) return found - unit;
  return touches_at(found) ? found : found + unit;
}

// Ends the search of a terrace and starts its clock: its first event, or the touch of its bodies, is at
// `tick`.
void ClockedEnergyStepping::start_clock(std::int32_t number, std::int64_t tick) {
  schedule_.stop(number);
  clocks_.start(number, tick);
}

// As start_clock, with short steps: from rest V grows with a high power of time, and the energy of a full
// step would not balance. Not for a waiting pair, whose touch is no kick.
void ClockedEnergyStepping::start_gently(std::int32_t number, std::int64_t tick) {
  start_clock(number, tick);
  if (!graph_.touching().waits(number)) clocks_.begin_with_short_steps(number);
}

// Calls work(). Where it throws on all ranks, brings far sides first, so that all ranks show the same state.
template <class Work>
auto ClockedEnergyStepping::with_all_sides_after_failure(State& state, Work work) {
  failing_event_.reset();
  try {
    return work();
  } catch (const Error& error) {
    const bool is_ahead = unconfirmed_ && unconfirmed_->others_went_ahead && error.on_all_ranks();
    unconfirmed_.reset();                   // no rank will be asked about it any more
    if (is_ahead) throw WentAheadInVain{};  // with another kick there might be no error
    if (error.on_all_ranks()) bring_far_sides(state);
    throw;
  }
}

bool ClockedEnergyStepping::advance(State& state, double until) {
  return with_all_sides_after_failure(state, [&] { return advance_without_failure(state, until); });
}

void ClockedEnergyStepping::bring_up_to_date(State& state) {
  with_all_sides_after_failure(state, [&] { confirm(state); });
  bring_far_sides(state);
}

// Leaves the far sides of a terrace to their ranks, where that is worth it, just before an event: all ranks
// still hold all nodes then, and find what is near contact from them.
void ClockedEnergyStepping::leave_far_sides(const State& state, std::int32_t number) {
  if (!far_sides_.may_be_worth_leaving(number, events_) || !balances(number)) return;
  if (far_sides_.leave(state, number, clocks_.time_of(clocks_[number].next), events_))
    return waiting_.forget_flights_to(number);
  lines_.for_each(at(lagrangian_.subdomains, number),
                  [&](OnLine& line) { line.set_line(state.lines, at(states_, number).origin); });
}

// Brings the far sides of all terraces: all ranks are as if none had been left. Not while a kick is
// unconfirmed: it may have to be changed, and its gradient is known on followed nodes alone.
void ClockedEnergyStepping::bring_far_sides(State& state) {
  if (!far_sides_.any()) return;
  TERRACE_VERIFY(!unconfirmed_, state.time);
  const std::vector<std::int32_t> terraces = far_sides_.terraces();
  far_sides_.bring(state, events_);
  schedule_.forget_approaches();
  for (const std::int32_t number : terraces) {
    const double origin = at(states_, number).origin;
    lines_.for_each(at(lagrangian_.subdomains, number),
                    [&](OnLine& line) { line.set_line(state.lines, origin); });
    graph_.follow_bodies(state.lines, number, origin);
  }
  for (const std::int32_t number : terraces) waiting_.go_by_lines_again(state, number);
}

bool ClockedEnergyStepping::advance_without_failure(State& state, double until) {
  for (;;) {
    const double exit = graph_.near_pairs().next_exit();
    const double event = clocks_.next_time();
    const double end = std::min(until, graph_.near_pairs().next_exit_from_tube());
    const double limit = std::min({end, exit, event});
    waiting_.look_at_what_came_near(state, limit);
    goes_together_ = goes_with_the_next(limit, event);
    goes_ahead_ = goes_ahead(limit, event);
    if (!asks()) {
      if (!goes_together_ && !goes_ahead_ && !confirm(state)) continue;
      if (const auto loaded = schedule_.next(limit)) {
        if (goes_ahead_ && !confirm(state)) continue;
        const double time = schedule_.time_of(*loaded);
        bring_far_sides(state);
        start_gently(*loaded, graph_.touching().waits(*loaded) ? tick_of_touch(*loaded, state, time)
                                                               : clocks_.tick_after(time, *loaded));
        continue;
      }
      if (searches_first_ > 0) --searches_first_;
    }
    if (event <= limit) {
      const std::int32_t number = clocks_.first_of_next();
      const ClockedEvent key = clocks_.next_event(number);
      if (last_to_do_ && key > *last_to_do_) {
        if (unconfirmed_ && !confirm(state)) continue;  // a shortened step may end before last_to_do_
        return false;
      }
      last_event_ = key;
      failing_event_ = key;
      if (goes_ahead_) unconfirmed_->others_went_ahead = true;
      const double before = std::exchange(state.time, std::max(state.time, event));
      const bool is_done = process(state, number);
      failing_event_.reset();
      if (!is_done) {
        state.time = std::min(state.time, before);
        continue;
      }
      schedule_.note_event(event);
      ++events_;
      if (unconfirmed_) unconfirmed_->counted = true;
      return true;
    }
    if (far_sides_.any()) {
      bring_far_sides(state);
      continue;
    }
    if (exit > end) {
      state.time = end;
      return false;
    }
    renew_box(state, exit);
  }
}

// Does the event that is due of a terrace: the touch of a waiting pair, or a kick. False where the kick
// before turned out to need a shorter step: then nothing else was done.
bool ClockedEnergyStepping::process(State& state, std::int32_t number) {
  if (graph_.touching().waits(number)) {
    bring_far_sides(state);
    join(state, number);
    return true;
  }
  leave_far_sides(state, number);
  std::optional<PairLooks> looks = due_looks(number);
  if (!kick(state, number, looks ? &*looks : nullptr)) return false;
  if (looks) part_what_is_apart(state, number, *looks);
  return true;
}

// After a kick: sets the new lines of the terrace, updates its neighbours', and searches anew those at rest.
// Returns the neighbours that run: their steps need new certificates.
std::vector<std::int32_t> ClockedEnergyStepping::renew_lines(const State& state, std::int32_t number,
                                                             double instant) {
  const OperationScope operation(Operation::line_set_up);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  if (far_sides_.are_left(number)) {
    far_sides_.expect_flight(number);
  } else {
    graph_.follow_bodies(state.lines, number, instant);
    graph_.tell_walls(lines_, number);
  }
  lines_.for_each(subdomain, [&](OnLine& line) { line.set_line(state.lines, instant); });
  std::vector<std::int32_t> resting, running;
  for (const std::int32_t j : graph_.neighbours_of(number, changed_)) {
    if (graph_.touching().waits(j)) {
      if (waiting_.has_to_look(state, j, instant)) resting.push_back(j);
      continue;
    }
    lines_.for_each(at(lagrangian_.subdomains, j),
                    [&](OnLine& line) { line.update_line(state.lines, at(states_, j).origin, changed_); });
    if (clocks_[j].running)
      running.push_back(j);
    else if (clocks_[j].next < 0)
      resting.push_back(j);
  }
  for (const std::int32_t node : subdomain.nodes) at(changed_, node) = 0;
  schedule_.renew(instant, resting);
  return running;
}

// The terraces without a certificate up to their next events, that no J and no distance falls to its half.
// One reduction for all of them.
std::vector<std::int32_t> ClockedEnergyStepping::uncertified(const State& state,
                                                             std::vector<std::int32_t> numbers,
                                                             std::int64_t now) {
  std::erase_if(numbers, [&](std::int32_t j) { return clocks_[j].next <= now; });
  sort_by_order(lagrangian_, numbers);
  std::vector<double> invalid(numbers.size(), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) invalid[i] = invalid_until_next(state, numbers[i], now);
  const auto is_everywhere = [&](std::int32_t j) { return at(lagrangian_.subdomains, j).everywhere; };
  if (!std::ranges::all_of(numbers, is_everywhere)) lagrangian_.communicator->sum(invalid);
  std::vector<std::int32_t> without;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (invalid[i] > 0) without.push_back(numbers[i]);
  return without;
}

// Halves the steps of these terraces, whose lines have changed, until all have certificates.
void ClockedEnergyStepping::guard(const State& state, std::vector<std::int32_t> numbers, std::int64_t now) {
  while (!(numbers = uncertified(state, std::move(numbers), now)).empty())
    for (const std::int32_t j : numbers) {
      Clock& clock = clocks_[j];
      clocks_.set_next(j, now + shorter(j, clock.next - now, now));
    }
}

// Whether an elastic potential whose energy has no lower bound lacks a certificate for so many ticks.
// Collective over the ranks that share the subdomain.
bool ClockedEnergyStepping::collapses(std::int32_t number, std::int64_t now, std::int64_t ticks) {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  const double origin = at(states_, number).origin;
  std::array<double, 1> collapsing = {0};
  for (const Potential* potential : subdomain.potentials) {
    double evaluated = 0;
    if (dynamic_cast<const ElasticPotential*>(potential) != nullptr && std::isinf(potential->infimum()) &&
        !lines_.of(*potential)
             .certifies(clocks_.time_of(now) - origin, clocks_.time_of(now + ticks) - origin, evaluated))
      collapsing[0] = 1;
  }
  if (!subdomain.everywhere) lagrangian_.communicator->sum(collapsing);
  return collapsing[0] > 0;
}

// Half of a step of so many ticks, which was too long. Throws Error(run) on all ranks where it is one tick.
std::int64_t ClockedEnergyStepping::shorter(std::int32_t number, std::int64_t ticks, std::int64_t now) {
  control_.note_shortened_step();
  clocks_[number].quiet = 0;
  if (ticks > 1) return ticks / 2;
  std::string reason =
      "none: what meets there is too fast, or what is to stop it (contact.stiffness and distance, those of "
      "walls) too soft";
  if (collapses(number, now, ticks))
    reason =
        "none: an element collapses whose material has lambda < 0 (Poisson's ratio below 0): its energy "
        "falls without bound as J goes to 0, and nothing stops it";
  else if (!lagrangian_.has_contact)
    reason =
        "none: the body spins or vibrates too fast for its material, and an element is turned inside out";
  throw Error(Error::Kind::run, fmt::format("{}, time {}", name_of(number), clocks_.time_of(now)),
              "a step in which no element inverts, no surfaces touch and no particles meet", reason,
              Error::Reach::all_ranks);
}

// 1 if this rank has no certificate for the terrace up to its next event, else 0. Where far sides are left,
// the certificate includes that this rank's nodes of them stay where they are expected.
double ClockedEnergyStepping::invalid_until_next(const State& state, std::int32_t number, std::int64_t now) {
  if (far_sides_.are_left(number) &&
      !far_sides_.stay(state, number, clocks_.time_of(now), clocks_.time_of(clocks_[number].next)))
    return 1;
  const OperationScope operation(Operation::certificate);
  const double origin = at(states_, number).origin;
  double invalid = 0, evaluated = 0;
  for (const Potential* potential : at(lagrangian_.subdomains, number).potentials) {
    const OperationScope contact(Operation::contact, potential->is_contact());
    if (!lines_.of(*potential)
             .certifies(clocks_.time_of(now) - origin, clocks_.time_of(clocks_[number].next) - origin,
                        evaluated))
      invalid = 1;
  }
  bound_evaluations_ += static_cast<std::int64_t>(evaluated);
  return invalid;
}

}  // namespace terrace
