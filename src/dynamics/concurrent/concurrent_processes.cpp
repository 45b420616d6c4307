// ConcurrentEnergyStepping: which processes there are, where they begin and end, and what happens when bodies
// leave their boxes.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dynamics/concurrent/concurrent_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {

// The subdomain of a body's elements, which comes before those of walls.
std::int32_t ConcurrentEnergyStepping::subdomain_of_body(std::int32_t body) {
  return graph().near_pairs().loading_subdomains(body).front();
}

// The body that a subdomain is; −1 for pairs, for walls, and if there is no contact.
std::int32_t ConcurrentEnergyStepping::body_of_subdomain(std::int32_t number) {
  const NearPairs& pairs = graph().near_pairs();
  if (!pairs.any() || is_pair(number)) return -1;
  const std::span<const std::int32_t> bodies = pairs.loaded_bodies(number);
  TERRACE_VERIFY(bodies.size() == 1, number, bodies.size());
  return subdomain_of_body(bodies.front()) == number ? bodies.front() : -1;
}

void ConcurrentEnergyStepping::make_room() {
  const std::size_t count = system().subdomains.size();
  chains_.make_room(count);
  neighbours_.resize(count);
  has_to_do_with_contact_.resize(count, 0);
  last_own_event_.resize(count, -infinity);
}

// Makes the process of a subdomain if this rank has its potentials.
void ConcurrentEnergyStepping::make_process(std::int32_t number) {
  TERRACE_VERIFY(system().communicator->size() == 1 || at(system().subdomains, number).only_rank >= 0,
                 number);
  if (at(work_.system.subdomains, number).only_rank != 0) return;
  ProcessPlace place{{}, body_of_subdomain(number)};
  if (is_pair(number)) place.shared = at(system().subdomains, number).nodes;  // its bodies load them all
  processes_.try_emplace(number, work_, graph().near_pairs(), number, std::move(place));
}

void ConcurrentEnergyStepping::end_process(std::int32_t number) {
  at(neighbours_, number).clear();
  at(has_to_do_with_contact_, number) = 0;
  const auto process = processes_.find(number);
  if (process == processes_.end()) return;
  include(seen_, process->second.seen());
  processes_.erase(process);
}

// Nodes of a subdomain that its neighbours load too, ascending.
std::vector<std::int32_t> ConcurrentEnergyStepping::shared_nodes(std::int32_t number) {
  const auto mark = [&](std::uint8_t loaded) {
    for (const std::int32_t j : at(neighbours_, number))
      for (const std::int32_t node : at(system().subdomains, j).nodes) at(is_loaded_, node) = loaded;
  };
  mark(1);
  std::vector<std::int32_t> shared;
  for (const std::int32_t node : at(system().subdomains, number).nodes)
    if (at(is_loaded_, node) != 0) shared.push_back(node);
  mark(0);
  return shared;
}

// Finds the neighbours of a subdomain that is awake. An event of a pair moves surface nodes of both its
// bodies, so that all pairs of these are its neighbours.
void ConcurrentEnergyStepping::find_neighbours(std::int32_t number) {
  const auto is_contact = [&](std::int32_t j) { return at(system().subdomains, j).contact; };
  std::vector<std::int32_t>& neighbours = at(neighbours_, number);
  neighbours = graph().neighbours_of(number, work_.all_nodes);
  const bool has_to_do_with_it = is_contact(number) || std::ranges::any_of(neighbours, is_contact);
  at(has_to_do_with_contact_, number) = has_to_do_with_it ? 1 : 0;
  if (is_pair(number)) return;
  if (const auto process = processes_.find(number); process != processes_.end())
    process->second.share(shared_nodes(number));
}

// Makes the processes of this rank, and neighbours, anew for all subdomains that are awake.
void ConcurrentEnergyStepping::take_subdomains() {
  for (const auto& [number, process] : processes_) include(seen_, process.seen());
  processes_.clear();
  work_.take_subdomains(system());
  neighbours_.clear();
  has_to_do_with_contact_.clear();
  make_room();
  std::vector<std::int32_t> awake;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(system().subdomains.size()); ++j)
    if (graph().has_terrace(j)) awake.push_back(j);
  for (const std::int32_t j : awake) make_process(j);
  for (const std::int32_t j : awake) find_neighbours(j);
  is_stale_ = false;
}

// The bound of a subdomain when a process begins, from what all ranks know.
ProcessBound ConcurrentEnergyStepping::bound_at_begin(std::int32_t number) {
  const bool is_awake = graph().has_terrace(number);
  const double event = is_awake ? schedule().known_event(number) : infinity,
               none_before = is_awake ? schedule().none_before(number) : infinity;
  const std::array<std::int32_t, 2> order = at(system().subdomains, number).order;
  ProcessBound bound{number, EventPlace{}.followed_by({std::min(event, none_before), order}), event};
  if (const std::int32_t body = body_of_subdomain(number); body >= 0)
    bound.exit = graph().near_pairs().exit(body);
  return bound;
}

void ConcurrentEnergyStepping::begin_rounds() {
  unsettled_.clear();
  news_ = {};
  horizon_ = settled_ = {};
}

void ConcurrentEnergyStepping::begin(const State& state) {
  if (is_stale_) take_subdomains();
  begin_rounds();
  last_instant_ = -infinity;
  known_.clear();
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(system().subdomains.size()); ++j)
    known_.push_back(bound_at_begin(j));
  for (auto& [number, process] : processes_)
    process.begin(state, schedule().known_event(number), schedule().none_before(number));
}

// Takes all processes back to what is for good. Returns those of this rank that had moved since they began.
std::vector<std::int32_t> ConcurrentEnergyStepping::undo_unsettled() {
  std::vector<std::int32_t> moved;
  for (auto& [number, process] : processes_) {
    if (!process.has_moved()) continue;
    process.keep_up_to(settled_);
    moved.push_back(number);
  }
  record_.undone_events += static_cast<std::int64_t>(unsettled_.size());
  return moved;
}

// The processes of this rank that have moved since they began.
std::vector<std::int32_t> ConcurrentEnergyStepping::those_that_moved() const {
  std::vector<std::int32_t> moved;
  for (const auto& [number, process] : processes_)
    if (process.has_moved()) moved.push_back(number);
  return moved;
}

// The processes `mine` of this rank write their nodes to `state`. With contact, all ranks then learn their
// states, the surface nodes of their bodies, and when these may leave their boxes, as every rank holds the
// surfaces of all bodies. Returns the processes that all ranks told of. Collective.
std::vector<std::int32_t> ConcurrentEnergyStepping::tell(State& state, std::vector<std::int32_t> mine) {
  for (const std::int32_t number : mine) processes_.at(number).end(state);
  NearPairs& pairs = graph().near_pairs();
  if (!pairs.any() || system().communicator->size() == 1) return mine;
  const auto surface_of = [&](std::int32_t body) {
    return body < 0 ? std::span<const std::int32_t>{} : system().contact_pairs->surface_nodes(body);
  };
  ByteWriter writer;
  for (const std::int32_t number : mine) {
    const std::int32_t body = body_of_subdomain(number);
    const double exit = body < 0 ? infinity : pairs.exit(body);
    writer(number, at(states(), number), exit);
    for (const std::int32_t node : surface_of(body)) {
      const NodeRow row = state.row(static_cast<std::size_t>(node));
      writer(row.line, row.momentum);
    }
  }
  const std::vector<std::byte> all = system().communicator->bytes_of_all(writer.take());
  ByteReader reader(all);
  std::vector<std::int32_t> told;
  while (!reader.at_end()) {
    double exit = 0;
    reader(told.emplace_back());
    reader(at(own_states(), told.back()), exit);
    const std::int32_t body = body_of_subdomain(told.back());
    if (body >= 0) pairs.set_exit(body, exit);
    for (const std::int32_t node : surface_of(body)) {
      NodeRow row;
      reader(row.line, row.momentum);
      state.set_row(static_cast<std::size_t>(node), row);
    }
  }
  return told;
}

// Sets what the schedule knows of a subdomain's next event, from its state.
void ConcurrentEnergyStepping::schedule_again(std::int32_t number) {
  const SubdomainState& own = at(states(), number);
  const double none_before =
      own.next.known ? infinity : std::max(own.origin + own.next.certain_until, own.search_start);
  schedule().set(number, schedule().time_of(number), none_before);
}

void ConcurrentEnergyStepping::count_events(State& state, double time) {
  record_.events += uncounted();
  note_events(uncounted(), last_instant_, time);
  counted_ = static_cast<std::int64_t>(done_.size());
  state.time = std::isfinite(time) ? time : std::max(state.time, latest_event());
}

// The body that leaves its box first gets a new one, and its pairs wake up or fall asleep. Begins anew with
// these, and with processes that have moved since they began. All others go on as they are: exits are many,
// and each matters to few.
void ConcurrentEnergyStepping::pass_exit(State& state) {
  std::vector<std::int32_t> begin_anew = tell(state, undo_unsettled());
  const std::int32_t first = subdomain_of_body(graph().near_pairs().next_to_exit());
  if (std::ranges::find(begin_anew, first) == begin_anew.end()) {
    tell(state, std::vector<std::int32_t>(processes_.contains(first) ? 1 : 0, first));
    begin_anew.push_back(first);
  }
  count_events(state, -infinity);
  for (const std::int32_t j : begin_anew) schedule_again(j);
  is_stale_ = true;  // in case renew_box or take_changes throws
  const NearPairs::Changes changes = renew_box(state);
  take_changes(changes);
  is_stale_ = false;
  begin_rounds();
  begin_anew.insert(begin_anew.end(), changes.asleep.begin(), changes.asleep.end());
  begin_anew.insert(begin_anew.end(), changes.awake.begin(), changes.awake.end());
  for (const std::int32_t j : begin_anew) {
    at(known_, j) = bound_at_begin(j);
    if (const auto process = processes_.find(j); process != processes_.end())
      process->second.begin(state, schedule().known_event(j), schedule().none_before(j));
  }
}

void ConcurrentEnergyStepping::take_changes(const NearPairs::Changes& changes) {
  const NearPairs& pairs = graph().near_pairs();
  std::vector<std::int32_t> affected;
  const auto add_neighbours = [&](std::int32_t body) {
    for (const auto& others : {pairs.loading_subdomains(body), pairs.awake_pairs(body)})
      affected.insert(affected.end(), others.begin(), others.end());
  };
  make_room();
  known_.resize(system().subdomains.size());
  for (const auto* list : {&changes.asleep, &changes.awake})
    for (const std::int32_t pair : *list) {
      work_.take_subdomain(system(), pair);
      add_neighbours(pairs.bodies_of(pair)->first);
      add_neighbours(pairs.bodies_of(pair)->second);
    }
  for (const std::int32_t pair : changes.asleep) end_process(pair);
  for (const std::int32_t pair : changes.awake) make_process(pair);
  sort_each_once(affected);
  for (const std::int32_t j : affected) find_neighbours(j);
}

void ConcurrentEnergyStepping::stop(State& state) {
  undo_unsettled();
  end(state, -infinity);
}

// Ends an advance at `time`: State, levels and schedule are then the same on all ranks, as after
// EnergyStepping.
void ConcurrentEnergyStepping::end(State& state, double time) {
  tell(state, those_that_moved());
  count_events(state, time);
  schedule().share();
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(known_.size()); ++j)
    if (graph().has_terrace(j)) schedule_again(j);
  schedule().note_event(latest_event());
  std::array<std::int64_t, 1> searches = {work_.schedule.searches() - searches_here_};
  searches_here_ = work_.schedule.searches();
  system().communicator->sum(searches);
  searches_ += searches[0];
}

}  // namespace terrace
