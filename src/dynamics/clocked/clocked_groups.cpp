// Clocked energy-stepping: terraces that join and part; records, saving and restoring.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "dynamics/clocked/clocked_energy_stepping.hpp"
#include "dynamics/clocked/same_order.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {
// Stops the clock of a terrace, if it runs, with a closing kick at `tick`. The last kick included half of its
// planned step; the closing one is for the rest of the time that has passed since.
void ClockedEnergyStepping::close(State& state, std::int32_t number, std::int64_t tick) {
  Clock& clock = clocks_[number];
  if (!clock.running) return;
  const double instant = clocks_.time_of(tick);
  const double weight =
      (static_cast<double>(tick - clock.last) - 0.5 * static_cast<double>(clock.planned)) * clocks_.tick();
  Event event{.number = number, .now = tick, .instant = instant};
  event.products = gradient_.evaluate(number, state, instant, at(states_, number).gradient_grids);
  push(state, event, -weight);
  at(states_, number).origin = instant;
  clock.running = false;
  clocks_.set_next(number, -1);
  guard(state, renew_lines(state, number, instant), tick);
}

// A terrace's name for messages. That of a group is made from its first body: groups are numbered by each
// rank for itself.
std::string ClockedEnergyStepping::name_of(std::int32_t number) const {
  if (!graph_.touching().is_group(number)) return at(lagrangian_.subdomains, number).name;
  const auto [kind, first] = at(lagrangian_.subdomains, number).order;
  return at(lagrangian_.subdomains, first).name + " and what it touches";
}

// The bodies of a waiting pair touch: the terraces of both, and the pair, become one terrace with one clock,
// which holds their energies together. Its first kick follows at once.
void ClockedEnergyStepping::join(State& state, std::int32_t pair) {
  const std::int64_t tick = clocks_[pair].next;
  const double instant = clocks_.time_of(tick);
  const std::set<std::int32_t> joined = graph_.touching().joined_terraces(pair);
  std::vector<std::int32_t> closing(joined.begin(), joined.end());
  sort_by_order(lagrangian_, closing);
  for (const std::int32_t ending : closing) close(state, ending, tick);
  at(states_, pair).forget_search();  // one rank alone knows it, and all are to have the same state
  at(states_, pair).looks_apart = 0;  // of a former touch, which may have ended on another rank
  divide_joined(closing, pair);
  set_touching(pair, true);
  const TouchingBodies::Change change = graph_.touching().touch(pair);
  WideInteger stored;
  double most_energy = 0;
  for (const std::int32_t ending : change.ending) {
    Clock& clock = clocks_[ending];
    stored += clock.stored;
    most_energy = std::max(most_energy, clock.most_energy);
    clocks_.begin_anew(ending);
    schedule_.stop(ending);
  }
  for (const std::int32_t number : change.beginning) {
    make_room(number);
    at(states_, number).line_sums = {};
    at(states_, number).gradient_grids = {};
    start_line(number, state, instant);
    clocks_[number].stored = stored;
    clocks_[number].most_energy = most_energy;
    stored = {};
    start_clock(number, tick);
    while (!kick(state, number)) continue;  // false: the step of a kick before it had to be shortened
  }
}

// Where a terrace that every rank of a team holds as a whole joins one that they divide, it is divided too.
void ClockedEnergyStepping::divide_joined(std::span<const std::int32_t> terraces, std::int32_t pair) {
  const auto is_everywhere = [&](std::int32_t j) { return at(lagrangian_.subdomains, j).everywhere; };
  if (std::ranges::all_of(terraces, is_everywhere) || std::ranges::none_of(terraces, is_everywhere)) return;
  std::vector<std::int32_t> pairs;
  for (const std::int32_t terrace : terraces) {
    if (terrace == pair || !is_everywhere(terrace)) continue;
    const std::vector<std::int32_t> touching = graph_.touching().pairs(terrace);
    pairs.insert(pairs.end(), touching.begin(), touching.end());
    graph_.touching().visit_members(terrace, [&](std::int32_t member) {
      lines_.forget(at(lagrangian_.subdomains, member));
      if (graph_.near_pairs().bodies_of(member) != nullptr) return;
      const int rank = at(lagrangian_.rank_of_body, member);
      if (rank != lagrangian_.communicator->rank()) graph_.subdomains().end_elements(member);
      graph_.subdomains().share_out(member, rank, lagrangian_.contact_pairs->surface_nodes(member));
    });
  }
  for (const std::int32_t touching : pairs) graph_.near_pairs().set_touching(touching, true);
}

void ClockedEnergyStepping::set_touching(std::int32_t pair, bool touching) {
  if (!graph_.near_pairs().changes_with_touch(pair, touching)) return;
  lines_.forget(at(lagrangian_.subdomains, pair));
  graph_.near_pairs().set_touching(pair, touching);
}

// The pairs of a group that are to be asked at the present event whether they have any energy left; nothing
// where no look is due.
std::optional<ClockedEnergyStepping::PairLooks> ClockedEnergyStepping::due_looks(std::int32_t group) const {
  const Clock& clock = clocks_[group];
  if (clock.next < clock.next_look) return {};
  PairLooks looks{.pairs = graph_.touching().pairs(group), .have_energy = {}};
  if (looks.pairs.empty()) return {};
  sort_by_order(lagrangian_, looks.pairs);
  return looks;
}

std::int64_t ClockedEnergyStepping::look_after(std::int32_t group, std::int64_t tick) const {
  constexpr std::int64_t steps_between_looks = 10;
  return tick + steps_between_looks * clocks_[group].longest;
}

void ClockedEnergyStepping::part_what_is_apart(State& state, std::int32_t group, const PairLooks& looks) {
  constexpr int enough = 5;
  std::vector<std::int32_t> parted;
  for (std::size_t i = 0; i < looks.pairs.size(); ++i) {
    int& apart = at(states_, looks.pairs[i]).looks_apart;
    apart = looks.have_energy[i] != 0 ? 0 : apart + 1;
    if (apart < enough) continue;
    parted.push_back(looks.pairs[i]);
    apart = 0;
  }
  if (parted.empty()) return;
  confirm(state);
  bring_far_sides(state);
  part(state, group, parted);
}

// Divides a group into terraces, as if they had had its last kick. Each holds U = V + a n·v, half a step
// ahead; the first by order also takes the difference to the group's U, so that Σ U does not change. All
// have their next event when the group would have had it.
void ClockedEnergyStepping::part(const State& state, std::int32_t group,
                                 std::span<const std::int32_t> parted) {
  const Clock before = clocks_[group];
  const double instant = clocks_.time_of(before.last);
  const double ahead = 0.5 * static_cast<double>(before.planned) * clocks_.tick();
  TouchingBodies::Change change = graph_.touching().part(group, parted);
  for (const std::int32_t pair : parted) set_touching(pair, false);
  std::sort(change.beginning.begin(), change.beginning.end(), [&](std::int32_t a, std::int32_t b) {
    return at(lagrangian_.subdomains, a).order < at(lagrangian_.subdomains, b).order;
  });
  for (const std::int32_t ending : change.ending) {
    clocks_.begin_anew(ending);
    schedule_.stop(ending);
  }
  WideInteger left = before.stored;
  std::int32_t first = -1;
  for (const std::int32_t number : change.beginning) {
    make_room(number);
    at(states_, number).line_sums = {};  // as in tick_of_touch
    start_line(number, state, instant);
    if (graph_.touching().waits(number)) {
      clocks_[number] = {};
      rest(number, state, instant, control_.scales().threshold_of_contact());
      continue;
    }
    at(states_, number).gradient_grids = {};
    start_clock(number, before.last);
    Clock& clock = clocks_[number];
    clock.running = true;
    clock.kicks = 1;
    clock.planned = before.planned;
    clock.most_energy = before.most_energy;
    clock.step = std::min(before.step, clock.longest);
    const double value = schedule_.value(number);
    const auto products = gradient_.evaluate(number, state, instant, at(states_, number).gradient_grids);
    clock.stored =
        WideInteger::nearest((value + ahead * products.normal_velocity) / control_.scales().quantum);
    clock.drift = {value, products.normal_velocity};
    if (balances(number)) gradient_.of_counted_nodes(number, at(gradients_, number));
    left -= clock.stored;
    if (first < 0) first = number;
    clocks_.set_next(number, before.next);
    guard(state, {number}, before.last);
  }
  if (first < 0) return;
  clocks_[first].stored += left;
  clocks_[first].offset = before.offset;
}

bool ClockedEnergyStepping::may_sleep(std::int32_t pair) const {
  return graph_.touching().terrace_of(pair) == pair && !clocks_[pair].running && clocks_[pair].next < 0;
}

// By swap, as assigning {} would keep the memory.
void ClockedEnergyStepping::forget_gradient(std::int32_t number) {
  std::vector<Vector3>().swap(at(gradients_, number));
}

// Frees what a sleeping pair holds. It keeps its subdomain where the graph of terraces is saved, in which
// pairs have places.
void ClockedEnergyStepping::forget(std::int32_t pair) {
  lines_.forget(at(lagrangian_.subdomains, pair));
  if (!can_divide_) return graph_.near_pairs().release(pair);
  graph_.near_pairs().drop(pair);
  at(states_, pair) = {};
  clocks_[pair] = {};
  forget_gradient(pair);
}

void ClockedEnergyStepping::follow(const State& state, double time, const NearPairs::Changes& changes) {
  for (const std::int32_t j : changes.asleep) {
    schedule_.stop(j);
    forget(j);
  }
  for (const std::int32_t j : changes.awake) make_room(j);  // of all, before start_line of any may throw
  for (const std::int32_t j : changes.awake) {
    start_line(j, state, time);
    rest(j, state, time, control_.scales().threshold_of_contact());
  }
}

void ClockedEnergyStepping::renew_box(const State& state, double time) {
  follow(state, time, graph_.near_pairs().renew_box(state.lines, [&](auto j) { return may_sleep(j); }));
}

std::optional<double> ClockedEnergyStepping::conserved_potential() const {
  return clocks_.stored().value() * control_.scales().quantum;
}

std::vector<SubdomainRecord> ClockedEnergyStepping::subdomain_records() const {
  std::vector<SubdomainRecord> records;
  if (can_divide_) {
    for (const EventMonitor& monitor : monitors_.of_bodies(graph_.near_pairs().bodies()))
      records.push_back(monitor.record());
    return records;
  }
  for (const SubdomainState& state : states_) records.push_back(state.monitor.record());
  return records;
}

double ClockedEnergyStepping::average_step() const { return monitors_.of_all().mean_step(); }

void ClockedEnergyStepping::describe_trouble(std::vector<Warning>& warnings) const {
  describe_balance(events_, control_.balance(), warnings);
}

void ClockedEnergyStepping::save(ByteWriter& writer) const {
  TERRACE_VERIFY(!unconfirmed_ && !far_sides_.any());
  if (can_divide_) {
    const ClockedSystem system = whole_system();
    return writer(system);
  }
  graph_.save(writer);
  writer(states_, schedule_, clocks_, events_, control_.balance(), searches_first_);
}

void ClockedEnergyStepping::restore(const State& state, ByteReader& reader) {
  far_sides_.forget();
  schedule_.forget_approaches();
  unconfirmed_.reset();
  owes_reduction_ = false;
  if (can_divide_) return restore_bodies(state, reader);
  graph_.restore(reader);
  lines_.keep_those_of(lagrangian_);
  BalanceRecord balance;
  reader(states_, schedule_, clocks_, events_, balance, searches_first_);
  control_.set_balance(balance);
  gradients_.assign(states_.size(), {});
  graph_.near_pairs().find_velocities(state.lines);
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(states_.size()); ++j) {
    at(states_, j).approach.is_of_flights = false;
    if (graph_.has_terrace(j)) restore_line(state, j);
  }
}

// Sets a terrace's lines after a restart or take-over. The gradient of the last kick is evaluated again: the
// lines tell where the nodes were then.
void ClockedEnergyStepping::restore_line(const State& state, std::int32_t number) {
  lines_.for_each(at(lagrangian_.subdomains, number),
                  [&](OnLine& line) { line.set_line(state.lines, at(states_, number).origin); });
  if (!clocks_[number].running || !balances(number)) return;
  GradientGrids grids = at(states_, number).gradient_grids;  // a copy: the state's must not change
  gradient_.evaluate(number, state, clocks_.time_of(clocks_[number].last), grids);
  gradient_.of_counted_nodes(number, at(gradients_, number));
}

// Clocks of bodies and groups by Subdomain::order, which does not depend on when groups came about. Pairs
// that wait store nothing yet and are left out.
std::uint64_t ClockedEnergyStepping::hash() const {
  std::map<std::array<std::int32_t, 2>, const Clock*> clocks;
  for (std::int32_t j = 0; j < clocks_.size(); ++j)
    if (graph_.has_terrace(j) && !graph_.touching().waits(j))
      clocks[at(lagrangian_.subdomains, j).order] = &clocks_[j];
  std::uint64_t hash = 1;
  for (const auto& [order, clock] : clocks) hash = clock->hash(hash);
  return hash;
}

}  // namespace terrace
