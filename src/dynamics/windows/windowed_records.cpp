// Clocked energy-stepping in windows: what others see of it, and what is saved.
#include <array>
#include <set>
#include <utility>

#include "dynamics/system/layout.hpp"
#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

void WindowedEnergyStepping::trace(int planned_for) {
  if (planned_for == 0) planned_for = system_.ranks.size();
  planner_.plan_for(planned_for);
  const CommonKnowledge& common = system_.common;
  system_.trace = std::make_unique<WindowTrace>(system_.ranks, planned_for,
                                                planned_for == system_.ranks.size()
                                                    ? common.holders()
                                                    : ranks_in_a_row(common.elements(), planned_for));
  system_.clocks.watch_searches([this](std::int32_t subdomain) {
    const std::array<std::int32_t, 2>& order = at(system_.lagrangian.subdomains, subdomain).order;
    system_.trace->note_work(order[0] < 0 ? order[1] : order[0],
                             system_.clocks.element_evaluations());  // a pair's: for its first body
  });
}

// The number of clusters whose bodies belong to several ranks.
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
  if (system_.trace)
    system_.trace->close(passage.end, system_.clocks.element_evaluations(),
                         [&](std::int32_t body) { return system_.tubes.exit(body); });
  if (!(passage.end < window.end)) return;
  ++record_.cut_windows;
  planner_.shorten();
}

// Whether the outlines of all surfaces are of this instant. All ranks give the same answer.
bool WindowedEnergyStepping::knows_surfaces() const {
  return planner_.surfaces().known_at() == system_.state.time;
}

// What this rank must know to bring its share up to date: its bodies, and the surfaces that are near them.
std::vector<KnownBodies::Need> WindowedEnergyStepping::needs_of_share(std::span<const BodyPair> shown) const {
  std::vector<std::uint8_t> is_near(static_cast<std::size_t>(bodies()), 0);
  for (const BodyPair& pair : shown) at(is_near, pair.second) = 1;
  std::vector<KnownBodies::Need> needs;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(share_.rank_of_body, body) == rank())
      needs.push_back({body, KnownBodies::Part::whole});
    else if (at(is_near, body) != 0)
      needs.push_back({body, KnownBodies::Part::surface});
  return needs;
}

// Writes the nodes of this rank's share, as they are now, to `state`, and makes the contact that is measured.
// Collective.
void WindowedEnergyStepping::give(State& state) {
  if (!knows_surfaces()) tell_of_surfaces();
  const std::vector<BodyPair> shown = shown_contact_.near_pairs(planner_.surfaces().boxes());
  const std::vector<KnownBodies::Need> needs = needs_of_share(shown);
  system_.known.ask(needs, system_.common.holders(), system_.state);
  for (std::size_t a = 0; a < share_.global_nodes.size(); ++a) {
    state.lines[a] = at(system_.state.lines, share_.global_nodes[a]);
    state.momenta[a] = at(system_.state.momenta, share_.global_nodes[a]);
  }
  state.ledger = system_.state.ledger;
  state.time = system_.state.time;
  shown_contact_.show(shown);
}

void WindowedEnergyStepping::bring_up_to_date(State& state) {
  give(state);
  ask_for_monitors();
}

// Adds up what all ranks have counted since the last time. If each rank told all that it ever counted, it
// would have to tell it for every body that it has ever had. Collective.
void WindowedEnergyStepping::ask_for_monitors() {
  if (monitors_are_of_now_) return;
  ByteWriter writer;
  const std::vector<EventMonitor> own = system_.clocks.monitors().take(bodies());
  for (std::int32_t body = 0; body < std::ssize(own); ++body)  // the last one is of all groups
    if (at(own, body).has_anything_to_add()) writer(body, at(own, body));
  const std::vector<std::byte> all = system_.ranks.bytes_of_all(writer.take());
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
    none.emplace_back(at(system_.lagrangian.subdomains, body).name, 0);
  none.emplace_back("touching bodies", 0);
  return none;
}

std::vector<SubdomainRecord> WindowedEnergyStepping::subdomain_records() const {
  std::vector<SubdomainRecord> records;
  for (const EventMonitor& monitor :
       monitors_.empty() ? system_.clocks.monitors().of_bodies(bodies()) : monitors_)
    records.push_back(monitor.record());
  return records;
}

double WindowedEnergyStepping::average_step() const {
  EventMonitor all("", 0);
  for (const EventMonitor& monitor : monitors_) all.add(monitor);
  return all.events() > 0 ? all.mean_step() : system_.clocks.average_step();
}

void WindowedEnergyStepping::report(ContactExtremes& extremes) const { passage_.report(extremes); }

std::optional<double> WindowedEnergyStepping::conserved_potential() const {
  WideInteger sum;
  system_.common.terraces().visit([&](const ToldTerrace& terrace) { sum += terrace.clock.stored; });
  return sum.value() * system_.clocks.energy_quantum();
}

void WindowedEnergyStepping::describe_trouble(std::vector<Warning>& warnings) const {
  system_.clocks.describe_balance(events_, balance_, warnings);
}

std::uint64_t WindowedEnergyStepping::hash() const {
  std::uint64_t hash = 1;
  system_.common.terraces().visit([&](const ToldTerrace& terrace) { hash = terrace.clock.hash(hash); });
  return hash;
}

// Precondition: share() was called, so that monitors_ are sums over all ranks.
void WindowedEnergyStepping::save(ByteWriter& writer) const {
  TERRACE_VERIFY(!monitors_.empty(), events_);
  ClockedSystem system{{}, monitors_, events_, balance_};
  system_.common.terraces().visit([&](const ToldTerrace& terrace) { system.terraces.push_back(terrace); });
  writer(system);
}

void WindowedEnergyStepping::restore(const State& state, ByteReader& reader) {
  ClockedSystem system;
  reader(system);
  clusters_.end_all();
  begin_with_rows_of(state);
  system_.state.time = state.time;
  system_.state.ledger = state.ledger;
  for (ToldTerrace& terrace : system.terraces) system_.common.learn(std::move(terrace));
  events_ = system.events;
  balance_ = system.balance;
  monitors_ = std::move(system.monitors);
  monitors_are_of_now_ = false;
  system_.clocks.monitors().set(no_monitors());
  // Rank 0 alone goes on with the counts that were saved, as the counts of all ranks are added up.
  const bool keeps_account = rank() == 0;
  system_.clocks.set_counts(keeps_account ? events_ : 0,
                            keeps_account ? balance_ : balance_.without_counts());
  start_boxes();
}

}  // namespace terrace
