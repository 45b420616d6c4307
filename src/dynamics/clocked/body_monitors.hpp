// What is counted of the events of bodies, and of groups of bodies that touch.
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

/// The monitors of all subdomains, which are in their states, and what groups counted that are no more, or
/// were counted by others.
class BodyMonitors {
 public:
  /// All outlive this.
  BodyMonitors(const Lagrangian& system, const TouchingBodies& touching, SubdomainStates& states)
      : system_(system), touching_(touching), states_(states) {}

  /// An event of a subdomain. Throws as EventMonitor::remember.
  void remember(std::int32_t subdomain, double instant);

  /// Of each of so many bodies, and of all groups together.
  [[nodiscard]] std::vector<EventMonitor> of_bodies(std::int32_t bodies) const;
  /// Of all subdomains and groups together.
  [[nodiscard]] EventMonitor of_all() const;
  /// Of each body, and the last of all groups, as they were counted elsewhere or before.
  void set(std::vector<EventMonitor> monitors);
  /// As `of_bodies`, of what they have counted since the last time.
  [[nodiscard]] std::vector<EventMonitor> take(std::int32_t bodies);

  /// What is counted from now on can be taken back.
  void keep() { earlier_.emplace().clear(); }
  void recall();

 private:
  const Lagrangian& system_;
  const TouchingBodies& touching_;
  SubdomainStates& states_;
  EventMonitor other_groups_;                                    // of runs before, and of other ranks
  std::optional<std::map<std::int32_t, EventMonitor>> earlier_;  // where they may be asked for again
};

}  // namespace terrace
