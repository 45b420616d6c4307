// Clocked energy-stepping in windows: the clusters that this rank works on, alone or in a team.
#include <algorithm>
#include <set>
#include <utility>

#include "dynamics/windows/windowed_energy_stepping.hpp"
#include "dynamics/windows/windowed_turn.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/sort_each_once.hpp"

namespace terrace {

// By the numbers of clusters whether this rank is to work on them, alone or with others.
std::vector<std::uint8_t> WindowedEnergyStepping::own_clusters(const Window& window) const {
  std::vector<std::uint8_t> own(holder_.size(), 0);
  for (std::int32_t body = 0; body < bodies(); ++body)
    if (at(window.rank_of, body) == communicator_.rank()) at(own, at(window.cluster_of, body)) = 1;
  return own;
}

// A team meets when its ranks ask for it, each in this place.
WindowedEnergyStepping::Clusters WindowedEnergyStepping::clusters_of(const Window& window) {
  const std::vector<std::uint8_t> is_mine = own_clusters(window);
  Clusters clusters;
  for (std::int32_t body = 0; body < bodies(); ++body) {
    if (at(is_mine, at(window.cluster_of, body)) == 0) continue;
    Cluster& cluster = clusters[at(window.cluster_of, body)];
    cluster.bodies.push_back(body);
    cluster.ranks.push_back(at(window.rank_of, body));
    cluster.is_everywhere.push_back(at(window.is_everywhere, body));
  }
  teams_.go_on();
  for (auto& [number, cluster] : clusters) {
    cluster.members = cluster.ranks;
    sort_each_once(cluster.members);
    if (cluster.members.size() > 1) cluster.team = &teams_.of(cluster.members);
  }
  return clusters;
}

// Whether a body goes on as it is: alone on this rank as before, or with the same ranks in the same way.
bool WindowedEnergyStepping::stays(std::int32_t body, const Cluster* before, const Cluster* next) const {
  if (next == nullptr) return false;
  const bool was_divided = before != nullptr && before->team != nullptr;
  if (!was_divided) return next->team == nullptr;
  if (before->team != next->team) return false;
  const auto place = [&](const Cluster& cluster) {
    return std::ranges::lower_bound(cluster.bodies, body) - cluster.bodies.begin();
  };
  return at(before->ranks, place(*before)) == at(next->ranks, place(*next)) &&
         at(system_.subdomains, body).everywhere == (at(next->is_everywhere, place(*next)) != 0);
}

// Of bodies that touch all or none.
void WindowedEnergyStepping::let_go(const Window& window, const Clusters& next) {
  std::vector<const Cluster*> before(holder_.size(), nullptr);
  for (const auto& [number, cluster] : clusters_)
    for (const std::int32_t body : cluster.bodies) at(before, body) = &cluster;
  std::set<std::int32_t> terraces;
  for (const std::int32_t body : active_bodies()) {
    const auto cluster = next.find(at(window.cluster_of, body));
    if (!stays(body, at(before, body), cluster == next.end() ? nullptr : &cluster->second))
      terraces.insert(inner_.graph().touching().terrace_of(body));
  }
  if (terraces.empty()) return;
  std::vector<std::int32_t> leaving, ending;
  for (const std::int32_t body : active_bodies()) {
    if (!terraces.contains(inner_.graph().touching().terrace_of(body))) continue;
    leaving.push_back(body);
    const bool is_held = at(window.rank_of, body) == communicator_.rank() ||
                         (next.contains(at(window.cluster_of, body)) && at(window.is_everywhere, body) != 0);
    if (!is_held) ending.push_back(body);
  }
  work_no_more_on(leaving, ending);
}

// What `ending` has of elements ends; the other bodies this rank is to work on in another way.
void WindowedEnergyStepping::work_no_more_on(std::span<const std::int32_t> bodies,
                                             std::span<const std::int32_t> ending) {
  for (const std::int32_t body : bodies) at(active_, body) = 0;
  inner_.release(bodies);
  inner_.end_elements_of(ending);
  for (const std::int32_t body : bodies) inner_.graph().subdomains().take_back(body);
}

// Those that come, as planned.
void WindowedEnergyStepping::share_out(const Cluster& cluster) {
  const auto member = [&](int rank) {
    return static_cast<int>(std::ranges::lower_bound(cluster.members, rank) - cluster.members.begin());
  };
  LivingSubdomains& subdomains = inner_.graph().subdomains();
  for (std::size_t i = 0; i < cluster.bodies.size(); ++i) {
    const std::int32_t body = cluster.bodies[i];
    if (at(active_, body) != 0) continue;
    subdomains.take_back(body);
    if (cluster.is_everywhere[i] != 0)
      subdomains.hold_everywhere(body, member(cluster.ranks[i]));
    else
      subdomains.share_out(body, member(cluster.ranks[i]), system_.contact_pairs->surface_nodes(body));
  }
}

// What others had comes from what they told.
void WindowedEnergyStepping::take_over(const Cluster& cluster, double time) {
  for (const std::int32_t body : cluster.bodies)
    if (const ToldTerrace& told = terraces_.of(body); at(active_, body) == 0 && told.bodies.front() == body)
      inner_.take_over(state_, told.terrace());
  for (const std::int32_t body : cluster.bodies) at(active_, body) = 1;
  if (cluster.team != nullptr) inner_.graph().near_pairs().forget_boxes(cluster.bodies, state_.lines, time);
  inner_.look_for_pairs(state_, cluster.bodies, time);
}

void WindowedEnergyStepping::take_holders(const Window& window) {
  for (std::int32_t body = 0; body < bodies(); ++body)
    record_.moved_bodies += at(window.rank_of, body) != at(holder_, body) ? 1 : 0;
  holder_ = window.rank_of;
  former_cluster_ = window.cluster_of;
}

void WindowedEnergyStepping::begin(const Window& window) {
  Clusters next = clusters_of(window);
  let_go(window, next);
  std::vector<std::int32_t> numbers(holder_.size(), -1);
  for (const auto& [number, cluster] : next)
    for (const std::int32_t body : cluster.bodies) at(numbers, body) = number;
  inner_.graph().near_pairs().divide(numbers);
  std::swap(clusters_, next);
  for (const auto& [number, cluster] : clusters_) {
    const auto before = next.find(number);
    const auto is_active = [&](std::int32_t body) { return at(active_, body) != 0; };
    if (before != next.end() && before->second.is_same(cluster) &&
        std::ranges::all_of(cluster.bodies, is_active))
      continue;
    const Turn turn(*this, cluster);
    if (cluster.team != nullptr) share_out(cluster);
    take_over(cluster, window.begin);
  }
}

void WindowedEnergyStepping::enclose(const Window& window, const Cluster& cluster) {
  for (std::size_t i = 0; i < cluster.bodies.size(); ++i) {
    const std::int32_t body = cluster.bodies[i];
    const Flight& flight = cluster.flights.empty() ? at(window.flights, body) : cluster.flights[i];
    tubes_.enclose(body, flight, state_.lines);
  }
}

void WindowedEnergyStepping::enclose(const Window& window) {
  tubes_.begin(window.begin);
  for (const auto& [number, cluster] : clusters_) enclose(window, cluster);
}

}  // namespace terrace
