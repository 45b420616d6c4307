// What is due of a part of a system.
#pragma once

#include <cstdint>
#include <vector>

namespace terrace {

/// What an executor is to do next for some bodies, taken out of its queues for a while: times, +∞ where
/// nothing is due.
struct Agenda {
  struct Exit {
    std::int32_t body;
    double from_box, from_tube;  ///< [s] (NearPairs, FlightTubes)
  };
  struct Due {
    std::int32_t subdomain;
    double event;                     ///< of its clock [ticks]
    double known_event, none_before;  ///< of its search [s] (Schedule)
  };
  std::vector<Exit> exits;
  std::vector<Due> dues;
};

}  // namespace terrace
