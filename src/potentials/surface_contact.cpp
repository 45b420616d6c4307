#include "potentials/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The reach of the near and of the nearest pairs in activation distances; the skin of the candidates beyond
/// it in mean edges.
constexpr double near_reach = 0.5, nearest_reach = 0.15, skin_in_edges = 0.5;
const double root3 = std::sqrt(3.0);  // motion is measured by components

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// A certificate may only grow by rounding.
double round_up(const Grid& grid, double x) { return x > 0 ? grid.round(x) + grid.quantum : 0; }

}  // namespace

SurfaceContact::SurfaceContact(std::span<const Vector3> reference_positions,
                               const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                               const ContactProfile& profile, double stiffness, const std::string& where)
    : surfaces_(reference_positions, first, second, where),
      profile_(profile),
      stiffness_(stiffness),
      slack_(skin_in_edges * surfaces_.mean_edge()),
      terms_at_node_(surfaces_.size()),
      broad_phase_(surfaces_.first().triangles, surfaces_.second().triangles, surfaces_.first_nodes(),
                   (1 + near_reach) * profile.activation() + slack_),
      near_{near_reach * profile.activation(), {}, {}},
      nearest_{nearest_reach * profile.activation(), {}, {}},
      now_(surfaces_.size()) {}

void SurfaceContact::forget_line() {
  apart_ = listed_ = Window{};
  near_.region.new_line();
  nearest_.region.new_line();
}

void SurfaceContact::set_line(std::span<const NodeLine> lines, double origin) {
  surfaces_.set_line(lines, origin);
  forget_line();
}

void SurfaceContact::update_line(std::span<const NodeLine> lines, double origin,
                                 std::span<const std::uint8_t> changed) {
  surfaces_.update_line(lines, origin, changed);
  forget_line();
}

void SurfaceContact::Region::start(std::span<const std::uint8_t> inside, std::size_t first_nodes,
                                   std::span<const Vector3> positions) {
  nodes_.clear();
  start_.clear();
  first_ = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (!inside[i]) continue;
    nodes_.push_back(static_cast<std::int32_t>(i));
    start_.push_back(positions[i]);
    if (i < first_nodes) ++first_;
  }
  started_ = true;
  speed_ = -1;
}

namespace {

/// Bound of the norm of the difference of a vector of one box and one of the other.
double largest_difference(const Box& first, const Box& second) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double most = std::max({first.high[k] - second.low[k], second.high[k] - first.low[k], 0.0});
    square += most * most;
  }
  return std::sqrt(square);
}

}  // namespace

double SurfaceContact::Region::drift(std::span<const Vector3> positions) const {
  if (!started_) return infinity;
  Box first, second;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    (i < first_ ? first : second).include(positions[index(nodes_[i])] - start_[i]);
  return first_ == 0 || first_ == nodes_.size() ? 0 : largest_difference(first, second);
}

double SurfaceContact::Region::speed(const ContactSurfaces& surfaces) const {
  if (speed_ >= 0) return speed_;
  Box first, second;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    (i < first_ ? first : second).include(surfaces.velocity(index(nodes_[i])));
  speed_ = first_ == 0 || first_ == nodes_.size() ? 0 : largest_difference(first, second);
  return speed_;
}

bool SurfaceContact::is_within(PairKind kind, const std::array<std::int32_t, 4>& nodes,
                               double distance) const {
  PairNodes x{};
  for (std::size_t i = 1; i < 4; ++i) x[i] = now_[index(nodes[i])] - now_[index(nodes[0])];
  const Vector3 difference = closest_points(kind, x).difference;
  return dot(difference, difference) <= distance * distance;
}

SurfaceContact::NearPair SurfaceContact::weighted(const SurfacePair& pair) const {
  return {pair.nodes, {pair.kind, stiffness_ * pair.area / 3, parallel_edge_threshold(pair.length_product)}};
}

void SurfaceContact::update_lists() const {
  const std::uint64_t builds = broad_phase_.builds();
  broad_phase_.cover(now_, 0.5 * slack_ / root3);
  const bool new_candidates = broad_phase_.builds() != builds;
  const bool new_near = new_candidates || near_.region.drift(now_) > 0.5 * near_.reach;
  if (new_near) list_near_pairs();
  if (new_near || nearest_.region.drift(now_) > 0.5 * nearest_.reach) list_nearest_pairs();
}

void SurfaceContact::list_near_pairs() const {
  near_.pairs.clear();
  std::vector<std::uint8_t> inside(now_.size(), 0);
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates()) {
    const Triangle &a = surfaces_.first().triangles[index(triangles.first)],
                   &b = surfaces_.second().triangles[index(triangles.second)];
    for (const std::int32_t node : a) inside[index(node)] = 1;
    for (const std::int32_t node : b) inside[index(node)] = 1;
    surfaces_.visit_pairs(triangles.first, triangles.second, [&](const SurfacePair& pair) {
      if (is_within(pair.kind, pair.nodes, profile_.activation() + near_.reach))
        near_.pairs.push_back(weighted(pair));
    });
  }
  near_.region.start(inside, surfaces_.first_nodes(), now_);
}

void SurfaceContact::list_nearest_pairs() const {
  nearest_.pairs.clear();
  std::vector<std::uint8_t> inside(now_.size(), 0);
  for (const NearPair& near : near_.pairs) {
    for (const std::int32_t node : near.nodes) inside[index(node)] = 1;
    if (is_within(near.pair.kind, near.nodes, profile_.activation() + nearest_.reach))
      nearest_.pairs.push_back(near);
  }
  nearest_.region.start(inside, surfaces_.first_nodes(), now_);
}

void SurfaceContact::list_for(double s) const {
  if (listed_.contains(s)) return;
  surfaces_.positions_at(s, now_);
  update_lists();
  const auto time = [](double left, double speed) { return speed > 0 ? 0.999 * left / speed : infinity; };
  const double holds =
      std::min({time(0.5 * slack_, surfaces_.relative_speed()),
                time(near_.reach - near_.region.drift(now_), near_.region.speed(surfaces_)),
                time(nearest_.reach - nearest_.region.drift(now_), nearest_.region.speed(surfaces_))});
  listed_ = {s - holds, s + holds};
}

void SurfaceContact::place(const NearPair& near, double s, PairNodes& x, PairNodes& v) const {
  // Relative to one node: a small pair far from the origin of space loses no digits.
  const std::size_t base = index(near.nodes[0]);
  x[0] = v[0] = Vector3{};
  for (std::size_t i = 1; i < 4; ++i) {
    const std::size_t node = index(near.nodes[i]);
    v[i] = surfaces_.velocity(node) - surfaces_.velocity(base);
    x[i] = (surfaces_.start(node) - surfaces_.start(base)) + s * v[i];
  }
}

void SurfaceContact::sample(double s, const LineGrids& grids, LineSample& sum) const {
  if (apart_.contains(s)) return;
  list_for(s);
  PairNodes x, v;
  for (const NearPair& near : nearest_.pairs) {
    place(near, s, x, v);
    const PairSample pair = sample_pair(near.pair, profile_, x, v);
    if (pair.touching) sum.infinite += 1;
    if (pair.value == 0 && pair.slope == 0 && pair.curvature == 0) continue;
    sum.contact_terms += 1;
    sum.value.add(grids.value, pair.value);
    sum.slope += grids.slope.round(pair.slope);
    sum.curvature += grids.curvature.round(pair.curvature);
    sum.largest_value = std::max(sum.largest_value, pair.value);
    sum.largest_slope = std::max(sum.largest_slope, std::abs(pair.slope));
    sum.largest_curvature = std::max(sum.largest_curvature, std::abs(pair.curvature));
  }
}

void SurfaceContact::bound(double from, double to, const LineGrids& grids, LineBound& sum) const {
  const double duration = to - from;
  const double meeting = surfaces_.meeting_time(from, (1 + 1e-9) * profile_.activation());
  if (duration < meeting) {
    apart_ = {from, to};
    return;
  }
  if (!(surfaces_.relative_speed() * duration <= 0.5 * slack_)) {
    sum.invalid += 1;
    return;
  }
  // The lists must hold to the end: where they may not, they are brought up to date at the beginning, and
  // then bear half their reach.
  if (!(listed_.contains(from) && listed_.contains(to))) {
    listed_ = Window{};
    list_for(from);
  }
  const bool near_holds = near_.region.speed(surfaces_) * duration <= 0.5 * near_.reach;
  if (near_holds && nearest_.region.speed(surfaces_) * duration <= 0.5 * nearest_.reach) {
    for (const NearPair& near : nearest_.pairs)
      if (!add_bound(near, from, duration, grids, sum)) return;
  } else if (near_holds) {
    for (const NearPair& near : near_.pairs)
      if (!add_bound(near, from, duration, grids, sum)) return;
  } else {
    bool valid = true;
    for (const BroadPhase::Pair& triangles : broad_phase_.candidates())
      surfaces_.visit_pairs(triangles.first, triangles.second, [&](const SurfacePair& pair) {
        valid = valid && add_bound(weighted(pair), from, duration, grids, sum);
      });
  }
}

bool SurfaceContact::add_bound(const NearPair& near, double from, double duration, const LineGrids& grids,
                               LineBound& sum) const {
  PairNodes x, v;
  place(near, from, x, v);
  const PairBound pair = bound_pair(near.pair, profile_, x, v, duration);
  if (pair.invalid) {
    sum.invalid += 1;
    return false;
  }
  if (pair.above == 0 && pair.below == 0 && pair.rise == 0) return true;
  sum.contact_terms += 1;
  // One quantum more for the rounding of V″ in the sample.
  const double above = pair.above + grids.curvature.quantum, below = pair.below + grids.curvature.quantum;
  sum.rise += round_up(grids.rise, pair.rise);
  sum.fall += round_up(grids.fall, pair.fall);
  sum.above += round_up(grids.above, above);
  sum.below += round_up(grids.below, below);
  sum.largest_rise = std::max(sum.largest_rise, pair.rise);
  sum.largest_fall = std::max(sum.largest_fall, pair.fall);
  sum.largest_above = std::max(sum.largest_above, above);
  sum.largest_below = std::max(sum.largest_below, below);
  return true;
}

double SurfaceContact::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                    std::span<Vector3> gradient) {
  surfaces_.positions_at(lines, instant, now_);
  update_lists();
  listed_ = Window{};  // it holds for the lists it was made for
  terms_at_node_.start();
  double largest = 0;
  PairNodes x{}, terms;
  for (const NearPair& near : nearest_.pairs) {
    for (std::size_t i = 1; i < 4; ++i) x[i] = now_[index(near.nodes[i])] - now_[index(near.nodes[0])];
    const auto closest = pair_gradient(near.pair, profile_, x, terms);
    if (!closest) continue;
    watch(near, *closest, x);
    for (const std::int32_t node : near.nodes) terms_at_node_.add(index(node));
    for (std::size_t k = 0; k < 3; ++k) {
      // The last node takes minus the rounded sum of the others: the four add up to zero to the bit.
      double rest = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double rounded = grid.round(terms[i][k]);
        largest = std::max(largest, std::abs(terms[i][k]));
        rest -= rounded;
        gradient[surfaces_.local(index(near.nodes[i]))][k] += rounded;
      }
      largest = std::max(largest, std::abs(rest));
      gradient[surfaces_.local(index(near.nodes[3]))][k] += rest;
    }
  }
  note_penetrations();
  return largest;
}

/// Remembers how near the surfaces came, and the vertices that may be behind a face.
void SurfaceContact::watch(const NearPair& near, const ClosestPoints& closest, const PairNodes& x) {
  const double d = norm(closest.difference);
  extremes_.least_distance = std::min(extremes_.least_distance, d);
  if (near.pair.kind != PairKind::vertex_triangle) return;
  const Vector3 outward = cross(x[2] - x[1], x[3] - x[1]);
  const bool behind = closest.free_directions == 2 && dot(closest.difference, outward) < 0;
  nearest_faces_.push_back({near.nodes[0], d, behind});
}

/// A vertex is inside the other body where it is behind the nearest of its faces; behind others it may be
/// beside an acute edge.
void SurfaceContact::note_penetrations() {
  const bool any =
      std::any_of(nearest_faces_.begin(), nearest_faces_.end(), [](const auto& face) { return face.behind; });
  if (any) {
    std::sort(nearest_faces_.begin(), nearest_faces_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.vertex, a.distance) < std::pair(b.vertex, b.distance);
    });
    for (std::size_t i = 0; i < nearest_faces_.size(); ++i)
      if (nearest_faces_[i].behind && (i == 0 || nearest_faces_[i - 1].vertex != nearest_faces_[i].vertex))
        extremes_.deepest_penetration = std::max(extremes_.deepest_penetration, nearest_faces_[i].distance);
  }
  nearest_faces_.clear();
}

void SurfaceContact::report(ContactExtremes& extremes) const {
  extremes.least_distance = std::min(extremes.least_distance, extremes_.least_distance);
  extremes.deepest_penetration = std::max(extremes.deepest_penetration, extremes_.deepest_penetration);
}

}  // namespace terrace
