#include "potentials/contact/near_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// The reach of the near pairs beyond d̂, in activation distances; the skin of the candidates beyond that, in
/// mean edges.
constexpr double near_reach = 0.8, skin_in_edges = 0.5;
/// The distances of the near pairs are measured again after this much drift, in activation distances.
constexpr double measured_after = 0.1;
const double root3 = std::sqrt(3.0);  // BroadPhase measures motion by components

/// A lower bound of the distance: the gap between the simplices along `axis`, which may be any unit vector.
/// Without branches on the kind: a vertex counts as an edge without length, an edge as a triangle without
/// area.
double gap_along(const Vector3& axis, PairKind kind, const std::array<std::int32_t, 4>& nodes,
                 std::span<const Vector3> positions) {
  const bool edges = kind == PairKind::edge_edge;
  const Vector3& base = positions[index(nodes[0])];
  const double one = dot(axis, positions[index(nodes[1])] - base),
               two = dot(axis, positions[index(nodes[2])] - base),
               three = dot(axis, positions[index(nodes[3])] - base);
  return std::min(0.0, edges ? one : 0.0) - std::max(std::max(two, three), edges ? two : one);
}

}  // namespace

PairNodes relative_positions(const std::array<std::int32_t, 4>& nodes, std::span<const Vector3> positions) {
  PairNodes x{};
  for (std::size_t i = 1; i < 4; ++i) x[i] = positions[index(nodes[i])] - positions[index(nodes[0])];
  return x;
}

NearContacts::NearContacts(const SmoothContact& contact, Use use)
    : contact_(contact),
      slack_(use == Use::kept ? skin_in_edges * contact.surfaces.mean_edge() : 0),
      reach_(use == Use::kept ? near_reach * contact.profile.activation() : 0),
      broad_phase_(contact.surfaces.broad_phase(use == Use::kept
                                                    ? (1 + near_reach) * contact.profile.activation() + slack_
                                                    : contact.felt_from())) {}

std::vector<std::int32_t> NearContacts::nodes_of_candidates() const {
  std::vector<std::uint8_t> inside(contact_.surfaces.size(), 0);
  for (const BroadPhase::Pair& triangles : candidates()) {
    for (const std::int32_t node : contact_.surfaces.first_triangle(triangles.first)) at(inside, node) = 1;
    for (const std::int32_t node : contact_.surfaces.second_triangle(triangles.second)) at(inside, node) = 1;
  }
  std::vector<std::int32_t> nodes;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i]) nodes.push_back(static_cast<std::int32_t>(i));
  return nodes;
}

void NearContacts::start_region(std::span<const Vector3> positions) {
  region_ = nodes_of_candidates();
  region_start_.clear();
  region_first_ = 0;
  for (const std::int32_t node : region_) {
    region_start_.push_back(at(positions, node));
    if (index(node) < contact_.surfaces.first_nodes()) ++region_first_;
  }
  started_ = true;
  speed_ = -1;
}

// Bound of how far any two of the candidates' nodes on different surfaces have moved relative to each other
// since the region was started; +∞ before.
double NearContacts::drift(std::span<const Vector3> positions) const {
  if (!started_) return infinity;
  Box first, second;
  for (std::size_t i = 0; i < region_.size(); ++i)
    (i < region_first_ ? first : second).include(positions[index(region_[i])] - region_start_[i]);
  return region_first_ == 0 || region_first_ == region_.size() ? 0 : largest_difference(first, second);
}

double NearContacts::speed(std::span<const Vector3> velocities) {
  if (speed_ >= 0) return speed_;
  Box first, second;
  for (std::size_t i = 0; i < region_.size(); ++i)
    (i < region_first_ ? first : second).include(velocities[index(region_[i])]);
  speed_ = region_first_ == 0 || region_first_ == region_.size() ? 0 : largest_difference(first, second);
  return speed_;
}

// For a duration of 0 `velocities` may be empty: the speed is not asked for.
double NearContacts::listed_within(std::span<const Vector3> positions, std::span<const Vector3> velocities,
                                   double duration) {
  const auto approach = [&] { return duration > 0 ? speed(velocities) * duration : 0.0; };
  const std::uint64_t builds = broad_phase_.builds();
  if (!others_cover_) broad_phase_.cover(positions, 0.5 * slack_ / root3);
  double drifted = drift(positions);
  if (broad_phase_.builds() == builds && drifted < left_) {
    if (drifted > measured_after * contact_.profile.activation()) {
      measure(positions, drifted);
      drifted = 0;
    }
    const double listed = contact_.felt_from() + drifted + approach();
    if (listed <= complete_to()) return listed;
    if (approach() > reach_) return listed;  // a new list would be incomplete too
  }
  list(positions);
  return contact_.felt_from() + approach();
}

void NearContacts::measure(std::span<const Vector3> positions, double drift) {
  const double soon = contact_.felt_from() + 2 * measured_after * contact_.profile.activation();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    double& distance = distances_[i];
    distance -= drift;
    if (distance > soon) continue;
    const NearPair& near = pairs_[i];
    distance = std::max(distance, gap_along(near.axis, near.pair.kind, near.nodes, positions));
  }
  left_ -= drift;
  for (std::size_t i = 0; i < region_.size(); ++i) region_start_[i] = positions[index(region_[i])];
}

void NearContacts::list(std::span<const Vector3> positions) {
  ++lists_;
  pairs_.clear();
  distances_.clear();
  left_ = reach_;
  std::vector<NearPair> edges;
  std::vector<double> edge_distances;
  const double farthest = complete_to();
  visit_within(farthest, positions, [&](const SurfacePair& pair) {
    const Vector3 difference =
        closest_points(pair.kind, relative_positions(pair.nodes, positions)).difference;
    const double distance = norm(difference);
    if (distance > farthest) return;
    const Vector3 axis = distance > 0 ? (1 / distance) * difference : Vector3{};
    const bool of_edges = pair.kind == PairKind::edge_edge;
    (of_edges ? edges : pairs_).push_back({pair.nodes, contact_.weighted(pair), axis});
    (of_edges ? edge_distances : distances_).push_back(distance);
  });
  // One kind after the other, so that the branches of loops over pairs are predicted well.
  pairs_.insert(pairs_.end(), edges.begin(), edges.end());
  distances_.insert(distances_.end(), edge_distances.begin(), edge_distances.end());
  start_region(positions);
}

std::span<const NearContacts::Gap> NearContacts::find_gaps(std::span<const Vector3> positions, double listed,
                                                           double widest) {
  gaps_.resize(pairs_.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (distances_[i] > listed) continue;
    const NearPair& near = pairs_[i];
    const double gap = gap_along(near.axis, near.pair.kind, near.nodes, positions);
    gaps_[count] = {i, gap};
    count += gap <= widest;
  }
  gaps_.resize(count);
  return gaps_;
}

}  // namespace terrace
