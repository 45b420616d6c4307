// Clocked energy-stepping in windows: the passage of this rank's clusters through one.
#include <algorithm>
#include <utility>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "dynamics/windows/windowed_turn.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

void WindowedEnergyStepping::keep_rows_of(std::int32_t terrace) {
  inner_.graph().touching().visit_members(terrace, [&](std::int32_t body) {
    if (body < bodies()) rows_.keep(state_, body, at(system_.subdomains, body).nodes);
  });
}

void WindowedEnergyStepping::begin_passage(const Window& window) {
  speed_.go_on();
  rows_.begin(state_, window.begin, holder_.size());
  const std::int64_t lists = extremes_.lists;
  balance_at_begin_ = *inner_.balance();
  team_events_at_begin_ = team_events_;
  inner_.keep_monitors();
  inner_.report(extremes_);
  extremes_.lists = lists;  // which lines count as long as they are
}

void WindowedEnergyStepping::go_back(const Window& window) {
  error_ = nullptr;
  done_.clear();
  ContactExtremes seen;
  inner_.report(seen);
  extremes_.lists += seen.lists;
  inner_.forget_passage();
  inner_.release(active_bodies());
  rows_.put_back(state_);
  inner_.set_counts(inner_.events(), balance_at_begin_);
  team_events_ = team_events_at_begin_;
  inner_.recall_monitors();
  std::fill(active_.begin(), active_.end(), std::uint8_t{0});
  for (const auto& [number, cluster] : clusters_) {
    const Turn turn(*this, cluster);
    if (cluster.team != nullptr) share_out(cluster);
    take_over(cluster, window.begin);
  }
  enclose(window);
}

// All events that are due until `outcome.reached`, or until a body leaves its tube.
void WindowedEnergyStepping::do_events(const Cluster& cluster, Patience& patience, Outcome& outcome) {
  while (inner_.advance(state_, outcome.reached)) {
    if (most_events_ > 0 && !cluster.is_counted_elsewhere()) done_.push_back(inner_.last_event());
    if (trace_) note_event(cluster);
    tell_of_long_windows(inner_.events(), patience);
    look_for_questions(outcome);
  }
  if (cluster.team != nullptr) inner_.bring_up_to_date(state_);  // where there is a last event to do
  outcome.reached = std::min(outcome.reached, tubes_.exit());
}

// The same, or until one fails. Where a rank of a team fails alone the others wait for it: that ends the run.
void WindowedEnergyStepping::go_on(const Cluster& cluster, Patience& patience, Outcome& outcome) {
  const double until = outcome.reached;
  const std::int64_t events = inner_.events();
  const std::size_t done = done_.size();
  try {
    do_events(cluster, patience, outcome);
    outcome.failed = outcome.failed && outcome.reached >= until;
  } catch (const ClockedEnergyStepping::WentAheadInVain&) {
    outcome.went_ahead_in_vain = true;
    return;
  } catch (const BrokenContract&) {
    if (is_in_team()) throw;
    error_ = std::current_exception();
    outcome.failed = outcome.is_broken = true;
  } catch (const std::exception& error) {
    if (cluster.team != nullptr && leaves_others_waiting(error)) throw;
    const double failed_at = std::min(until, state_.time);
    if (!outcome.failed || failed_at < until || inner_.last_event().order < outcome.failed_at) {
      error_ = std::current_exception();
      outcome.failed_at = inner_.last_event().order;
    }
    outcome.failed = true;
    outcome.reached = failed_at;
  }
  if (cluster.is_counted_elsewhere()) return inner_.recall_monitors();
  // Of a team's, one that fails may have been counted as the last.
  outcome.events += inner_.events() - events;
  if (most_events_ > 0) done_.resize(done + static_cast<std::size_t>(inner_.events() - events));
  if (cluster.team != nullptr) team_events_ += inner_.events() - events;
}

// The ranks of a team do everything together, and do not know of an error that one of them meets alone.
bool WindowedEnergyStepping::leaves_others_waiting(const std::exception& error) const {
  return is_in_team() && !is_known_to_all(error);
}

bool WindowedEnergyStepping::is_known_to_all(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  return known != nullptr && known->on_all_ranks();
}

// The same, but of a plan, while clusters are still those of before; of a plan that this rank could not make
// it does not know.
bool WindowedEnergyStepping::may_be_waited_for(const Window& window) const {
  if (window.rank_of.empty()) return planner_.may_make_teams();
  const std::vector<std::uint8_t> is_mine = own_clusters(window);
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(is_mine, at(window.cluster_of, body)) != 0 && at(window.rank_of, body) != communicator_.rank())
      return true;
  return false;
}

bool WindowedEnergyStepping::is_in_team() const {
  return std::ranges::any_of(clusters_, [](const auto& entry) { return entry.second.team != nullptr; });
}

WindowedEnergyStepping::Due WindowedEnergyStepping::due_of(const Window& window, std::int32_t number,
                                                           const Cluster& cluster) {
  Due due{number, &cluster, inner_.suspend(cluster.bodies), {}};
  for (const std::int32_t body : cluster.bodies) {
    due.foreseen.work += (window.end - window.begin) * at(window.work, body);
    due.foreseen.costs += taken_over(outlook_, static_cast<std::size_t>(body)).whole_cost();
  }
  return due;
}

// A team's first, so that all of its ranks come as far with it; those that others may take, the lightest
// last.
void WindowedEnergyStepping::list_due(const Window& window) {
  due_.clear();
  begun_ = 0;
  for (const auto& [number, cluster] : clusters_) due_.push_back(due_of(window, number, cluster));
  TERRACE_ASSERT(inner_.is_idle(), clusters_.size());
  const auto is_teams = [](const Due& due) { return due.cluster->team != nullptr; };
  const auto others = std::stable_partition(due_.begin(), due_.end(), is_teams);
  if (may_be_asked())
    std::stable_sort(others, due_.end(),
                     [](const Due& a, const Due& b) { return a.foreseen.work > b.foreseen.work; });
}

void WindowedEnergyStepping::take_turn(const Window& window, std::size_t place, Patience& patience,
                                       Outcome& outcome) {
  const Cluster& cluster = *due_[place].cluster;
  const Turn turn(*this, cluster);
  inner_.go_on(due_[place].agenda, window.begin);
  state_.time = window.begin;
  const double start = MPI_Wtime();
  go_on(cluster, patience, outcome);
  if (outcome.went_ahead_in_vain || outcome.is_broken) return;
  // Of a team some of it is waiting.
  if (cluster.team == nullptr && !(outcome.reached < window.end))
    speed_.add(due_[place].foreseen.work, MPI_Wtime() - start);
  outcome.farthest = std::max(outcome.farthest, outcome.reached);
  due_[place].agenda = inner_.suspend(cluster.bodies);
  if (trace_) trace_->note_work(cluster.bodies.front(), inner_.element_evaluations());
}

// One cluster after the other, whose data stay at hand meanwhile. The others need not go on where one has
// come to an end before.
WindowedEnergyStepping::Outcome WindowedEnergyStepping::go(const Window& window, double end) {
  Patience patience;
  Outcome outcome{.reached = end, .farthest = window.begin};
  list_due(window);
  if (trace_) trace_->start(inner_.element_evaluations());  // what is done for all clusters is none's
  while (begun_ < due_.size()) {
    look_for_questions(outcome);
    if (begun_ == due_.size()) break;  // the last one was asked for
    take_turn(window, begun_++, patience, outcome);
    if (outcome.went_ahead_in_vain) return outcome;
    if (outcome.is_broken) begun_ = due_.size();
  }
  if (may_be_asked()) help(window, patience, outcome);
  for (const Due& due : due_) inner_.go_on(due.agenda, outcome.reached);
  if (outcome.is_broken) {  // nothing of the window is to be known, as if nothing had been done in it
    outcome.reached = outcome.farthest = window.begin;
    outcome.events = 0;
    done_.clear();
  }
  state_.time = outcome.reached;
  return outcome;
}

void WindowedEnergyStepping::go_again(const Window& window, double end, Outcome& mine) {
  const WindowPhase phase(trace_.get(), Operation::redoing);
  inner_.go_ahead(false);
  try {
    go_back(window);
  } catch (const std::exception& error) {
    if (leaves_others_waiting(error)) throw;
    error_ = std::current_exception();
    mine = {.reached = window.begin, .farthest = window.begin, .failed = true, .is_broken = true};
    return;
  }
  mine = go(window, end);
}

// Whether this rank has to go back to come to `end`: one of a team does what all of it do.
bool WindowedEnergyStepping::is_beyond(double end, std::span<const Outcome> all) const {
  std::vector<int> ranks = {communicator_.rank()};
  for (const auto& [number, cluster] : clusters_)
    if (cluster.team != nullptr) ranks = cluster.members;
  return std::ranges::any_of(ranks, [&](int rank) { return at(all, rank).farthest > end; });
}

// What one rank alone does not survive all others hear of by the end of the run.
WindowedEnergyStepping::Passage WindowedEnergyStepping::pass(const Window& window, State& state) {
  struct NobodyAsks {
    ~NobodyAsks() { about = nullptr; }
    const Window*& about;
  } const at_the_end{asked_about_};
  asked_about_ = &window;
  try {
    return pass_until_all_agree(window, state);
  } catch (const LeavesOthersWaiting& alone) {
    try {
      std::rethrow_exception(alone.error);
    } catch (const Error& error) {
      throw Error(Error::Kind::run, error.where(), error.expected(), error.found());
    }
  }
}

// Until all ranks have come to the same time with the same right: no body has left its tube before, and no
// event comes after the last one that was asked for. Only then is an error one.
WindowedEnergyStepping::Passage WindowedEnergyStepping::pass_until_all_agree(const Window& window,
                                                                             State& state) {
  Passage passage{.end = window.end, .events = 0, .last = {}};
  Outcome mine;
  {
    const WindowPhase phase(trace_.get(), Operation::working);
    inner_.go_ahead(true);
    mine = go(window, window.end);
  }
  if (mine.went_ahead_in_vain) go_again(window, window.end, mine);
  std::vector<Outcome> all;
  for (;;) {
    all = outcomes(mine);
    asked_about_ = nullptr;  // nobody asks any more
    passage.events = 0;
    for (const Outcome& outcome : all) {
      passage.events += outcome.events;
      passage.end = std::min(passage.end, outcome.reached);
    }
    if (std::ranges::any_of(all, [&](const Outcome& outcome) { return outcome.farthest > passage.end; })) {
      passage.last.reset();  // if there was one, events before it may be missing now
      inner_.do_none_after({});
      if (is_beyond(passage.end, all)) go_again(window, passage.end, mine);
      continue;
    }
    if (most_events_ == 0 || events_ + passage.events < most_events_ || passage.last) break;
    passage.last = last_of_all(most_events_ - events_);
    inner_.do_none_after(passage.last);
    go_again(window, passage.end, mine);
  }
  inner_.do_none_after({});
  if (std::ranges::any_of(all, &Outcome::failed)) fail(window, passage, mine, all, state);
  tell(window, news(window, mine), passage.end);
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
  double broken = mine.is_broken ? 1 : 0;  // in the middle of an event, of which nothing can be told
  try {
    if (!mine.is_broken) bytes = news(window, mine);
  } catch (const std::exception&) {
    broken = 1;
  }
  communicator_.maximum({&broken, 1});
  if (broken == 0) {
    tell(window, bytes, passage.end);
    events_ += passage.events;
    state_.time = passage.end;
  } else {
    rows_.put_back(state_);
    inner_.recall_monitors();
  }
  bring_up_to_date(state);
  together(communicator_.handle(), [&] {
    if (communicator_.rank() == first) std::rethrow_exception(error_);
  });
}

}  // namespace terrace
