// How events were done at once.
#pragma once

#include <cstdint>

namespace terrace {

/// Of this run of the program: the same on any number of ranks.
struct ConcurrencyRecord {
  std::int64_t rounds = 0;         ///< after each of which all tell each other what they did
  std::int64_t events = 0;         ///< that were done for good
  std::int64_t undone_events = 0;  ///< besides: done too early
  std::int64_t longest_chain = 0;  ///< of events each of which depends on the one before (EventChains)
  double work = 0;                 ///< elements evaluated
  double work_of_slowest = 0;      ///< in every round for the one subdomain that took most, added up
};

}  // namespace terrace
