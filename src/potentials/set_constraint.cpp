#include "potentials/set_constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double skin_in_edges = 0.5;

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int32_t> nodes_of_surface(const std::vector<Triangle>& triangles) {
  std::vector<std::int32_t> nodes;
  for (const Triangle& triangle : triangles) nodes.insert(nodes.end(), triangle.begin(), triangle.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// `offset` plus each node's place in the ascending list `nodes`.
std::vector<Triangle> renumber(std::vector<Triangle> triangles, const std::vector<std::int32_t>& nodes,
                               std::size_t offset) {
  for (Triangle& triangle : triangles)
    for (std::int32_t& node : triangle) {
      const auto place = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
      node = static_cast<std::int32_t>(offset + static_cast<std::size_t>(place));
    }
  return triangles;
}

struct Lengths {
  double mean_edge = 0, smallest_edge = infinity, largest_coordinate = 0;
};

Lengths lengths_of(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                   std::span<const Vector3> x) {
  Lengths lengths;
  double count = 0;
  for (const auto* triangles : {&first, &second})
    for (const Triangle& triangle : *triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 &a = x[index(triangle[k])], &b = x[index(triangle[(k + 1) % 3])];
        lengths.mean_edge += norm(b - a);
        lengths.smallest_edge = std::min(lengths.smallest_edge, norm(b - a));
        for (const double coordinate : a)
          lengths.largest_coordinate = std::max(lengths.largest_coordinate, std::abs(coordinate));
        count += 1;
      }
  lengths.mean_edge /= count;
  return lengths;
}

/// At each node the mean of the normals of the triangles around it, of length 1.
std::vector<Vector3> normals_of(const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                                std::span<const Vector3> x) {
  std::vector<Vector3> normals(x.size(), Vector3{});
  for (const auto* triangles : {&first, &second})
    for (const Triangle& triangle : *triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3& corner = x[index(triangle[k])];
        const Vector3 one = x[index(triangle[(k + 1) % 3])] - corner,
                      other = x[index(triangle[(k + 2) % 3])] - corner;
        const Vector3 area = cross(one, other);
        if (!(norm(area) > 0)) continue;
        // By angle: how a flat face is cut into triangles does not matter.
        const double angle = std::atan2(norm(area), dot(one, other));
        normals[index(triangle[k])] += (angle / norm(area)) * area;
      }
  for (Vector3& normal : normals)
    if (norm(normal) > 0) normal = (1 / norm(normal)) * normal;
  return normals;
}

/// Coordinates far from the origin of space round more coarsely than the edges do.
double touching_distance(const Lengths& lengths) {
  return std::max(touching_per_size * lengths.smallest_edge,
                  1000 * std::numeric_limits<double>::epsilon() * lengths.largest_coordinate);
}

/// Earliest time ≥ 0 at which the boxes, whose sides move no faster than the boxes of velocities say, can
/// come within `distance`; +∞ if never.
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

/// Whether the edge ab goes through the triangle, by more than `depth` at each end.
bool pierces(const Vector3& a, const Vector3& b, const std::array<Vector3, 3>& t, double depth) {
  const Vector3 m = cross(t[1] - t[0], t[2] - t[0]);
  const double above = dot(a - t[0], m), below = dot(b - t[0], m);
  if (!(above * below < 0) || !(std::min(std::abs(above), std::abs(below)) > depth * norm(m))) return false;
  const Vector3 at = a + (above / (above - below)) * (b - a);
  const double squared = dot(m, m);
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = dot(cross(t[(k + 1) % 3] - t[k], at - t[k]), m) / squared;
    if (!(share > 1e-9)) return false;
  }
  return true;
}

}  // namespace

ImpenetrabilityConstraint::ImpenetrabilityConstraint(std::span<const Vector3> reference_positions,
                                                     const std::vector<Triangle>& first_boundary,
                                                     const std::vector<Triangle>& second_boundary)
    : broad_phase_({}, {}, 0, 0) {
  const auto first_nodes = nodes_of_surface(first_boundary), second_nodes = nodes_of_surface(second_boundary);
  std::set_union(first_nodes.begin(), first_nodes.end(), second_nodes.begin(), second_nodes.end(),
                 std::back_inserter(nodes_));
  first_nodes_ = first_nodes.size();
  local_ = first_nodes;
  local_.insert(local_.end(), second_nodes.begin(), second_nodes.end());
  for (const std::int32_t node : local_) reference_.push_back(reference_positions[index(node)]);
  const auto first = renumber(first_boundary, first_nodes, 0);
  const auto second = renumber(second_boundary, second_nodes, first_nodes_);
  normals_ = normals_of(first, second, reference_);
  features_ = ContactFeatures(first, second, local_.size());
  const Lengths lengths = lengths_of(first, second, reference_);
  touching_ = touching_distance(lengths);
  broad_phase_ = BroadPhase(first, second, first_nodes_, skin_in_edges * lengths.mean_edge);
  start_ = now_ = reference_;
  velocity_.resize(local_.size());
  swept_.resize(features_.size());
}

void ImpenetrabilityConstraint::set_line(std::span<const NodeLine> lines, double origin,
                                         double /*earliest*/) {
  for (std::size_t i = 0; i < local_.size(); ++i) {
    const NodeLine& line = lines[index(local_[i])];
    start_[i] = reference_[i] + line.displacement_at(origin);
    velocity_[i] = line.velocity;
  }
  relative_speed_ = -1;
}

void ImpenetrabilityConstraint::update_line(std::span<const NodeLine> lines, double origin,
                                            double /*earliest*/, std::span<const std::uint8_t> changed) {
  for (std::size_t i = 0; i < local_.size(); ++i) {
    if (changed[index(local_[i])] == 0) continue;
    const NodeLine& line = lines[index(local_[i])];
    start_[i] = reference_[i] + line.displacement_at(origin);
    velocity_[i] = line.velocity;
  }
  relative_speed_ = -1;
}

void ImpenetrabilityConstraint::move_to(double s) {
  for (std::size_t i = 0; i < now_.size(); ++i) now_[i] = start_[i] + s * velocity_[i];
}

double ImpenetrabilityConstraint::relative_speed() {
  if (relative_speed_ >= 0) return relative_speed_;
  first_velocities_ = second_velocities_ = Box{};
  for (std::size_t i = 0; i < velocity_.size(); ++i)
    (i < first_nodes_ ? first_velocities_ : second_velocities_).include(velocity_[i]);
  relative_speed_ = 0;
  for (std::size_t k = 0; k < 3; ++k)
    relative_speed_ = std::max({relative_speed_, first_velocities_.high[k] - second_velocities_.low[k],
                                second_velocities_.high[k] - first_velocities_.low[k]});
  return relative_speed_;
}

/// The pairs near each other at the positions now_.
void ImpenetrabilityConstraint::list_pairs() {
  broad_phase_.cover(now_, 0.5 * broad_phase_.skin());
  if (listed_build_ == broad_phase_.builds()) return;
  listed_build_ = broad_phase_.builds();
  pairs_ = features_.pairs_of(broad_phase_.candidates());
  paired_features_.clear();
  for (const FeaturePair& pair : pairs_) {
    paired_features_.push_back(pair.first);
    paired_features_.push_back(pair.second);
  }
  std::sort(paired_features_.begin(), paired_features_.end());
  paired_features_.erase(std::unique(paired_features_.begin(), paired_features_.end()),
                         paired_features_.end());
}

void ImpenetrabilityConstraint::sweep_boxes(double from, double to) {
  for (const std::int32_t number : paired_features_) {
    const Feature& feature = features_[number];
    Box box;
    for (std::int32_t k = 0; k < feature.size; ++k) {
      const std::size_t node = index(feature.nodes[index(k)]);
      box.include(start_[node] + from * velocity_[node]);
      box.include(start_[node] + to * velocity_[node]);
    }
    swept_[index(number)] = box;
  }
}

ImpenetrabilityConstraint::MovingPair ImpenetrabilityConstraint::moving(const FeaturePair& pair) const {
  const auto nodes = features_.nodes_of(pair);
  MovingPair points{features_.kind_of(pair), {}, {}, {}};
  for (std::size_t i = 0; i < 4; ++i) {
    points.x[i] = start_[nodes[i]];
    points.v[i] = velocity_[nodes[i]];
    points.normals[i] = normals_[nodes[i]];
  }
  return points;
}

/// The answer must not depend on which pairs happen to be listed. In the horizon nodes of the two bodies
/// approach by at most a quarter of the skin; triangles that are not listed are at least half a skin apart
/// now, so that none of their features can touch.
FirstCollision ImpenetrabilityConstraint::first_collision(double from, double to) {
  colliding_.reset();
  const double speed = relative_speed(), skin = broad_phase_.skin();
  if (!(speed > 0)) return {};
  move_to(from);
  Box first, second;
  for (std::size_t i = 0; i < now_.size(); ++i) (i < first_nodes_ ? first : second).include(now_[i]);
  const double horizon = 0.25 * skin / speed;
  const double meeting = meeting_time(first, first_velocities_, second, second_velocities_, skin);
  if (meeting >= horizon) return {infinity, from + meeting < to ? from + meeting : infinity};
  const double until = std::min(to, from + horizon);
  list_pairs();
  sweep_boxes(from, until);
  FirstCollision result{infinity, until < to ? until : infinity};
  // Of simultaneous collisions the first pair's is taken.
  double earliest = until;
  for (const FeaturePair& pair : pairs_) {
    if (!swept_[index(pair.first)].overlaps(swept_[index(pair.second)], 2 * touching_)) continue;
    const MovingPair points = moving(pair);
    const auto instant =
        first_touch(points.kind, points.x, points.v, from, earliest, touching_, points.normals);
    if (!instant || !(*instant < result.instant)) continue;
    colliding_ = pair;
    result.instant = earliest = *instant;
    if (earliest == from) break;
  }
  return result;
}

double ImpenetrabilityConstraint::add_gradient(std::span<const NodeLine> lines, double instant,
                                               const Grid& grid, std::span<Vector3> gradient) {
  if (!colliding_) return 0;
  const auto nodes = features_.nodes_of(*colliding_);
  for (std::size_t i = 0; i < now_.size(); ++i)
    now_[i] = reference_[i] + lines[index(local_[i])].displacement_at(instant);
  FourPoints x{}, normals{};
  for (std::size_t i = 0; i < 4; ++i) {
    x[i] = now_[nodes[i]] - now_[nodes[0]];
    normals[i] = normals_[nodes[i]];
  }
  const ClosestPoints closest = closest_points(features_.kind_of(*colliding_), x, touching_, normals);
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double rest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double term = closest.weights[i] * closest.normal[k];
      const double rounded = i < 3 ? grid.round(term) : rest;
      largest = std::max({largest, std::abs(term), std::abs(rounded)});
      rest -= rounded;
      gradient[index(local_[nodes[i]])][k] += rounded;
    }
  }
  return largest;
}

double ImpenetrabilityConstraint::distance(double s) {
  move_to(s);
  list_pairs();
  double least = infinity;
  for (const FeaturePair& pair : pairs_) {
    FourPoints x{};
    const auto nodes = features_.nodes_of(pair);
    for (std::size_t i = 1; i < 4; ++i) x[i] = now_[nodes[i]] - now_[nodes[0]];
    least = std::min(least, closest_points(features_.kind_of(pair), x, touching_, {}).distance);
  }
  return least;
}

void require_apart(std::span<const Vector3> positions, const std::vector<Triangle>& first,
                   const std::vector<Triangle>& second, const std::string& where) {
  ImpenetrabilityConstraint constraint(positions, first, second);
  const double depth = 0.01 * constraint.touching();
  // One body after the other: all edges of the one against the triangles of the other.
  const auto check = [&](const std::vector<Triangle>& edges, const std::vector<Triangle>& triangles) {
    Box box;
    for (const Triangle& triangle : triangles)
      for (const std::int32_t node : triangle) box.include(positions[index(node)]);
    for (const Triangle& edge : edges) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 &a = positions[index(edge[k])], &b = positions[index(edge[(k + 1) % 3])];
        Box edge_box;
        edge_box.include(a), edge_box.include(b);
        if (!edge_box.overlaps(box, 0)) continue;
        for (const Triangle& t : triangles)
          if (pierces(a, b, {positions[index(t[0])], positions[index(t[1])], positions[index(t[2])]}, depth))
            throw Error(
                Error::Kind::input, where,
                "bodies that do not intersect at the start, as contact.model = \"rigid\" keeps every "
                "triangle on its side",
                fmt::format("an edge through a triangle near ({:.6g}, {:.6g}, {:.6g})", a[0], a[1], a[2]));
      }
    }
  };
  check(first, second);
  check(second, first);
}

}  // namespace terrace
