#include "dynamics/energy_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/profile.hpp"

namespace terrace {

static constexpr double infinity = std::numeric_limits<double>::infinity();

EnergyStepping::EnergyStepping(Lagrangian& lagrangian, State& state, double end)
    : lagrangian_(lagrangian),
      searcher_(lagrangian),
      gradient_(lagrangian),
      end_(end),
      near_pairs_(lagrangian, lagrangian.contact_pairs.get()),
      touching_(lagrangian, near_pairs_),
      changed_(lagrangian.masses.size(), 0) {
  for (std::size_t j = 0; j < lagrangian_.subdomains.size(); ++j)
    begin(static_cast<std::int32_t>(j), state, state.time);
  for (const std::int32_t j : near_pairs_.start(state.lines, state.time).awake) begin(j, state, state.time);
  find_next_event(state, state.time);
}

void EnergyStepping::make_room(std::int32_t number) {
  for (std::int32_t next = static_cast<std::int32_t>(progress_.size()); next <= number; ++next) {
    const Subdomain& subdomain = lagrangian_.subdomains[static_cast<std::size_t>(next)];
    progress_.push_back({EventMonitor(subdomain.name, subdomain.energy_step)});
    progress_.back().terrace.energy_step = subdomain.energy_step;
    searches_.push_back({next, FirstCrossing({}, subdomain.certified, 0, 0, 0, 0)});
  }
  none_before_.resize(progress_.size());
  events_at_.resize(progress_.size());
}

// The line's origin is now; what came before is no step.
void EnergyStepping::start_line(std::int32_t number, const State& state, double time) {
  const OperationScope operation(Operation::line_set_up);
  Progress& progress = progress_[static_cast<std::size_t>(number)];
  progress.origin = progress.search_start = progress.next_look = time;
  progress.monitor.resume(time);
  progress.horizon = end_ - time;
  for (Potential* potential : lagrangian_.subdomains[static_cast<std::size_t>(number)].potentials)
    potential->set_line(state.lines, time);
}

// A subdomain starts at its level, or a contact pair wakes up.
void EnergyStepping::begin(std::int32_t number, const State& state, double time) {
  const bool is_new = static_cast<std::size_t>(number) >= progress_.size();
  make_room(number);
  start_line(number, state, time);
  if (touching_.waits(number)) return wait_for_touch(number, state, time);
  if (is_new && !lagrangian_.subdomains[static_cast<std::size_t>(number)].impenetrable) find_level(number);
  reschedule(time, {&number, 1});
}

// A pair that waits for its bodies to touch: they do when its energy exceeds a small part of an energy step.
void EnergyStepping::wait_for_touch(std::int32_t pair, const State& state, double time) {
  constexpr double touch = 0.01;
  const auto j = static_cast<std::size_t>(pair);
  progress_[j].terrace = {touch * lagrangian_.subdomains[j].energy_step, 0, 0};
  if (searcher_.value(pair, 0) > progress_[j].terrace.top())
    regroup(touching_.touch(pair), state, time);
  else
    reschedule(time, {&pair, 1});
}

// Other subdomains have terraces from now on. Nothing moves, and Σ h k stays.
void EnergyStepping::regroup(const TouchingBodies::Change& change, const State& state, double time) {
  std::int64_t levels = 0;
  for (const std::int32_t number : change.ending) {
    const auto j = static_cast<std::size_t>(number);
    levels += progress_[j].terrace.level;
    progress_[j].terrace.level = 0;
    progress_[j].next = {};
    events_at_.set(j, infinity);
    none_before_.set(j, infinity);
  }
  std::vector<std::int32_t> sharing, waiting;
  std::vector<double> values;
  for (const std::int32_t number : change.beginning) {
    make_room(number);
    start_line(number, state, time);
    if (touching_.waits(number)) {
      waiting.push_back(number);
      continue;
    }
    searcher_.forget(number);
    gradient_.forget(number);
    sharing.push_back(number);
    values.push_back(searcher_.value(number, 0));
  }
  const std::vector<Terrace> terraces = share_levels(
      levels, progress_[static_cast<std::size_t>(sharing.front())].monitor.energy_step(), values);
  for (std::size_t k = 0; k < sharing.size(); ++k)
    progress_[static_cast<std::size_t>(sharing[k])].terrace = terraces[k];
  reschedule(time, sharing);
  for (const std::int32_t pair : waiting) wait_for_touch(pair, state, time);
}

// Pairs that had no energy at some looks in a row touch no more. Single nodes bounce more often than that.
void EnergyStepping::look_for_parting(std::int32_t group, const State& state, double time) {
  constexpr double steps_between_looks = 10;
  constexpr int enough = 5;
  const std::vector<std::int32_t> pairs = touching_.pairs(group);
  Progress& progress = progress_[static_cast<std::size_t>(group)];
  if (pairs.empty() || time < progress.next_look) return;
  progress.next_look = time + steps_between_looks * lagrangian_.stable_step;
  std::vector<std::int32_t> parted;
  for (const std::int32_t pair : pairs) {
    apart_[pair] = searcher_.value(pair, 0) > 0 ? 0 : apart_[pair] + 1;
    if (apart_[pair] < enough) continue;
    parted.push_back(pair);
    apart_[pair] = 0;
  }
  if (!parted.empty()) regroup(touching_.part(group, parted), state, time);
}

void EnergyStepping::find_level(std::int32_t number) {
  const Subdomain& subdomain = lagrangian_.subdomains[static_cast<std::size_t>(number)];
  const double value = searcher_.value(number, 0);
  // Round-off may put a stress-free body a trifle below level 0.
  if (value < -1e-6 * subdomain.energy_step)
    throw Error(Error::Kind::input, "subdomain " + subdomain.name, "a potential energy that is not negative",
                std::to_string(value));
  progress_[static_cast<std::size_t>(number)].terrace.level =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(value / subdomain.energy_step));
}

double EnergyStepping::event_time(std::size_t subdomain) const {
  const Progress& progress = progress_[subdomain];
  if (!progress.next.known || progress.next.surface == FirstCrossing::Surface::none) return infinity;
  return progress.origin + progress.next.instant;
}

// The next event: the earliest, and of simultaneous ones the first subdomain's. Every rank knows it.
bool EnergyStepping::advance(State& state, double until) {
  if (!(events_at_.time() <= until)) {
    state.time = until;
    return false;
  }
  process_event(state, static_cast<std::int32_t>(events_at_.index()));
  return true;
}

/// λ of (4.32), in the form without cancellation; a reflection when the surface cannot be crossed, and always
/// where the jump is infinite.
static double multiplier(double normal_velocity, double compliance, double jump, bool& reflected) {
  // n is the gradient of the distance: a pair that rounding took for closing separates already.
  if (std::isinf(jump) && normal_velocity >= 0) {
    reflected = true;
    return 0;
  }
  const double kinetic = normal_velocity * normal_velocity - 2 * jump * compliance;
  reflected = kinetic < 0;
  if (reflected) return -2 * normal_velocity / compliance;
  return -2 * jump / (normal_velocity + std::copysign(std::sqrt(kinetic), normal_velocity));
}

void EnergyStepping::process_event(State& state, std::int32_t number) {
  const auto i = static_cast<std::size_t>(number);
  const Subdomain& subdomain = lagrangian_.subdomains[i];
  Progress& progress = progress_[i];
  const CrossingFound crossing = progress.next;
  if (touching_.waits(number)) {
    state.time = std::max(state.time, event_time(i));
    regroup(touching_.touch(number), state, state.time);
    return find_next_event(state, state.time);
  }
  const SubdomainGradient::Products products =
      gradient_.evaluate(number, state, progress.origin + crossing.gradient_instant);
  if (!(products.compliance > 0))
    throw Error(Error::Kind::run, "subdomain " + subdomain.name + ", time " + std::to_string(event_time(i)),
                "a gradient at the surface of its terrace",
                "none: raise its energy step or change the contact model", Error::Reach::all_ranks);

  const double jump =
      static_cast<double>(crossing.level_beyond - progress.terrace.level) * progress.terrace.energy_step;
  bool reflected = false;
  const double lambda = multiplier(products.normal_velocity, products.compliance, jump, reflected);
  const double instant = progress.origin + (reflected ? crossing.instant_before : crossing.instant);
  const IntegerMultiplier factor = IntegerMultiplier::nearest(lambda * products.grid / state.quantum);
  state.apply_impulse(instant, factor, products.grid, gradient_.values(), subdomain.nodes, changed_);
  gradient_.book_walls(state, factor);
  state.time = std::max(state.time, instant);

  progress.monitor.remember(instant, reflected, crossing.surface);
  if (subdomain.impenetrable)
    progress.monitor.guard_against_cascade(instant, lagrangian_.stable_step, lagrangian_.node_count);
  lookahead_ = 0.75 * lookahead_ + 0.5 * std::max(state.time - last_event_, 0.0);
  last_event_ = state.time;
  if (!reflected) progress.terrace.level = crossing.level_beyond;
  ++events_;

  progress.origin = instant;
  const std::vector<std::int32_t> affected = renew_lines(state, number, instant);
  reschedule(instant, affected);
  look_for_parting(number, state, instant);
  find_next_event(state, instant);
}

// The subdomain's potentials get a new origin; its neighbours keep theirs, where only shared nodes changed.
// Returns all subdomains whose nodes got new lines, itself first.
std::vector<std::int32_t> EnergyStepping::renew_lines(const State& state, std::int32_t number,
                                                      double instant) {
  const OperationScope operation(Operation::line_set_up);
  const Subdomain& subdomain = lagrangian_.subdomains[static_cast<std::size_t>(number)];
  for (Potential* potential : subdomain.potentials) potential->set_line(state.lines, instant);
  std::vector<std::int32_t> affected = {number};
  follow_bodies(state, number, instant);
  for (const std::int32_t j : neighbours_of(number)) {
    affected.push_back(j);
    const auto neighbour = static_cast<std::size_t>(j);
    const double origin = progress_[neighbour].origin;
    for (Potential* potential : lagrangian_.subdomains[neighbour].potentials)
      potential->update_line(state.lines, origin, changed_);
  }
  for (const std::int32_t node : subdomain.nodes) changed_[static_cast<std::size_t>(node)] = 0;
  return affected;
}

// Terraces that share nodes with this one, the awake contact pairs of the bodies it loads among them. Of a
// contact pair's event only those are touched whose own surface nodes changed: all ranks hold these and
// agree.
std::vector<std::int32_t> EnergyStepping::neighbours_of(std::int32_t number) {
  std::set<std::int32_t> neighbours;
  for (const std::int32_t member : touching_.members(number)) {
    const auto& sharing_nodes = lagrangian_.subdomains[static_cast<std::size_t>(member)].neighbours;
    neighbours.insert(sharing_nodes.begin(), sharing_nodes.end());
    const bool is_pair = near_pairs_.bodies_of(member) != nullptr;
    const auto add = [&](std::span<const std::int32_t> others) {
      for (const std::int32_t j : others)
        if (!is_pair || near_pairs_.any_surface_node(j, changed_)) neighbours.insert(j);
    };
    for (const std::int32_t body : bodies_of(member)) {
      if (is_pair) add(near_pairs_.loading_subdomains(body));
      add(near_pairs_.awake_pairs(body));
    }
  }
  std::set<std::int32_t> terraces;
  for (const std::int32_t j : neighbours) terraces.insert(touching_.terrace_of(j));
  terraces.erase(number);
  return {terraces.begin(), terraces.end()};
}

// Bodies whose surfaces a subdomain that is no group loads.
std::vector<std::int32_t> EnergyStepping::bodies_of(std::int32_t number) const {
  if (!near_pairs_.any()) return {};
  if (const BodyPair* pair = near_pairs_.bodies_of(number); pair != nullptr)
    return pair->first == pair->second ? std::vector{pair->first} : std::vector{pair->first, pair->second};
  const auto loaded = near_pairs_.loaded_bodies(number);
  return {loaded.begin(), loaded.end()};
}

void EnergyStepping::follow_bodies(const State& state, std::int32_t number, double instant) {
  std::set<std::int32_t> bodies;
  for (const std::int32_t member : touching_.members(number))
    for (const std::int32_t body : bodies_of(member)) bodies.insert(body);
  for (const std::int32_t body : bodies) near_pairs_.follow(body, state.lines, instant);
}

// New lines: what was known of these subdomains' crossings is void.
void EnergyStepping::reschedule(double instant, std::span<const std::int32_t> subdomains) {
  for (const std::int32_t number : subdomains) {
    const auto j = static_cast<std::size_t>(number);
    Progress& progress = progress_[j];
    if (!progress.next.known && instant > progress.search_start)
      progress.horizon = std::max(4 * (instant - progress.search_start), 0.25 * progress.horizon);
    progress.search_start = instant;
    const double start = std::max(0.0, instant - progress.origin);
    searches_[j].crossing = FirstCrossing(progress.terrace, lagrangian_.subdomains[j].certified,
                                          progress.origin, start, end_ - progress.origin, progress.horizon);
    searcher_.begin(number);
    progress.next = {};
    events_at_.set(j, infinity);
    none_before_.set(j, instant);
  }
}

// Until one crossing is known and all others are certain to come later. The limits to which the others are
// searched depend on nothing but the events themselves.
void EnergyStepping::find_next_event(const State& state, double now) {
  if (!(lookahead_ > 0)) lookahead_ = end_ - now;
  double reach = lookahead_;
  for (;;) {
    const double limit = std::min({now + reach, near_pairs_.next_exit(), end_, events_at_.time()});
    std::vector<LineSearch*> pending;
    none_before_.visit_until(limit, [&](std::size_t j) {
      searches_[j].until = limit - progress_[j].origin;
      pending.push_back(&searches_[j]);
    });
    if (!pending.empty()) {
      const std::vector<CrossingFound> found = searcher_.find(pending);
      for (std::size_t k = 0; k < found.size(); ++k)
        note_crossing(static_cast<std::size_t>(pending[k]->subdomain), found[k], limit);
    } else if (limit >= end_ || limit == events_at_.time()) {
      break;
    } else if (limit == near_pairs_.next_exit()) {
      renew_box(state, limit);
    } else {
      reach *= 4;
    }
  }
}

// A body leaves its box: other pairs of bodies may be near each other now.
void EnergyStepping::renew_box(const State& state, double time) {
  // A pair that sleeps is on level 0; one whose potential may miss crossings might not have got there.
  const auto may_sleep = [&](std::int32_t j) {
    return touching_.terrace_of(j) == j && progress_[static_cast<std::size_t>(j)].terrace.level == 0;
  };
  const NearPairs::Changes changes = near_pairs_.renew_box(state.lines, may_sleep);
  for (const std::int32_t j : changes.asleep) {
    none_before_.set(static_cast<std::size_t>(j), infinity);
    events_at_.set(static_cast<std::size_t>(j), infinity);
  }
  for (const std::int32_t j : changes.awake) begin(j, state, time);
}

void EnergyStepping::note_crossing(std::size_t j, const CrossingFound& found, double limit) {
  Progress& progress = progress_[j];
  progress.next = found;
  if (found.known) {
    none_before_.set(j, infinity);
    events_at_.set(j, event_time(j));
  } else {
    // The search went beyond the limit, by however little in the line's own time.
    none_before_.set(j, std::max(progress.origin + found.certain_until, std::nextafter(limit, infinity)));
  }
  const double start = std::max(0.0, progress.search_start - progress.origin);
  if (found.known && found.surface != FirstCrossing::Surface::none)
    progress.horizon = std::max(4 * (found.instant - start), 0.25 * progress.horizon);
  if (!lagrangian_.subdomains[j].certified || lagrangian_.subdomains[j].impenetrable) return;
  const double above = found.first_value - progress.terrace.top();
  const double below = progress.terrace.has_bottom() ? progress.terrace.bottom() - found.first_value : 0;
  progress.monitor.note_mismatch(std::max(above, below) / progress.terrace.energy_step);
}

std::optional<double> EnergyStepping::conserved_potential() const {
  double sum = 0;
  for (const Progress& progress : progress_) sum += progress.terrace.terraced();
  return sum;
}

std::int64_t EnergyStepping::reflections() const {
  std::int64_t sum = 0;
  for (const Progress& progress : progress_) sum += progress.monitor.reflections();
  return sum;
}

double EnergyStepping::average_step() const {
  double time = 0;
  for (const Progress& progress : progress_) time += progress.monitor.step_sum();
  return events_ > 0 ? time / static_cast<double>(events_) : 0;
}

std::vector<SubdomainRecord> EnergyStepping::subdomain_records() const {
  std::vector<SubdomainRecord> records;
  for (const Progress& progress : progress_) {
    records.push_back(progress.monitor.record());
    records.back().level = progress.terrace.level;
  }
  return records;
}

void EnergyStepping::describe_trouble(double stable_step, std::vector<std::string>& warnings) const {
  for (const Progress& progress : progress_) progress.monitor.describe_trouble(warnings);
  if (events_ > 100 && stable_step > 0 && average_step() > 4 * stable_step)
    warnings.push_back(fmt::format(
        "the average step is {:.3g} times the stable Newmark step: the fastest vibrations are not resolved",
        average_step() / stable_step));
}

std::uint64_t EnergyStepping::hash() const {
  std::uint64_t hash = 1;
  for (std::size_t j = 0; j < progress_.size(); ++j) {
    hash = chain(hash, static_cast<std::uint64_t>(progress_[j].terrace.level));
    hash = chain(hash, event_time(j));
    hash = chain(hash, static_cast<std::uint64_t>(progress_[j].monitor.events()));
  }
  return hash;
}

}  // namespace terrace
