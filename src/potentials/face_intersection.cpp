#include "potentials/face_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Share of a pair's smallest edge that it may move relative to itself between two samples.
constexpr double resolution = 0.1;
/// The skin of the candidate list, in mean edges.
constexpr double skin_in_edges = 0.5;

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int32_t> nodes_of(const std::vector<Triangle>& triangles) {
  std::vector<std::int32_t> nodes;
  for (const Triangle& triangle : triangles) nodes.insert(nodes.end(), triangle.begin(), triangle.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

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

std::vector<double> smallest_edges(const std::vector<Triangle>& triangles, std::span<const Vector3> x) {
  std::vector<double> smallest;
  for (const Triangle& triangle : triangles) {
    const auto edges = edge_lengths(triangle, x);
    smallest.push_back(*std::min_element(edges.begin(), edges.end()));
    if (!(smallest.back() > 0)) {
      throw Error(Error::Kind::input, "face-intersection contact",
                  "boundary triangles with edges of positive length",
                  fmt::format("an edge of length {} in triangle {}", smallest.back(), smallest.size() - 1));
    }
  }
  return smallest;
}

double mean_edge(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                 std::span<const Vector3> x) {
  double sum = 0;
  for (const auto* triangles : {&first, &second}) {
    for (const Triangle& triangle : *triangles) {
      const auto edges = edge_lengths(triangle, x);
      sum += edges[0] + edges[1] + edges[2];
    }
  }
  return sum / (3 * static_cast<double>(first.size() + second.size()));
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

/// Bound of the relative speed of any two nodes of a pair.
double relative_speed_of(const Box& first, const Box& second) {
  Vector3 extent{};
  for (std::size_t k = 0; k < 3; ++k) {
    extent[k] = std::max(first.high[k], second.high[k]) - std::min(first.low[k], second.low[k]);
  }
  return norm(extent);
}

/// Whether the boxes of the pair's triangles have a point in common.
bool boxes_overlap(const TrianglePair& x) {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [a, b] = std::minmax({x[0][k], x[1][k], x[2][k]});
    const auto [c, d] = std::minmax({x[3][k], x[4][k], x[5][k]});
    if (b < c || d < a) return false;
  }
  return true;
}

}  // namespace

FaceIntersection::FaceIntersection(std::span<const Vector3> reference_positions,
                                   const std::vector<Triangle>& first_boundary,
                                   const std::vector<Triangle>& second_boundary, double stiffness)
    : stiffness_(stiffness), broad_phase_({}, {}, 0, 0) {
  verify(first_boundary, reference_positions.size());
  verify(second_boundary, reference_positions.size());
  if (!(stiffness > 0) || !std::isfinite(stiffness)) {
    throw Error(Error::Kind::input, "face-intersection contact", "a positive stiffness",
                fmt::format("{}", stiffness));
  }
  const auto first_nodes = nodes_of(first_boundary), second_nodes = nodes_of(second_boundary);
  std::set_union(first_nodes.begin(), first_nodes.end(), second_nodes.begin(), second_nodes.end(),
                 std::back_inserter(nodes_));
  first_nodes_ = first_nodes.size();
  local_ = first_nodes;
  local_.insert(local_.end(), second_nodes.begin(), second_nodes.end());
  for (const std::int32_t node : local_) reference_.push_back(reference_positions[index(node)]);
  first_ = renumber(first_boundary, first_nodes, 0);
  second_ = renumber(second_boundary, second_nodes, first_nodes_);
  first_edge_ = smallest_edges(first_, reference_);
  second_edge_ = smallest_edges(second_, reference_);
  broad_phase_ =
      BroadPhase(first_, second_, first_nodes_, skin_in_edges * mean_edge(first_, second_, reference_));
  start_ = now_ = reference_;
  velocity_.resize(local_.size());
}

void FaceIntersection::set_node(std::size_t i, const NodeLine& line, double origin) {
  start_[i] = reference_[i] + line.displacement_at(origin);
  velocity_[i] = line.velocity;
}

void FaceIntersection::forget_line() {
  relative_speed_ = -1;
  apart_ = listed_ = Window{};
}

void FaceIntersection::set_line(std::span<const NodeLine> lines, double origin, double /*earliest*/) {
  for (std::size_t i = 0; i < local_.size(); ++i) set_node(i, lines[index(local_[i])], origin);
  forget_line();
}

void FaceIntersection::update_line(std::span<const NodeLine> lines, double origin, double /*earliest*/,
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

/// Leaves all positions at s in now_, and candidates among which is every contact of the window listed_
/// around s.
void FaceIntersection::list_candidates(double s, double allowed_drift) const {
  move_to(s);
  const double drift = broad_phase_.cover(now_, allowed_drift);
  const double speed = relative_speed();
  const double slack = speed > 0 ? 0.999 * (broad_phase_.skin() - drift) / speed : infinity;
  listed_ = {s - slack, s + slack};
  listed_build_ = broad_phase_.builds();
}

/// The answer must not depend on which candidates happen to be listed. In the horizon nodes of the two bodies
/// approach by at most a quarter of the skin; a pair that is not listed is at least half a skin apart now. So
/// the boxes of such a pair cannot meet in the horizon, by the very estimate that is used for the listed
/// pairs.
FaceIntersection::Outlook FaceIntersection::outlook(double s) const {
  const double speed = relative_speed(), skin = broad_phase_.skin();
  const double horizon = speed > 0 ? 0.25 * skin / speed : infinity;
  move_to(s);
  Box first, second;
  for (std::size_t i = 0; i < first_nodes_; ++i) first.include(now_[i]);
  for (std::size_t i = first_nodes_; i < now_.size(); ++i) second.include(now_[i]);
  const double meeting = meeting_time(first, first_velocities_, second, second_velocities_, skin);
  if (meeting >= horizon) {
    apart_ = {s, s + meeting};
    return {meeting, meeting};
  }
  list_candidates(s, 0.5 * skin);
  return outlook_of_candidates(horizon);
}

FaceIntersection::Outlook FaceIntersection::outlook_of_candidates(double horizon) const {
  Outlook result{horizon, horizon};
  for (auto pair = broad_phase_.candidates().begin(); pair != broad_phase_.candidates().end();) {
    const std::int32_t triangle = pair->first;
    const MovingBox first(first_[index(triangle)], now_, velocity_);
    for (; pair != broad_phase_.candidates().end() && pair->first == triangle; ++pair) {
      const std::size_t other = index(pair->second);
      const MovingBox second(second_[other], now_, velocity_);
      const double meeting = meeting_time(first.box, first.velocities, second.box, second.velocities,
                                          1e-9 * broad_phase_.skin());
      result.certified = std::min(result.certified, meeting);
      if (meeting >= result.trial) continue;
      const double speed = relative_speed_of(first.velocities, second.velocities);
      const double edge = std::min(first_edge_[index(triangle)], second_edge_[other]);
      if (speed > 0) result.trial = std::min(result.trial, meeting + resolution * edge / speed);
    }
  }
  return result;
}

double FaceIntersection::longest_trial(double s) const { return outlook(s).trial; }

double FaceIntersection::first_contact_bound(double s) const { return outlook(s).certified; }

TrianglePair FaceIntersection::gather(const std::vector<Vector3>& nodal, const BroadPhase::Pair& pair) const {
  const Triangle &a = first_[index(pair.first)], &b = second_[index(pair.second)];
  return {nodal[index(a[0])], nodal[index(a[1])], nodal[index(a[2])],
          nodal[index(b[0])], nodal[index(b[1])], nodal[index(b[2])]};
}

void FaceIntersection::sample(double s, const LineGrids& grids, LineSample& sum) const {
  if (apart_.contains(s)) return;
  if (listed_.contains(s) && listed_build_ == broad_phase_.builds()) {
    for (const std::int32_t i : broad_phase_.active_nodes())
      now_[index(i)] = start_[index(i)] + s * velocity_[index(i)];
  } else {
    list_candidates(s, 0.9 * broad_phase_.skin());
  }
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    const TrianglePair x = gather(now_, pair);
    if (!boxes_overlap(x)) continue;
    const LineDerivatives penalty = segment_penalty(x, gather(velocity_, pair));
    if (penalty.value == 0) continue;
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
  broad_phase_.cover(now_, 0.9 * broad_phase_.skin());
  double largest = 0;
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    const TrianglePair x = gather(now_, pair);
    if (!boxes_overlap(x)) continue;
    const auto penalty = segment_penalty_gradient(x);
    if (!penalty) continue;
    const Triangle &a = first_[index(pair.first)], &b = second_[index(pair.second)];
    for (std::size_t k = 0; k < 3; ++k) {
      // The last node takes minus the rounded sum of the others: the six add up to zero to the bit.
      double rest = 0;
      for (std::size_t i = 0; i < 5; ++i) {
        const double term = stiffness_ * (*penalty)[i][k];
        const double rounded = grid.round(term);
        largest = std::max(largest, std::abs(term));
        rest -= rounded;
        gradient[index(local_[index(i < 3 ? a[i] : b[i - 3])])][k] += rounded;
      }
      largest = std::max(largest, std::abs(rest));
      gradient[index(local_[index(b[2])])][k] += rest;
    }
  }
  return largest;
}

}  // namespace terrace
