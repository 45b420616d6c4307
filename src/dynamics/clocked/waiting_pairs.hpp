// Pairs of bodies that wait for their touch, and how long they are left alone.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/clocked/clocks.hpp"
#include "dynamics/clocked/far_sides.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// A pair that waits is not searched again at each event of either body: a look tells how much room there is,
/// and until when that lasts follows from how fast the bodies may come nearer (Approach). Meanwhile it has an
/// earlier line.
class WaitingPairs {
 public:
  /// Of the stepping whose pairs these are; all outlive it.
  struct Parts {
    const Lagrangian& system;
    TerraceGraph& graph;
    const Clocks& clocks;
    const std::vector<std::uint8_t>& changed;  ///< nodes that have new lines at this event
    SubdomainStates& states;
    Lines& lines;
    FarSides& far_sides;
    Schedule& schedule;
  };
  explicit WaitingPairs(const Parts& parts) : parts_(parts) {}

  /// A terrace of one of a pair's bodies, or of both, has new lines. True if the pair is to be searched on
  /// its own new one; where it is far enough from touching it keeps an earlier one for now.
  [[nodiscard]] bool has_to_look(const State& state, std::int32_t pair, double instant);
  /// Pairs that may touch before `limit`, by what is known without a look, are searched. Collective where
  /// ranks share them.
  void look_at_what_came_near(const State& state, double limit);
  /// What is known of pairs with bodies of the terrace will be of flights from its next lines on.
  void forget_flights_to(std::int32_t terrace);
  /// All ranks know its lines again, of which the last may have left the flight.
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
