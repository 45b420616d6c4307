// How many events an executor has done at once.
#pragma once

#include <cstdint>

namespace terrace {

/// Counts of concurrent events in this run of the program (executor "concurrent"): the same on any number of
/// ranks.
struct ConcurrencyRecord {
  std::int64_t rounds = 0;         ///< number of rounds; after each, subdomains tell each other what they did
  std::int64_t events = 0;         ///< number of events done for good
  std::int64_t undone_events = 0;  ///< number of further events, which were done too early and undone
  std::int64_t longest_chain = 0;  ///< length of the longest chain of dependent events (EventChains)
  double work = 0;                 ///< number of elements evaluated
  double work_of_slowest = 0;      ///< the same for the busiest subdomain of each round, summed over rounds
};

}  // namespace terrace
