#include "dynamics/windows/pair_in_flight.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

PairInFlight::PairInFlight(const WindowSurfaces& surfaces, std::int32_t a, std::int32_t b)
    : surfaces_(surfaces),
      a_(a),
      b_(b),
      first_(surfaces[a]),
      second_(surfaces[b]),
      velocity_(second_.velocity - first_.velocity),
      now_(second_.centre - first_.centre) {
  constexpr double rounding = 1e-9, of_places = 1e-14;
  reach_ = surfaces.reach() + rounding * (first_.box.diagonal() + second_.box.diagonal() + norm(now_)) +
           of_places * (norm(first_.centre) + norm(second_.centre));
}

bool PairInFlight::may_meet(const Courses& courses, bool closely, double taken) {
  const auto is_enough = [&](double room) { return room > taken; };
  return !is_enough(look_for_room(courses, closely, is_enough, is_enough));
}

double PairInFlight::spread(const Courses& courses) const {
  return (courses.node_by_node[0] ? first_.spread : 0) + (courses.node_by_node[1] ? second_.spread : 0);
}

double PairInFlight::room_along_axes(const Courses& courses) const {
  double room = -reach_;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool backwards = now_[k] < 0;
    const double between =
        backwards ? first_.box.low[k] - second_.box.high[k] : second_.box.low[k] - first_.box.high[k];
    const double closing = spread(courses) - (backwards ? -velocity_[k] : velocity_[k]);
    room = std::max(room, between - courses.length * std::max(closing, 0.0) - reach_);
  }
  return room;
}

double PairInFlight::room_along(const Vector3& direction, double now, double later) const {
  const double sum = std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]);
  if (!(sum > 0)) return -infinity;
  return (std::min(now, later) - norm(direction) * reach_) / sum;
}

double PairInFlight::later_at_least(const Courses& courses, const Vector3& direction, double now) const {
  return now + courses.length * (dot(velocity_, direction) - spread(courses) * norm(direction));
}

// The hull of a body that goes on as a whole keeps its shape. If both do, the bound is exact.
double PairInFlight::later(const Courses& courses, const Direction& hulls) const {
  const auto& [direction, now] = hulls;
  const auto [a_by_nodes, b_by_nodes] = courses.node_by_node;
  if (!a_by_nodes && !b_by_nodes) return later_at_least(courses, direction, now);
  const auto farthest = [&](std::int32_t body, bool node_by_node, const Vector3& along) {
    if (node_by_node) return surfaces_.farthest_later(body, along, courses.length);
    return surfaces_.farthest_later(body, along, 0) + courses.length * dot(surfaces_[body].velocity, along);
  };
  return -farthest(b_, b_by_nodes, -1.0 * direction) - farthest(a_, a_by_nodes, direction);
}

const PairInFlight::Direction* PairInFlight::nearer_direction(std::size_t k) {
  while (count_ <= k && !ends_) {
    if (!hulls_)
      hulls_.emplace(surfaces_.places(a_), surfaces_.places(b_), now_);
    else
      ends_ = !hulls_->improve();
    if (!ends_) directions_[count_++] = {hulls_->direction(), hulls_->between()};
  }
  return k < count_ ? &directions_[k] : nullptr;
}

// Whether the line of centres turns by more than some degrees until the end.
bool PairInFlight::turns(const Vector3& then) const {
  constexpr double little = 0.99;  // cosine
  return dot(now_, then) < little * norm(now_) * norm(then);
}

}  // namespace terrace
