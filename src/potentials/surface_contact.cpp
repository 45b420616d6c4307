#include "potentials/surface_contact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "potentials/packet_kernels.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The reach of the near pairs in activation distances; the skin of the candidates beyond it in mean edges.
constexpr double near_reach = 0.8, skin_in_edges = 0.5;
/// The distances of the near pairs are measured again after so much drift, in activation distances.
constexpr double measured_after = 0.1;
const double root3 = std::sqrt(3.0);  // motion is measured by components

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// A lower bound of the distance: the gap between the simplices along a unit vector, whatever it is. Without
/// branches: a vertex counts as an edge without length, an edge as a triangle without area.
double gap_along(const Vector3& axis, PairKind kind, const std::array<std::int32_t, 4>& nodes,
                 std::span<const Vector3> positions) {
  const bool edges = kind == PairKind::edge_edge;
  const Vector3& base = positions[index(nodes[0])];
  const double one = dot(axis, positions[index(nodes[1])] - base),
               two = dot(axis, positions[index(nodes[2])] - base),
               three = dot(axis, positions[index(nodes[3])] - base);
  return std::min(0.0, edges ? one : 0.0) - std::max(std::max(two, three), edges ? two : one);
}

double square_apart(const Box& first, const Box& second) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double apart = std::max({first.low[k] - second.high[k], second.low[k] - first.high[k], 0.0});
    square += apart * apart;
  }
  return square;
}

/// Of the boxes of the two simplices of a pair.
double square_apart_of_boxes(PairKind kind, const std::array<std::int32_t, 4>& nodes,
                             std::span<const Vector3> positions) {
  const bool edges = kind == PairKind::edge_edge;
  const Vector3 &x0 = positions[index(nodes[0])], &x1 = positions[index(nodes[1])],
                &x2 = positions[index(nodes[2])], &x3 = positions[index(nodes[3])];
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    // As in gap_along: a vertex counts as an edge without length.
    const double of_first = edges ? x1[k] : x0[k], of_second = edges ? x2[k] : x1[k];
    const double low = std::max(std::min(x0[k], of_first) - std::max({x2[k], x3[k], of_second}),
                                std::min({x2[k], x3[k], of_second}) - std::max(x0[k], of_first));
    square += std::max(low, 0.0) * std::max(low, 0.0);
  }
  return square;
}

Box box_of(const Triangle& triangle, std::span<const Vector3> positions) {
  Box box;
  for (const std::int32_t node : triangle) box.include(positions[index(node)]);
  return box;
}

/// A certificate may only grow by rounding.
double round_up(const Grid& grid, double x) { return x > 0 ? grid.round(x) + grid.quantum : 0; }

}  // namespace

SurfaceContact::SurfaceContact(std::span<const Vector3> reference_positions,
                               const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                               const ContactProfile& profile, double stiffness, const std::string& where,
                               const PairShare& share)
    : surfaces_(reference_positions, first, second, where),
      share_(share),
      profile_(profile),
      stiffness_(stiffness),
      slack_(skin_in_edges * surfaces_.mean_edge()),
      felt_from_((1 + 1e-9) * profile.activation()),
      terms_at_node_(surfaces_.size()),
      broad_phase_(surfaces_.first().triangles, surfaces_.second().triangles, surfaces_.first_nodes(),
                   (1 + near_reach) * profile.activation() + slack_),
      near_{near_reach * profile.activation(), 0, {}, {}, {}},
      open_(profile.activation()),
      some_candidates_(profile.activation()),
      now_(surfaces_.size()) {}

void SurfaceContact::forget_line() {
  apart_ = opened_ = Window{};
  near_.region.new_line();
  rows_known_ = false;
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

void SurfaceContact::Region::start_again(std::span<const Vector3> positions) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) start_[i] = positions[index(nodes_[i])];
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

PairNodes SurfaceContact::relative_now(const std::array<std::int32_t, 4>& nodes) const {
  PairNodes x{};
  for (std::size_t i = 1; i < 4; ++i) x[i] = now_[index(nodes[i])] - now_[index(nodes[0])];
  return x;
}

ContactPair SurfaceContact::weighted(const SurfacePair& pair) const {
  return {pair.kind, stiffness_ * pair.area / 3, parallel_edge_threshold(pair.length_product)};
}

double SurfaceContact::listed_within(double duration) const {
  const std::uint64_t builds = broad_phase_.builds();
  broad_phase_.cover(now_, 0.5 * slack_ / root3);
  double drift = near_.region.drift(now_);
  if (broad_phase_.builds() == builds && drift < near_.left) {
    if (drift > measured_after * profile_.activation()) {
      measure_near_pairs(drift);
      drift = 0;
    }
    const double listed = felt_from_ + drift + near_.region.speed(surfaces_) * duration;
    if (listed <= complete_to()) return listed;
  }
  list_near_pairs();
  return felt_from_ + near_.region.speed(surfaces_) * duration;
}

void SurfaceContact::measure_near_pairs(double drift) const {
  const double soon = felt_from_ + 2 * measured_after * profile_.activation();
  for (std::size_t i = 0; i < near_.pairs.size(); ++i) {
    double& distance = near_.distances[i];
    distance -= drift;
    if (distance > soon) continue;
    const NearPair& near = near_.pairs[i];
    distance = std::max(distance, gap_along(near.axis, near.pair.kind, near.nodes, now_));
  }
  near_.left -= drift;
  near_.region.start_again(now_);
}

void SurfaceContact::list_near_pairs() const {
  ++lists_;
  near_.pairs.clear();
  near_.distances.clear();
  near_.left = near_.reach;
  std::vector<NearPair> edges;
  std::vector<double> edge_distances;
  const double farthest = complete_to();
  std::vector<std::uint8_t> inside(now_.size(), 0);
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates()) {
    const Triangle &a = surfaces_.first().triangles[index(triangles.first)],
                   &b = surfaces_.second().triangles[index(triangles.second)];
    for (const std::int32_t node : a) inside[index(node)] = 1;
    for (const std::int32_t node : b) inside[index(node)] = 1;
    if (square_apart(box_of(a, now_), box_of(b, now_)) > farthest * farthest) continue;
    surfaces_.visit_pairs(triangles.first, triangles.second, [&](const SurfacePair& pair) {
      if (!share_.holds(pair)) return;
      if (square_apart_of_boxes(pair.kind, pair.nodes, now_) > farthest * farthest) return;
      const Vector3 difference = closest_points(pair.kind, relative_now(pair.nodes)).difference;
      const double distance = norm(difference);
      if (distance > farthest) return;
      const Vector3 axis = distance > 0 ? (1 / distance) * difference : Vector3{};
      const bool of_edges = pair.kind == PairKind::edge_edge;
      (of_edges ? edges : near_.pairs).push_back({pair.nodes, weighted(pair), axis});
      (of_edges ? edge_distances : near_.distances).push_back(distance);
    });
  }
  // One kind after the other: the loops over pairs foretell their branches.
  near_.pairs.insert(near_.pairs.end(), edges.begin(), edges.end());
  near_.distances.insert(near_.distances.end(), edge_distances.begin(), edge_distances.end());
  near_.region.start(inside, surfaces_.first_nodes(), now_);
}

const NodeRows& SurfaceContact::rows() const {
  if (rows_known_) return rows_;
  rows_.start.resize(surfaces_.size());
  rows_.velocity.resize(surfaces_.size());
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const Vector3 &x = surfaces_.start(i), &v = surfaces_.velocity(i);
    rows_.start[i] = {{x[0], x[1], x[2], 0}};
    rows_.velocity[i] = {{v[0], v[1], v[2], 0}};
  }
  rows_known_ = true;
  return rows_;
}

bool SurfaceContact::open(double from, double duration) const {
  if (opened_.from <= from && from + duration <= opened_.to) return true;
  opened_ = Window{};
  sampled_at_ = -1;
  surfaces_.positions_at(from, now_);
  const double listed = listed_within(duration);
  if (listed > complete_to()) return false;
  find_gaps(listed, felt_from_ + near_.region.speed(surfaces_) * duration);
  open_.clear();
  for (std::vector<PairOnLine>& pairs : looked_at_) pairs.clear();
  for (const Gap& gap : gaps_) {
    const NearPair& near = near_.pairs[gap.pair];
    looked_at(near.pair.kind).push_back({near.nodes, near.pair, gap.width - felt_from_});
  }
  for (const std::vector<PairOnLine>& pairs : looked_at_) open_.add(pairs, rows(), from, duration);
  opened_ = {from, from + duration};
  return true;
}

void SurfaceContact::find_gaps(double listed, double widest) const {
  gaps_.resize(near_.pairs.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < near_.pairs.size(); ++i) {
    if (near_.distances[i] > listed) continue;
    const NearPair& near = near_.pairs[i];
    const double gap = gap_along(near.axis, near.pair.kind, near.nodes, now_);
    gaps_[count] = {i, gap};
    count += gap <= widest;
  }
  gaps_.resize(count);
}

void SurfaceContact::sample_open(double s, double until) const {
  if (sampled_at_ == s && until <= sampled_until_) return;
  for (PairPacket& packet : open_.packets())
    if (packet.closed_until < until) sample_packet(packet, profile_, s);
  sampled_at_ = s;
  sampled_until_ = until;
}

void SurfaceContact::sample(double s, const LineGrids& grids, LineSample& sum) const {
  if (apart_.contains(s)) return;
  open(s, 0);
  sample_open(s, s);
  const std::span<const PairPacket> packets = std::as_const(open_).packets();
  packet_kernels().add_samples(packets.data(), packets.size(), s, grids, sum);
}

void SurfaceContact::bound(double from, double to, const LineGrids& grids, LineBound& sum) const {
  const double duration = to - from;
  if (duration < surfaces_.meeting_time(from, felt_from_)) {
    apart_ = {from, to};
    return;
  }
  // The candidates bear half their slack from `from` on.
  if (!(surfaces_.relative_speed() * duration <= 0.5 * slack_)) {
    sum.invalid += 1;
    return;
  }
  if (!open(from, duration)) return bound_candidates(from, duration, grids, sum);
  sample_open(from, to);
  add_bounds(std::as_const(open_).packets(), from, duration, grids, sum);
}

void SurfaceContact::bound_candidates(double from, double duration, const LineGrids& grids,
                                      LineBound& sum) const {
  constexpr std::size_t at_once = 256;
  const auto add = [&] {
    some_candidates_.clear();
    for (std::vector<PairOnLine>& pairs : looked_at_) {
      some_candidates_.add(pairs, rows(), from, duration);
      pairs.clear();
    }
    for (PairPacket& packet : some_candidates_.packets()) sample_packet(packet, profile_, from);
    add_bounds(std::as_const(some_candidates_).packets(), from, duration, grids, sum);
  };
  for (std::vector<PairOnLine>& pairs : looked_at_) pairs.clear();
  for (const BroadPhase::Pair& triangles : broad_phase_.candidates()) {
    surfaces_.visit_pairs(triangles.first, triangles.second, [&](const SurfacePair& pair) {
      if (share_.holds(pair)) looked_at(pair.kind).push_back({pair.nodes, weighted(pair), -infinity});
    });
    if (looked_at(PairKind::edge_edge).size() > at_once) add();
  }
  add();
}

void SurfaceContact::add_bounds(std::span<const PairPacket> packets, double from, double duration,
                                const LineGrids& grids, LineBound& sum) const {
  BoundSums sums;
  for (const PairPacket& packet : packets) {
    if (packet.closed_until >= from + duration) continue;
    const PacketBound pair = bound_packet(packet, profile_, from, duration);
    // The others count all the same: they may need larger grids, whichever rank has which pairs.
    if (pair.invalid) sum.invalid += 1;
    for (int lane = 0; pair.jumps && lane < simd::width; ++lane) {
      sum.rise += round_up(grids.rise, pair.rise[lane]);
      sum.fall += round_up(grids.fall, pair.fall[lane]);
      sum.largest_rise = std::max(sum.largest_rise, pair.rise[lane]);
      sum.largest_fall = std::max(sum.largest_fall, pair.fall[lane]);
    }
    packet_kernels().add_bounds(pair, grids, sums);
  }
  for (int lane = 0; lane < simd::width; ++lane) {
    sum.contact_terms += sums.terms[lane];
    sum.below += sums.belows[lane];
    sum.above += sums.aboves[lane];
    sum.largest_below = std::max(sum.largest_below, sums.largest_below[lane]);
    sum.largest_above = std::max(sum.largest_above, sums.largest_above[lane]);
  }
}

double SurfaceContact::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                    std::span<Vector3> gradient) {
  surfaces_.positions_at(lines, instant, now_);
  const double listed = listed_within(0);
  opened_ = Window{};  // it holds for the list it was made of
  terms_at_node_.start();
  double largest = 0;
  PairNodes terms;
  find_gaps(listed, felt_from_);
  for (const Gap& gap : gaps_) {
    const NearPair& near = near_.pairs[gap.pair];
    const PairNodes x = relative_now(near.nodes);
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
      return std::tuple(a.vertex, a.distance, a.behind) < std::tuple(b.vertex, b.distance, b.behind);
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
  extremes.lists += lists_;
}

void SurfaceContact::count_contact_terms(std::span<Vector3> numbers) const {
  for (std::size_t node = 0; node < surfaces_.size(); ++node)
    numbers[surfaces_.local(node)][0] += terms_at_node_.at(node);
}

}  // namespace terrace
