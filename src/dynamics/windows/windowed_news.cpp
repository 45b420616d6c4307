// Clocked energy-stepping in windows: the news that ranks tell each other when a window ends.
#include <set>
#include <utility>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"

namespace terrace {

void WindowedEnergyStepping::tell_of_bodies(const Window& window, const Outcome& outcome,
                                            ByteWriter& writer) const {
  const std::vector<std::int32_t> held = clusters_.held_bodies();
  const double elapsed = outcome.reached - window.begin;
  writer.size(held.size());
  for (const std::int32_t body : held) {
    const std::size_t before = writer.written();
    const auto [from_whole, node_by_node] =
        system_.tubes.deviation(body, system_.state.lines, outcome.reached);
    const double deviation = elapsed > 0 ? from_whole / elapsed : 0;
    const double departure = departure_after(system_.common.departure(body), node_by_node, elapsed);
    const SurfaceOutline outline = planner_.surfaces().outline(body, system_.state.lines, outcome.reached);
    writer(body, deviation, departure, outline);
    if (system_.trace) system_.trace->note_news(body, writer.written() - before);
  }
}

// Writes the terraces that events have changed. The rank that holds the first body of a terrace tells of it.
void WindowedEnergyStepping::tell_of_changes(ByteWriter& writer) const {
  std::set<std::int32_t> seen;  // numbers of terraces
  std::vector<ToldTerrace> changed;
  for (const std::int32_t body : clusters_.held_bodies()) {
    if (!seen.insert(system_.clocks.graph().touching().terrace_of(body)).second) continue;
    const ClockedTerrace terrace = system_.clocks.terrace_of(body);
    if (terrace.bodies.front() == body && !system_.common.terraces().of(body).is_still(terrace))
      changed.emplace_back(terrace);
  }
  writer.size(changed.size());
  for (const ToldTerrace& terrace : changed) {
    const std::size_t before = writer.written();
    writer(terrace);
    if (system_.trace) system_.trace->note_news(terrace.bodies.front(), writer.written() - before);
  }
}

// The news of this rank: what all others have to know of what it did.
std::vector<std::byte> WindowedEnergyStepping::news(const Window& window, const Outcome& outcome) const {
  const WindowPhase phase(system_.trace.get(), Operation::telling);
  ByteWriter writer;
  const std::int64_t searches = system_.clocks.searches() - clusters_.searches_elsewhere();
  const BalanceRecord balance = system_.clocks.balance().value();
  const int me = rank();
  const std::int64_t team_events = passage_.team_events(), team_collectives = clusters_.team_collectives();
  const double speed = passage_.speed();
  writer(me, balance, searches, team_events, team_collectives, speed);
  tell_of_bodies(window, outcome, writer);
  tell_of_changes(writer);
  return writer.take();
}

void WindowedEnergyStepping::tell(const Window& window, std::span<const std::byte> news_of_mine,
                                  double reached) {
  std::vector<std::byte> all;
  {
    const WindowPhase phase(system_.trace.get(), Operation::exchange);
    for (int collectives = 0; collectives < 2; ++collectives) system_.ranks.count_exchange();
    all = system_.ranks.bytes_of_all(news_of_mine);
  }
  const WindowPhase phase(system_.trace.get(), Operation::learning);
  ByteReader reader(all);
  balance_ = balance_.without_counts();
  searches_ = record_.team_events = record_.team_collectives = 0;
  std::vector<double> speeds;
  while (!reader.at_end()) read_news(window, reader, speeds);
  system_.common.set_speeds(std::move(speeds));
  know_active_bodies();
  planner_.surfaces().know(reached);
}

// Reads the news of one rank. The rank that tells of a body had it last, even if it was planned for another.
void WindowedEnergyStepping::read_news(const Window& window, ByteReader& reader,
                                       std::vector<double>& speeds) {
  int teller = 0;
  BalanceRecord balance;
  std::int64_t searches = 0, team_events = 0, team_collectives = 0;
  double speed = 0;
  reader(teller, balance, searches, team_events, team_collectives, speed);
  if (passage_.ranks_help()) speeds.push_back(speed);
  balance_.add(balance);
  searches_ += searches;
  record_.team_events += team_events;
  record_.team_collectives += team_collectives;
  for (std::size_t left = reader.size(0); left > 0; --left) {
    std::int32_t body = 0;
    double deviation = 0, departure = 0;
    SurfaceOutline outline;
    reader(body, deviation, departure, outline);
    system_.common.learn_departure(body, deviation, departure);
    planner_.surfaces().learn(body, outline);
    if (at(window.rank_of, body) == teller) continue;
    system_.common.set_holder(body, teller);
    if (system_.trace) system_.trace->note_holder(body, teller);
    ++record_.moved_bodies;
    if (at(window.cluster_of, body) == body) ++record_.helped_clusters;
  }
  std::vector<ToldTerrace> changed;
  reader(changed);
  for (ToldTerrace& terrace : changed) {
    for (const std::int32_t body : terrace.bodies) system_.known.has_moved(body);
    system_.common.learn(std::move(terrace));
  }
}

// This rank knows the bodies that it worked on as they are now. Of a body that its team shares out, and that
// another rank of it holds, it knows the surface alone.
void WindowedEnergyStepping::know_active_bodies() {
  for (const std::int32_t body : clusters_.active_bodies()) {
    const bool follows = system_.clocks.graph().subdomains().is_shared_out(body) &&
                         at(system_.common.holders(), body) != rank();
    system_.known.know(body, follows ? KnownBodies::Part::surface : KnownBodies::Part::whole);
  }
  system_.known.forget_moved(system_.state);
  system_.known.spoil_unknown(system_.state);
}

}  // namespace terrace
