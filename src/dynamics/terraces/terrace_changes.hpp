// How terraces begin, join and part: subdomains at the start, contact pairs that wake up, bodies that touch.
#pragma once

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/lowest_values.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// Begins, joins and divides terraces. This changes no positions or velocities, and joining and dividing keep
/// Σ h k. All functions are collective.
class TerraceChanges {
 public:
  /// All arguments must outlive this. `states` grows with lagrangian.subdomains.
  TerraceChanges(const Lagrangian& lagrangian, TerraceGraph& graph, SubdomainStates& states, Lines& lines,
                 Schedule& schedule)
      : lagrangian_(lagrangian), graph_(graph), states_(states), lines_(lines), schedule_(schedule) {}

  /// Starts all subdomains, and the pairs of bodies that are near each other, on the levels of their
  /// energies. Throws Error(input) when a subdomain's V is below its lowest value.
  void begin_all(const State& state);
  /// Gives the body that leaves its box at `time` a new one: other pairs of bodies may be near each other
  /// now. Returns the pairs that woke up or fell asleep.
  NearPairs::Changes renew_box(const State& state, double time);
  /// Joins the terraces of the bodies of a waiting pair that touches at `time`.
  void touch(std::int32_t pair, const State& state, double time);
  /// To be called after an event of a group. Looks, at intervals, which of its pairs have energy; pairs
  /// without energy at five looks in a row touch no more, and leave the group. One look would not do, as
  /// single nodes bounce.
  void look_for_parting(std::int32_t group, const State& state, double time);

 private:
  void make_room(std::int32_t number);
  void begin(std::int32_t subdomain, const State& state, double time);
  void start_line(std::int32_t subdomain, const State& state, double time);
  [[nodiscard]] double lowest(std::int32_t subdomain) const {
    return lowest_.of(subdomain, graph_.touching());
  }
  void find_level(std::int32_t subdomain);
  void wait_for_touch(std::int32_t pair, const State& state, double time);
  void regroup(const TouchingBodies::Change& change, const State& state, double time);

  const Lagrangian& lagrangian_;
  TerraceGraph& graph_;
  SubdomainStates& states_;
  Lines& lines_;
  Schedule& schedule_;
  LowestValues lowest_;
};

}  // namespace terrace
