#include "dynamics/concurrent/concurrent_energy_stepping.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/together.hpp"

namespace terrace {

ConcurrentEnergyStepping::ConcurrentEnergyStepping(Lagrangian& lagrangian, State& state)
    : EnergyStepping(lagrangian, state),
      work_(lagrangian, state, own_states(), lines()),
      is_loaded_(lagrangian.masses.size(), 0),
      chains_(lagrangian.subdomains.size()) {
  TERRACE_VERIFY(lagrangian.constraints.empty() &&
                     (lagrangian.contact_pairs == nullptr || !lagrangian.touching_bodies_share),
                 lagrangian.constraints.size());
}

// Returns after many rounds at the latest, so that the caller can heed signals and report progress.
bool ConcurrentEnergyStepping::advance(State& state, double until) {
  constexpr int many_rounds = 512;
  done_.clear();
  counted_ = 0;
  begin(state);
  for (int rounds = 1;; ++rounds) {
    do_round(until);
    find_horizon();
    const bool enough = settle();
    const bool any_since_begin = settled_ != EventPlace{};  // one after the other stops only after an event
    if (enough || (rounds >= many_rounds && any_since_begin && !has_failed())) {
      stop(state);
      return true;
    }
    if (has_failed()) fail(state);
    if (horizon_.time() > until) break;
    if (leaves_box()) pass_exit(state);
  }
  end(state, until);
  return false;
}

void ConcurrentEnergyStepping::restore(const State& state, ByteReader& reader) {
  EnergyStepping::restore(state, reader);
  is_stale_ = true;
}

void ConcurrentEnergyStepping::report(ContactExtremes& extremes) const {
  EnergyStepping::report(extremes);
  include(extremes, seen_);
  for (const auto& [number, process] : processes_) include(extremes, process.seen());
}

// The first event of a neighbour changes the line, so that a search beyond it may be in vain. But once that
// event is taken, it must be known whether this subdomain's next one comes before the second of the
// neighbours' events: `far` is where that is foreseen. Contact, which is dearer to search, does not look so
// far.
ConcurrentEnergyStepping::Reach ConcurrentEnergyStepping::worth_searching(std::int32_t subdomain,
                                                                          double until) const {
  Reach reach{until, until};
  for (const std::int32_t j : at(neighbours_, subdomain)) {
    reach.far = std::min(reach.far, std::max(reach.near, at(known_, j).foreseen));
    reach.near = std::min(reach.near, at(known_, j).foreseen);
  }
  if (at(system().subdomains, subdomain).contact) reach.far = reach.near;
  // If this subdomain bounds the horizon all others wait for it: it searches on in any case.
  const double none_before = work_.schedule.none_before(subdomain);
  const bool is_first = none_before < infinity && !(horizon_ < at(known_, subdomain).place);
  if (is_first) reach = {std::max(reach.near, none_before), std::max(reach.far, none_before)};
  return reach;
}

// Searches up to reach.near, until the work done is `enough`. Then goes on towards reach.far by a few
// samples, or by one if contact is likely to make it void, as far as `enough` has room for them.
void ConcurrentEnergyStepping::search_on(SubdomainProcess& process, const Reach& reach, std::int64_t enough) {
  const std::int32_t number = process.subdomain();
  const std::int64_t few = at(has_to_do_with_contact_, number) != 0 ? 1 : 4;
  const auto sample = static_cast<std::int64_t>(at(system().subdomains, number).elements);
  const std::int64_t in_vain = work_.work_done() + few * sample;
  process.go_on(reach.near, enough);
  double none_before = work_.schedule.none_before(number);
  while (!process.failure() && none_before <= reach.far &&
         work_.work_done() + sample <= std::min(in_vain, enough)) {
    process.go_on(none_before, enough);
    const double before = std::exchange(none_before, work_.schedule.none_before(number));
    if (none_before == before) return;  // its event is known, or never comes
  }
}

// Lets a process do its part of a round, for whose slowest process all others wait. If it has to do with
// contact, what others tell at the end is likely to make its searches void: it does no more than is worth a
// round.
void ConcurrentEnergyStepping::go_on(SubdomainProcess& process, double until) {
  constexpr std::int64_t worth_a_round = 1000;  // elements, as much as a few messages take
  const bool feels_contact = at(has_to_do_with_contact_, process.subdomain()) != 0;
  const std::int64_t before = work_.work_done(),
                     enough = feels_contact ? before + worth_a_round : SubdomainProcess::any_work;
  const Reach reach = worth_searching(process.subdomain(), until);
  search_on(process, reach, enough);
  if (!process.is_far_ahead() && is_first_of_neighbours(process, until))
    if (auto event = process.do_event()) {
      // The search for the next event comes in the next round, while neighbours take this one. With contact
      // it begins here, as nobody can guess its result (find_bounds_after_news).
      if (feels_contact) search_on(process, reach, enough);
      mine_.events.push_back(std::move(event));
    }
  const auto work = static_cast<double>(work_.work_done() - before);
  mine_.work += work;
  mine_.most_work = std::max(mine_.most_work, work);
}

// Does one round, up to the time at which the first body leaves its box: what lies beyond would be undone.
void ConcurrentEnergyStepping::do_round(double until) {
  for (const ProcessBound& bound : known_) until = std::min(until, bound.exit);
  ++record_.rounds;
  mine_ = {};
  deliver();
  find_bounds_after_news(until);
  for (auto& [number, process] : processes_) {
    if (!process.is_idle_until(until)) go_on(process, until);
    if (process.has_news())
      mine_.bounds.push_back({number, process.bound(), process.foreseen(),
                              process.failure() && !process.leaves(), process.leaves(), process.exit()});
  }
  exchange();
}

// Delivers the news of the last round to the neighbours of those who told them.
void ConcurrentEnergyStepping::deliver() {
  if (news_.events.empty() && news_.withdrawals.empty()) return;
  const auto is_neighbour = [&](const SubdomainProcess& process, const EventName& name) {
    const auto& neighbours = at(neighbours_, process.subdomain());
    return std::binary_search(neighbours.begin(), neighbours.end(), name.subdomain);
  };
  for (auto& [number, process] : processes_) {
    for (const EventWithdrawal& withdrawal : news_.withdrawals)
      if (is_neighbour(process, withdrawal.name)) process.withdraw(withdrawal);
    for (const auto& event : news_.events)
      if (is_neighbour(process, event->name)) process.receive(event);
    const std::vector<EventWithdrawal> undone = process.undone();
    mine_.withdrawals.insert(mine_.withdrawals.end(), undone.begin(), undone.end());
  }
}

// Guesses how the news of the last round change the bounds that are known: a subdomain that was pushed may
// have its next event earlier than it told, and to wait until it tells anew would cost a round. A wrong guess
// costs a round or an undone event, no more. Without contact, events hardly ever come before those of others
// for that reason: their bounds stay. Contact changes more: its next event is expected in the second half of
// the time to its bound. A subdomain that did an event in the last round, and has nothing to do with contact,
// has not searched for its next one yet: that is not expected before half the time has passed that lay
// between its last two events. (After an undone event that time may be negative, and the guess changes
// nothing.)
void ConcurrentEnergyStepping::find_bounds_after_news(double until) {
  constexpr double of_the_way = 0.5;
  guesses_.clear();
  for (const auto& event : news_.events) {
    const std::int32_t number = event->name.subdomain;
    const double step = event->instant - std::exchange(at(last_own_event_, number), event->instant);
    if (at(has_to_do_with_contact_, number) != 0 || !std::isfinite(step)) continue;
    const double time = event->instant + of_the_way * step;
    EventPlace& bound = guesses_.try_emplace(number, at(known_, number).place).first->second;
    bound = std::max(bound, EventPlace{}.followed_by({time, at(system().subdomains, number).order}));
  }
  const auto lower = [&](const EventName& name, const EventPlace& place) {
    for (const std::int32_t j : at(neighbours_, name.subdomain)) {
      const Subdomain& subdomain = at(system().subdomains, j);
      const EventPlace& bound = bound_after_news(j);
      if (!subdomain.contact || !(place.time() < bound.time())) continue;
      const double time = place.time() + of_the_way * (std::min(bound.time(), until) - place.time());
      guesses_.insert_or_assign(j, std::min(bound, EventPlace{}.followed_by({time, subdomain.order})));
    }
  };
  for (const EventWithdrawal& withdrawal : news_.withdrawals) lower(withdrawal.name, withdrawal.place);
  for (const auto& event : news_.events) lower(event->name, event->place);
}

const EventPlace& ConcurrentEnergyStepping::bound_after_news(std::int32_t number) const {
  const auto guess = guesses_.find(number);
  return guess == guesses_.end() ? at(known_, number).place : guess->second;
}

bool ConcurrentEnergyStepping::is_first_of_neighbours(const SubdomainProcess& process, double until) const {
  const std::optional<EventPlace> event = process.next_event();
  if (!event || work_.schedule.known_event(process.subdomain()) > until) return false;
  const auto& neighbours = at(neighbours_, process.subdomain());
  return std::all_of(neighbours.begin(), neighbours.end(),
                     [&](std::int32_t j) { return *event < bound_after_news(j); });
}

void ConcurrentEnergyStepping::exchange() {
  news_ = news_of_all(std::move(mine_), *system().communicator);
  for (const ProcessBound& bound : news_.bounds) at(known_, bound.subdomain) = bound;
  for (const EventWithdrawal& withdrawal : news_.withdrawals) unsettled_.erase(withdrawal.place);
  for (const auto& event : news_.events)
    unsettled_[event->place] = {event->name.subdomain, event->instant, event->level, event->reflected};
  record_.undone_events += static_cast<std::int64_t>(news_.withdrawals.size());
  record_.work += news_.work;
  record_.work_of_slowest += news_.most_work;
}

// The horizon is the least place of anything that may still happen or be withdrawn.
void ConcurrentEnergyStepping::find_horizon() {
  EventPlace& first = horizon_;
  first = known_.front().place;
  for (const ProcessBound& bound : known_) first = std::min(first, bound.place);
  for (const EventWithdrawal& withdrawal : news_.withdrawals) first = std::min(first, withdrawal.place);
  for (const auto& event : news_.events) first = std::min(first, event->place);
}

// Whether the first thing that may still happen is an error: nothing can come before it any more.
bool ConcurrentEnergyStepping::has_failed() const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const ProcessBound& bound) { return bound.failed && !(horizon_ < bound.place); });
}

// Whether the first thing that may still happen is that a body leaves its box.
bool ConcurrentEnergyStepping::leaves_box() const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const ProcessBound& bound) { return bound.leaves && !(horizon_ < bound.place); });
}

void ConcurrentEnergyStepping::fail(State& state) {
  std::optional<Error> failure;
  for (const auto& [number, process] : processes_)
    if (!failure && process.failure() && !(horizon_ < at(known_, process.subdomain()).place))
      failure = process.failure();
  stop(state);
  together(system().communicator->handle(), [&] {
    if (failure) throw Error(*failure);
  });
  constexpr bool a_rank_has_thrown = false;
  TERRACE_VERIFY(a_rank_has_thrown, horizon_.time());
}

// Moves the events before the horizon to those that are for good. Returns whether there are as many events as
// there may be.
bool ConcurrentEnergyStepping::settle() {
  const std::size_t before = done_.size();
  while (!unsettled_.empty() && unsettled_.begin()->first < horizon_) {
    const auto first = unsettled_.begin();
    const DoneEvent& event = done_.emplace_back(first->second);
    settled_ = first->first;
    unsettled_.erase(first);
    last_instant_ = std::max(last_instant_, event.instant);
    chains_.add(event.subdomain, at(neighbours_, event.subdomain));
    forget_resting(event.subdomain, at(neighbours_, event.subdomain));
    if (most_events_ > 0 && events() + uncounted() == most_events_) return true;
  }
  if (done_.size() == before) return false;
  for (auto& [number, process] : processes_) process.forget_before(horizon_);
  return false;
}

std::optional<ConcurrencyRecord> ConcurrentEnergyStepping::concurrency_record() const {
  ConcurrencyRecord record = record_;
  record.longest_chain = chains_.longest();
  return record;
}

}  // namespace terrace
