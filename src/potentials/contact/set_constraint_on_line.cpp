#include "potentials/contact/set_constraint_on_line.hpp"

#include <algorithm>
#include <utility>

#include "geometry/continuous_collision.hpp"
#include "geometry/segment_triangle.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "potentials/add_balanced.hpp"

namespace terrace {
namespace {

constexpr double search_skin_in_edges = 0.5;

}  // namespace

ImpenetrabilityOnLine::ImpenetrabilityOnLine(const ImpenetrabilityConstraint& constraint)
    : constraint_(constraint),
      surfaces_(constraint.surfaces()),
      motion_(surfaces_),
      broad_phase_(surfaces_.broad_phase(search_skin_in_edges * surfaces_.mean_edge())),
      now_(surfaces_.size()) {
  number_features();
}

void ImpenetrabilityOnLine::number_features() {
  const TriangulatedSurface &first = surfaces_.first(), &second = surfaces_.second();
  triangles_at_[0] = surfaces_.size();
  triangles_at_[1] = triangles_at_[0] + first.triangles.size();
  edges_at_[0] = triangles_at_[1] + second.triangles.size();
  edges_at_[1] = edges_at_[0] + first.edges.size();
}

Triangle ImpenetrabilityOnLine::nodes_of(std::size_t number) const {
  const auto place = [&](std::size_t from) { return static_cast<std::int32_t>(number - from); };
  if (number < triangles_at_[0]) return {place(0), place(0), place(0)};
  if (number < triangles_at_[1]) return surfaces_.first_triangle(place(triangles_at_[0]));
  if (number < edges_at_[0]) return surfaces_.second_triangle(place(triangles_at_[1]));
  const bool of_first = number < edges_at_[1];
  const Edge edge =
      of_first ? surfaces_.first_edge(place(edges_at_[0])) : surfaces_.second_edge(place(edges_at_[1]));
  return {edge[0], edge[1], edge[1]};
}

void ImpenetrabilityOnLine::begin(std::span<const NodeLine> lines, double origin) {
  motion_.set_line(lines, origin);
}

void ImpenetrabilityOnLine::change(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  motion_.update_line(lines, origin, changed);
}

void ImpenetrabilityOnLine::list_pairs_of(const BroadPhase::Pair& triangles) {
  const TriangulatedSurface &first = surfaces_.first(), &second = surfaces_.second();
  const auto [s, t] = numbers_of(triangles);
  const auto vertex_and_triangle = [&](std::int32_t vertex, const Triangle& triangle, std::size_t number) {
    pairs_.push_back({PairKind::vertex_triangle,
                      {vertex, triangle[0], triangle[1], triangle[2]},
                      {index(vertex), number}});
  };
  for (const std::int32_t a : first.vertices_of(index(triangles.first)))
    vertex_and_triangle(a, surfaces_.second_triangle(triangles.second), t);
  for (const std::int32_t b : second.vertices_of(index(triangles.second)))
    vertex_and_triangle(surfaces_.own(b), surfaces_.first_triangle(triangles.first), s);
  first.for_each_edge_of(index(triangles.first), [&](std::int32_t a) {
    second.for_each_edge_of(index(triangles.second), [&](std::int32_t b) {
      const Edge one = surfaces_.first_edge(a), other = surfaces_.second_edge(b);
      pairs_.push_back({PairKind::edge_edge,
                        {one[0], one[1], other[0], other[1]},
                        {edges_at_[0] + index(a), edges_at_[1] + index(b)}});
    });
  });
}

void ImpenetrabilityOnLine::list_pairs() {
  broad_phase_.cover(now_, 0.5 * broad_phase_.skin());
  if (listed_build_ == broad_phase_.builds()) return;
  listed_build_ = broad_phase_.builds();
  pairs_.clear();
  pairs_end_.clear();
  triangles_.clear();
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates()) {
    list_pairs_of(triangles);
    pairs_end_.push_back(pairs_.size());
    triangles_.push_back(numbers_of(triangles));
  }
  find_features();
}

// Few features are near the other body: only these get a box.
void ImpenetrabilityOnLine::find_features() {
  features_.clear();
  for (const Numbers& numbers : triangles_) features_.insert(features_.end(), numbers.begin(), numbers.end());
  for (const FeaturePair& pair : pairs_)
    features_.insert(features_.end(), pair.features.begin(), pair.features.end());
  std::sort(features_.begin(), features_.end());
  features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
  swept_.resize(features_.size());
  const auto place = [&](std::size_t& number) {
    const auto found = std::lower_bound(features_.begin(), features_.end(), number);
    number = static_cast<std::size_t>(found - features_.begin());
  };
  for (Numbers& numbers : triangles_) std::for_each(numbers.begin(), numbers.end(), place);
  for (FeaturePair& pair : pairs_) std::for_each(pair.features.begin(), pair.features.end(), place);
}

double ImpenetrabilityOnLine::sweep_boxes(double from, double to) {
  double largest = 0;
  for (std::size_t i = 0; i < features_.size(); ++i) {
    Box box;
    for (const std::int32_t own : nodes_of(features_[i])) {
      const Vector3 &start = motion_.start(index(own)), &velocity = motion_.velocity(index(own));
      box.include(start + from * velocity);
      box.include(start + to * velocity);
    }
    swept_[i] = box;
    for (std::size_t k = 0; k < 3; ++k) largest = std::max({largest, -box.low[k], box.high[k]});
  }
  return largest;
}

/// The answer must not depend on which pairs happen to be listed. Within the horizon nodes of the two bodies
/// approach each other by at most a quarter of the skin, and triangles that are not listed are at least half
/// a skin apart now, so that none of their features can touch.
FirstCollision ImpenetrabilityOnLine::first_collision(double from, double to) {
  colliding_.reset();
  const double speed = motion_.relative_speed(), skin = broad_phase_.skin();
  if (!(speed > 0)) return {};
  const double horizon = 0.25 * skin / speed, meeting = motion_.meeting_time(from, skin);
  if (meeting >= horizon) return {infinity, from + meeting < to ? from + meeting : infinity};
  const double until = std::min(to, from + horizon);
  motion_.positions_at(from, now_);
  list_pairs();
  const double farthest = sweep_boxes(from, until);
  FirstCollision result{infinity, until < to ? until : infinity};
  if (farthest > constraint_.farthest()) result.too_far = farthest;
  std::size_t next = 0;
  for (std::size_t k = 0; k < pairs_end_.size(); ++k) {
    const std::size_t first = std::exchange(next, pairs_end_[k]);
    const auto& [s, t] = triangles_[k];
    if (!swept_[s].overlaps(swept_[t], 2 * constraint_.touching())) continue;
    for (std::size_t p = first; p < next; ++p) test(pairs_[p], from, std::min(until, result.instant), result);
  }
  return result;
}

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
  return larger(largest, add_balanced(grid, terms, nodes, gradient));
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
  const auto a = corners(surfaces_.first_triangle(triangles.first));
  const auto b = corners(surfaces_.second_triangle(triangles.second));
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
    if (intersects(triangles)) return now_[index(surfaces_.first_triangle(triangles.first)[0])];
  return std::nullopt;
}

}  // namespace terrace
