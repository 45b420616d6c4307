#include "dynamics/windowed_energy_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"

namespace terrace {
namespace {

const ContactPairs& pairs_of(const Lagrangian& system) {
  if (system.contact_pairs == nullptr || !system.touching_bodies_share)
    throw Error(Error::Kind::input, "layout.kind = \"windows\"",
                "contact of bodies, and localization.kind = \"bodies\" with contact = \"touching\"",
                "another localization", Error::Reach::all_ranks);
  return *system.contact_pairs;
}

std::vector<std::vector<std::int32_t>> surfaces_of(const ContactPairs& pairs) {
  std::vector<std::vector<std::int32_t>> surfaces;
  for (std::int32_t body = 0; body < pairs.bodies(); ++body) {
    const std::span<const std::int32_t> nodes = pairs.surface_nodes(body);
    surfaces.emplace_back(nodes.begin(), nodes.end());
  }
  return surfaces;
}

}  // namespace

WindowedEnergyStepping::WindowedEnergyStepping(Lagrangian& share, const State& state, Lagrangian& whole,
                                               State& whole_state, const ClockSettings& settings)
    : share_(share),
      shown_(share),
      shown_pairs_(shown_, share.contact_pairs.get()),
      system_(whole),
      state_(whole_state),
      communicator_(*share.communicator),
      inner_(whole, whole_state, settings),
      tubes_(surfaces_of(pairs_of(whole))),
      planner_(whole, pairs_of(whole), communicator_.size()) {
  if (!inner_.can_divide())
    throw Error(Error::Kind::input, "layout.kind = \"windows\"", "one subdomain for each body",
                "another localization", Error::Reach::all_ranks);
  inner_.graph().near_pairs().watch(&tubes_);
  ByteWriter writer;
  inner_.graph().save(writer);
  first_graph_ = writer.take();
  const auto count = static_cast<std::size_t>(pairs_of(whole).bodies());
  active_.assign(count, 1);
  deviation_.assign(count, 0);
  pace_.assign(count, 0);
  terrace_of_.assign(count, -1);
  for (std::size_t body = 0; body < count; ++body) {
    holder_.push_back(static_cast<int>(body * static_cast<std::size_t>(communicator_.size()) / count));
    work_.push_back(whole.subdomains[body].elements);
  }
  balance_ = *inner_.balance();
  learn_terraces();
  shown_pairs_.restart(state.lines, state.time);
  shown_pairs_.release_sleepers();
}

WindowedEnergyStepping::~WindowedEnergyStepping() { inner_.graph().near_pairs().watch(nullptr); }

std::vector<std::int32_t> WindowedEnergyStepping::own_bodies() const {
  std::vector<std::int32_t> own;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(active_, body) != 0) own.push_back(body);
  return own;
}

// When this rank holds all bodies.
void WindowedEnergyStepping::learn_terraces() {
  terraces_.clear();
  std::fill(terrace_of_.begin(), terrace_of_.end(), -1);
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(terrace_of_, body) < 0) learn(inner_.terrace_of(body));
}

// Bodies that came together or parted leave no former terrace behind.
void WindowedEnergyStepping::learn(ClockedTerrace terrace) {
  const std::int32_t first = terrace.bodies.front();
  for (const std::int32_t body : terrace.bodies) {
    const auto former = terraces_.find(at(terrace_of_, body));
    if (former != terraces_.end() && std::ranges::binary_search(former->second.bodies, body))
      terraces_.erase(former);
    at(terrace_of_, body) = first;
    at(pace_, body) = pace(body, terrace.clock);
  }
  terraces_[first] = std::move(terrace);
}

double WindowedEnergyStepping::pace(std::int32_t body, const Clock& clock) const {
  constexpr double of_what_rests = 0.01;  // a look now and then
  if (!clock.running) return of_what_rests / at(system_.subdomains, body).stable_step;
  // One that begins with short steps has its own soon.
  const std::int64_t step = clock.young ? clock.longest : clock.step;
  return 1 / (static_cast<double>(step) * inner_.tick());
}

WindowOutlook WindowedEnergyStepping::outlook() const {
  WindowOutlook outlook{.work = {},
                        .touched = {},
                        .deviation = deviation_,
                        .group = terrace_of_,
                        .rank = trace_ ? trace_->holders() : holder_};
  for (std::int32_t body = 0; body < bodies(); ++body) {
    outlook.work.push_back(at(work_, body) * at(pace_, body));
    outlook.touched.push_back(at(work_, body) * inner_.events_per_time(body));
  }
  return outlook;
}

// What this rank has had before it goes on with; what others had comes from what they told.
void WindowedEnergyStepping::begin(const Window& window) {
  std::vector<std::int32_t> leaving, changed, clusters(holder_.size(), -1);
  std::map<std::int32_t, std::vector<std::int32_t>> own;
  for (std::int32_t body = 0; body < bodies(); ++body) {
    if (at(window.rank_of, body) == communicator_.rank()) {
      at(clusters, body) = at(window.cluster_of, body);
      own[at(window.cluster_of, body)].push_back(body);
    } else if (at(active_, body) != 0) {
      leaving.push_back(body);
    }
    record_.moved_bodies += at(window.rank_of, body) != at(holder_, body) ? 1 : 0;
  }
  inner_.release(leaving);
  for (const std::int32_t body : leaving) at(active_, body) = 0;
  inner_.graph().near_pairs().divide(clusters);
  for (const auto& [cluster, members] : own) {
    const auto before = clusters_.find(cluster);
    if (before == clusters_.end() || before->second != members)
      changed.insert(changed.end(), members.begin(), members.end());
    for (const std::int32_t body : members) {
      if (at(active_, body) == 0 && at(terrace_of_, body) == body)
        inner_.take_over(state_, terraces_.at(body));
    }
    for (const std::int32_t body : members) at(active_, body) = 1;
  }
  clusters_ = std::move(own);
  holder_ = window.rank_of;
  inner_.look_for_pairs(state_, changed, window.begin);
}

void WindowedEnergyStepping::enclose(const Window& window) {
  tubes_.begin(window.begin);
  for (const auto& [cluster, members] : clusters_)
    for (const std::int32_t body : members) {
      const Window::Flight& flight = at(window.flights, body);
      tubes_.enclose(body, flight.velocity, flight.radius, state_.lines);
    }
}

void WindowedEnergyStepping::keep_rows() {
  rows_.clear();
  const std::int64_t lists = extremes_.lists;
  for (const std::int32_t body : own_bodies())
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

// All events of this rank until `end`, or until a body leaves its tube.
WindowedEnergyStepping::Outcome WindowedEnergyStepping::go(double end) {
  const double begin = MPI_Wtime();
  double patience = long_;
  Outcome outcome;
  if (trace_) trace_->start(inner_.element_evaluations());
  try {
    for (;;) {
      outcome.reached = std::min(end, tubes_.exit());
      if (!inner_.advance(state_, outcome.reached)) break;
      ++outcome.events;
      if (trace_) trace_->note_event(inner_.last_event().order, inner_.element_evaluations());
      if (most_events_ > 0) done_.push_back(inner_.last_event());
      tell_of_long_windows(begin, outcome.events, patience);
    }
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
  mine = go(end);
}

// Until all ranks have come to the same time with the same right: no body has left its tube before, and no
// event comes after the last one that was asked for. Only then is an error one.
WindowedEnergyStepping::Passage WindowedEnergyStepping::pass(const Window& window, State& state) {
  Passage passage{.end = window.end, .events = 0, .last = {}};
  Outcome mine;
  {
    const WindowPhase phase(trace_.get(), Operation::working);
    mine = go(passage.end);
  }
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

// Every rank looks at its part of the bodies. One that fails tells it with what it found.
std::vector<WindowPlanner::Meeting> WindowedEnergyStepping::meetings(double until) {
  std::vector<WindowPlanner::Meeting> mine;
  std::exception_ptr failure;
  try {
    {
      const WindowPhase phase(trace_.get(), Operation::planning);
      outlook_ = outlook();
      planner_.look(state_.lines, state_.time, until, outlook_);
    }
    const WindowPhase phase(trace_.get(), Operation::planning, WindowPhase::divided);
    mine = planner_.meetings(communicator_.rank(), communicator_.size());
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  return meetings_of_all(mine, failure);
}

// The next window, with all that this rank has of it.
Window WindowedEnergyStepping::open(double until) {
  const std::vector<WindowPlanner::Meeting> found = meetings(until);
  Window window;
  std::exception_ptr failure;
  try {
    {
      const WindowPhase phase(trace_.get(), Operation::planning);
      window = planner_.choose(found);
      if (trace_) trace_->open(window);
    }
    {
      const WindowPhase phase(trace_.get(), Operation::beginning);
      begin(window);
    }
    {
      const WindowPhase phase(trace_.get(), Operation::planning, WindowPhase::divided);
      planner_.widen(window, own_bodies());
    }
    const WindowPhase phase(trace_.get(), Operation::beginning);
    enclose(window);
    keep_rows();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  const WindowPhase phase(trace_.get(), Operation::exchange);
  communicator_.count_exchange();
  together(communicator_.handle(), [&] {
    if (failure) std::rethrow_exception(failure);
  });
  return window;
}

bool WindowedEnergyStepping::advance(State& state, double until) {
  Window window;
  try {
    window = open(until);
  } catch (const std::exception&) {
    give(state);  // what others are shown is all of one time
    throw;
  }
  done_.clear();
  const Passage passage = pass(window, state);
  events_ += passage.events;
  note(window, passage);
  state_.time = passage.last ? inner_.time_of(*passage.last) : passage.end;
  state.time = state_.time;
  if (passage.last || passage.end < until) return true;
  give(state);
  return false;
}

}  // namespace terrace
