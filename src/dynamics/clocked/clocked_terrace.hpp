// A terrace of clocked energy-stepping, or all of them, with all that decides their future apart from their
// nodes: to go on with them elsewhere, or later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics/clocked/clock.hpp"
#include "dynamics/state/integrator.hpp"
#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/terraces/event_monitor.hpp"
#include "dynamics/terraces/subdomain_state.hpp"
#include "numerics/infinity.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// A body, or bodies that touch, named by what is the same on every rank.
struct ClockedTerrace {
  /// Two bodies of it that touch, and how often in a row they were found apart.
  struct Touch {
    BodyPair bodies;
    int looks_apart = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [bodies, looks_apart] = self;
      archive(bodies, looks_apart);
    }
    bool operator==(const Touch&) const = default;
  };

  std::vector<std::int32_t> bodies;  ///< ascending
  std::vector<Touch> touches;        ///< ascending
  Clock clock;
  SubdomainState state;  ///< but for the monitor, which counts what was done on one rank
  double event_at = infinity, none_before = infinity;  ///< of what rests, as in Schedule
};

/// The same as ranks tell each other: all of them plan with what they read of it, `rest` is for who takes it
/// over.
struct ToldTerrace {
  std::vector<std::int32_t> bodies;
  std::vector<ClockedTerrace::Touch> touches;
  Clock clock;
  std::vector<std::byte> rest;

  ToldTerrace() = default;
  explicit ToldTerrace(const ClockedTerrace& terrace)
      : bodies(terrace.bodies), touches(terrace.touches), clock(terrace.clock) {
    ByteWriter writer;
    archive_rest(terrace, writer);
    rest = writer.take();
  }

  /// Throws Error(run) where `rest` is not what a terrace has.
  [[nodiscard]] ClockedTerrace terrace() const {
    ClockedTerrace terrace{bodies, touches, clock, {}, infinity, infinity};
    ByteReader reader(rest);
    archive_rest(terrace, reader);
    if (!reader.at_end())
      throw Error(Error::Kind::run, "a terrace that was told", "an end after all that it has", "more bytes");
    return terrace;
  }
  /// Whether no event made it what it is now.
  [[nodiscard]] bool is_still(const ClockedTerrace& now) const {
    return bodies == now.bodies && touches == now.touches && clock.next == now.clock.next &&
           clock.last == now.clock.last && clock.running == now.clock.running;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [bodies, touches, clock, rest] = self;
    archive(bodies, touches, clock, rest);
  }

 private:
  template <class Terrace, class Archive>
  static void archive_rest(Terrace& whole, Archive& archive) {
    auto& [bodies, touches, clock, state, event_at, none_before] = whole;
    // Pairs alone have an approach and are looked at; the published method has times for it.
    auto& [terrace, origin, horizon, search_start, next_look, looks_apart, approach, search, next, line_sums,
           gradient_grids, monitor] = state;
    archive(origin, gradient_grids);
    if (clock.running) return;  // it is not searched any more
    archive(terrace, horizon, search_start, search, next, line_sums, event_at, none_before);
  }
};

/// A system whose bodies are one subdomain each, as it is saved: whoever worked on it, in whatever parts.
/// Pairs that wait for a touch are not among this; they are found anew and leave no trace.
struct ClockedSystem {
  std::vector<ToldTerrace> terraces;
  std::vector<EventMonitor> monitors;  ///< of each body, and of all groups together
  std::int64_t events = 0;
  BalanceRecord balance;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [terraces, monitors, events, balance] = self;
    archive(terraces, monitors, events, balance);
  }
};

}  // namespace terrace
