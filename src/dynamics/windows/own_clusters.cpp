#include "dynamics/windows/own_clusters.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/sort_each_once.hpp"
#include "parallel/error.hpp"

namespace terrace {

std::vector<std::uint8_t> clusters_planned_for(int rank, const Window& window) {
  std::vector<std::uint8_t> own(window.rank_of.size(), 0);
  for (std::size_t body = 0; body < window.rank_of.size(); ++body)
    if (window.rank_of[body] == rank) at(own, window.cluster_of[body]) = 1;
  return own;
}

OwnClusters::OwnClusters(WindowedSystem& system)
    : system_(system),
      clocks_(system.clocks),
      one_rank_(*system.lagrangian.communicator),
      teams_(system.ranks),
      active_(static_cast<std::size_t>(system.bodies()), 0) {}

bool OwnClusters::is_in_team() const {
  return std::ranges::any_of(clusters_, [](const auto& entry) { return entry.second.team != nullptr; });
}

bool OwnClusters::leaves_others_waiting(const std::exception& error) const {
  return is_in_team() && !is_known_to_all(error);
}

std::vector<int> OwnClusters::ranks_that_go_together() const {
  for (const auto& [number, cluster] : clusters_)
    if (cluster.team != nullptr) return cluster.members;
  return {system_.ranks.rank()};
}

void OwnClusters::start_with(std::span<const std::int32_t> bodies) {
  for (const std::int32_t body : bodies) at(active_, body) = 1;
}

std::vector<std::int32_t> OwnClusters::active_bodies() const {
  std::vector<std::int32_t> active;
  for (std::int32_t body = 0; body < system_.bodies(); ++body)
    if (is_active(body)) active.push_back(body);
  return active;
}

std::vector<std::int32_t> OwnClusters::held_bodies() const {
  std::vector<std::int32_t> held = system_.common.bodies_of(system_.ranks.rank());
  std::erase_if(held, [&](std::int32_t body) { return !is_active(body); });
  return held;
}

// The clusters that the plan gives this rank. The communicator of a team is made where its ranks ask for it,
// which all of them do here.
OwnClusters::Clusters OwnClusters::planned(const Window& window) {
  const std::vector<std::uint8_t> is_mine = clusters_planned_for(system_.ranks.rank(), window);
  Clusters clusters;
  for (std::int32_t body = 0; body < system_.bodies(); ++body) {
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

// Whether this rank goes on with a body as before: alone, or with the same team that shares it in the same
// way. `before`, `next`: the cluster of this rank that has the body; null: none.
bool OwnClusters::stays(std::int32_t body, const Cluster* before, const Cluster* next) const {
  if (next == nullptr) return false;
  const bool was_divided = before != nullptr && before->team != nullptr;
  if (!was_divided) return next->team == nullptr;
  if (before->team != next->team) return false;
  const auto place = [&](const Cluster& cluster) {
    return std::ranges::lower_bound(cluster.bodies, body) - cluster.bodies.begin();
  };
  return at(before->ranks, place(*before)) == at(next->ranks, place(*next)) &&
         at(system_.lagrangian.subdomains, body).everywhere == (at(next->is_everywhere, place(*next)) != 0);
}

// Lets go of bodies that do not stay. Bodies that touch are one terrace and go together.
void OwnClusters::let_go(const Window& window, const Clusters& next) {
  std::vector<const Cluster*> before(active_.size(), nullptr);
  for (const auto& [number, cluster] : clusters_)
    for (const std::int32_t body : cluster.bodies) at(before, body) = &cluster;
  std::set<std::int32_t> terraces;
  for (const std::int32_t body : active_bodies()) {
    const auto cluster = next.find(at(window.cluster_of, body));
    if (!stays(body, at(before, body), cluster == next.end() ? nullptr : &cluster->second))
      terraces.insert(system_.touching().terrace_of(body));
  }
  if (terraces.empty()) return;
  std::vector<std::int32_t> leaving, ending;
  for (const std::int32_t body : active_bodies()) {
    if (!terraces.contains(system_.touching().terrace_of(body))) continue;
    leaving.push_back(body);
    const bool is_held = at(window.rank_of, body) == system_.ranks.rank() ||
                         (next.contains(at(window.cluster_of, body)) && at(window.is_everywhere, body) != 0);
    if (!is_held) ending.push_back(body);
  }
  work_no_more_on(leaving, ending);
}

// None of `bodies` is active any more. The elements of those in `ending` end; the other bodies stay with this
// rank, which is to work on them in another way.
void OwnClusters::work_no_more_on(std::span<const std::int32_t> bodies,
                                  std::span<const std::int32_t> ending) {
  for (const std::int32_t body : bodies) at(active_, body) = 0;
  clocks_.release(bodies);
  clocks_.end_elements_of(ending);
  for (const std::int32_t body : bodies) clocks_.graph().subdomains().take_back(body);
}

// Shares out those bodies of a team's cluster that this rank takes over, as the plan says.
void OwnClusters::share_out(const Cluster& cluster) {
  const auto member = [&](int rank) {
    return static_cast<int>(std::ranges::lower_bound(cluster.members, rank) - cluster.members.begin());
  };
  LivingSubdomains& subdomains = clocks_.graph().subdomains();
  for (std::size_t i = 0; i < cluster.bodies.size(); ++i) {
    const std::int32_t body = cluster.bodies[i];
    if (is_active(body)) continue;
    subdomains.take_back(body);
    if (cluster.is_everywhere[i] != 0)
      subdomains.hold_everywhere(body, member(cluster.ranks[i]));
    else
      subdomains.share_out(body, member(cluster.ranks[i]), system_.pairs.surface_nodes(body));
  }
}

// The terraces of bodies that were not active are made from what other ranks told of them.
void OwnClusters::take_over(const Cluster& cluster, double time) {
  for (const std::int32_t body : cluster.bodies)
    if (const ToldTerrace& told = system_.common.terraces().of(body);
        !is_active(body) && told.bodies.front() == body)
      clocks_.take_over(system_.state, told.terrace());
  for (const std::int32_t body : cluster.bodies) at(active_, body) = 1;
  if (cluster.team != nullptr) system_.near_pairs().forget_boxes(cluster.bodies, system_.state.lines, time);
  clocks_.look_for_pairs(system_.state, cluster.bodies, time);
}

void OwnClusters::take_over_in_turn(const Cluster& cluster, double time) {
  const Turn turn(*this, cluster);
  if (cluster.team != nullptr) share_out(cluster);
  take_over(cluster, time);
}

void OwnClusters::begin(const Window& window) {
  Clusters next = planned(window);
  let_go(window, next);
  std::vector<std::int32_t> numbers(active_.size(), -1);
  for (const auto& [number, cluster] : next)
    for (const std::int32_t body : cluster.bodies) at(numbers, body) = number;
  system_.near_pairs().divide(numbers);
  std::swap(clusters_, next);
  for (const auto& [number, cluster] : clusters_) {
    const auto before = next.find(number);
    if (before != next.end() && before->second.is_same(cluster) &&
        std::ranges::all_of(cluster.bodies, [&](std::int32_t body) { return is_active(body); }))
      continue;
    take_over_in_turn(cluster, window.begin);
  }
}

void OwnClusters::enclose(const Window& window, const Cluster& cluster) {
  for (std::size_t i = 0; i < cluster.bodies.size(); ++i) {
    const std::int32_t body = cluster.bodies[i];
    const Flight& flight = cluster.flights.empty() ? at(window.flights, body) : cluster.flights[i];
    system_.tubes.enclose(body, flight, system_.state.lines);
  }
}

void OwnClusters::enclose(const Window& window) {
  system_.tubes.begin(window.begin);
  for (const auto& [number, cluster] : clusters_) enclose(window, cluster);
}

const Cluster& OwnClusters::take(std::int32_t number, Cluster cluster, const Window& window) {
  system_.near_pairs().put_in_cluster(cluster.bodies, number);
  const Cluster& taken = clusters_.insert_or_assign(number, std::move(cluster)).first->second;
  take_over(taken, window.begin);
  enclose(window, taken);
  return taken;
}

void OwnClusters::give_away(std::int32_t number) {
  const std::vector<std::int32_t> bodies = clusters_.at(number).bodies;
  clusters_.erase(number);
  work_no_more_on(bodies, bodies);
  system_.near_pairs().put_in_cluster(bodies, -1);
}

void OwnClusters::leave_all() {
  clocks_.release(active_bodies());
  std::fill(active_.begin(), active_.end(), std::uint8_t{0});
}

void OwnClusters::take_over_again(const Window& window) {
  for (const auto& [number, cluster] : clusters_) take_over_in_turn(cluster, window.begin);
  enclose(window);
}

void OwnClusters::end_all() {
  std::vector<std::int32_t> all(active_.size());
  std::iota(all.begin(), all.end(), 0);
  work_no_more_on(all, all);
  clusters_.clear();
}

OwnClusters::Turn::Turn(OwnClusters& clusters, const Cluster& cluster)
    : clusters_(clusters),
      cluster_(cluster),
      events_(clusters.clocks_.events()),
      searches_(clusters.clocks_.searches()),
      balance_(*clusters.clocks_.balance()) {
  if (cluster.team == nullptr) return;
  clusters.system_.lagrangian.communicator = cluster.team;
  clusters.clocks_.forget_guesses();
  collectives_ = cluster.team->collectives() + cluster.team->exchanges();
}

OwnClusters::Turn::~Turn() {
  if (cluster_.team == nullptr) return;
  clusters_.system_.lagrangian.communicator = &clusters_.one_rank_;
  clusters_.clocks_.forget_guesses();  // which its ranks made together
  if (cluster_.is_counted_elsewhere()) {
    clusters_.clocks_.set_counts(events_, balance_);
    clusters_.searches_elsewhere_ += clusters_.clocks_.searches() - searches_;
  } else {
    clusters_.team_collectives_ += cluster_.team->collectives() + cluster_.team->exchanges() - collectives_;
  }
}

}  // namespace terrace
