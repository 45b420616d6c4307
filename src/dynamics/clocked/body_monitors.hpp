// Monitors of the events of bodies, and of groups of bodies that touch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "dynamics/terraces/event_monitor.hpp"
#include "dynamics/terraces/subdomain_state.hpp"
#include "dynamics/terraces/touching_bodies.hpp"

namespace terrace {

/// The event monitors of all subdomains, which lie in their SubdomainState, and one further monitor: the sum
/// over groups that exist no more or whose events other ranks counted.
class BodyMonitors {
 public:
  /// All arguments must outlive this.
  BodyMonitors(const Lagrangian& system, const TouchingBodies& touching, SubdomainStates& states)
      : system_(system), touching_(touching), states_(states) {}

  /// Counts an event of `subdomain` at `instant` [s]. Throws as EventMonitor::remember.
  void remember(std::int32_t subdomain, double instant);

  /// The monitor of each body 0 … bodies − 1, and last that of all groups together.
  [[nodiscard]] std::vector<EventMonitor> of_bodies(std::int32_t bodies) const;
  /// One monitor of all subdomains and groups together.
  [[nodiscard]] EventMonitor of_all() const;
  /// Replaces all counts by those of another rank or an earlier run: a monitor of each body, and last that of
  /// all groups.
  void set(std::vector<EventMonitor> monitors);
  /// As of_bodies, with what was counted since the last call; these counts are reset.
  [[nodiscard]] std::vector<EventMonitor> take(std::int32_t bodies);

  /// From now on recall() can undo what is counted.
  void keep() { earlier_.emplace().clear(); }
  /// Undoes what was counted since keep(), take() or the last recall(). Only after keep().
  void recall();

 private:
  const Lagrangian& system_;
  const TouchingBodies& touching_;
  SubdomainStates& states_;
  EventMonitor other_groups_;  // of groups of earlier runs and of other ranks
  // After keep(): the monitors that have changed since, as they were before, by subdomain.
  std::optional<std::map<std::int32_t, EventMonitor>> earlier_;
};

}  // namespace terrace
