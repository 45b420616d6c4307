#include "dynamics/windowed_energy_stepping.hpp"

#include <fmt/core.h>

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
      inner_(whole, whole_state, settings, ClockedEnergyStepping::InParts{}),
      tubes_(surfaces_of(pairs_of(whole))),
      planner_(whole, pairs_of(whole), communicator_.size()),
      one_rank_(*whole.communicator),
      teams_(communicator_) {
  if (!inner_.can_divide())
    throw Error(Error::Kind::input, "layout.kind = \"windows\"", "one subdomain for each body",
                "another localization", Error::Reach::all_ranks);
  inner_.graph().near_pairs().watch(&tubes_);
  const auto count = static_cast<std::size_t>(pairs_of(whole).bodies());
  active_.assign(count, 0);
  deviation_.assign(count, 0);
  pace_.assign(count, 0);
  terrace_of_.assign(count, -1);
  for (std::size_t body = 0; body < count; ++body) {
    holder_.push_back(static_cast<int>(body * static_cast<std::size_t>(communicator_.size()) / count));
    work_.push_back(whole.subdomains[body].elements);
  }
  begin_own_bodies();
  balance_ = *inner_.balance();
  shown_pairs_.restart(state.lines, state.time);
  shown_pairs_.release_sleepers();
}

WindowedEnergyStepping::~WindowedEnergyStepping() { inner_.graph().near_pairs().watch(nullptr); }

std::vector<std::int32_t> WindowedEnergyStepping::active_bodies() const {
  std::vector<std::int32_t> active;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(active_, body) != 0) active.push_back(body);
  return active;
}

// What others have to know of them comes from this rank.
std::vector<std::int32_t> WindowedEnergyStepping::held_bodies() const {
  std::vector<std::int32_t> held = active_bodies();
  std::erase_if(held, [&](std::int32_t body) { return at(holder_, body) != communicator_.rank(); });
  return held;
}

// The energy of all must be known before any may begin.
void WindowedEnergyStepping::begin_own_bodies() {
  std::vector<std::int32_t> own;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(holder_, body) == communicator_.rank()) own.push_back(body);
  ByteWriter of_values;
  together(communicator_.handle(), [&] {
    for (const double value : inner_.start_lines_of(state_, own)) of_values(value);
  });
  const std::vector<std::byte> values_of_all = communicator_.bytes_of_all(of_values.take());
  ByteReader values_reader(values_of_all);
  std::vector<double> values(holder_.size());  // in the order of bodies, as that of ranks is
  for (double& value : values) values_reader(value);
  ByteWriter of_terraces;
  together(communicator_.handle(), [&] {
    inner_.begin(state_, values, own);
    for (const std::int32_t body : own) {
      const ClockedTerrace terrace = inner_.terrace_of(body);
      of_terraces(terrace);
    }
    inner_.graph().near_pairs().start_asleep(state_.lines, state_.time);
  });
  ByteWriter of_graph;
  inner_.graph().save(of_graph);
  first_graph_ = of_graph.take();
  const std::vector<std::byte> terraces_of_all = communicator_.bytes_of_all(of_terraces.take());
  ByteReader reader(terraces_of_all);
  while (!reader.at_end()) {
    ClockedTerrace terrace;
    reader(terrace);
    learn(std::move(terrace));
  }
  for (const std::int32_t body : own) at(active_, body) = 1;
}

// From what `inner_` knows of all bodies.
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
                        .touches = {},
                        .deviation = deviation_,
                        .group = terrace_of_,
                        .pace = pace_,
                        .surface = {},
                        .rank = trace_ ? trace_->holders() : holder_};
  for (std::int32_t body = 0; body < bodies(); ++body) {
    outlook.work.push_back(at(work_, body) * at(pace_, body));
    outlook.surface.push_back(static_cast<double>(system_.contact_pairs->surface_nodes(body).size()));
    outlook.touched.push_back(at(work_, body) * inner_.events_per_time(body));
    const ClockedTerrace& terrace = terraces_.at(at(terrace_of_, body));
    outlook.touches.push_back(static_cast<double>(terrace.touches.size()) /
                              static_cast<double>(terrace.bodies.size()));
  }
  return outlook;
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
      planner_.widen(window, active_bodies());
    }
    const WindowPhase phase(trace_.get(), Operation::beginning);
    enclose(window);
    keep_rows();
  } catch (const std::exception& error) {
    if (leaves_others_waiting(error)) throw;
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
