// Pairs of bodies that wait for their touch, and how long they need no search.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/clocked/clocks.hpp"
#include "dynamics/clocked/far_sides.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// A waiting pair is not searched again at each event of either body. A look tells how much room is between
/// the bodies, and their largest speed of approach until when that lasts (Approach). Meanwhile the pair keeps
/// an earlier line.
class WaitingPairs {
 public:
  /// Parts of the ClockedEnergyStepping whose pairs these are; all must outlive this.
  struct Parts {
    const Lagrangian& system;
    TerraceGraph& graph;
    const Clocks& clocks;
    const std::vector<std::uint8_t>& changed;  ///< by local node: has a new line at this event
    SubdomainStates& states;
    Lines& lines;
    FarSides& far_sides;
    Schedule& schedule;
  };
  explicit WaitingPairs(const Parts& parts) : parts_(parts) {}

  /// To be called when one or both bodies of a pair have new lines from `instant` [s] on. True if the pair's
  /// line has been renewed and must be searched; false where it has room enough to keep an earlier line.
  [[nodiscard]] bool has_to_look(const State& state, std::int32_t pair, double instant);
  /// Renews the lines and searches of pairs whose known room may be used up before `limit` [s]. Collective
  /// where ranks share them.
  void look_at_what_came_near(const State& state, double limit);
  /// To be called when far sides of a terrace are left: from its next lines on, room between its bodies and
  /// others is judged by flights, and the straying must be taken off once more.
  void forget_flights_to(std::int32_t terrace);
  /// To be called when far sides of a terrace have been brought: room is judged by lines again. Pairs whose
  /// room is used up on the present lines, which may have left the flight, are searched.
  void go_by_lines_again(const State& state, std::int32_t terrace);

 private:
  [[nodiscard]] bool stays_apart(std::int32_t pair, double instant);
  void follow_approach(const State& state, std::int32_t pair, double instant, bool is_searched);
  template <class Visit>
  void for_each_approach_to(std::int32_t terrace, Visit visit);
  void renew_line_of(const State& state, std::int32_t pair, double origin);
  void search_anew(const State& state, std::int32_t pair);

  Parts parts_;
};

}  // namespace terrace
