#include "potentials/set_constraint_on_line.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/continuous_collision.hpp"
#include "geometry/segment_triangle.hpp"
#include "numerics/at.hpp"
#include "potentials/add_balanced.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double skin_in_edges = 0.5;

}  // namespace

ImpenetrabilityOnLine::ImpenetrabilityOnLine(const ImpenetrabilityConstraint& constraint)
    : constraint_(constraint),
      surfaces_(constraint.surfaces()),
      motion_(surfaces_),
      broad_phase_(surfaces_.first().triangles, surfaces_.second().triangles, surfaces_.first_nodes(),
                   skin_in_edges * surfaces_.mean_edge()),
      now_(surfaces_.size()) {
  number_features();
}

void ImpenetrabilityOnLine::number_features() {
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    features_.push_back({node, node, node});
  }
  const std::array<const TriangulatedSurface*, 2> surfaces = {&surfaces_.first(), &surfaces_.second()};
  for (std::size_t k = 0; k < 2; ++k) {
    triangles_at_[k] = features_.size();
    for (const Triangle& triangle : surfaces[k]->triangles) features_.push_back(triangle);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    edges_at_[k] = features_.size();
    for (const Edge& edge : surfaces[k]->edges) features_.push_back({edge[0], edge[1], edge[1]});
  }
  swept_.resize(features_.size());
}

void ImpenetrabilityOnLine::begin(std::span<const NodeLine> lines, double origin) {
  motion_.set_line(lines, origin);
}

void ImpenetrabilityOnLine::change(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  motion_.update_line(lines, origin, changed);
}

/// What a pair of triangles stands for: their own vertices and edges, each listed with one triangle alone.
void ImpenetrabilityOnLine::list_pairs_of(const BroadPhase::Pair& triangles) {
  const TriangulatedSurface &first = surfaces_.first(), &second = surfaces_.second();
  const std::size_t s = index(triangles.first), t = index(triangles.second);
  const auto vertex_and_triangle = [&](std::int32_t vertex, const Triangle& triangle, std::size_t at) {
    pairs_.push_back(
        {PairKind::vertex_triangle, {vertex, triangle[0], triangle[1], triangle[2]}, {index(vertex), at}});
  };
  for (const std::int32_t a : first.vertices_of[s])
    vertex_and_triangle(first.vertices[index(a)], second.triangles[t], triangles_at_[1] + t);
  for (const std::int32_t b : second.vertices_of[t])
    vertex_and_triangle(second.vertices[index(b)], first.triangles[s], triangles_at_[0] + s);
  for (const std::int32_t a : first.edges_of[s])
    for (const std::int32_t b : second.edges_of[t]) {
      const Edge &one = first.edges[index(a)], &other = second.edges[index(b)];
      pairs_.push_back({PairKind::edge_edge,
                        {one[0], one[1], other[0], other[1]},
                        {edges_at_[0] + index(a), edges_at_[1] + index(b)}});
    }
}

/// The pairs near each other at the positions now_.
void ImpenetrabilityOnLine::list_pairs() {
  broad_phase_.cover(now_, 0.5 * broad_phase_.skin());
  if (listed_build_ == broad_phase_.builds()) return;
  listed_build_ = broad_phase_.builds();
  pairs_.clear();
  paired_features_.clear();
  pairs_end_.clear();
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates()) {
    list_pairs_of(triangles);
    pairs_end_.push_back(pairs_.size());
    const auto places = places_of(triangles);
    paired_features_.insert(paired_features_.end(), places.begin(), places.end());
  }
  for (const FeaturePair& pair : pairs_)
    paired_features_.insert(paired_features_.end(), pair.features.begin(), pair.features.end());
  std::sort(paired_features_.begin(), paired_features_.end());
  paired_features_.erase(std::unique(paired_features_.begin(), paired_features_.end()),
                         paired_features_.end());
}

void ImpenetrabilityOnLine::sweep_boxes(double from, double to) {
  for (const std::size_t feature : paired_features_) {
    Box box;
    for (const std::int32_t own : features_[feature]) {
      const Vector3 &start = motion_.start(index(own)), &velocity = motion_.velocity(index(own));
      box.include(start + from * velocity);
      box.include(start + to * velocity);
    }
    swept_[feature] = box;
  }
}

/// The answer must not depend on which pairs happen to be listed. In the horizon nodes of the two bodies
/// approach by at most a quarter of the skin; triangles that are not listed are at least half a skin apart
/// now, so that none of their features can touch.
FirstCollision ImpenetrabilityOnLine::first_collision(double from, double to) {
  colliding_.reset();
  const double speed = motion_.relative_speed(), skin = broad_phase_.skin();
  if (!(speed > 0)) return {};
  const double horizon = 0.25 * skin / speed, meeting = motion_.meeting_time(from, skin);
  if (meeting >= horizon) return {infinity, from + meeting < to ? from + meeting : infinity};
  const double until = std::min(to, from + horizon);
  motion_.positions_at(from, now_);
  list_pairs();
  sweep_boxes(from, until);
  FirstCollision result{infinity, until < to ? until : infinity};
  std::size_t next = 0;
  for (std::size_t k = 0; k < pairs_end_.size(); ++k) {
    const std::size_t first = std::exchange(next, pairs_end_[k]);
    const auto places = places_of(broad_phase_.candidates()[k]);
    if (!swept_[places[0]].overlaps(swept_[places[1]], 2 * constraint_.touching())) continue;
    for (std::size_t p = first; p < next; ++p) test(pairs_[p], from, std::min(until, result.instant), result);
  }
  return result;
}

/// Keeps the pair if it touches before all others so far; of simultaneous ones the first tested.
void ImpenetrabilityOnLine::test(const FeaturePair& pair, double from, double to, FirstCollision& result) {
  if (!swept_[pair.features[0]].overlaps(swept_[pair.features[1]], 2 * constraint_.touching())) return;
  PairNodes x{}, v{}, normals{};
  for (std::size_t i = 0; i < 4; ++i) {
    x[i] = motion_.start(index(pair.nodes[i]));
    v[i] = motion_.velocity(index(pair.nodes[i]));
    normals[i] = constraint_.normals()[index(pair.nodes[i])];
  }
  const auto instant = first_touch(pair.kind, x, v, from, to, constraint_.touching(), normals);
  if (!instant || !(*instant < result.instant)) return;
  colliding_ = pair;
  result.instant = *instant;
}

NearestPoints ImpenetrabilityOnLine::nearest(const FeaturePair& pair,
                                             std::span<const Vector3> positions) const {
  PairNodes x{}, normals{};
  for (std::size_t i = 0; i < 4; ++i) {
    x[i] = positions[index(pair.nodes[i])] - positions[index(pair.nodes[0])];
    normals[i] = constraint_.normals()[index(pair.nodes[i])];
  }
  return nearest_points(pair.kind, x, constraint_.touching(), normals);
}

double ImpenetrabilityOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                           std::span<Vector3> gradient) {
  if (!colliding_) return 0;
  surfaces_.positions_at({lines, instant}, now_);
  const NearestPoints points = nearest(*colliding_, now_);
  PairNodes terms;
  std::array<std::size_t, 4> nodes;
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    terms[i] = points.weights[i] * points.normal;
    nodes[i] = surfaces_.local(index(colliding_->nodes[i]));
    for (const double term : terms[i])
      largest = std::max({largest, std::abs(term), i < 3 ? std::abs(grid.round(term)) : 0});
  }
  return std::max(largest, add_balanced(grid, terms, nodes, gradient));
}

double ImpenetrabilityOnLine::distance(double s) {
  motion_.positions_at(s, now_);
  list_pairs();
  double least = infinity;
  for (const FeaturePair& pair : pairs_) least = std::min(least, nearest(pair, now_).distance);
  return least;
}

bool ImpenetrabilityOnLine::intersects(const BroadPhase::Pair& triangles) const {
  const auto corners = [&](const Triangle& triangle) {
    return std::array<Vector3, 3>{now_[index(triangle[0])], now_[index(triangle[1])],
                                  now_[index(triangle[2])]};
  };
  const auto a = corners(surfaces_.first().triangles[index(triangles.first)]);
  const auto b = corners(surfaces_.second().triangles[index(triangles.second)]);
  const double depth = 0.01 * constraint_.touching(), rim = 1e-9;
  for (std::size_t k = 0; k < 3; ++k)
    if (piercing_point(a[k], a[(k + 1) % 3], b, depth, rim) ||
        piercing_point(b[k], b[(k + 1) % 3], a, depth, rim))
      return true;
  return false;
}

std::optional<Vector3> ImpenetrabilityOnLine::intersection(double s) {
  motion_.positions_at(s, now_);
  list_pairs();
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates())
    if (intersects(triangles)) return now_[index(surfaces_.first().triangles[index(triangles.first)][0])];
  return std::nullopt;
}

}  // namespace terrace
