// Clocked energy-stepping in windows: what ranks tell each other when a window ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dynamics/windowed_energy_stepping.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {

// What all others have to know of what this rank did.
std::vector<std::byte> WindowedEnergyStepping::news(const Window& window, const Outcome& outcome) const {
  const WindowPhase phase(trace_.get(), Operation::telling);
  ByteWriter writer;
  const std::int64_t searches = inner_.searches();
  const BalanceRecord balance = inner_.balance().value();
  writer(balance, searches);
  std::vector<ClockedTerrace> changed;
  for (const std::int32_t body : own_bodies()) {
    const double elapsed = outcome.reached - window.begin;
    const double deviation =
        elapsed > 0 ? tubes_.deviation(body, state_.lines, outcome.reached) / elapsed : 0;
    writer(deviation);
    ClockedTerrace terrace = inner_.terrace_of(body);
    if (terrace.bodies.front() != body) continue;
    const auto before = terraces_.find(body);
    if (before == terraces_.end() || terrace.has_changed_since(before->second))
      changed.push_back(std::move(terrace));
  }
  std::size_t before = writer.written();
  const auto note_bytes = [&](const ClockedTerrace& terrace) {
    if (trace_) trace_->note_news(terrace.bodies.front(), writer.written() - before);
    before = writer.written();
  };
  writer.size(changed.size());
  for (const ClockedTerrace& terrace : changed) {
    writer(terrace);
    note_bytes(terrace);
  }
  for (const ClockedTerrace& terrace : changed) {
    for (const std::int32_t body : terrace.bodies)
      for (const std::int32_t node : at(system_.subdomains, body).nodes) {
        const NodeRow row = state_.row(static_cast<std::size_t>(node));
        writer(row.line, row.momentum);
      }
    note_bytes(terrace);
  }
  return writer.take();
}

void WindowedEnergyStepping::tell(std::span<const std::byte> news_of_mine) {
  std::vector<std::byte> all;
  {
    const WindowPhase phase(trace_.get(), Operation::exchange);
    for (int collectives = 0; collectives < 2; ++collectives) communicator_.count_exchange();
    all = communicator_.bytes_of_all(news_of_mine);
  }
  const WindowPhase phase(trace_.get(), Operation::learning);
  ByteReader reader(all);
  balance_ = balance_.without_counts();
  searches_ = 0;
  for (int rank = 0; rank < communicator_.size(); ++rank) read_news(reader, rank);
}

void WindowedEnergyStepping::read_news(ByteReader& reader, int rank) {
  BalanceRecord balance;
  std::int64_t searches = 0;
  reader(balance, searches);
  balance_.add(balance);
  searches_ += searches;
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(holder_, body) == rank) reader(at(deviation_, body));
  std::vector<ClockedTerrace> changed;
  reader(changed);
  for (ClockedTerrace& terrace : changed) {
    for (const std::int32_t body : terrace.bodies)
      for (const std::int32_t node : at(system_.subdomains, body).nodes) {
        NodeRow row;
        reader(row.line, row.momentum);
        if (rank != communicator_.rank()) state_.set_row(static_cast<std::size_t>(node), row);
      }
    learn(std::move(terrace));
  }
}

// Of the events of all ranks in the window, the last that is still to be done.
WindowedEnergyStepping::EventKey WindowedEnergyStepping::last_of_all(std::int64_t events) const {
  ByteWriter writer;
  writer(done_);
  const std::vector<std::byte> bytes = communicator_.bytes_of_all(writer.take());
  ByteReader reader(bytes);
  std::vector<EventKey> all, of_one;
  while (!reader.at_end()) {
    reader(of_one);
    all.insert(all.end(), of_one.begin(), of_one.end());
  }
  TERRACE_VERIFY(events > 0 && events <= static_cast<std::int64_t>(all.size()), events, all.size());
  std::sort(all.begin(), all.end());
  return all[static_cast<std::size_t>(events - 1)];
}

// In the order of ranks. Who waits for long says so: a window may have no end.
std::vector<WindowedEnergyStepping::Outcome> WindowedEnergyStepping::outcomes(const Outcome& mine) const {
  const WindowPhase phase(trace_.get(), Operation::exchange);
  communicator_.count_exchange();
  const std::array<double, 5> own = {mine.reached, mine.failed ? 1.0 : 0.0, static_cast<double>(mine.events),
                                     static_cast<double>(mine.failed_at[0]),
                                     static_cast<double>(mine.failed_at[1])};
  const std::vector<double> all = communicator_.numbers_of_all(own, long_, [&](double seconds) {
    fmt::print(stderr, "\nwarning: rank {} has waited for {:.0f} s for others at the end of a window, {}\n",
               communicator_.rank(), seconds, at_time(mine.reached));
  });
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < all.size(); i += own.size())
    outcomes.push_back({all[i],
                        all[i + 1] != 0,
                        static_cast<std::int64_t>(all[i + 2]),
                        {static_cast<std::int32_t>(all[i + 3]), static_cast<std::int32_t>(all[i + 4])}});
  return outcomes;
}

}  // namespace terrace
