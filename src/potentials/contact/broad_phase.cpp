#include "potentials/contact/broad_phase.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/infinity.hpp"
#include "potentials/contact/simplex_boxes.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace terrace {
namespace {

struct BoxedTriangle {
  Box box;
  std::int32_t number;
};

/// The triangles within `skin` of `region`.
std::vector<BoxedTriangle> triangles_near(std::span<const Triangle> triangles,
                                          std::span<const Vector3> positions, const Box& region,
                                          double skin) {
  std::vector<BoxedTriangle> near;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Box box = box_of(triangles[i], positions);
    if (box.overlaps(region, skin)) near.push_back({box, static_cast<std::int32_t>(i)});
  }
  return near;
}

Box box_about(const std::vector<BoxedTriangle>& triangles) {
  Box box;
  for (const BoxedTriangle& triangle : triangles) {
    box.include(triangle.box.low);
    box.include(triangle.box.high);
  }
  return box;
}

void sort_along(std::vector<BoxedTriangle>& triangles, std::size_t axis) {
  std::sort(triangles.begin(), triangles.end(), [axis](const BoxedTriangle& a, const BoxedTriangle& b) {
    return std::pair(a.box.low[axis], a.number) < std::pair(b.box.low[axis], b.number);
  });
}

/// Writes `pairs` to `ordered`, sorted by the member `triangle`, whose numbers are below `triangles`; pairs
/// with equal numbers keep their order. Sorts by counting: the time grows with the pairs and the triangles,
/// no faster.
void order_by(std::int32_t BroadPhase::Pair::*triangle, std::size_t triangles,
              const std::vector<BroadPhase::Pair>& pairs, std::vector<BroadPhase::Pair>& ordered) {
  std::vector<std::size_t> next(triangles + 1, 0);
  for (const BroadPhase::Pair& pair : pairs) ++next[static_cast<std::size_t>(pair.*triangle) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  ordered.resize(pairs.size());
  for (const BroadPhase::Pair& pair : pairs) ordered[next[static_cast<std::size_t>(pair.*triangle)]++] = pair;
}

/// The longest axis of the region in which both surfaces are: a sweep along it has the fewest boxes open at a
/// time.
std::size_t sweep_axis(const Box& first, const Box& second) {
  std::size_t axis = 0;
  double longest = -1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double extent = std::min(first.high[k], second.high[k]) - std::max(first.low[k], second.low[k]);
    if (extent > longest) {
      longest = extent;
      axis = k;
    }
  }
  return axis;
}

/// Drops the open boxes that end more than `skin` before `box` begins along the axis; of the others reports
/// those within `skin` of `box`.
template <class Report>
void sweep(std::vector<const BoxedTriangle*>& open, const Box& box, double skin, std::size_t axis,
           Report report) {
  std::erase_if(open,
                [&](const BoxedTriangle* other) { return box.low[axis] - other->box.high[axis] > skin; });
  for (const BoxedTriangle* other : open) {
    if (other->box.overlaps(box, skin)) report(other->number);
  }
}

}  // namespace

double RelativeMotion::drift(std::span<const Vector3> positions) const {
  if (start_.empty()) return infinity;
  const std::span<const Vector3> start = start_;
  const Box first = box_about_differences(positions.first(first_nodes_), start.first(first_nodes_)),
            second = box_about_differences(positions.subspan(first_nodes_), start.subspan(first_nodes_));
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    largest = std::max({largest, first.high[k] - second.low[k], second.high[k] - first.low[k]});
  }
  return largest;
}

BroadPhase::BroadPhase(std::span<const Triangle> first, std::span<const Triangle> second,
                       std::size_t first_nodes, double skin)
    : first_(first), second_(second), first_nodes_(first_nodes), skin_(skin), motion_(first_nodes) {}

double BroadPhase::cover(std::span<const Vector3> positions, double allowed) {
  const double moved = drift(positions);
  if (moved <= allowed) return moved;
  build(positions);
  return 0;
}

void BroadPhase::build(std::span<const Vector3> positions) {
  ++builds_;
  motion_.start_at(positions);
  candidates_.clear();
  const std::span<const Vector3> of_first = positions.first(first_nodes_),
                                 of_second = positions.subspan(first_nodes_);
  const Box first_box = box_about(of_first), second_box = box_about(of_second);
  if (!first_box.overlaps(second_box, skin_)) return;
  // Only triangles near the other surface enter the sweep: those near its box, then those near the box about
  // what is left of it.
  auto first = triangles_near(first_, of_first, second_box, skin_);
  auto second = triangles_near(second_, of_second, box_about(first), skin_);
  const Box region = box_about(second);
  std::erase_if(first, [&](const BoxedTriangle& one) { return !one.box.overlaps(region, skin_); });
  const std::size_t axis = sweep_axis(box_about(first), region);
  sort_along(first, axis);
  sort_along(second, axis);

  std::vector<Pair> found, by_second;
  std::vector<const BoxedTriangle*> open_first, open_second;
  std::size_t i = 0, j = 0;
  while (i < first.size() || j < second.size()) {
    const bool take_first =
        j == second.size() || (i < first.size() && first[i].box.low[axis] <= second[j].box.low[axis]);
    if (take_first) {
      const std::int32_t number = first[i].number;
      sweep(open_second, first[i].box, skin_, axis,
            [&](std::int32_t other) { found.emplace_back(number, other); });
      open_first.push_back(&first[i++]);
    } else {
      const std::int32_t number = second[j].number;
      sweep(open_first, second[j].box, skin_, axis,
            [&](std::int32_t other) { found.emplace_back(other, number); });
      open_second.push_back(&second[j++]);
    }
  }
  order_by(&Pair::second, second_.size(), found, by_second);
  order_by(&Pair::first, first_.size(), by_second, candidates_);
}

}  // namespace terrace
