#include "dynamics/clocked/body_monitors.hpp"

#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

void BodyMonitors::remember(std::int32_t subdomain, double instant) {
  EventMonitor& monitor = at(states_, subdomain).monitor;
  if (earlier_) earlier_->try_emplace(subdomain, monitor);
  monitor.remember(instant, false, FirstCrossing::Surface::none);
}

EventMonitor BodyMonitors::of_all() const {
  EventMonitor all = other_groups_;
  for (const SubdomainState& state : states_) all.add(state.monitor);
  return all;
}

std::vector<EventMonitor> BodyMonitors::of_bodies(std::int32_t bodies) const {
  std::vector<EventMonitor> monitors;
  for (std::int32_t body = 0; body < bodies; ++body) monitors.push_back(at(states_, body).monitor);
  EventMonitor groups("touching bodies", 0);
  groups.add(other_groups_);
  for (const std::int32_t group : touching_.group_subdomains())
    if (const EventMonitor& monitor = at(states_, group).monitor; monitor.events() > 0) groups.add(monitor);
  monitors.push_back(groups);
  return monitors;
}

std::vector<EventMonitor> BodyMonitors::take(std::int32_t bodies) {
  if (earlier_) earlier_->clear();
  std::vector<EventMonitor> taken;
  for (std::int32_t body = 0; body < bodies; ++body) taken.push_back(at(states_, body).monitor.take());
  taken.push_back(other_groups_.take());
  for (const std::int32_t group : touching_.group_subdomains())
    taken.back().add(at(states_, group).monitor.take());
  return taken;
}

void BodyMonitors::recall() {
  for (auto& [number, monitor] : earlier_.value()) at(states_, number).monitor = std::move(monitor);
  earlier_->clear();
}

void BodyMonitors::set(std::vector<EventMonitor> monitors) {
  TERRACE_VERIFY(std::ssize(monitors) == system_.contact_pairs->bodies() + 1, monitors.size());
  other_groups_ = std::move(monitors.back());
  monitors.pop_back();
  for (std::size_t body = 0; body < monitors.size(); ++body)
    states_[body].monitor = std::move(monitors[body]);
  for (const std::int32_t group : touching_.group_subdomains()) {
    SubdomainState& own = at(states_, group);
    own.monitor = EventMonitor(at(system_.subdomains, group).name, 0);
    own.monitor.resume(own.origin);
  }
}

}  // namespace terrace
