// A terrace of clocked energy-stepping with all that decides its future, apart from its nodes: to go on with
// it elsewhere.
#pragma once

#include <vector>

#include "dynamics/clock.hpp"
#include "dynamics/contact_parameters.hpp"
#include "dynamics/subdomain_state.hpp"

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
  SubdomainState state;                  ///< but for the monitor, which counts what was done on one rank
  double event_at = 0, none_before = 0;  ///< of what rests, as in Schedule

  /// Whether an event made it what it is now.
  [[nodiscard]] bool has_changed_since(const ClockedTerrace& before) const {
    return bodies != before.bodies || touches != before.touches || clock.next != before.clock.next ||
           clock.last != before.clock.last || clock.running != before.clock.running;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [bodies, touches, clock, state, event_at, none_before] = self;
    auto& [terrace, origin, horizon, search_start, next_look, looks_apart, search, next, line_sums,
           gradient_grids, monitor] = state;
    archive(bodies, touches, clock, terrace, origin, horizon, search_start, next_look, looks_apart, search,
            next, line_sums, gradient_grids, event_at, none_before);
  }
};

}  // namespace terrace
