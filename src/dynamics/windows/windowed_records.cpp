// Clocked energy-stepping in windows: what others see of it, and what is kept of it.
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "dynamics/system/layout.hpp"
#include "dynamics/windows/window_teams.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

void WindowedEnergyStepping::trace(int planned_for) {
  if (planned_for == 0) planned_for = communicator_.size();
  planner_.plan_for(planned_for);
  trace_ = std::make_unique<WindowTrace>(
      communicator_, planned_for,
      planned_for == communicator_.size() ? holder_ : ranks_in_a_row(work_, planned_for));
  inner_.watch_searches([this](std::int32_t subdomain) {
    const std::array<std::int32_t, 2>& order = at(system_.subdomains, subdomain).order;
    trace_->note_work(order[0] < 0 ? order[1] : order[0],
                      inner_.element_evaluations());  // of a pair the first
  });
}

// The largest share that a rank of the team that was planned for a group would have had of it.
double WindowedEnergyStepping::largest_planned_share(std::int32_t body) const {
  TerraceTotals group;
  std::map<int, double> bodies;  // by rank
  double most = 0;
  inner_.graph().touching().visit_members(
      inner_.graph().touching().terrace_of(body), [&](std::int32_t member) {
        if (inner_.graph().near_pairs().bodies_of(member) != nullptr) return;
        ++group.bodies;
        group.work += trace_->foreseen_work(member);
        // As the work was foreseen.
        group.events =
            std::max({group.events, at(pace_, member), touched_share * inner_.events_per_time(member)});
        group.surface += static_cast<double>(system_.contact_pairs->surface_nodes(member).size());
        most = std::max(most, ++bodies[at(trace_->holders(), member)]);
      });
  return largest_share(group, most);
}

void WindowedEnergyStepping::note_event(const Cluster& cluster) {
  const std::array<std::int32_t, 2>& order = inner_.last_event().order;
  const std::int32_t body = order[0] < 0 ? order[1] : order[0];
  const double seconds = trace_->note_work(body, inner_.element_evaluations());
  if (cluster.team == nullptr && trace_->is_divided(body))
    trace_->note_critical(body, (largest_planned_share(body) - 1) * seconds);
  if (!cluster.is_counted_elsewhere()) trace_->note_event(body);
}

// Clusters of which bodies are several ranks'.
static double teams_in(const Window& window) {
  std::set<std::int32_t> divided;
  for (std::size_t body = 0; body < window.rank_of.size(); ++body)
    if (window.rank_of[body] != at(window.rank_of, window.cluster_of[body]))
      divided.insert(window.cluster_of[body]);
  return static_cast<double>(divided.size());
}

void WindowedEnergyStepping::note(const Window& window, const Passage& passage) {
  const auto before = static_cast<double>(record_.windows++);
  const auto include = [&](double& mean, double x) { mean += (x - mean) / (before + 1); };
  include(record_.clusters, window.clusters);
  include(record_.balance, window.balance);
  include(record_.teams, teams_in(window));
  if (trace_)
    trace_->close(passage.end, inner_.element_evaluations(),
                  [&](std::int32_t body) { return tubes_.exit(body); });
  if (!(passage.end < window.end)) return;
  ++record_.cut_windows;
  planner_.shorten();
}

// Others wait for this rank: whoever looks at the run should know for what.
void WindowedEnergyStepping::tell_of_long_windows(std::int64_t events, Patience& patience) const {
  constexpr std::int64_t between_looks = 1024;
  const double seconds = MPI_Wtime() - patience.begin;
  if (events % between_looks != 0 || seconds < patience.ends) return;
  patience.ends = 2 * seconds;
  fmt::print(stderr, "\nwarning: rank {} has been in one window for {:.0f} s: {} events, {}\n",
             communicator_.rank(), seconds, events, at_time(state_.time));
}

// Whether the outlines of all surfaces are of this instant. All ranks give the same answer.
bool WindowedEnergyStepping::knows_surfaces() const { return planner_.surfaces().known_at() == state_.time; }

// The bodies of its share, and of the surfaces of others those that touch them.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_of_share(std::span<const BodyPair> shown) const {
  std::vector<std::uint8_t> is_near(holder_.size(), 0);
  for (const BodyPair& pair : shown) at(is_near, pair.second) = 1;
  std::vector<KnownBodies::Need> needs;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(share_.rank_of_body, body) == communicator_.rank())
      needs.push_back({body, KnownBodies::Part::whole});
    else if (at(is_near, body) != 0)
      needs.push_back({body, KnownBodies::Part::surface});
  return needs;
}

// This rank's share of the nodes, as they are where it is this rank's to show them, and of the contact
// between them.
void WindowedEnergyStepping::give(State& state) {
  if (!knows_surfaces()) tell_of_surfaces();
  const std::vector<BodyPair> shown = shown_contact_.near_pairs(planner_.surfaces().boxes());
  const std::vector<KnownBodies::Need> needs = needs_of_share(shown);
  known_.ask(needs, holder_, state_);
  std::vector<std::uint8_t> is_needed(holder_.size(), 0);
  for (const KnownBodies::Need& need : needs) at(is_needed, need.body) = 1;
  for (std::size_t a = 0; a < share_.global_nodes.size(); ++a) {
    if (at(is_needed, share_.body_of_node[a]) == 0) {
      KnownBodies::spoil(state.lines[a]);
      continue;
    }
    state.lines[a] = at(state_.lines, share_.global_nodes[a]);
    state.momenta[a] = at(state_.momenta, share_.global_nodes[a]);
  }
  state.ledger = state_.ledger;
  state.time = state_.time;
  shown_contact_.show(shown);
}

void WindowedEnergyStepping::bring_up_to_date(State& state) {
  give(state);
  ask_for_monitors();
}

// A rank tells what it has counted since the last time: all that it ever did would come to a monitor of every
// body from each rank that has had it.
void WindowedEnergyStepping::ask_for_monitors() {
  if (monitors_are_of_now_) return;
  ByteWriter writer;
  const std::vector<EventMonitor> own = inner_.take_monitors(bodies());
  for (std::int32_t body = 0; body < std::ssize(own); ++body)  // the last: groups
    if (at(own, body).has_anything_to_add()) writer(body, at(own, body));
  const std::vector<std::byte> all = communicator_.bytes_of_all(writer.take());
  ByteReader reader(all);
  if (monitors_.empty()) monitors_ = no_monitors();
  while (!reader.at_end()) {
    std::int32_t body = 0;
    EventMonitor of_one;
    reader(body, of_one);
    at(monitors_, body).add(of_one);
  }
  monitors_are_of_now_ = true;
}

std::vector<EventMonitor> WindowedEnergyStepping::no_monitors() const {
  std::vector<EventMonitor> none;
  for (std::int32_t body = 0; body < bodies(); ++body)
    none.emplace_back(at(system_.subdomains, body).name, 0);
  none.emplace_back("touching bodies", 0);
  return none;
}

std::vector<SubdomainRecord> WindowedEnergyStepping::subdomain_records() const {
  std::vector<SubdomainRecord> records;
  for (const EventMonitor& monitor : monitors_.empty() ? inner_.monitors(bodies()) : monitors_)
    records.push_back(monitor.record());
  return records;
}

double WindowedEnergyStepping::average_step() const {
  EventMonitor all("", 0);
  for (const EventMonitor& monitor : monitors_) all.add(monitor);
  return all.events() > 0 ? all.mean_step() : inner_.average_step();
}

void WindowedEnergyStepping::report(ContactExtremes& extremes) const {
  include(extremes, extremes_);
  inner_.report(extremes);
}

std::optional<double> WindowedEnergyStepping::conserved_potential() const {
  WideInteger sum;
  terraces_.visit([&](const ToldTerrace& terrace) { sum += terrace.clock.stored; });
  return sum.value() * inner_.energy_quantum();
}

void WindowedEnergyStepping::describe_trouble(std::vector<Warning>& warnings) const {
  inner_.describe_balance(events_, balance_, warnings);
}

std::uint64_t WindowedEnergyStepping::hash() const {
  std::uint64_t hash = 1;
  terraces_.visit([&](const ToldTerrace& terrace) { hash = terrace.clock.hash(hash); });
  return hash;
}

void WindowedEnergyStepping::release_bodies() {
  std::vector<std::int32_t> all(holder_.size());
  std::iota(all.begin(), all.end(), 0);
  work_no_more_on(all, all);
  clusters_.clear();
}

// After share().
void WindowedEnergyStepping::save(ByteWriter& writer) const {
  TERRACE_VERIFY(!monitors_.empty(), events_);
  ClockedSystem system{{}, monitors_, events_, balance_};
  terraces_.visit([&](const ToldTerrace& terrace) { system.terraces.push_back(terrace); });
  writer(system);
}

void WindowedEnergyStepping::restore(const State& state, ByteReader& reader) {
  ClockedSystem system;
  reader(system);
  release_bodies();
  begin_with_rows_of(state);
  state_.time = state.time;
  state_.ledger = state.ledger;
  former_cluster_.clear();
  terraces_.forget_all();
  for (ToldTerrace& terrace : system.terraces) learn(std::move(terrace));
  events_ = system.events;
  balance_ = system.balance;
  monitors_ = std::move(system.monitors);
  monitors_are_of_now_ = false;
  inner_.set_monitors(no_monitors());
  // Of what else was counted so far rank 0 keeps account.
  const bool keeps_account = communicator_.rank() == 0;
  inner_.set_counts(keeps_account ? events_ : 0, keeps_account ? balance_ : balance_.without_counts());
  start_boxes();
}

}  // namespace terrace
