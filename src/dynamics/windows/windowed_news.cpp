// Clocked energy-stepping in windows: what ranks tell each other when a window ends.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/gathered.hpp"
#include "parallel/together.hpp"

namespace terrace {

// Of all ranks, or the failure of one on all.
std::vector<WindowPlanner::Meeting> WindowedEnergyStepping::meetings_of_all(
    const std::vector<WindowPlanner::Meeting>& mine, const std::exception_ptr& failure, State& state) {
  std::vector<WindowPlanner::Meeting> all, of_one;
  bool any_failed = false;
  {
    const WindowPhase phase(trace_.get(), Operation::exchange);
    for (int collectives = 0; collectives < 2; ++collectives) communicator_.count_exchange();
    const bool failed_here = failure != nullptr;
    ByteWriter writer;
    writer(failed_here, mine);
    const std::vector<std::byte> bytes = communicator_.bytes_of_all(writer.take());
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

void WindowedEnergyStepping::tell_of_bodies(const Window& window, const Outcome& outcome,
                                            ByteWriter& writer) const {
  const std::vector<std::int32_t> held = held_bodies();
  const double elapsed = outcome.reached - window.begin;
  writer.size(held.size());
  for (const std::int32_t body : held) {
    const std::size_t before = writer.written();
    const auto [from_whole, node_by_node] = tubes_.deviation(body, state_.lines, outcome.reached);
    const double deviation = elapsed > 0 ? from_whole / elapsed : 0;
    const double departure = departure_after(at(departure_, body), node_by_node, elapsed);
    const SurfaceOutline outline = planner_.surfaces().outline(body, state_.lines, outcome.reached);
    writer(body, deviation, departure, outline);
    if (trace_) trace_->note_news(body, writer.written() - before);
  }
}

// Of a terrace that an event made another the rank tells that has its first body.
void WindowedEnergyStepping::tell_of_changes(ByteWriter& writer) const {
  std::set<std::int32_t> seen;  // by their numbers
  std::vector<ToldTerrace> changed;
  for (const std::int32_t body : held_bodies()) {
    if (!seen.insert(inner_.graph().touching().terrace_of(body)).second) continue;
    const ClockedTerrace terrace = inner_.terrace_of(body);
    if (terrace.bodies.front() == body && !terraces_.of(body).is_still(terrace))
      changed.emplace_back(terrace);
  }
  writer.size(changed.size());
  for (const ToldTerrace& terrace : changed) {
    const std::size_t before = writer.written();
    writer(terrace);
    if (trace_) trace_->note_news(terrace.bodies.front(), writer.written() - before);
  }
}

// What all others have to know of what this rank did.
std::vector<std::byte> WindowedEnergyStepping::news(const Window& window, const Outcome& outcome) const {
  const WindowPhase phase(trace_.get(), Operation::telling);
  ByteWriter writer;
  const std::int64_t searches = inner_.searches() - searches_elsewhere_;
  const BalanceRecord balance = inner_.balance().value();
  const int rank = communicator_.rank();
  const double speed = speed_.value();
  writer(rank, balance, searches, team_events_, team_collectives_, speed);
  tell_of_bodies(window, outcome, writer);
  tell_of_changes(writer);
  return writer.take();
}

void WindowedEnergyStepping::tell(const Window& window, std::span<const std::byte> news_of_mine,
                                  double reached) {
  std::vector<std::byte> all;
  {
    const WindowPhase phase(trace_.get(), Operation::exchange);
    for (int collectives = 0; collectives < 2; ++collectives) communicator_.count_exchange();
    all = communicator_.bytes_of_all(news_of_mine);
  }
  const WindowPhase phase(trace_.get(), Operation::learning);
  ByteReader reader(all);
  balance_ = balance_.without_counts();
  searches_ = record_.team_events = record_.team_collectives = 0;
  speeds_.clear();
  while (!reader.at_end()) read_news(window, reader);
  know_active_bodies();
  planner_.surfaces().know(reached);
}

// Who tells of a body has had it last, be it that it was planned for another.
void WindowedEnergyStepping::read_news(const Window& window, ByteReader& reader) {
  int rank = 0;
  BalanceRecord balance;
  std::int64_t searches = 0, team_events = 0, team_collectives = 0;
  double speed = 0;
  reader(rank, balance, searches, team_events, team_collectives, speed);
  if (communicator_.size() > 1 && helper_use_ != HelperUse::never) speeds_.push_back(speed);
  balance_.add(balance);
  searches_ += searches;
  record_.team_events += team_events;
  record_.team_collectives += team_collectives;
  for (std::size_t left = reader.size(0); left > 0; --left) {
    std::int32_t body = 0;
    SurfaceOutline outline;
    reader(body);
    reader(at(deviation_, body), at(departure_, body), outline);
    planner_.surfaces().learn(body, outline);
    if (at(window.rank_of, body) == rank) continue;
    at(holder_, body) = rank;
    if (trace_) trace_->note_holder(body, rank);
    ++record_.moved_bodies;
    if (at(window.cluster_of, body) == body) ++record_.helped_clusters;
  }
  std::vector<ToldTerrace> changed;
  reader(changed);
  for (ToldTerrace& terrace : changed) {
    for (const std::int32_t body : terrace.bodies) known_.has_moved(body);
    learn(std::move(terrace));
  }
}

// As they are now; of a body that a team shares out those of its ranks that follow it know its surface alone.
void WindowedEnergyStepping::know_active_bodies() {
  for (const std::int32_t body : active_bodies()) {
    const bool follows =
        inner_.graph().subdomains().is_shared_out(body) && at(holder_, body) != communicator_.rank();
    known_.know(body, follows ? KnownBodies::Part::surface : KnownBodies::Part::whole);
  }
  known_.spoil_unknown(state_);
}

// Of the events of all ranks in the window, the last that is still to be done.
WindowedEnergyStepping::EventKey WindowedEnergyStepping::last_of_all(std::int64_t events) const {
  for (int collectives = 0; collectives < 2; ++collectives) communicator_.count_exchange();
  // Those of a rank that come after as many of its own come after them all the same.
  std::vector<EventKey> first = done_;
  if (events < std::ssize(first)) {
    std::nth_element(first.begin(), first.begin() + events, first.end());
    first.resize(static_cast<std::size_t>(events));
  }
  ByteWriter writer;
  writer(first);
  const std::vector<std::vector<std::byte>> from_each =
      gathered_at_root(communicator_.handle(), writer.take());
  EventKey last;
  together(communicator_.handle(), [&] {
    if (communicator_.rank() != 0) return;
    std::vector<EventKey> all, of_one;
    for (const std::vector<std::byte>& bytes : from_each) {
      ByteReader reader(bytes);
      reader(of_one);
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
    TERRACE_VERIFY(events > 0 && events <= std::ssize(all), events, all.size());
    const auto wanted = all.begin() + (events - 1);
    std::nth_element(all.begin(), wanted, all.end());
    last = *wanted;
  });
  communicator_.broadcast(std::as_writable_bytes(std::span(&last, 1)), 0);
  return last;
}

// A window may have no end.
void WindowedEnergyStepping::tell_of_waiting(double seconds, const Outcome& outcome) const {
  fmt::print(stderr, "\nwarning: rank {} has waited for {:.0f} s for others at the end of a window, {}\n",
             communicator_.rank(), seconds, at_time(outcome.reached));
}

// In the order of ranks.
std::vector<WindowedEnergyStepping::Outcome> WindowedEnergyStepping::outcomes(const Outcome& mine) {
  const WindowPhase phase(trace_.get(), Operation::exchange);
  communicator_.count_exchange();
  const std::array<double, 6> own = {mine.reached,
                                     mine.farthest,
                                     mine.failed ? 1.0 : 0.0,
                                     static_cast<double>(mine.events),
                                     static_cast<double>(mine.failed_at[0]),
                                     static_cast<double>(mine.failed_at[1])};
  const std::vector<double> all = communicator_.numbers_of_all(
      own, long_, [&](double seconds) { tell_of_waiting(seconds, mine); },
      [&] {
        if (may_be_asked()) questions_.look(no_cluster);
      });
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < all.size(); i += own.size())
    outcomes.push_back({all[i],
                        all[i + 1],
                        all[i + 2] != 0,
                        static_cast<std::int64_t>(all[i + 3]),
                        {static_cast<std::int32_t>(all[i + 4]), static_cast<std::int32_t>(all[i + 5])}});
  return outcomes;
}

}  // namespace terrace
