#include "dynamics/windows/rank_passage.hpp"

#include <algorithm>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"

namespace terrace {

RankPassage::RankPassage(WindowedSystem& system, OwnClusters& clusters)
    : system_(system),
      clocks_(system.clocks),
      state_(system.state),
      clusters_(clusters),
      questions_(system.ranks) {
  clocks_.tell_before_pushes([this](std::int32_t terrace) { keep_rows_of(terrace); });
}

void RankPassage::keep_rows_of(std::int32_t terrace) {
  system_.touching().visit_members(terrace, [&](std::int32_t body) {
    if (body < system_.bodies()) rows_.keep(state_, body, at(system_.lagrangian.subdomains, body).nodes);
  });
}

void RankPassage::begin(const Window& window) {
  speed_.go_on();
  done_.clear();
  rows_.begin(state_, window.begin, static_cast<std::size_t>(system_.bodies()));
  const std::int64_t lists = extremes_.lists;
  balance_at_begin_ = *clocks_.balance();
  team_events_at_begin_ = team_events_;
  clocks_.monitors().keep();
  clocks_.report(extremes_);
  extremes_.lists = lists;  // the lines of the clocks go on counting these themselves
}

void RankPassage::put_back_rows() {
  rows_.put_back(state_);
  clocks_.monitors().recall();
}

void RankPassage::go_back(const Window& window) {
  error_ = nullptr;
  done_.clear();
  ContactExtremes seen;
  clocks_.report(seen);
  extremes_.lists += seen.lists;
  clocks_.forget_passage();
  clusters_.leave_all();
  put_back_rows();
  clocks_.set_counts(clocks_.events(), balance_at_begin_);
  team_events_ = team_events_at_begin_;
  clusters_.take_over_again(window);
}

void RankPassage::report(ContactExtremes& extremes) const {
  include(extremes, extremes_);
  clocks_.report(extremes);
}

// Does all events until `outcome.reached`, or until a body leaves its tube.
void RankPassage::do_events(const Cluster& cluster, Patience& patience, Outcome& outcome) {
  while (clocks_.advance(state_, outcome.reached)) {
    if (lists_events_ && !cluster.is_counted_elsewhere()) done_.push_back(clocks_.last_event());
    if (system_.trace) note_event(cluster);
    tell_of_long_windows(clocks_.events(), patience);
    look_for_questions(outcome);
  }
  if (cluster.team != nullptr) clocks_.bring_up_to_date(state_);  // concludes the last event
  outcome.reached = std::min(outcome.reached, system_.tubes.exit());
}

// As do_events, or until an event fails. If one rank of a team fails alone, the others wait for it: that ends
// the run. A failure later than the time that a later cluster comes to does not count: the window is then
// gone through again to that time.
void RankPassage::go_on(const Cluster& cluster, Patience& patience, Outcome& outcome) {
  const double until = outcome.reached;
  const std::int64_t events = clocks_.events();
  const std::size_t done = done_.size();
  try {
    do_events(cluster, patience, outcome);
  } catch (const ClockedEnergyStepping::WentAheadInVain&) {
    outcome.went_ahead_in_vain = true;
    return;
  } catch (const BrokenContract&) {
    if (clusters_.is_in_team()) throw;
    error_ = std::current_exception();
    outcome.failed = outcome.is_broken = true;
    outcome.failed_at = {};
  } catch (const std::exception& error) {
    if (cluster.team != nullptr && clusters_.leaves_others_waiting(error)) throw;
    const double failed_at = std::min(until, state_.time);
    // An Error in an event comes again when the event is done again; what the machine refuses (memory, …) may
    // not.
    const bool is_of_event = dynamic_cast<const Error*>(&error) != nullptr && clocks_.failing_event();
    const ClockedEvent failing = is_of_event ? *clocks_.failing_event() : ClockedEvent{};
    if (!outcome.failed || failed_at < until || failing < outcome.failed_at) {
      error_ = std::current_exception();
      outcome.failed_at = failing;
    }
    outcome.failed = true;
    outcome.reached = failed_at;
  }
  if (cluster.is_counted_elsewhere()) return clocks_.monitors().recall();
  // The list ends as the count does: in a team, an event that failed may be on the list but not counted.
  outcome.events += clocks_.events() - events;
  if (lists_events_) done_.resize(done + static_cast<std::size_t>(clocks_.events() - events));
  if (cluster.team != nullptr) team_events_ += clocks_.events() - events;
}

RankPassage::Due RankPassage::due_of(const Window& window, std::int32_t number, const Cluster& cluster) {
  Due due{number, &cluster, clocks_.suspend(cluster.bodies), {}};
  for (const std::int32_t body : cluster.bodies) {
    due.foreseen.work += (window.end - window.begin) * at(window.work, body);
    due.foreseen.costs += taken_over(system_.common.outlook(), static_cast<std::size_t>(body)).whole_cost();
  }
  return due;
}

// Lists the clusters of the passage. The team's cluster comes first, so that all ranks of the team come to it
// at once. Then come those that other ranks may take, the lightest last.
void RankPassage::list_due(const Window& window) {
  due_.clear();
  begun_ = 0;
  for (const auto& [number, cluster] : clusters_.all()) due_.push_back(due_of(window, number, cluster));
  TERRACE_ASSERT(clocks_.is_idle(), due_.size());
  const auto is_teams = [](const Due& due) { return due.cluster->team != nullptr; };
  const auto others = std::stable_partition(due_.begin(), due_.end(), is_teams);
  if (may_be_asked())
    std::stable_sort(others, due_.end(),
                     [](const Due& a, const Due& b) { return a.foreseen.work > b.foreseen.work; });
}

void RankPassage::take_turn(const Window& window, std::size_t place, Patience& patience, Outcome& outcome) {
  const Cluster& cluster = *due_[place].cluster;
  const OwnClusters::Turn turn(clusters_, cluster);
  clocks_.go_on(due_[place].agenda, window.begin);
  state_.time = window.begin;
  const double start = MPI_Wtime();
  go_on(cluster, patience, outcome);
  if (outcome.went_ahead_in_vain || outcome.is_broken) return;
  // Seconds of a team's turn are partly spent waiting, and say nothing of this rank's speed.
  if (cluster.team == nullptr && !(outcome.reached < window.end))
    speed_.add(due_[place].foreseen.work, MPI_Wtime() - start);
  outcome.farthest = std::max(outcome.farthest, outcome.reached);
  due_[place].agenda = clocks_.suspend(cluster.bodies);
  if (system_.trace) system_.trace->note_work(cluster.bodies.front(), clocks_.element_evaluations());
}

// One cluster after the other, so that its data stay in the caches. Once a cluster has stopped early, the
// following ones need not go farther than that.
void RankPassage::do_own(const Window& window, Patience& patience, Outcome& outcome) {
  list_due(window);
  // What was done so far was for all clusters and is booked for none.
  if (system_.trace) system_.trace->start(clocks_.element_evaluations());
  while (begun_ < due_.size()) {
    look_for_questions(outcome);
    if (begun_ == due_.size()) break;  // the last one was asked for
    take_turn(window, begun_++, patience, outcome);
    if (outcome.went_ahead_in_vain) return;
    if (outcome.is_broken) begun_ = due_.size();
  }
}

RankPassage::Outcome RankPassage::go_to(const Window& window, double end, Operation kind) {
  Patience patience;
  Outcome outcome{.reached = end, .farthest = window.begin};
  {
    const WindowPhase phase(system_.trace.get(), kind);
    do_own(window, patience, outcome);
  }
  if (outcome.went_ahead_in_vain) return outcome;
  if (may_be_asked()) help(window, patience, outcome);
  for (const Due& due : due_) clocks_.go_on(due.agenda, outcome.reached);
  if (outcome.is_broken) {  // nothing of the window is to be known, as if nothing had been done in it
    outcome.reached = outcome.farthest = window.begin;
    outcome.events = 0;
    done_.clear();
  }
  state_.time = outcome.reached;
  return outcome;
}

RankPassage::Outcome RankPassage::go(const Window& window) {
  asked_about_ = &window;
  Outcome mine;
  try {
    clocks_.go_ahead(true);
    mine = go_to(window, window.end, Operation::working);
    if (mine.went_ahead_in_vain) go_again(window, window.end, mine);
  } catch (const LeavesOthersWaiting& alone) {
    try {
      std::rethrow_exception(alone.error);
    } catch (const Error& error) {  // all others hear of it by the end of the run
      throw Error(Error::Kind::run, error.where(), error.expected(), error.found());
    }
  }
  return mine;
}

void RankPassage::go_again(const Window& window, double end, Outcome& mine) {
  const Outcome before = mine;
  const std::exception_ptr error_before = error_;
  clocks_.go_ahead(false);
  try {
    const WindowPhase phase(system_.trace.get(), Operation::redoing);
    go_back(window);
  } catch (const std::exception& error) {
    if (clusters_.leaves_others_waiting(error)) throw;
    error_ = std::current_exception();
    mine = {.reached = window.begin, .farthest = window.begin, .failed = true, .is_broken = true};
    return;
  }
  mine = go_to(window, end, Operation::redoing);
  // The former failure at this end was not in an event: a look ahead failed. This time nobody looks beyond
  // the end, so that it does not come again; it counts all the same.
  const bool had_failed_there =
      before.failed && !before.is_broken && before.failed_at.tick < 0 && before.reached == end;
  if (mine.failed || !had_failed_there || mine.reached != end || !clocks_.does_all()) return;
  mine.failed = true;
  error_ = error_before;
}

}  // namespace terrace
