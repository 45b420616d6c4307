// What is due for a part of a system.
#pragma once

#include <cstdint>
#include <vector>

namespace terrace {

/// The next events of some bodies, taken out of the executor's queues for a while. A time is +∞ where nothing
/// is due. ClockedEnergyStepping::suspend makes it, go_on puts it back.
struct Agenda {
  struct Exit {
    std::int32_t body;
    double from_box, from_tube;  ///< when a node may leave its body's box (NearPairs), tube (FlightTubes) [s]
  };
  struct Due {
    std::int32_t subdomain;
    double event;                     ///< next event of its clock [ticks]
    double known_event, none_before;  ///< what its search has found [s] (Schedule)
  };
  std::vector<Exit> exits;
  std::vector<Due> dues;
};

}  // namespace terrace
