// What subdomains that do events at once tell each other at the end of a round.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/concurrent/event_message.hpp"
#include "numerics/infinity.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// What is known of a subdomain's next event.
struct ProcessBound {
  std::int32_t subdomain = 0;
  EventPlace place;            ///< certainly none before
  double foreseen = infinity;  ///< time of its crossing, as far as that is known: a guess
  bool failed = false;         ///< it met an error at `place`
  bool leaves = false;         ///< a node of its body leaves the body's box there (NearPairs)
  double exit = infinity;      ///< when one does, as far as it has come [s]
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [subdomain, place, foreseen, failed, leaves, exit] = self;
    archive(subdomain, place, foreseen, failed, leaves, exit);
  }
};

/// Of one rank, or of all.
struct RoundNews {
  std::vector<ProcessBound> bounds;
  std::vector<EventWithdrawal> withdrawals;
  std::vector<std::shared_ptr<const EventMessage>> events;
  double work = 0;       ///< elements evaluated in this round
  double most_work = 0;  ///< for one subdomain
};

/// The news of all ranks, withdrawals and events in the order of their places: the same on any number of
/// ranks. Collective.
[[nodiscard]] RoundNews news_of_all(RoundNews mine, Communicator& communicator);

}  // namespace terrace
