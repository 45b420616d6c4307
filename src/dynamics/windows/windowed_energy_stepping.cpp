#include "dynamics/windows/windowed_energy_stepping.hpp"

#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

WindowedEnergyStepping::WindowedEnergyStepping(const Lagrangian& share, State& state, Lagrangian& whole,
                                               State& whole_state, const ClockSettings& settings)
    : share_(share),
      shown_contact_(share, whole),
      system_(whole, whole_state, *share.communicator, settings),
      planner_(whole, system_.pairs, system_.ranks.size()),
      clusters_(system_),
      passage_(system_, clusters_) {
  planner_.surfaces().tell_before_looks([this](std::int32_t body) {
    TERRACE_VERIFY(system_.known.known(body) != KnownBodies::Part::none, body, rank());
  });
  begin_with_rows_of(state);
  begin_own_bodies(ClockedEnergyStepping::kinetic_energy(share_, state));
  start_boxes();
  balance_ = *system_.clocks.balance();
  give(state);
}

// At first a rank works on the bodies of its share.
void WindowedEnergyStepping::begin_with_rows_of(const State& state) {
  system_.common.begin(share_.rank_of_body);
  system_.known.know_these(system_.common.bodies_of(rank()));
  for (std::size_t a = 0; a < share_.global_nodes.size(); ++a) {
    at(system_.state.lines, share_.global_nodes[a]) = state.lines[a];
    at(system_.state.momenta, share_.global_nodes[a]) = state.momenta[a];
  }
  system_.known.spoil_unknown(system_.state);
}

// The potential energies of all bodies must be known on every rank before any body may begin.
void WindowedEnergyStepping::begin_own_bodies(double kinetic) {
  const std::vector<std::int32_t> own = system_.common.bodies_of(rank());
  ByteWriter of_values;
  together(system_.ranks.handle(), [&] {
    const std::vector<double> values = system_.clocks.start_lines_of(system_.state, own);
    for (std::size_t i = 0; i < own.size(); ++i) of_values(own[i], values[i]);
  });
  const std::vector<std::byte> values_of_all = system_.ranks.bytes_of_all(of_values.take());
  ByteReader values_reader(values_of_all);
  std::vector<double> values(static_cast<std::size_t>(bodies()));
  while (!values_reader.at_end()) {
    std::int32_t body = 0;
    values_reader(body);
    values_reader(at(values, body));
  }
  ByteWriter of_terraces;
  together(system_.ranks.handle(), [&] {
    system_.clocks.begin(system_.state, kinetic, values, own);
    for (const std::int32_t body : own) {
      const ToldTerrace terrace(system_.clocks.terrace_of(body));
      of_terraces(terrace);
    }
  });
  const std::vector<std::byte> terraces_of_all = system_.ranks.bytes_of_all(of_terraces.take());
  ByteReader reader(terraces_of_all);
  while (!reader.at_end()) {
    ToldTerrace terrace;
    reader(terrace);
    system_.common.learn(std::move(terrace));
  }
  clusters_.start_with(own);
}

// Every rank tells the outlines of the bodies that it holds, so that all ranks know all of them for this
// time.
void WindowedEnergyStepping::tell_of_surfaces() {
  const State& state = system_.state;
  ByteWriter writer;
  together(system_.ranks.handle(), [&] {
    for (const std::int32_t body : system_.common.bodies_of(rank())) {
      const SurfaceOutline outline = planner_.surfaces().outline(body, state.lines, state.time);
      writer(body, outline);
    }
  });
  const std::vector<std::byte> of_all = system_.ranks.bytes_of_all(writer.take());
  ByteReader reader(of_all);
  while (!reader.at_end()) {
    std::int32_t body = 0;
    SurfaceOutline outline;
    reader(body, outline);
    planner_.surfaces().learn(body, outline);
  }
  planner_.surfaces().know(state.time);
}

void WindowedEnergyStepping::start_boxes() {
  tell_of_surfaces();
  system_.near_pairs().start_boxes(planner_.surfaces().boxes(), system_.state.time);
}

void WindowedEnergyStepping::ask(std::span<const KnownBodies::Need> needs) {
  const WindowPhase phase(system_.trace.get(), Operation::exchange);
  const std::int64_t bytes = system_.known.ask(needs, system_.common.holders(), system_.state);
  if (system_.trace) system_.trace->note_fetched(bytes);
}

// Throws on all ranks if any rank has a failure. The State is then brought up to date: it is of one time.
void WindowedEnergyStepping::stop_if_any_failed(const std::exception_ptr& failure, State& state) {
  const WindowPhase phase(system_.trace.get(), Operation::exchange);
  system_.ranks.count_exchange();
  try {
    together(system_.ranks.handle(), [&] {
      if (failure) std::rethrow_exception(failure);
    });
  } catch (const Error&) {
    give(state);
    throw;
  }
}

// What this rank must know for the plan of these bodies: the surfaces near them.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_beside(
    std::span<const std::int32_t> bodies) const {
  std::vector<KnownBodies::Need> needs;
  if (system_.ranks.size() == 1) return needs;
  for (const std::int32_t body : planner_.near(bodies)) needs.push_back({body, KnownBodies::Part::surface});
  return needs;
}

// The meetings of all bodies, for which every rank looks at the bodies that it holds.
std::vector<WindowPlanner::Meeting> WindowedEnergyStepping::meetings(double until, State& state) {
  const std::vector<std::int32_t> own = system_.common.bodies_of(rank());
  std::vector<WindowPlanner::Meeting> mine;
  std::vector<KnownBodies::Need> needs;
  std::exception_ptr failure;
  if (!knows_surfaces()) tell_of_surfaces();
  try {
    {
      const WindowPhase phase(system_.trace.get(), Operation::planning);
      const WindowOutlook& outlook =
          system_.common.look_ahead(system_.trace ? system_.trace->holders() : system_.common.holders());
      planner_.look(system_.state.lines, system_.state.time, until, outlook);
    }
    const WindowPhase phase(system_.trace.get(), Operation::planning, WindowPhase::divided);
    needs = needs_beside(own);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  ask(needs);
  try {
    if (failure) std::rethrow_exception(failure);
    const WindowPhase phase(system_.trace.get(), Operation::planning, WindowPhase::divided);
    mine = planner_.meetings(own);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  return meetings_of_all(mine, failure, state);
}

// The meetings that all ranks found. If one of them failed, all throw.
std::vector<WindowPlanner::Meeting> WindowedEnergyStepping::meetings_of_all(
    const std::vector<WindowPlanner::Meeting>& mine, const std::exception_ptr& failure, State& state) {
  std::vector<WindowPlanner::Meeting> all, of_one;
  bool any_failed = false;
  {
    const WindowPhase phase(system_.trace.get(), Operation::exchange);
    for (int collectives = 0; collectives < 2; ++collectives) system_.ranks.count_exchange();
    const bool failed_here = failure != nullptr;
    ByteWriter writer;
    writer(failed_here, mine);
    const std::vector<std::byte> bytes = system_.ranks.bytes_of_all(writer.take());
    ByteReader reader(bytes);
    while (!reader.at_end()) {
      bool failed = false;
      reader(failed, of_one);
      any_failed = any_failed || failed;
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
  }
  if (any_failed) stop_if_any_failed(failure, state);
  return all;
}

// What this rank must know for a window: the bodies that it is to work on, and the surfaces near those of
// them that come from other ranks, for whose flights it looks for room.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_of(const Window& window) const {
  using enum KnownBodies::Part;
  const std::vector<std::uint8_t> is_mine = clusters_planned_for(rank(), window);
  std::vector<std::int32_t> coming;
  std::vector<KnownBodies::Need> needs;
  for (std::int32_t body = 0; body < bodies(); ++body) {
    if (at(is_mine, at(window.cluster_of, body)) == 0) continue;
    const bool has_all = at(window.rank_of, body) == rank() || at(window.is_everywhere, body) != 0;
    needs.push_back({body, has_all ? whole : surface});
    if (at(system_.common.holders(), body) != rank()) coming.push_back(body);
  }
  const std::vector<KnownBodies::Need> beside = needs_beside(coming);
  needs.insert(needs.end(), beside.begin(), beside.end());
  return needs;
}

// Whether a team may wait for this rank, which has not begun with the clusters of the plan. If it could not
// even make the plan, it cannot know.
bool WindowedEnergyStepping::may_be_waited_for(const Window& window) const {
  if (window.rank_of.empty()) return planner_.may_make_teams();
  const std::vector<std::uint8_t> is_mine = clusters_planned_for(rank(), window);
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(is_mine, at(window.cluster_of, body)) != 0 && at(window.rank_of, body) != rank()) return true;
  return false;
}

// Plans the next window and begins with this rank's clusters of it.
Window WindowedEnergyStepping::open(double until, State& state) {
  WindowTrace* const trace = system_.trace.get();
  if (trace != nullptr) trace->begin();
  const std::vector<WindowPlanner::Meeting> found = meetings(until, state);
  Window window;
  std::vector<KnownBodies::Need> needs;
  std::exception_ptr failure;
  try {
    {
      const WindowPhase phase(trace, Operation::planning);
      window = planner_.choose(found);
    }
    if (trace != nullptr) trace->open(window, system_.common.outlook());
    const WindowPhase phase(trace, Operation::planning, WindowPhase::divided);
    needs = needs_of(window);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  ask(needs);
  try {
    if (failure) std::rethrow_exception(failure);
    {
      const WindowPhase phase(trace, Operation::beginning);
      clusters_.begin(window);
    }
    {
      const WindowPhase phase(trace, Operation::planning, WindowPhase::divided);
      planner_.widen(window, clusters_.active_bodies());
    }
    const WindowPhase phase(trace, Operation::beginning);
    clusters_.enclose(window);
    passage_.begin(window);
  } catch (const std::exception& error) {
    if (clusters_.leaves_others_waiting(error) || (may_be_waited_for(window) && !is_known_to_all(error)))
      throw;
    failure = std::current_exception();
  }
  stop_if_any_failed(failure, state);
  record_.moved_bodies += system_.common.follow(window);
  return window;
}

bool WindowedEnergyStepping::advance(State& state, double until) {
  TERRACE_VERIFY(until >= system_.state.time, until, system_.state.time);  // no window would come to its end
  monitors_are_of_now_ = false;
  const Window window = open(until, state);
  const Passage passage = pass(window, state);
  events_ += passage.events;
  note(window, passage);
  system_.state.time = passage.last ? system_.clocks.time_of(*passage.last) : passage.end;
  state.time = system_.state.time;
  if (passage.last || passage.end < until) return true;
  give(state);
  return false;
}

void WindowedEnergyStepping::stop_after(std::int64_t events) {
  most_events_ = events;
  if (events > 0) passage_.list_events();
}

}  // namespace terrace
