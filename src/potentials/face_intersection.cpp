#include "potentials/face_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "mesh/boundary.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Share of the smallest edge that the bodies may move relative to each other between two samples.
constexpr double resolution = 0.1;
/// The skin of the candidate list and that of the near pairs, in mean edges. A narrow one is passed sooner,
/// but few pairs that do not intersect are within it.
constexpr double skin_in_edges = 0.5, reach_in_edges = 0.02;

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// `offset` plus each node's place in the ascending list `nodes`.
std::vector<Triangle> renumber(std::vector<Triangle> triangles, const std::vector<std::int32_t>& nodes,
                               std::size_t offset) {
  for (Triangle& triangle : triangles) {
    for (std::int32_t& node : triangle) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
      node = static_cast<std::int32_t>(offset + static_cast<std::size_t>(place));
    }
  }
  return triangles;
}

std::array<double, 3> edge_lengths(const Triangle& triangle, std::span<const Vector3> x) {
  const Vector3 &a = x[index(triangle[0])], &b = x[index(triangle[1])], &c = x[index(triangle[2])];
  return {norm(b - a), norm(c - b), norm(a - c)};
}

struct Edges {
  double mean, smallest;
};

Edges edges_of(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
               std::span<const Vector3> x) {
  double sum = 0, smallest = infinity;
  for (const auto* triangles : {&first, &second}) {
    for (const Triangle& triangle : *triangles) {
      for (const double length : edge_lengths(triangle, x)) {
        if (!(length > 0)) {
          throw Error(
              Error::Kind::input, "face-intersection contact",
              "boundary triangles with edges of positive length",
              fmt::format("an edge of length {} in triangle {}", length, &triangle - triangles->data()));
        }
        sum += length;
        smallest = std::min(smallest, length);
      }
    }
  }
  return {sum / (3 * static_cast<double>(first.size() + second.size())), smallest};
}

void verify(const std::vector<Triangle>& triangles, std::size_t node_count) {
  const std::string where = "face-intersection contact";
  if (triangles.empty()) throw Error(Error::Kind::input, where, "a boundary with triangles", "none");
  for (const Triangle& triangle : triangles) {
    for (const std::int32_t node : triangle) {
      if (node < 0 || index(node) >= node_count) {
        throw Error(Error::Kind::input, where, fmt::format("node numbers from 0 to {}", node_count - 1),
                    fmt::format("node {}", node));
      }
    }
  }
}

/// Earliest s ≥ 0 at which boxes, whose sides move no faster than the boxes of velocities say, can come
/// within `distance`; +∞ if never.
double meeting_time(const Box& first, const Box& first_velocities, const Box& second,
                    const Box& second_velocities, double distance) {
  double enter = 0, leave = infinity;
  const auto restrict_to = [&](double gap, double rate) {  // gap + s rate ≤ 0
    if (gap > 0) {
      enter = rate < 0 ? std::max(enter, -gap / rate) : infinity;
    } else if (rate > 0) {
      leave = std::min(leave, -gap / rate);
    }
  };
  for (std::size_t k = 0; k < 3; ++k) {
    restrict_to(second.low[k] - first.high[k] - distance,
                second_velocities.low[k] - first_velocities.high[k]);
    restrict_to(first.low[k] - second.high[k] - distance,
                first_velocities.low[k] - second_velocities.high[k]);
  }
  return enter <= leave ? enter : infinity;
}

/// A triangle's box and the box of its nodes' velocities.
struct MovingBox {
  Box box, velocities;
  MovingBox(const Triangle& triangle, std::span<const Vector3> positions,
            std::span<const Vector3> nodal_velocities) {
    for (const std::int32_t node : triangle) {
      box.include(positions[index(node)]);
      velocities.include(nodal_velocities[index(node)]);
    }
  }
};

/// Whether the boxes of the pair's triangles have a point in common.
bool boxes_overlap(const TrianglePair& x) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double first_low = std::min(std::min(x[0][k], x[1][k]), x[2][k]);
    const double first_high = std::max(std::max(x[0][k], x[1][k]), x[2][k]);
    const double second_low = std::min(std::min(x[3][k], x[4][k]), x[5][k]);
    const double second_high = std::max(std::max(x[3][k], x[4][k]), x[5][k]);
    if (first_high < second_low || second_high < first_low) return false;
  }
  return true;
}

}  // namespace

FaceIntersection::FaceIntersection(std::span<const Vector3> reference_positions,
                                   const std::vector<Triangle>& first_boundary,
                                   const std::vector<Triangle>& second_boundary, double stiffness)
    : stiffness_(stiffness), terms_at_node_(0), broad_phase_({}, {}, 0, 0), near_motion_(0) {
  verify(first_boundary, reference_positions.size());
  verify(second_boundary, reference_positions.size());
  if (!(stiffness > 0) || !std::isfinite(stiffness)) {
    throw Error(Error::Kind::input, "face-intersection contact", "a positive stiffness",
                fmt::format("{}", stiffness));
  }
  const auto first_nodes = surface_nodes(first_boundary), second_nodes = surface_nodes(second_boundary);
  std::set_union(first_nodes.begin(), first_nodes.end(), second_nodes.begin(), second_nodes.end(),
                 std::back_inserter(nodes_));
  first_nodes_ = first_nodes.size();
  local_ = first_nodes;
  local_.insert(local_.end(), second_nodes.begin(), second_nodes.end());
  for (const std::int32_t node : local_) reference_.push_back(reference_positions[index(node)]);
  first_ = renumber(first_boundary, first_nodes, 0);
  second_ = renumber(second_boundary, second_nodes, first_nodes_);
  const Edges edges = edges_of(first_, second_, reference_);
  mean_edge_ = edges.mean;
  smallest_edge_ = edges.smallest;
  broad_phase_ = BroadPhase(first_, second_, first_nodes_, skin_in_edges * mean_edge_);
  near_motion_ = RelativeMotion(first_nodes_);
  start_ = now_ = reference_;
  velocity_.resize(local_.size());
  terms_at_node_ = TermCounter(local_.size());
}

void FaceIntersection::set_node(std::size_t i, const NodeLine& line, double origin) {
  start_[i] = reference_[i] + line.displacement_at(origin);
  velocity_[i] = line.velocity;
}

void FaceIntersection::forget_line() {
  relative_speed_ = -1;
  apart_ = listed_ = Window{};
}

void FaceIntersection::set_line(std::span<const NodeLine> lines, double origin) {
  for (std::size_t i = 0; i < local_.size(); ++i) set_node(i, lines[index(local_[i])], origin);
  forget_line();
}

void FaceIntersection::update_line(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < local_.size(); ++i) {
    const std::size_t node = index(local_[i]);
    if (changed[node] != 0) set_node(i, lines[node], origin);
  }
  forget_line();
}

void FaceIntersection::move_to(double s) const {
  for (std::size_t i = 0; i < now_.size(); ++i) now_[i] = start_[i] + s * velocity_[i];
}

double FaceIntersection::relative_speed() const {
  if (relative_speed_ >= 0) return relative_speed_;
  first_velocities_ = second_velocities_ = Box{};
  for (std::size_t i = 0; i < first_nodes_; ++i) first_velocities_.include(velocity_[i]);
  for (std::size_t i = first_nodes_; i < velocity_.size(); ++i) second_velocities_.include(velocity_[i]);
  relative_speed_ = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    relative_speed_ = std::max({relative_speed_, first_velocities_.high[k] - second_velocities_.low[k],
                                second_velocities_.high[k] - first_velocities_.low[k]});
  }
  return relative_speed_;
}

std::array<std::size_t, 6> FaceIntersection::nodes_of(const BroadPhase::Pair& pair) const {
  const Triangle &a = first_[index(pair.first)], &b = second_[index(pair.second)];
  return {index(a[0]), index(a[1]), index(a[2]), index(b[0]), index(b[1]), index(b[2])};
}

double FaceIntersection::list_near_pairs() const {
  const double reach = reach_in_edges * mean_edge_;
  const double drift = near_motion_.drift(now_);
  if (drift <= 0.9 * reach) return drift;
  // A pair that is no candidate is at least the reach apart.
  broad_phase_.cover(now_, broad_phase_.skin() - reach);
  near_pairs_.clear();
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    TrianglePair x{};
    const auto nodes = nodes_of(pair);
    for (std::size_t i = 0; i < 6; ++i) x[i] = now_[nodes[i]];
    if (separation(x, reach) <= reach) near_pairs_.push_back(pair);
  }
  near_motion_.start_at(now_);
  return 0;
}

/// The answer must not depend on which candidates happen to be listed. In the horizon nodes of the two bodies
/// approach by at most a quarter of the skin; a pair that is not listed is at least half a skin apart now. So
/// the boxes of such a pair cannot meet in the horizon, by the very estimate that is used for the listed
/// pairs.
FaceIntersection::Outlook FaceIntersection::outlook(double s) const {
  const double speed = relative_speed(), skin = broad_phase_.skin();
  if (!(speed > 0)) return {infinity, infinity};
  const double horizon = 0.25 * skin / speed, pause = resolution * smallest_edge_ / speed;
  if (met_ && meeting_of(*met_, s) == 0) return {0, std::min(horizon, pause)};
  move_to(s);
  Box first, second;
  for (std::size_t i = 0; i < first_nodes_; ++i) first.include(now_[i]);
  for (std::size_t i = first_nodes_; i < now_.size(); ++i) second.include(now_[i]);
  double meeting = meeting_time(first, first_velocities_, second, second_velocities_, skin);
  if (meeting >= horizon) {
    apart_ = {s, s + meeting};
    return {meeting, meeting};
  }
  broad_phase_.cover(now_, 0.5 * skin);
  meeting = meeting_of_candidates(horizon);
  return {meeting, std::min(horizon, meeting + pause)};
}

/// Earliest time from the positions now_ on at which boxes of two triangles can meet, at most the horizon.
double FaceIntersection::meeting_of_candidates(double horizon) const {
  double earliest = horizon;
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    const MovingBox first(first_[index(pair.first)], now_, velocity_);
    const MovingBox second(second_[index(pair.second)], now_, velocity_);
    earliest = std::min(earliest, meeting_time(first.box, first.velocities, second.box, second.velocities,
                                               1e-9 * broad_phase_.skin()));
    if (earliest == 0) {
      met_ = pair;
      break;
    }
  }
  return earliest;
}

/// The same for one pair from s on.
double FaceIntersection::meeting_of(const BroadPhase::Pair& pair, double s) const {
  for (const std::size_t i : nodes_of(pair)) now_[i] = start_[i] + s * velocity_[i];
  const MovingBox first(first_[index(pair.first)], now_, velocity_);
  const MovingBox second(second_[index(pair.second)], now_, velocity_);
  return meeting_time(first.box, first.velocities, second.box, second.velocities, 1e-9 * broad_phase_.skin());
}

double FaceIntersection::longest_trial(double s) const { return outlook(s).trial; }

double FaceIntersection::first_contact_bound(double s) const { return outlook(s).certified; }

void FaceIntersection::sample(double s, const LineGrids& grids, LineSample& sum) const {
  if (apart_.contains(s)) return;
  if (!listed_.contains(s)) {
    move_to(s);
    const double left = 0.999 * (reach_in_edges * mean_edge_ - list_near_pairs()), speed = relative_speed();
    listed_ = speed > 0 ? Window{s - left / speed, s + left / speed} : Window{-infinity, infinity};
  }
  for (const BroadPhase::Pair& pair : near_pairs_) {
    // Relative to one node: a small pair far from the origin of space loses no digits.
    const auto nodes = nodes_of(pair);
    TrianglePair x{}, v{};
    for (std::size_t i = 1; i < 6; ++i) {
      v[i] = velocity_[nodes[i]] - velocity_[nodes[0]];
      x[i] = (start_[nodes[i]] - start_[nodes[0]]) + s * v[i];
    }
    if (!boxes_overlap(x)) continue;
    const LineDerivatives penalty = segment_penalty(x, v);
    if (penalty.value == 0) continue;
    sum.contact_terms += 1;
    const double value = stiffness_ * penalty.value, slope = stiffness_ * penalty.first;
    const double curvature = stiffness_ * penalty.second;
    sum.value.add(grids.value, value);
    sum.slope += grids.slope.round(slope);
    sum.curvature += grids.curvature.round(curvature);
    sum.largest_value = std::max(sum.largest_value, value);
    sum.largest_slope = std::max(sum.largest_slope, std::abs(slope));
    sum.largest_curvature = std::max(sum.largest_curvature, std::abs(curvature));
  }
}

void FaceIntersection::bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/,
                             LineBound& /*sum*/) const {}

double FaceIntersection::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                      std::span<Vector3> gradient) {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    now_[i] = reference_[i] + lines[index(local_[i])].displacement_at(instant);
  }
  list_near_pairs();
  terms_at_node_.start();
  listed_ = Window{};  // it holds for the list it was made for
  double largest = 0;
  for (const BroadPhase::Pair& pair : near_pairs_) {
    const auto nodes = nodes_of(pair);
    TrianglePair x{};
    for (std::size_t i = 1; i < 6; ++i) x[i] = now_[nodes[i]] - now_[nodes[0]];
    if (!boxes_overlap(x)) continue;
    const auto penalty = segment_penalty_gradient(x);
    if (!penalty) continue;
    for (const std::size_t node : nodes) terms_at_node_.add(node);
    for (std::size_t k = 0; k < 3; ++k) {
      // The last node takes minus the rounded sum of the others: the six add up to zero to the bit.
      double rest = 0;
      for (std::size_t i = 0; i < 5; ++i) {
        const double term = stiffness_ * (*penalty)[i][k];
        const double rounded = grid.round(term);
        largest = std::max(largest, std::abs(term));
        rest -= rounded;
        gradient[index(local_[nodes[i]])][k] += rounded;
      }
      largest = std::max(largest, std::abs(rest));
      gradient[index(local_[nodes[5]])][k] += rest;
    }
  }
  return largest;
}

}  // namespace terrace
