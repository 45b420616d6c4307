// The news that subdomains tell each other at the end of a round of events at once.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/concurrent/event_message.hpp"
#include "numerics/infinity.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// What a subdomain knows of its next event.
struct ProcessBound {
  std::int32_t subdomain = 0;
  EventPlace place;            ///< it certainly has no event before this
  double foreseen = infinity;  ///< a guess of the time of its crossing [s]; +∞: none
  bool failed = false;         ///< it met an error at `place`
  bool leaves = false;         ///< a node of its body leaves the body's box at `place` (NearPairs)
  double exit = infinity;      ///< when a node of its body leaves the box on its present lines [s]
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [subdomain, place, foreseen, failed, leaves, exit] = self;
    archive(subdomain, place, foreseen, failed, leaves, exit);
  }
};

/// The news of one rank, or of all ranks.
struct RoundNews {
  std::vector<ProcessBound> bounds;
  std::vector<EventWithdrawal> withdrawals;
  std::vector<std::shared_ptr<const EventMessage>> events;
  double work = 0;       ///< elements evaluated in this round, for all subdomains
  double most_work = 0;  ///< for the subdomain that took most
};

/// The news of all ranks. Withdrawals and events are sorted by their places, and are so the same on any
/// number of ranks. Collective.
[[nodiscard]] RoundNews news_of_all(RoundNews mine, Communicator& communicator);

}  // namespace terrace
