#include "dynamics/concurrent_energy_stepping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/together.hpp"

namespace terrace {

static constexpr double infinity = std::numeric_limits<double>::infinity();

// Nodes that several subdomains load, for each of them, ascending.
static std::vector<std::vector<std::int32_t>> shared_nodes(const Lagrangian& system) {
  std::vector<int> loads(system.masses.size(), 0);
  for (const Subdomain& subdomain : system.subdomains)
    for (const std::int32_t node : subdomain.nodes) ++at(loads, node);
  std::vector<std::vector<std::int32_t>> shared;
  for (const Subdomain& subdomain : system.subdomains) {
    std::vector<std::int32_t>& nodes = shared.emplace_back();
    for (const std::int32_t node : subdomain.nodes)
      if (at(loads, node) > 1) nodes.push_back(node);
  }
  return shared;
}

ConcurrentEnergyStepping::ConcurrentEnergyStepping(Lagrangian& lagrangian, State& state)
    : EnergyStepping(lagrangian, state),
      work_(lagrangian, state, own_states(), lines()),
      known_(lagrangian.subdomains.size()),
      chains_(lagrangian.subdomains.size()) {
  TERRACE_VERIFY(lagrangian.contact_pairs == nullptr && !lagrangian.has_contact &&
                     lagrangian.reaction_names.empty() && lagrangian.constraints.empty(),
                 lagrangian.reaction_names.size());
  const auto shared = shared_nodes(lagrangian);
  for (std::size_t j = 0; j < lagrangian.subdomains.size(); ++j) {
    TERRACE_VERIFY(lagrangian.communicator->size() == 1 || lagrangian.subdomains[j].only_rank >= 0, j);
    if (work_.system.subdomains[j].only_rank == 0)
      processes_.emplace_back(work_, static_cast<std::int32_t>(j), shared[j]);
  }
}

// Now and then whoever runs this looks whether somebody wants it to end, or how far it is.
bool ConcurrentEnergyStepping::advance(State& state, double until) {
  constexpr int many_rounds = 512;
  begin(state);
  for (int rounds = 1;; ++rounds) {
    do_round(until);
    find_horizon();
    const bool enough = settle();
    if (enough || (rounds >= many_rounds && !done_.empty() && !has_failed())) {
      stop(state);
      return true;
    }
    if (has_failed()) fail(state);
    if (horizon_.time() > until) break;
  }
  end(state, until);
  return false;
}

void ConcurrentEnergyStepping::begin(const State& state) {
  done_.clear();
  unsettled_.clear();
  news_ = {};
  horizon_ = settled_ = {};
  last_instant_ = -infinity;
  for (std::size_t j = 0; j < known_.size(); ++j) {
    const auto number = static_cast<std::int32_t>(j);
    const double event = schedule().known_event(number), none_before = schedule().none_before(number);
    known_[j] = {number,
                 EventPlace{}.followed_by({std::min(event, none_before), system().subdomains[j].order}),
                 event, false};
  }
  for (SubdomainProcess& process : processes_)
    process.begin(state, schedule().known_event(process.subdomain()),
                  schedule().none_before(process.subdomain()));
}

// The first event of a neighbour changes the line, and a search beyond it may be in vain; but whether this
// one comes before the second has to be known as soon as the first was taken in.
double ConcurrentEnergyStepping::worth_searching(std::int32_t subdomain, double until) const {
  double first = until, second = until;
  for (const std::int32_t j : at(system().subdomains, subdomain).neighbours) {
    second = std::min(second, std::max(first, at(known_, j).event));
    first = std::min(first, at(known_, j).event);
  }
  // All wait for the first.
  const bool is_first = !(horizon_ < at(known_, subdomain).place);
  return is_first ? std::max(second, work_.schedule.none_before(subdomain)) : second;
}

void ConcurrentEnergyStepping::do_round(double until) {
  ++record_.rounds;
  mine_ = {};
  deliver();
  for (SubdomainProcess& process : processes_) {
    const std::int64_t before = work_done();
    const double limit = worth_searching(process.subdomain(), until);
    process.go_on(limit);
    if (!process.is_far_ahead() && is_first_of_neighbours(process, until))
      if (auto event = process.do_event()) {
        mine_.events.push_back(std::move(event));
        process.go_on(limit);
      }
    const auto work = static_cast<double>(work_done() - before);
    mine_.work += work;
    mine_.most_work = std::max(mine_.most_work, work);
  }
  exchange();
}

// What was told in the last round.
void ConcurrentEnergyStepping::deliver() {
  const auto is_neighbour = [&](const SubdomainProcess& process, const EventName& name) {
    const auto& neighbours = at(system().subdomains, process.subdomain()).neighbours;
    return std::binary_search(neighbours.begin(), neighbours.end(), name.subdomain);
  };
  for (SubdomainProcess& process : processes_) {
    for (const EventWithdrawal& withdrawal : news_.withdrawals)
      if (is_neighbour(process, withdrawal.name)) process.withdraw(withdrawal);
    for (const auto& event : news_.events)
      if (is_neighbour(process, event->name)) process.receive(event);
    const std::vector<EventWithdrawal> undone = process.undone();
    mine_.withdrawals.insert(mine_.withdrawals.end(), undone.begin(), undone.end());
  }
}

// As far as was told. What neighbours take in meanwhile may bring their events forward: that is rare, and to
// wait until they have told costs a round for every event.
bool ConcurrentEnergyStepping::is_first_of_neighbours(const SubdomainProcess& process, double until) const {
  const std::optional<EventPlace> event = process.next_event();
  if (!event || work_.schedule.known_event(process.subdomain()) > until) return false;
  const auto& neighbours = at(system().subdomains, process.subdomain()).neighbours;
  return std::all_of(neighbours.begin(), neighbours.end(),
                     [&](std::int32_t j) { return *event < at(known_, j).place; });
}

void ConcurrentEnergyStepping::exchange() {
  for (const SubdomainProcess& process : processes_)
    mine_.bounds.push_back({process.subdomain(), process.bound(),
                            work_.schedule.known_event(process.subdomain()), process.failure().has_value()});
  news_ = news_of_all(std::move(mine_), *system().communicator);
  for (const ProcessBound& bound : news_.bounds) at(known_, bound.subdomain) = bound;
  for (const EventWithdrawal& withdrawal : news_.withdrawals) unsettled_.erase(withdrawal.place);
  for (const auto& event : news_.events)
    unsettled_[event->place] = {event->name.subdomain, event->instant, event->level, event->reflected};
  record_.undone_events += static_cast<std::int64_t>(news_.withdrawals.size());
  record_.work += news_.work;
  record_.work_of_slowest += news_.most_work;
}

// Nothing that may still happen comes before.
void ConcurrentEnergyStepping::find_horizon() {
  EventPlace& first = horizon_;
  first = known_.front().place;
  for (const ProcessBound& bound : known_) first = std::min(first, bound.place);
  for (const EventWithdrawal& withdrawal : news_.withdrawals) first = std::min(first, withdrawal.place);
  for (const auto& event : news_.events) first = std::min(first, event->place);
}

// Nothing comes before the first thing that may happen, and that fails.
bool ConcurrentEnergyStepping::has_failed() const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const ProcessBound& bound) { return bound.failed && !(horizon_ < bound.place); });
}

void ConcurrentEnergyStepping::fail(State& state) {
  std::optional<Error> failure;
  for (const SubdomainProcess& process : processes_)
    if (!failure && process.failure() && !(horizon_ < at(known_, process.subdomain()).place))
      failure = process.failure();
  stop(state);
  together(system().communicator->handle(), [&] {
    if (failure) throw Error(*failure);
  });
  constexpr bool a_rank_has_thrown = false;
  TERRACE_VERIFY(a_rank_has_thrown, horizon_.time());
}

// True when there were as many events as there may be.
bool ConcurrentEnergyStepping::settle() {
  while (!unsettled_.empty() && unsettled_.begin()->first < horizon_) {
    const auto first = unsettled_.begin();
    const DoneEvent& event = done_.emplace_back(first->second);
    settled_ = first->first;
    unsettled_.erase(first);
    last_instant_ = std::max(last_instant_, event.instant);
    chains_.add(event.subdomain, at(system().subdomains, event.subdomain).neighbours);
    if (most_events_ > 0 && events() + static_cast<std::int64_t>(done_.size()) == most_events_) return true;
  }
  for (SubdomainProcess& process : processes_) process.forget_before(horizon_);
  return false;
}

// With what is for good; what comes after that is undone.
void ConcurrentEnergyStepping::stop(State& state) {
  for (SubdomainProcess& process : processes_) process.keep_up_to(settled_);
  record_.undone_events += static_cast<std::int64_t>(unsettled_.size());
  end(state, -infinity);
}

// All ranks know again what a rank knows of its subdomains.
void ConcurrentEnergyStepping::end(State& state, double time) {
  for (SubdomainProcess& process : processes_) process.end(state);
  record_.events += static_cast<std::int64_t>(done_.size());
  note_events(static_cast<std::int64_t>(done_.size()), last_instant_, time);
  state.time = std::isfinite(time) ? time : std::max(state.time, latest_event());
  schedule().share();
  for (std::size_t j = 0; j < known_.size(); ++j) {
    const SubdomainState& own = states()[j];
    const auto number = static_cast<std::int32_t>(j);
    const double none_before =
        own.next.known ? infinity : std::max(own.origin + own.next.certain_until, own.search_start);
    schedule().set(number, schedule().time_of(number), none_before);
  }
  schedule().note_event(latest_event());
  std::array<std::int64_t, 1> searches = {work_.schedule.searches() - searches_here_};
  searches_here_ = work_.schedule.searches();
  system().communicator->sum(searches);
  searches_ += searches[0];
}

std::optional<ConcurrencyRecord> ConcurrentEnergyStepping::concurrency_record() const {
  ConcurrencyRecord record = record_;
  record.longest_chain = chains_.longest();
  return record;
}

}  // namespace terrace
