#include "potentials/face_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "parallel/error.hpp"

namespace terrace {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Share of the smallest edge that the bodies may move relative to each other between two samples.
constexpr double resolution = 0.1;
/// The skin of the candidate list and that of the near pairs, in mean sides of triangles. A narrow one is
/// passed sooner, but few pairs that do not intersect are within it.
constexpr double skin_in_edges = 0.5, reach_in_edges = 0.02;

constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Mean length of the triangles' sides.
double mean_side(const ContactSurfaces& surfaces) {
  const std::span<const Vector3> x = surfaces.reference();
  double sum = 0;
  for (const Surface* surface : {&surfaces.first(), &surfaces.second()})
    for (const auto& [a, b, c] : surface->triangles)
      for (const double length : {norm(x[index(b)] - x[index(a)]), norm(x[index(c)] - x[index(b)]),
                                  norm(x[index(a)] - x[index(c)])})
        sum += length;
  return sum /
         (3 * static_cast<double>(surfaces.first().triangles.size() + surfaces.second().triangles.size()));
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
    : surfaces_(reference_positions, first_boundary, second_boundary, "face-intersection contact"),
      stiffness_(stiffness),
      mean_side_(mean_side(surfaces_)),
      terms_at_node_(surfaces_.size()),
      broad_phase_(surfaces_.first().triangles, surfaces_.second().triangles, surfaces_.first_nodes(),
                   skin_in_edges * mean_side_),
      near_motion_(surfaces_.first_nodes()),
      now_(surfaces_.size()) {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw Error(Error::Kind::input, "face-intersection contact", "a positive stiffness",
                fmt::format("{}", stiffness));
}

void FaceIntersection::set_line(std::span<const NodeLine> lines, double origin) {
  surfaces_.set_line(lines, origin);
  apart_ = listed_ = Window{};
}

void FaceIntersection::update_line(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  surfaces_.update_line(lines, origin, changed);
  apart_ = listed_ = Window{};
}

std::array<std::size_t, 6> FaceIntersection::nodes_of(const BroadPhase::Pair& pair) const {
  const Triangle &a = surfaces_.first().triangles[index(pair.first)],
                 &b = surfaces_.second().triangles[index(pair.second)];
  return {index(a[0]), index(a[1]), index(a[2]), index(b[0]), index(b[1]), index(b[2])};
}

double FaceIntersection::list_near_pairs() const {
  const double reach = reach_in_edges * mean_side_;
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
  const double speed = surfaces_.relative_component(), skin = broad_phase_.skin();
  if (!(speed > 0)) return {infinity, infinity};
  const double horizon = 0.25 * skin / speed, pause = resolution * surfaces_.smallest_edge() / speed;
  if (met_ && meeting_of(*met_, s) == 0) return {0, std::min(horizon, pause)};
  double meeting = surfaces_.meeting_time(s, skin);
  if (meeting >= horizon) {
    apart_ = {s, s + meeting};
    return {meeting, meeting};
  }
  surfaces_.positions_at(s, now_);
  broad_phase_.cover(now_, 0.5 * skin);
  meeting = meeting_of_candidates(horizon);
  return {meeting, std::min(horizon, meeting + pause)};
}

/// Earliest time from the positions now_ on at which boxes of two triangles can meet, at most the horizon.
double FaceIntersection::meeting_of_candidates(double horizon) const {
  double earliest = horizon;
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    earliest = std::min(earliest, meeting_of_boxes(pair));
    if (earliest == 0) {
      met_ = pair;
      break;
    }
  }
  return earliest;
}

double FaceIntersection::meeting_of_boxes(const BroadPhase::Pair& pair) const {
  const MovingBox first(surfaces_.first().triangles[index(pair.first)], now_, surfaces_.velocities());
  const MovingBox second(surfaces_.second().triangles[index(pair.second)], now_, surfaces_.velocities());
  return boxes_meet(first.box, first.velocities, second.box, second.velocities, 1e-9 * broad_phase_.skin());
}

/// The same from s on, of one pair.
double FaceIntersection::meeting_of(const BroadPhase::Pair& pair, double s) const {
  for (const std::size_t i : nodes_of(pair)) now_[i] = surfaces_.start(i) + s * surfaces_.velocity(i);
  return meeting_of_boxes(pair);
}

double FaceIntersection::longest_trial(double s) const { return outlook(s).trial; }

double FaceIntersection::first_contact_bound(double s) const { return outlook(s).certified; }

void FaceIntersection::sample(double s, const LineGrids& grids, LineSample& sum) const {
  if (apart_.contains(s)) return;
  if (!listed_.contains(s)) {
    surfaces_.positions_at(s, now_);
    const double left = 0.999 * (reach_in_edges * mean_side_ - list_near_pairs()),
                 speed = surfaces_.relative_component();
    listed_ = speed > 0 ? Window{s - left / speed, s + left / speed} : Window{-infinity, infinity};
  }
  for (const BroadPhase::Pair& pair : near_pairs_) {
    // Relative to one node: a small pair far from the origin of space loses no digits.
    const auto nodes = nodes_of(pair);
    TrianglePair x{}, v{};
    for (std::size_t i = 1; i < 6; ++i) {
      v[i] = surfaces_.velocity(nodes[i]) - surfaces_.velocity(nodes[0]);
      x[i] = (surfaces_.start(nodes[i]) - surfaces_.start(nodes[0])) + s * v[i];
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
  surfaces_.positions_at(lines, instant, now_);
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
        gradient[surfaces_.local(nodes[i])][k] += rounded;
      }
      largest = std::max(largest, std::abs(rest));
      gradient[surfaces_.local(nodes[5])][k] += rest;
    }
  }
  return largest;
}

void FaceIntersection::count_contact_terms(std::span<Vector3> numbers) const {
  for (std::size_t node = 0; node < surfaces_.size(); ++node)
    numbers[surfaces_.local(node)][0] += terms_at_node_.at(node);
}

}  // namespace terrace
