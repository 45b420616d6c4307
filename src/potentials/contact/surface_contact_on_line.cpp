#include "potentials/contact/surface_contact_on_line.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "geometry/hull_separation.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace terrace {
namespace {

/// Rounds a certificate's term upwards: rounding must not make it smaller.
double round_up(const Grid& grid, double x) { return x > 0 ? grid.round(x) + grid.quantum : 0; }

}  // namespace

SurfaceContactOnLine::SurfaceContactOnLine(const SurfaceContact& contact)
    : potential_(contact),
      contact_(contact.contact()),
      felt_from_(contact_.felt_from()),
      terms_at_node_(contact_.surfaces.size()),
      motion_(contact_.surfaces),
      near_(contact_),
      open_(contact_.profile.activation()) {}

void SurfaceContactOnLine::forget_line() {
  apart_ = opened_ = KnownStretch{};
  near_.new_line();
  rows_of_list_ = none;
}

void SurfaceContactOnLine::begin(std::span<const NodeLine> lines, double origin) {
  if (near_sides_alone_)
    motion_.set_line(lines, origin, near_sides_);
  else
    motion_.set_line(lines, origin);
  forget_line();
}

void SurfaceContactOnLine::change(std::span<const NodeLine> lines, double origin,
                                  std::span<const std::uint8_t> changed) {
  if (near_sides_alone_)
    motion_.set_line(lines, origin, near_sides_);
  else
    motion_.update_line(lines, origin, changed);
  forget_line();
}

void SurfaceContactOnLine::find_positions(std::span<const NodeLine> lines, double instant) {
  now_.resize(contact_.surfaces.size());
  if (!near_sides_alone_) return contact_.surfaces.positions_at({lines, instant}, now_);
  const Displacements displacements{lines, instant};
  for (const std::int32_t node : near_sides_)
    at(now_, node) =
        contact_.surfaces.reference(index(node)) + displacements[contact_.surfaces.local(index(node))];
}

NearSides SurfaceContactOnLine::look_at_near_sides(std::span<const NodeLine> lines, double instant) {
  look_at_all_sides();
  find_positions(lines, instant);
  opened_ = KnownStretch{};  // it holds only for the previous list
  (void)near_.listed_within(now_, {}, 0);
  near_sides_ = near_.nodes_of_candidates();
  near_sides_alone_ = true;
  near_.let_others_cover(true);
  forget_line();
  NearSides near{{}, 0.5 * near_.slack()};
  for (const std::int32_t node : near_sides_)
    near.nodes.push_back(static_cast<std::int32_t>(contact_.surfaces.local(index(node))));
  return near;
}

void SurfaceContactOnLine::look_at_all_sides() {
  near_sides_alone_ = false;
  near_.let_others_cover(false);
}

const NodeRows& SurfaceContactOnLine::rows() {
  if (rows_of_list_ == near_.lists()) return rows_;
  rows_.start.resize(contact_.surfaces.size());
  rows_.velocity.resize(contact_.surfaces.size());
  for (const std::int32_t node : near_.region()) {
    const std::size_t i = index(node);
    const Vector3 &x = motion_.start(i), &v = motion_.velocity(i);
    rows_.start[i] = {{x[0], x[1], x[2], 0}};
    rows_.velocity[i] = {{v[0], v[1], v[2], 0}};
  }
  rows_of_list_ = near_.lists();
  return rows_;
}

// The measured distance has a rounding error in proportion to its own size, and one in proportion to the
// coordinates. Nothing found here is kept: most pairs are far apart all the time.
PotentialOnLine::Room SurfaceContactOnLine::room(double s) {
  if (contact_.surfaces.is_self() || near_sides_alone_) return {};
  constexpr int looks = 6;
  constexpr double rounding = 1e-9, of_places = 1e-13;
  std::vector<Vector3> positions(contact_.surfaces.size());
  motion_.positions_at(s, positions);
  const auto first = std::span<const Vector3>(positions).first(contact_.surfaces.first_nodes()),
             second = std::span<const Vector3>(positions).subspan(contact_.surfaces.first_nodes());
  const Box of_first = box_about(first), of_second = box_about(second),
            of_velocities = box_about(motion_.velocities());
  double apart = distance_apart(of_first, of_second);
  HullSeparation hulls(first, second, of_second.low + of_second.high - of_first.low - of_first.high);
  for (int look = 0; look < looks; ++look) {
    const double length = norm(hulls.direction());
    if (length > 0) apart = std::max(apart, hulls.between() / length);
    if (!hulls.improve()) break;
  }
  const double rounded = rounding * largest_difference(of_first, of_second) +
                         of_places * (largest_component(of_first) + largest_component(of_second) +
                                      std::abs(s) * largest_component(of_velocities));
  return {std::max(0.0, apart - felt_from_ - rounded), motion_.relative_speed()};
}

bool SurfaceContactOnLine::open(double from, double duration) {
  if (opened_.from <= from && from + duration <= opened_.to) return true;
  opened_ = KnownStretch{};
  sampled_at_ = -1;
  now_.resize(contact_.surfaces.size());
  if (near_sides_alone_)
    motion_.positions_at(from, near_sides_, now_);
  else
    motion_.positions_at(from, now_);
  const double listed = near_.listed_within(now_, motion_.velocities(), duration);
  if (listed > near_.complete_to()) return false;
  open_.clear();
  for (std::vector<PairOnLine>& pairs : looked_at_.by_kind) pairs.clear();
  const double widest = felt_from_ + near_.speed(motion_.velocities()) * duration;
  for (const NearContacts::Gap& gap : near_.find_gaps(now_, listed, widest)) {
    const NearContacts::NearPair& near = near_.pair(gap);
    looked_at_.of(near.pair.kind).push_back({near.nodes, near.pair, gap.width - felt_from_});
  }
  for (const std::vector<PairOnLine>& pairs : looked_at_.by_kind) open_.add(pairs, rows(), from, duration);
  opened_ = {from, from + duration};
  return true;
}

void SurfaceContactOnLine::sample_open(double s, double until) {
  if (sampled_at_ == s && until <= sampled_until_) return;
  for (PairPacket& packet : open_.packets())
    if (packet.closed_until < until) sample_packet(packet, contact_.profile, s);
  sampled_at_ = s;
  sampled_until_ = until;
}

void SurfaceContactOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  if (apart_.contains(s)) return;
  open(s, 0);
  sample_open(s, s);
  const std::span<const PairPacket> packets = std::as_const(open_).packets();
  packet_kernels().add_samples(packets.data(), packets.size(), s, grids, sum);
}

void SurfaceContactOnLine::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  const double duration = to - from;
  if (!near_sides_alone_) {
    if (motion_.stay_apart(from, felt_from_, duration)) {
      apart_ = {from, to};
      return;
    }
    // The candidates suffice for relative motions up to half their slack.
    if (!(motion_.relative_speed() * duration <= 0.5 * near_.slack())) {
      sum.invalid += 1;
      return;
    }
  }
  if (!open(from, duration)) return bound_candidates(from, duration, grids, sum);
  sample_open(from, from + duration);  // as add_bounds, to the last digit
  add_bounds(std::as_const(open_).packets(), from, duration, grids, sum);
}

// A rare case: the list is not kept, as it would be most of the memory of a pair. Few packets at a time, so
// that they stay in the cache.
void SurfaceContactOnLine::bound_candidates(double from, double duration, const LineGrids& grids,
                                            LineBound& sum) {
  constexpr std::size_t at_once = 64;
  PairPackets packets(contact_.profile.activation());
  PairsOfEitherKind some;
  const auto add = [&](std::vector<PairOnLine>& pairs) {
    packets.clear();
    packets.add(pairs, rows(), from, duration);
    pairs.clear();
    for (PairPacket& packet : packets.packets()) sample_packet(packet, contact_.profile, from);
    add_bounds(std::as_const(packets).packets(), from, duration, grids, sum);
  };
  const double widest = felt_from_ + near_.speed(motion_.velocities()) * duration;
  near_.visit_within(widest, now_, [&](const SurfacePair& pair) {
    std::vector<PairOnLine>& pairs = some.of(pair.kind);
    pairs.push_back({pair.nodes, contact_.weighted(pair), -infinity});
    if (pairs.size() == at_once) add(pairs);
  });
  for (std::vector<PairOnLine>& pairs : some.by_kind) add(pairs);
}

void SurfaceContactOnLine::add_bounds(std::span<const PairPacket> packets, double from, double duration,
                                      const LineGrids& grids, LineBound& sum) const {
  BoundSums sums;
  for (const PairPacket& packet : packets) {
    if (packet.closed_until >= from + duration) continue;
    const PacketBound pair = bound_packet(packet, contact_.profile, from, duration);
    // The packet's other pairs count nevertheless: the need for larger grids must not depend on which rank
    // has which pairs.
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

double SurfaceContactOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                          std::span<Vector3> gradient) {
  find_positions(lines, instant);
  opened_ = KnownStretch{};  // it holds only for the previous list
  terms_at_node_.start();
  const double largest = potential_.add_gradient_of(
      near_, now_, grid, gradient,
      [&](const NearContacts::NearPair& near, const ClosestPoints& closest, const PairNodes& x) {
        watch(near, closest, x);
        for (const std::int32_t node : near.nodes) terms_at_node_.add(index(node));
      });
  note_penetrations();
  return largest;
}

void SurfaceContactOnLine::watch(const NearContacts::NearPair& near, const ClosestPoints& closest,
                                 const PairNodes& x) {
  const double d = norm(closest.difference);
  extremes_.least_distance = std::min(extremes_.least_distance, d);
  if (near.pair.kind != PairKind::vertex_triangle || contact_.profile.diverges()) return;
  const Vector3 outward = cross(x[2] - x[1], x[3] - x[1]);
  const bool behind = closest.free_directions == 2 && dot(closest.difference, outward) < 0;
  nearest_faces_.push_back({near.nodes, d, behind});
}

bool SurfaceContactOnLine::is_of_one_skin(const std::array<std::int32_t, 4>& nodes) const {
  if (!contact_.surfaces.is_self()) return false;
  constexpr double near_by = 2, hardly = 0.1;  // in mean edges; in shares of the distance
  PairNodes x{};
  for (std::size_t i = 1; i < 4; ++i)
    x[i] = contact_.surfaces.reference(index(nodes[i])) - contact_.surfaces.reference(index(nodes[0]));
  const Vector3 apart = closest_points(PairKind::vertex_triangle, x).difference,
                outward = cross(x[2] - x[1], x[3] - x[1]);
  const double distance = norm(apart);
  return distance < near_by * contact_.surfaces.mean_edge() &&
         dot(apart, outward) < hardly * distance * norm(outward);
}

/// A vertex is inside the other body if it is behind the nearest triangle; behind farther ones it may just be
/// beside an acute edge. Within one surface a vertex's own triangles are not listed, so that a vertex may be
/// behind the nearest listed triangle without being inside (is_of_one_skin).
void SurfaceContactOnLine::note_penetrations() {
  const bool any =
      std::any_of(nearest_faces_.begin(), nearest_faces_.end(), [](const auto& face) { return face.behind; });
  if (any) {
    std::sort(nearest_faces_.begin(), nearest_faces_.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.nodes[0], a.distance, a.behind) < std::tuple(b.nodes[0], b.distance, b.behind);
    });
    for (std::size_t i = 0; i < nearest_faces_.size(); ++i)
      if (nearest_faces_[i].behind &&
          (i == 0 || nearest_faces_[i - 1].nodes[0] != nearest_faces_[i].nodes[0]) &&
          !is_of_one_skin(nearest_faces_[i].nodes))
        extremes_.deepest_penetration = std::max(extremes_.deepest_penetration, nearest_faces_[i].distance);
  }
  nearest_faces_.clear();
}

void SurfaceContactOnLine::report(ContactExtremes& extremes) const {
  extremes.least_distance = std::min(extremes.least_distance, extremes_.least_distance);
  extremes.deepest_penetration = std::max(extremes.deepest_penetration, extremes_.deepest_penetration);
  extremes.lists += near_.lists();
}

void SurfaceContactOnLine::count_contact_terms(std::span<Vector3> numbers) const {
  contact_.surfaces.visit_nodes([&](std::size_t own, std::size_t local, const Vector3& /*reference*/) {
    numbers[local][0] += terms_at_node_.at(own);
  });
}

}  // namespace terrace
