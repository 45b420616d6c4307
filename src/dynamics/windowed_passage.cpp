// Clocked energy-stepping in windows: the passage of this rank's clusters through one.
#include <algorithm>
#include <utility>

#include "dynamics/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/together.hpp"

namespace terrace {

void WindowedEnergyStepping::keep_rows() {
  rows_.clear();
  const std::int64_t lists = extremes_.lists;
  const std::vector<std::int32_t> own = own_bodies();
  std::size_t count = 0;
  for (const std::int32_t body : own) count += at(system_.subdomains, body).nodes.size();
  rows_.reserve(count);
  for (const std::int32_t body : own)
    for (const std::int32_t node : at(system_.subdomains, body).nodes)
      rows_.push_back({at(state_.lines, node), at(state_.momenta, node), node});
  ledger_ = state_.ledger;
  balance_at_begin_ = *inner_.balance();
  inner_.keep_monitors();
  inner_.report(extremes_);
  extremes_.lists = lists;  // which lines count as long as they are
}

void WindowedEnergyStepping::recall_rows(const Window& window) {
  for (const Row& row : rows_) {
    at(state_.lines, row.node) = row.line;
    at(state_.momenta, row.node) = row.momentum;
  }
  state_.ledger = ledger_;
  state_.time = window.begin;
}

void WindowedEnergyStepping::go_back(const Window& window) {
  error_ = nullptr;
  done_.clear();
  ContactExtremes seen;
  inner_.report(seen);
  extremes_.lists += seen.lists;
  inner_.forget_passage();
  inner_.release(own_bodies());
  recall_rows(window);
  inner_.set_counts(inner_.events(), balance_at_begin_);
  inner_.recall_monitors();
  for (const std::int32_t body : own_bodies())
    if (at(terrace_of_, body) == body) inner_.take_over(state_, terraces_.at(body));
  inner_.look_for_pairs(state_, own_bodies(), window.begin);
  enclose(window);
}

// All events that are due until `end`, or until a body leaves its tube.
void WindowedEnergyStepping::go_on(double end, Patience& patience, Outcome& outcome) {
  for (;;) {
    outcome.reached = std::min(end, tubes_.exit());
    if (!inner_.advance(state_, outcome.reached)) return;
    ++outcome.events;
    if (trace_) trace_->note_event(inner_.last_event().order, inner_.element_evaluations());
    if (most_events_ > 0) done_.push_back(inner_.last_event());
    tell_of_long_windows(outcome.events, patience);
  }
}

// One cluster after the other, whose data stay at hand meanwhile. False where a body leaves its tube before
// the end.
bool WindowedEnergyStepping::go_by_clusters(const Window& window, Outcome& outcome) {
  Patience patience;
  if (trace_) trace_->start(inner_.element_evaluations());
  std::vector<Agenda> agendas;
  for (const auto& [cluster, members] : clusters_) agendas.push_back(inner_.suspend(members));
  TERRACE_ASSERT(inner_.is_idle(), clusters_.size());
  auto agenda = agendas.begin();
  for (const auto& [cluster, members] : clusters_) {
    inner_.go_on(*agenda, window.begin);
    state_.time = window.begin;
    go_on(window.end, patience, outcome);
    if (outcome.reached < window.end) return false;
    if (trace_) trace_->note_work({cluster, cluster}, inner_.element_evaluations());
    *agenda++ = inner_.suspend(members);
  }
  for (const Agenda& of_cluster : agendas) inner_.go_on(of_cluster, window.end);
  return true;
}

// What happened first, a body that leaves its tube or an event that fails, is known where events are done in
// their order. False where that is still to be done.
bool WindowedEnergyStepping::go(const Window& window, Outcome& outcome) {
  if (clusters_.size() < 2) {
    outcome = go_in_order(window.end);
    return true;
  }
  try {
    return go_by_clusters(window, outcome);
  } catch (const BrokenContract&) {
    error_ = std::current_exception();  // nothing that the other way might do better
    outcome = {.reached = window.begin, .failed = true, .events = 0, .failed_at = {}};
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// All events of this rank until `end`, or until a body leaves its tube.
WindowedEnergyStepping::Outcome WindowedEnergyStepping::go_in_order(double end) {
  Patience patience;
  Outcome outcome;
  if (trace_) trace_->start(inner_.element_evaluations());
  try {
    go_on(end, patience, outcome);
  } catch (const std::exception&) {
    error_ = std::current_exception();
    outcome.failed = true;
    outcome.reached = std::min(outcome.reached, state_.time);
    outcome.failed_at = inner_.last_event().order;
  }
  return outcome;
}

void WindowedEnergyStepping::go_again(const Window& window, double end, Outcome& mine) {
  const WindowPhase phase(trace_.get(), Operation::redoing);
  try {
    go_back(window);
  } catch (const std::exception&) {
    error_ = std::current_exception();
    mine = {.reached = window.begin, .failed = true, .events = 0, .failed_at = {}};
    return;
  }
  mine = go_in_order(end);
}

// Until all ranks have come to the same time with the same right: no body has left its tube before, and no
// event comes after the last one that was asked for. Only then is an error one.
WindowedEnergyStepping::Passage WindowedEnergyStepping::pass(const Window& window, State& state) {
  Passage passage{.end = window.end, .events = 0, .last = {}};
  Outcome mine;
  bool is_through = false;
  {
    const WindowPhase phase(trace_.get(), Operation::working);
    is_through = go(window, mine);
  }
  if (!is_through) go_again(window, window.end, mine);
  std::vector<Outcome> all;
  for (;;) {
    all = outcomes(mine);
    passage.events = 0;
    double reached = mine.reached;
    for (const Outcome& outcome : all) {
      passage.events += outcome.events;
      reached = std::min(reached, outcome.reached);
    }
    if (reached < passage.end) {
      passage.end = reached;
      if (mine.reached > reached) go_again(window, passage.end, mine);
      continue;
    }
    if (most_events_ == 0 || events_ + passage.events < most_events_ || passage.last) break;
    passage.last = last_of_all(most_events_ - events_);
    inner_.do_none_after(passage.last);
    go_again(window, passage.end, mine);
  }
  inner_.do_none_after({});
  if (std::any_of(all.begin(), all.end(), [](const Outcome& outcome) { return outcome.failed; }))
    fail(window, passage, mine, all, state);
  tell(news(window, mine), passage.end);
  return passage;
}

// With the state at the failure, as one rank would leave it, or, where nothing can be told of it, at the
// begin of the window; of simultaneous failures that of the first event.
void WindowedEnergyStepping::fail(const Window& window, const Passage& passage, const Outcome& mine,
                                  std::span<const Outcome> all, State& state) {
  int first = -1;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    const Outcome& outcome = at(all, rank);
    if (outcome.failed && (first < 0 || outcome.failed_at < at(all, first).failed_at)) first = rank;
  }
  std::vector<std::byte> bytes;
  double broken = 0;
  try {
    bytes = news(window, mine);
  } catch (const std::exception&) {
    broken = 1;  // an event in the middle of which nothing can be told
  }
  communicator_.maximum({&broken, 1});
  if (broken == 0) {
    tell(bytes, passage.end);
    events_ += passage.events;
    state_.time = passage.end;
  } else {
    recall_rows(window);
  }
  bring_up_to_date(state);
  together(communicator_.handle(), [&] {
    if (communicator_.rank() == first) std::rethrow_exception(error_);
  });
}

}  // namespace terrace
