#include "dynamics/windows/windowed_energy_stepping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
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

WindowedEnergyStepping::WindowedEnergyStepping(Lagrangian& share, State& state, Lagrangian& whole,
                                               State& whole_state, const ClockSettings& settings)
    : share_(share),
      shown_contact_(share),
      system_(whole),
      state_(whole_state),
      communicator_(*share.communicator),
      inner_(whole, whole_state, settings, ClockedEnergyStepping::InParts{}),
      tubes_(surfaces_of(pairs_of(whole))),
      planner_(whole, pairs_of(whole), communicator_.size()),
      known_(inner_.graph().subdomains(), pairs_of(whole), communicator_),
      terraces_(static_cast<std::size_t>(pairs_of(whole).bodies())),
      one_rank_(*whole.communicator),
      teams_(communicator_),
      questions_(communicator_) {
  if (!inner_.can_divide())
    throw Error(Error::Kind::input, "layout.kind = \"windows\"", "one subdomain for each body",
                "another localization", Error::Reach::all_ranks);
  inner_.graph().near_pairs().watch(&tubes_);
  inner_.tell_before_pushes([this](std::int32_t terrace) { keep_rows_of(terrace); });
  planner_.surfaces().tell_before_looks([this](std::int32_t body) {
    TERRACE_VERIFY(known_.known(body) != KnownBodies::Part::none, body, communicator_.rank());
  });
  const auto count = static_cast<std::size_t>(pairs_of(whole).bodies());
  active_.assign(count, 0);
  deviation_.assign(count, 0);
  departure_.assign(count, infinity);
  pace_.assign(count, 0);
  for (std::size_t body = 0; body < count; ++body) work_.push_back(whole.subdomains[body].elements);
  begin_with_rows_of(state);
  begin_own_bodies(ClockedEnergyStepping::kinetic_energy(share_, state));
  start_boxes();
  balance_ = *inner_.balance();
  give(state);
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
  std::vector<std::int32_t> held = own_bodies();
  std::erase_if(held, [&](std::int32_t body) { return at(active_, body) == 0; });
  return held;
}

// At first a rank has the bodies whose elements are in its share.
void WindowedEnergyStepping::begin_with_rows_of(const State& state) {
  holder_ = share_.rank_of_body;
  known_.know_these(own_bodies());
  for (std::size_t a = 0; a < share_.global_nodes.size(); ++a) {
    if (at(holder_, share_.body_of_node[a]) != communicator_.rank()) continue;
    at(state_.lines, share_.global_nodes[a]) = state.lines[a];
    at(state_.momenta, share_.global_nodes[a]) = state.momenta[a];
  }
  known_.spoil_unknown(state_);
}

// The energy of all must be known before any may begin.
void WindowedEnergyStepping::begin_own_bodies(double kinetic) {
  const std::vector<std::int32_t> own = own_bodies();
  ByteWriter of_values;
  together(communicator_.handle(), [&] {
    const std::vector<double> values = inner_.start_lines_of(state_, own);
    for (std::size_t i = 0; i < own.size(); ++i) of_values(own[i], values[i]);
  });
  const std::vector<std::byte> values_of_all = communicator_.bytes_of_all(of_values.take());
  ByteReader values_reader(values_of_all);
  std::vector<double> values(holder_.size());
  while (!values_reader.at_end()) {
    std::int32_t body = 0;
    values_reader(body);
    values_reader(at(values, body));
  }
  ByteWriter of_terraces;
  together(communicator_.handle(), [&] {
    inner_.begin(state_, kinetic, values, own);
    for (const std::int32_t body : own) {
      const ToldTerrace terrace(inner_.terrace_of(body));
      of_terraces(terrace);
    }
  });
  const std::vector<std::byte> terraces_of_all = communicator_.bytes_of_all(of_terraces.take());
  ByteReader reader(terraces_of_all);
  while (!reader.at_end()) {
    ToldTerrace terrace;
    reader(terrace);
    learn(std::move(terrace));
  }
  for (const std::int32_t body : own) at(active_, body) = 1;
}

// Where those of all bodies are now: all tell of their own.
void WindowedEnergyStepping::tell_of_surfaces() {
  ByteWriter writer;
  together(communicator_.handle(), [&] {
    for (const std::int32_t body : own_bodies()) {
      const SurfaceOutline outline = planner_.surfaces().outline(body, state_.lines, state_.time);
      writer(body, outline);
    }
  });
  const std::vector<std::byte> of_all = communicator_.bytes_of_all(writer.take());
  ByteReader reader(of_all);
  while (!reader.at_end()) {
    std::int32_t body = 0;
    SurfaceOutline outline;
    reader(body, outline);
    planner_.surfaces().learn(body, outline);
  }
  planner_.surfaces().know(state_.time);
}

void WindowedEnergyStepping::start_boxes() {
  tell_of_surfaces();
  inner_.graph().near_pairs().start_boxes(planner_.surfaces().boxes(), state_.time);
}

void WindowedEnergyStepping::learn(ToldTerrace terrace) {
  const ToldTerrace& known = terraces_.learn(std::move(terrace));
  for (const std::int32_t body : known.bodies) at(pace_, body) = pace(body, known.clock);
}

double WindowedEnergyStepping::pace(std::int32_t body, const Clock& clock) const {
  constexpr double of_what_rests = 0.01;  // a look now and then
  if (!clock.running) return of_what_rests / at(system_.subdomains, body).stable_step;
  // One that begins with short steps has its own soon.
  const std::int64_t step = clock.young ? clock.longest : clock.step;
  return 1 / (static_cast<double>(step) * inner_.tick());
}

WindowOutlook WindowedEnergyStepping::outlook() const {
  WindowOutlook outlook{.elements = work_,
                        .work = {},
                        .touched = {},
                        .touches = {},
                        .deviation = deviation_,
                        .departure = departure_,
                        .group = {terraces_.first_of().begin(), terraces_.first_of().end()},
                        .pace = pace_,
                        .surface = {},
                        .rank = trace_ ? trace_->holders() : holder_,
                        .stay = system_.stable_step,
                        .cluster = former_cluster_,
                        .slowness = slowness_of(speeds_)};
  for (std::vector<double>* values : {&outlook.work, &outlook.touched, &outlook.touches, &outlook.surface})
    values->reserve(holder_.size());
  for (std::int32_t body = 0; body < bodies(); ++body) {
    outlook.work.push_back(at(work_, body) * at(pace_, body));
    outlook.surface.push_back(static_cast<double>(system_.contact_pairs->surface_nodes(body).size()));
    outlook.touched.push_back(at(work_, body) * inner_.events_per_time(body));
    const ToldTerrace& terrace = terraces_.of(body);
    outlook.touches.push_back(static_cast<double>(terrace.touches.size()) /
                              static_cast<double>(terrace.bodies.size()));
  }
  return outlook;
}

void WindowedEnergyStepping::ask(std::span<const KnownBodies::Need> needs) {
  const WindowPhase phase(trace_.get(), Operation::exchange);
  const std::int64_t bytes = known_.ask(needs, holder_, state_);
  if (trace_) trace_->note_fetched(bytes);
}

// With a state that is of one time.
void WindowedEnergyStepping::stop_if_any_failed(const std::exception_ptr& failure, State& state) {
  const WindowPhase phase(trace_.get(), Operation::exchange);
  communicator_.count_exchange();
  try {
    together(communicator_.handle(), [&] {
      if (failure) std::rethrow_exception(failure);
    });
  } catch (const Error&) {
    give(state);
    throw;
  }
}

std::vector<std::int32_t> WindowedEnergyStepping::own_bodies() const {
  std::vector<std::int32_t> own;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(holder_, body) == communicator_.rank()) own.push_back(body);
  return own;
}

// The surfaces that are near these bodies.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_beside(
    std::span<const std::int32_t> bodies) const {
  std::vector<KnownBodies::Need> needs;
  if (communicator_.size() == 1) return needs;
  for (const std::int32_t body : planner_.near(bodies)) needs.push_back({body, KnownBodies::Part::surface});
  return needs;
}

// Every rank looks at its own bodies.
std::vector<WindowPlanner::Meeting> WindowedEnergyStepping::meetings(double until, State& state) {
  const std::vector<std::int32_t> own = own_bodies();
  std::vector<WindowPlanner::Meeting> mine;
  std::vector<KnownBodies::Need> needs;
  std::exception_ptr failure;
  if (!knows_surfaces()) tell_of_surfaces();
  try {
    {
      const WindowPhase phase(trace_.get(), Operation::planning);
      outlook_ = outlook();
      planner_.look(state_.lines, state_.time, until, outlook_);
    }
    const WindowPhase phase(trace_.get(), Operation::planning, WindowPhase::divided);
    needs = needs_beside(own);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  ask(needs);
  try {
    if (failure) std::rethrow_exception(failure);
    const WindowPhase phase(trace_.get(), Operation::planning, WindowPhase::divided);
    mine = planner_.meetings(own);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  return meetings_of_all(mine, failure, state);
}

// Of the bodies that this rank is to work on, and of those near the ones that it had not, for whose flights
// it looks for room.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_of(const Window& window) const {
  using enum KnownBodies::Part;
  const std::vector<std::uint8_t> is_mine = own_clusters(window);
  std::vector<std::int32_t> coming;
  std::vector<KnownBodies::Need> needs;
  for (std::int32_t body = 0; body < bodies(); ++body) {
    if (at(is_mine, at(window.cluster_of, body)) == 0) continue;
    const bool has_all =
        at(window.rank_of, body) == communicator_.rank() || at(window.is_everywhere, body) != 0;
    needs.push_back({body, has_all ? whole : surface});
    if (at(holder_, body) != communicator_.rank()) coming.push_back(body);
  }
  const std::vector<KnownBodies::Need> beside = needs_beside(coming);
  needs.insert(needs.end(), beside.begin(), beside.end());
  return needs;
}

// The next window, with all that this rank has of it.
Window WindowedEnergyStepping::open(double until, State& state) {
  if (trace_) trace_->begin();
  const std::vector<WindowPlanner::Meeting> found = meetings(until, state);
  Window window;
  std::vector<KnownBodies::Need> needs;
  std::exception_ptr failure;
  try {
    {
      const WindowPhase phase(trace_.get(), Operation::planning);
      window = planner_.choose(found);
    }
    if (trace_) trace_->open(window, outlook_);
    const WindowPhase phase(trace_.get(), Operation::planning, WindowPhase::divided);
    needs = needs_of(window);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  ask(needs);
  try {
    if (failure) std::rethrow_exception(failure);
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
    begin_passage(window);
  } catch (const std::exception& error) {
    if (leaves_others_waiting(error) || (may_be_waited_for(window) && !is_known_to_all(error))) throw;
    failure = std::current_exception();
  }
  stop_if_any_failed(failure, state);
  take_holders(window);
  return window;
}

bool WindowedEnergyStepping::advance(State& state, double until) {
  TERRACE_VERIFY(until >= state_.time, until, state_.time);  // no window would come to its end
  monitors_are_of_now_ = false;
  const Window window = open(until, state);
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
