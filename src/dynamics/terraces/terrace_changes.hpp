// Terraces that begin, join and part: subdomains at the start, contact pairs that wake up, bodies that touch.
#pragma once

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/lowest_values.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/terrace_graph.hpp"

namespace terrace {

/// Nothing moves by any of this, and Σ h k stays. All functions are collective.
class TerraceChanges {
 public:
  /// All outlive this. `states` grows with lagrangian.subdomains.
  TerraceChanges(const Lagrangian& lagrangian, TerraceGraph& graph, SubdomainStates& states, Lines& lines,
                 Schedule& schedule)
      : lagrangian_(lagrangian), graph_(graph), states_(states), lines_(lines), schedule_(schedule) {}

  /// All subdomains, and the pairs of bodies that are near each other, on the levels of their energies.
  /// Throws Error(input) when V is negative.
  void begin_all(const State& state);
  /// A body leaves its box at `time`: other pairs of bodies may be near each other now. Returns those.
  NearPairs::Changes renew_box(const State& state, double time);
  /// A waiting pair touches at `time`.
  void touch(std::int32_t pair, const State& state, double time);
  /// After a group's event: pairs that had no energy at some looks in a row touch no more. Single nodes
  /// bounce more often than that.
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
