#include "potentials/contact/face_intersection_on_line.hpp"

#include <algorithm>

#include "geometry/triangle_intersection.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/contact/simplex_boxes.hpp"

namespace terrace {
namespace {

/// Share of the smallest edge that the bodies may move relative to each other between two samples.
constexpr double resolution = 0.1;
/// The skins of the candidates and of the near pairs, in mean sides of triangles. A narrow skin is used up
/// sooner, but lets in few pairs that do not intersect.
constexpr double skin_in_sides = 0.5, reach_in_edges = 0.02;

/// A triangle's box and the box of its nodes' velocities.
struct MovingBox {
  Box box, velocities;
  MovingBox(const Triangle& triangle, std::span<const Vector3> positions,
            std::span<const Vector3> nodal_velocities)
      : box(box_of(triangle, positions)), velocities(box_of(triangle, nodal_velocities)) {}
};

}  // namespace

FaceIntersectionOnLine::FaceIntersectionOnLine(const FaceIntersection& contact)
    : contact_(contact),
      surfaces_(contact.surfaces()),
      terms_at_node_(surfaces_.size()),
      motion_(surfaces_),
      broad_phase_(surfaces_.broad_phase(skin_in_sides * contact.mean_side())),
      near_motion_(surfaces_.first_nodes()),
      now_(surfaces_.size()) {}

void FaceIntersectionOnLine::begin(std::span<const NodeLine> lines, double origin) {
  motion_.set_line(lines, origin);
  apart_ = listed_ = KnownStretch{};
}

void FaceIntersectionOnLine::change(std::span<const NodeLine> lines, double origin,
                                    std::span<const std::uint8_t> changed) {
  motion_.update_line(lines, origin, changed);
  apart_ = listed_ = KnownStretch{};
}

double FaceIntersectionOnLine::list_near_pairs() {
  const double reach = reach_in_edges * contact_.mean_side();
  const double drift = near_motion_.drift(now_);
  if (drift <= 0.9 * reach) return drift;
  // A pair that is no candidate is at least `reach` apart.
  broad_phase_.cover(now_, broad_phase_.skin() - reach);
  near_pairs_.clear();
  TrianglePair x{};
  for (const BroadPhase::Pair& pair : broad_phase_.candidates()) {
    const auto nodes = contact_.nodes_of(pair);
    for (std::size_t i = 0; i < 6; ++i) x[i] = now_[nodes[i]];
    if (separation(x, reach) <= reach) near_pairs_.push_back(pair);
  }
  near_motion_.start_at(now_);
  return 0;
}

/// The answer must not depend on which candidates happen to be listed. Within the horizon nodes of the two
/// bodies approach each other by at most a quarter of the skin, and a pair that is not listed is at least
/// half a skin apart now. So the boxes of such a pair cannot meet within the horizon, by the same estimate as
/// for the listed pairs.
double FaceIntersectionOnLine::longest_trial(double s) {
  const double speed = motion_.relative_component(), skin = broad_phase_.skin();
  if (!(speed > 0)) return infinity;
  const double horizon = 0.25 * skin / speed, pause = resolution * surfaces_.smallest_edge() / speed;
  if (met_ && meeting_of(*met_, s) == 0) return std::min(horizon, pause);
  const double meeting = motion_.meeting_time(s, skin);
  if (meeting >= horizon) {
    apart_ = {s, s + meeting};
    return meeting;
  }
  motion_.positions_at(s, now_);
  broad_phase_.cover(now_, 0.5 * skin);
  return std::min(horizon, meeting_of_candidates(horizon) + pause);
}

double FaceIntersectionOnLine::meeting_of_candidates(double horizon) {
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

double FaceIntersectionOnLine::meeting_of_boxes(const BroadPhase::Pair& pair) const {
  const MovingBox first(surfaces_.first_triangle(pair.first), now_, motion_.velocities());
  const MovingBox second(surfaces_.second_triangle(pair.second), now_, motion_.velocities());
  return boxes_meet(first.box, first.velocities, second.box, second.velocities, 1e-9 * broad_phase_.skin());
}

double FaceIntersectionOnLine::meeting_of(const BroadPhase::Pair& pair, double s) {
  for (const std::size_t i : contact_.nodes_of(pair)) now_[i] = motion_.start(i) + s * motion_.velocity(i);
  return meeting_of_boxes(pair);
}

void FaceIntersectionOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  if (apart_.contains(s)) return;
  if (!listed_.contains(s)) {
    motion_.positions_at(s, now_);
    const double left = 0.999 * (reach_in_edges * contact_.mean_side() - list_near_pairs()),
                 speed = motion_.relative_component();
    listed_ =
        speed > 0 ? KnownStretch{s - left / speed, s + left / speed} : KnownStretch{-infinity, infinity};
  }
  // Positions relative to one node: a small pair far from the origin of space loses no digits.
  TrianglePair x{}, v{};
  for (const BroadPhase::Pair& pair : near_pairs_) {
    const auto nodes = contact_.nodes_of(pair);
    const Vector3 &start = motion_.start(nodes[0]), &velocity = motion_.velocity(nodes[0]);
    // Few pairs overlap: most are ruled out by their first components.
    if (!boxes_overlap_of([&](std::size_t i, std::size_t k) {
          return i == 0 ? 0.0
                        : (motion_.start(nodes[i])[k] - start[k]) +
                              s * (motion_.velocity(nodes[i])[k] - velocity[k]);
        }))
      continue;
    for (std::size_t i = 1; i < 6; ++i) {
      v[i] = motion_.velocity(nodes[i]) - velocity;
      x[i] = (motion_.start(nodes[i]) - start) + s * v[i];
    }
    const LineDerivatives penalty = segment_penalty(x, v);
    if (penalty.value == 0) continue;
    sum.contact_terms += 1;
    const double value = contact_.stiffness() * penalty.value, slope = contact_.stiffness() * penalty.first;
    const double curvature = contact_.stiffness() * penalty.second;
    sum.add(grids, value, slope, curvature);
  }
}

void FaceIntersectionOnLine::bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/,
                                   LineBound& /*sum*/) {}

double FaceIntersectionOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                            std::span<Vector3> gradient) {
  surfaces_.positions_at({lines, instant}, now_);
  list_near_pairs();
  terms_at_node_.start();
  listed_ = KnownStretch{};  // it holds only for the previous list
  double largest = 0;
  for (const BroadPhase::Pair& pair : near_pairs_)
    if (contact_.add_gradient_of(pair, now_, grid, gradient, largest))
      for (const std::size_t node : contact_.nodes_of(pair)) terms_at_node_.add(node);
  return largest;
}

void FaceIntersectionOnLine::count_contact_terms(std::span<Vector3> numbers) const {
  surfaces_.visit_nodes([&](std::size_t own, std::size_t local, const Vector3& /*reference*/) {
    numbers[local][0] += terms_at_node_.at(own);
  });
}

}  // namespace terrace
