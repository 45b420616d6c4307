#include "dynamics/terraces/energy_stepping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "dynamics/records/grouped_warnings.hpp"
#include "dynamics/terraces/own_force.hpp"
#include "dynamics/terraces/surface_push.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/profile.hpp"

namespace terrace {

EnergyStepping::EnergyStepping(Lagrangian& lagrangian, State& state)
    : lagrangian_(lagrangian),
      gradient_(lagrangian, lines_),
      graph_(lagrangian),
      schedule_(lagrangian, states_, lines_),
      changes_(lagrangian, graph_, states_, lines_, schedule_),
      changed_(lagrangian.masses.size(), 0),
      latest_(state.time) {
  changes_.begin_all(state);
  schedule_.note_event(state.time);
  look_at_forces(state);
}

// For each subdomain 1 if any of its nodes moves, else 0; the same on all ranks. Collective.
std::vector<double> EnergyStepping::subdomains_that_move(const State& state) const {
  std::vector<double> moves(states_.size(), 0);
  for (std::size_t j = 0; j < moves.size(); ++j)
    for (const std::int32_t node : lagrangian_.subdomains[j].nodes)
      if (at(state.lines, node).velocity != Vector3{}) moves[j] = 1;
  lagrangian_.communicator->maximum(moves);
  return moves;
}

// True for bodies with weight and for particles. Other bodies at rest have no force until something meets
// them, and are not worth an evaluation.
bool EnergyStepping::may_be_pulled(std::int32_t number) const {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  if (subdomain.impenetrable || subdomain.asleep) return false;
  return subdomain.elements > 0 ? lagrangian_.gravity != Vector3{} : !graph_.near_pairs().any();
}

// Evaluates forces at the start, for monitors and warnings only. The grids are temporary, so that no event
// depends on this.
void EnergyStepping::look_at_forces(const State& state) {
  const std::vector<double> moves = subdomains_that_move(state);
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(states_.size()); ++j) {
    const bool is_stuck = at(moves, j) == 0 && may_be_pulled(j);
    if (!is_stuck && !moves_by_its_force(lagrangian_, graph_.near_pairs(), j)) continue;
    GradientGrids grids;
    const double compliance = gradient_.evaluate(j, state, state.time, grids).compliance;
    EventMonitor& monitor = at(states_, j).monitor;
    if (is_stuck)
      resting_.push_back({j, std::sqrt(compliance / (2 * monitor.energy_step()))});
    else
      monitor.compare_with_fall(state.time, compliance);
  }
}

// A push of a group is a push of all its members.
void EnergyStepping::forget_resting(std::int32_t number, std::span<const std::int32_t> affected) {
  if (resting_.empty()) return;
  std::vector<std::int32_t> pushed(affected.begin(), affected.end());
  graph_.touching().visit_members(number, [&](std::int32_t member) { pushed.push_back(member); });
  std::erase_if(resting_, [&](const Resting& resting) {
    return std::ranges::find(pushed, resting.subdomain) != pushed.end();
  });
}

// Forces act at the surfaces of terraces alone, so that a subdomain at rest never starts to move by itself.
void EnergyStepping::tell_what_rests(std::vector<Warning>& warnings) const {
  constexpr double some_falls = 2;
  for (const Resting& resting : resting_)
    if (resting.falls_per_time * std::max(now_, latest_) > some_falls)
      warnings.push_back(
          {"rest",
           fmt::format("subdomain {} is at rest and has a force: under energy-stepping it never moves "
                       "by itself; give it a velocity, or use integrator.method = "
                       "\"clocked-energy-stepping\"",
                       at(lagrangian_.subdomains, resting.subdomain).name)});
}

bool EnergyStepping::advance(State& state, double until) {
  for (;;) {
    const double exit = graph_.near_pairs().next_exit();
    if (const auto subdomain = schedule_.next(std::min(until, exit))) {
      process_event(state, *subdomain);
      return true;
    }
    if (exit > until) {
      state.time = now_ = until;
      return false;
    }
    changes_.renew_box(state, exit);
  }
}

void require_gradient(const SubdomainGradient::Products& products, const Subdomain& subdomain, double time) {
  // Held nodes take no part in s. Where all are held, moving supports do the work of the jump: v_n ≠ 0 is
  // enough.
  if (products.compliance > 0 || (!subdomain.impenetrable && std::abs(products.normal_velocity) > 0)) return;
  if (std::abs(products.normal_velocity) > 0)
    throw Error(Error::Kind::run, "subdomain " + subdomain.name + ", " + at_time(time),
                "a node that is free where bodies meet", "none: supports hold them on both sides",
                Error::Reach::all_ranks);
  throw Error(Error::Kind::run, "subdomain " + subdomain.name + ", " + at_time(time),
              "a gradient at the surface of its terrace",
              "none, as where faces, or a face and an edge, meet that are parallel to the last digit: use "
              "the barrier for those",
              Error::Reach::all_ranks);
}

// Evaluates n = ∇V⁽ⁱ⁾ at the surface, and returns v_n and s.
SubdomainGradient::Products EnergyStepping::gradient_at(const State& state, std::int32_t number) {
  SubdomainState& own = at(states_, number);
  const SubdomainGradient::Products products =
      gradient_.evaluate(number, state, own.origin + own.next.gradient_instant, own.gradient_grids);
  require_gradient(products, at(lagrangian_.subdomains, number), schedule_.time_of(number));
  return products;
}

void EnergyStepping::process_event(State& state, std::int32_t number) {
  SubdomainState& own = at(states_, number);
  if (graph_.touching().waits(number)) {
    latest_ = std::max(latest_, schedule_.time_of(number));
    state.time = std::max(state.time, latest_);
    return changes_.touch(number, state, latest_);
  }
  const SubdomainGradient::Products products = gradient_at(state, number);
  const auto [reflected, instant, factor, level] = surface_push(own, products, state.quantum);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  // The monitor throws if this event must not happen, so it comes before the event changes anything.
  if (moves_by_its_force(lagrangian_, graph_.near_pairs(), number))
    own.monitor.compare_with_fall(instant, products.compliance);
  own.monitor.remember(instant, reflected, own.next.surface, subdomain.certified);
  if (subdomain.impenetrable && lagrangian_.contact_pairs)
    own.monitor.guard_against_cascade(instant, lagrangian_.stable_step, lagrangian_.node_count);
  else if (subdomain.impenetrable)
    own.monitor.guard_against_impacts_without_end(instant, subdomain.stable_step, lagrangian_.node_count);

  state.apply_impulse(instant, factor, products.grid, gradient_.values(), subdomain.nodes, changed_,
                      lagrangian_.owned);
  gradient_.book_reactions(state, factor);
  latest_ = std::max(latest_, instant);
  state.time = std::max(state.time, latest_);
  own.terrace.level = level;
  ++events_;
  schedule_.note_event(latest_);

  own.origin = instant;
  const std::vector<std::int32_t> affected = renew_lines(state, number, instant);
  forget_resting(number, affected);
  schedule_.renew(instant, affected);
  changes_.look_for_parting(number, state, instant);
}

// Gives the subdomain's potentials new lines with the origin `instant`. Its neighbours keep their origins, as
// only their shared nodes have changed. Returns all subdomains whose nodes got new lines, `number` first.
std::vector<std::int32_t> EnergyStepping::renew_lines(const State& state, std::int32_t number,
                                                      double instant) {
  const OperationScope operation(Operation::line_set_up);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  lines_.for_each(subdomain, [&](OnLine& line) { line.set_line(state.lines, instant); });
  graph_.follow_bodies(state.lines, number, instant);
  std::vector<std::int32_t> affected = {number};
  for (const std::int32_t j : graph_.neighbours_of(number, changed_)) {
    affected.push_back(j);
    const auto neighbour = static_cast<std::size_t>(j);
    lines_.for_each(lagrangian_.subdomains[neighbour], [&](OnLine& line) {
      line.update_line(state.lines, states_[neighbour].origin, changed_);
    });
  }
  for (const std::int32_t node : subdomain.nodes) at(changed_, node) = 0;
  return affected;
}

void EnergyStepping::save(ByteWriter& writer) const {
  graph_.save(writer);
  writer(states_, schedule_, events_, latest_);
}

void EnergyStepping::restore(const State& state, ByteReader& reader) {
  graph_.restore(reader);
  lines_.keep_those_of(lagrangian_);
  reader(states_, schedule_, events_, latest_);
  for (std::size_t j = 0; j < states_.size(); ++j)
    if (graph_.has_terrace(static_cast<std::int32_t>(j))) restore_line(state, static_cast<std::int32_t>(j));
  const std::vector<double> moves = subdomains_that_move(state);
  std::erase_if(resting_, [&](const Resting& resting) { return at(moves, resting.subdomain) != 0; });
}

// The lines of potentials follow from the nodes' lines and the origin. A set constraint also has to know
// which features collide: the same interval is searched again.
void EnergyStepping::restore_line(const State& state, std::int32_t number) {
  const SubdomainState& own = at(states_, number);
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  lines_.for_each(subdomain, [&](OnLine& line) { line.set_line(state.lines, own.origin); });
  if (subdomain.constraint != nullptr)
    lines_.of(*subdomain.constraint).first_collision(own.search.certain_until(), own.search.end());
}

std::optional<double> EnergyStepping::conserved_potential() const {
  double sum = 0;
  for (const SubdomainState& state : states_) sum += state.terrace.terraced();
  return sum;
}

std::int64_t EnergyStepping::reflections() const {
  std::int64_t sum = 0;
  for (const SubdomainState& state : states_) sum += state.monitor.reflections();
  return sum;
}

double EnergyStepping::average_step() const {
  double time = 0;
  for (const SubdomainState& state : states_) time += state.monitor.step_sum();
  return events_ > 0 ? time / static_cast<double>(events_) : 0;
}

// The mean step without the longest step of each subdomain: flights before the first contact are long, and a
// few events would not outweigh them.
double EnergyStepping::average_without_longest_steps() const {
  double time = 0;
  std::int64_t events = 0;
  for (const SubdomainState& state : states_) {
    if (state.monitor.events() == 0) continue;
    time += state.monitor.step_sum() - state.monitor.longest_step();
    events += state.monitor.events() - 1;
  }
  return events > 0 ? time / static_cast<double>(events) : 0;
}

std::vector<SubdomainRecord> EnergyStepping::subdomain_records() const {
  std::vector<SubdomainRecord> records;
  for (const SubdomainState& state : states_) {
    records.push_back(state.monitor.record());
    records.back().level = state.terrace.level;
  }
  return records;
}

void EnergyStepping::describe_trouble(std::vector<Warning>& warnings) const {
  std::vector<Warning> all;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(states_.size()); ++j) {
    const EventMonitor& monitor = at(states_, j).monitor;
    monitor.describe_trouble(graph_.has_terrace(j) ? std::max(now_, latest_) : monitor.last_event(), all);
  }
  tell_what_rests(all);
  add_one_of_each_subject(all, warnings);
  const double stable_step = lagrangian_.stable_step;
  if (events_ > 100 && stable_step > 0 && average_step() > 4 * stable_step)
    warnings.push_back({"average step",
                        fmt::format("the average step is {:.3g} times the stable Newmark step: the fastest "
                                    "vibrations are not resolved",
                                    average_step() / stable_step),
                        average_without_longest_steps() > 4 * stable_step ? Tell::while_so : Tell::at_end});
}

std::uint64_t EnergyStepping::hash() const {
  std::uint64_t hash = 1;
  for (std::size_t j = 0; j < states_.size(); ++j) {
    hash = chain(hash, static_cast<std::uint64_t>(states_[j].terrace.level));
    hash = chain(hash, states_[j].origin);
    hash = chain(hash, static_cast<std::uint64_t>(states_[j].monitor.events()));
  }
  return hash;
}

}  // namespace terrace
