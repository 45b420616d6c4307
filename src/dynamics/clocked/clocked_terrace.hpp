// One terrace of clocked energy-stepping, or all of them, as plain values with which another rank or a later
// run goes on: all that decides their future apart from their nodes.
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

/// A terrace: one body, or several that touch. Names bodies alone, whose numbers are the same on every rank.
struct ClockedTerrace {
  /// Two of its bodies that touch, and how many looks in a row have found them apart.
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
  SubdomainState state;  ///< its monitor is not for others: it counts the events of one rank
  double event_at = infinity, none_before = infinity;  ///< of a terrace at rest: as in Schedule [s]
};

/// A ClockedTerrace as ranks send it to each other. All of them plan with `bodies`, `touches` and `clock`;
/// only the rank that takes the terrace over reads `rest`.
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

  /// The terrace, with `rest` read. Throws Error(run) where `rest` has more or fewer bytes than it takes.
  [[nodiscard]] ClockedTerrace terrace() const {
    ClockedTerrace terrace{bodies, touches, clock, {}, infinity, infinity};
    ByteReader reader(rest);
    archive_rest(terrace, reader);
    if (!reader.at_end())
      throw Error(Error::Kind::run, "a terrace that was told", "an end after all that it has", "more bytes");
    return terrace;
  }
  /// Whether the terrace has had no event between this and `now`.
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
    // The members that are not archived belong to pairs (looks_apart, approach), to the published method
    // (next_look), or to one rank alone (monitor).
    auto& [terrace, origin, horizon, search_start, next_look, looks_apart, approach, search, next, line_sums,
           gradient_grids, monitor] = state;
    archive(origin, gradient_grids);
    if (clock.running) return;  // the rest is of the search, which has ended
    archive(terrace, horizon, search_start, search, next, line_sums, event_at, none_before);
  }
};

/// A whole system whose bodies are one subdomain each, as it is saved; the same whichever ranks worked on
/// which parts of it. Pairs that wait for a touch are left out: they are found anew, without any effect on
/// the motion.
struct ClockedSystem {
  std::vector<ToldTerrace> terraces;
  std::vector<EventMonitor> monitors;  ///< of each body, and last that of all groups together
  std::int64_t events = 0;
  BalanceRecord balance;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [terraces, monitors, events, balance] = self;
    archive(terraces, monitors, events, balance);
  }
};

}  // namespace terrace
