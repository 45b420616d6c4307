#include "potentials/surface_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The reach of the near pairs in activation distances; the skin of the candidates beyond it in mean edges.
constexpr double reach_in_activations = 0.5, skin_in_edges = 0.5;

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
      reach_(reach_in_activations * profile.activation()),
      broad_phase_(surfaces_.first().triangles, surfaces_.second().triangles, surfaces_.first_nodes(),
                   profile.activation() + reach_ + skin_in_edges * surfaces_.mean_edge()),
      near_motion_(surfaces_.first_nodes()),
      now_(surfaces_.size()) {}

void SurfaceContact::forget_line() { apart_ = listed_ = Window{}; }

void SurfaceContact::set_line(std::span<const NodeLine> lines, double origin, double /*earliest*/) {
  surfaces_.set_line(lines, origin);
  forget_line();
}

void SurfaceContact::update_line(std::span<const NodeLine> lines, double origin, double /*earliest*/,
                                 std::span<const std::uint8_t> changed) {
  surfaces_.update_line(lines, origin, changed);
  forget_line();
}

bool SurfaceContact::share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const {
  if (!surfaces_.is_self()) return false;
  for (std::size_t i = 0; i < first_count; ++i)
    for (std::size_t j = first_count; j < 4; ++j)
      if (surfaces_.local(index(nodes[i])) == surfaces_.local(index(nodes[j]))) return true;
  return false;
}

void SurfaceContact::add_pair(PairKind kind, const std::array<std::int32_t, 4>& nodes, double area,
                              double parallel) const {
  if (share_a_node(nodes, kind == PairKind::vertex_triangle ? 1 : 2)) return;
  PairNodes x{};
  for (std::size_t i = 1; i < 4; ++i) x[i] = now_[index(nodes[i])] - now_[index(nodes[0])];
  const double most = profile_.activation() + reach_;
  const Vector3 difference = closest_points(kind, x).difference;
  if (!(dot(difference, difference) <= most * most)) return;
  near_pairs_.push_back({nodes, {kind, stiffness_ * area / 3, parallel}});
}

/// The vertex-triangle and edge-edge pairs that two triangles stand for.
void SurfaceContact::consider(std::int32_t first, std::int32_t second) const {
  const Surface &a = surfaces_.first(), &b = surfaces_.second();
  const Triangle &s = a.triangles[index(first)], &t = b.triangles[index(second)];
  for (const std::int32_t v : a.vertices_of[index(first)])
    add_pair(PairKind::vertex_triangle, {a.vertices[index(v)], t[0], t[1], t[2]}, a.vertex_areas[index(v)], 0);
  // A surface against itself: the other half of these pairs turns up with the triangles exchanged.
  if (!surfaces_.is_self())
    for (const std::int32_t v : b.vertices_of[index(second)])
      add_pair(PairKind::vertex_triangle, {b.vertices[index(v)], s[0], s[1], s[2]}, b.vertex_areas[index(v)], 0);
  for (const std::int32_t e : a.edges_of[index(first)])
    for (const std::int32_t f : b.edges_of[index(second)]) {
      if (surfaces_.is_self() && f <= e) continue;
      const Edge &one = a.edges[index(e)], &other = b.edges[index(f)];
      const double length = a.edge_lengths[index(e)], other_length = b.edge_lengths[index(f)];
      const double area = 0.5 * std::numbers::pi * (a.edge_areas[index(e)] / length) *
                          (b.edge_areas[index(f)] / other_length);
      add_pair(PairKind::edge_edge, {one[0], one[1], other[0], other[1]}, area,
               parallel_edge_threshold(length, other_length));
    }
}

void SurfaceContact::list_near_pairs() const {
  // Drift is measured by components.
  const double per_component = 0.5 * reach_ / std::sqrt(3.0);
  if (near_motion_.drift(now_) <= per_component) return;
  broad_phase_.cover(now_, (broad_phase_.skin() - profile_.activation() - reach_) / std::sqrt(3.0));
  near_pairs_.clear();
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) consider(pair.first, pair.second);
  near_motion_.start_at(now_);
}

void SurfaceContact::list_for(double s) const {
  if (listed_.contains(s)) return;
  surfaces_.positions_at(s, now_);
  list_near_pairs();
  const double left = 0.999 * (0.5 * reach_ - std::sqrt(3.0) * near_motion_.drift(now_));
  const double speed = surfaces_.relative_speed();
  listed_ = speed > 0 ? Window{s - left / speed, s + left / speed} : Window{-infinity, infinity};
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
  for (const NearPair& near : near_pairs_) {
    place(near, s, x, v);
    const PairSample pair = sample_pair(near.pair, profile_, x, v);
    if (pair.touching) sum.infinite += 1;
    if (pair.value == 0) continue;
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
  if (!(surfaces_.relative_speed() * duration <= 0.5 * reach_)) {
    sum.invalid += 1;
    return;
  }
  list_for(from);
  PairNodes x, v;
  for (const NearPair& near : near_pairs_) {
    place(near, from, x, v);
    const PairBound pair = bound_pair(near.pair, profile_, x, v, duration);
    sum.invalid += pair.invalid ? 1 : 0;
    sum.rise += round_up(grids.rise, pair.rise);
    sum.fall += round_up(grids.fall, pair.fall);
    // One quantum more for the rounding of V″ in the sample.
    sum.above += round_up(grids.above, pair.above + grids.curvature.quantum);
    sum.below += round_up(grids.below, pair.below + grids.curvature.quantum);
    sum.largest_rise = std::max(sum.largest_rise, pair.rise);
    sum.largest_fall = std::max(sum.largest_fall, pair.fall);
    sum.largest_above = std::max(sum.largest_above, pair.above + grids.curvature.quantum);
    sum.largest_below = std::max(sum.largest_below, pair.below + grids.curvature.quantum);
  }
}

double SurfaceContact::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                    std::span<Vector3> gradient) {
  surfaces_.positions_at(lines, instant, now_);
  list_near_pairs();
  listed_ = Window{};  // it holds for the list it was made for
  double largest = 0;
  PairNodes x{}, terms;
  for (const NearPair& near : near_pairs_) {
    for (std::size_t i = 1; i < 4; ++i) x[i] = now_[index(near.nodes[i])] - now_[index(near.nodes[0])];
    if (!pair_gradient(near.pair, profile_, x, terms)) continue;
    watch(near, x);
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
  return largest;
}

/// Remembers how near the surfaces came, and how deep a vertex was behind a face.
void SurfaceContact::watch(const NearPair& near, const PairNodes& x) {
  const ClosestPoints closest = closest_points(near.pair.kind, x);
  const double d = norm(closest.difference);
  extremes_.least_distance = std::min(extremes_.least_distance, d);
  if (near.pair.kind != PairKind::vertex_triangle || closest.free_directions != 2) return;
  const Vector3 outward = cross(x[2] - x[1], x[3] - x[1]);
  if (dot(closest.difference, outward) < 0)
    extremes_.deepest_penetration = std::max(extremes_.deepest_penetration, d);
}

void SurfaceContact::report(ContactExtremes& extremes) const {
  extremes.least_distance = std::min(extremes.least_distance, extremes_.least_distance);
  extremes.deepest_penetration = std::max(extremes.deepest_penetration, extremes_.deepest_penetration);
}

}  // namespace terrace
