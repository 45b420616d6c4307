// The room between two surfaces in flight.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "dynamics/windows/window_surfaces.hpp"
#include "geometry/hull_separation.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

/// The room between the surfaces of two bodies that fly on from the instant of WindowSurfaces. The distance
/// of two surfaces along a fixed direction is a concave function of time if all nodes move straight on, so
/// that it is enough to look at both ends of a flight. Directions are remembered once they were looked along:
/// flights of several lengths are tried, most of which are too short to turn the bodies about each other.
class PairInFlight {
 public:
  /// `surfaces` must stay unchanged. Answers do not depend on what was asked for before.
  PairInFlight(const WindowSurfaces& surfaces, std::int32_t a, std::int32_t b);

  /// How the bodies fly on: for so long [time], and each of them node by node or as a whole (Flight).
  struct Courses {
    double length;
    std::array<bool, 2> node_by_node;
  };
  /// A lower bound on the room [length]: while the nodes of both bodies together stray less than that from
  /// their courses, in each coordinate, the bodies cannot meet. Negative if no direction that was tried
  /// separates them. Directions are the axes, the line of centres now and, if it turns, at the end, and, if
  /// `closely`, such as approach the shortest way between the hulls. Looks no further once `enough(room)`.
  template <class Enough>
  [[nodiscard]] double room(const Courses& courses, bool closely, Enough enough) {
    return look_for_room(courses, closely, enough, [](double) { return true; });
  }
  /// Whether the room is perhaps not more than `taken`, which both bodies' tubes take together [length].
  [[nodiscard]] bool may_meet(const Courses& courses, bool closely, double taken);

 private:
  static constexpr std::size_t most_directions = 21;
  struct Direction {
    Vector3 direction;
    double between;  // distance of the hulls along it now, times its length
  };
  /// No two nodes have a relative velocity that differs by more from that of the wholes [length/time].
  [[nodiscard]] double spread(const Courses& courses) const;
  [[nodiscard]] double room_along_axes(const Courses& courses) const;
  /// The room along a direction, given the distances of the surfaces along it at both ends of the flight,
  /// times its length.
  [[nodiscard]] double room_along(const Vector3& direction, double now, double later) const;
  /// A lower bound on the distance along a direction at the end, given that at the begin; both times its
  /// length.
  [[nodiscard]] double later_at_least(const Courses& courses, const Vector3& direction, double now) const;
  /// The same for the hulls, exactly.
  [[nodiscard]] double later(const Courses& courses, const Direction& hulls) const;
  /// Direction `k` of a row that approaches the shortest way between the hulls now; null if the row ends
  /// before.
  [[nodiscard]] const Direction* nearer_direction(std::size_t k);
  [[nodiscard]] bool turns(const Vector3& then) const;
  /// As `room`. Gives up as soon as an upper bound on the room is known that is not `of_use(bound)`.
  template <class Enough, class OfUse>
  [[nodiscard]] double look_for_room(const Courses& courses, bool closely, Enough enough, OfUse of_use);
  /// An upper bound, if it is not negative, on the room along any direction, as far as is known.
  [[nodiscard]] double most_room() const { return hulls_ ? hulls_->at_most() - surfaces_.reach() : infinity; }

  const WindowSurfaces& surfaces_;
  std::int32_t a_, b_;
  const SurfaceOutline &first_, &second_;
  Vector3 velocity_, now_;  // velocity and centre of the second body relative to the first
  double reach_;            // of contact, and an allowance for rounding [length]
  std::optional<HullSeparation> hulls_;
  bool ends_ = false;  // hulls_ has no better direction
  std::size_t count_ = 0;
  std::array<Direction, most_directions> directions_;
};

// Axes, then balls about the centres cost next to nothing and are enough for most pairs. For most others the
// distance of the hulls now is enough, less the most that vibrations can take from it.
template <class Enough, class OfUse>
double PairInFlight::look_for_room(const Courses& courses, bool closely, Enough enough, OfUse of_use) {
  if (!of_use(most_room())) return -infinity;
  double room = room_along_axes(courses);
  if (enough(room)) return room;
  const Vector3 then = now_ + courses.length * velocity_;
  for (const Vector3& direction : {now_, then, now_ + then}) {
    const double now = dot(direction, now_) - (first_.radius + second_.radius) * norm(direction);
    room = std::max(room, room_along(direction, now, later_at_least(courses, direction, now)));
    if (enough(room)) return room;
  }
  const auto look_along = [&](const Direction& hulls) {
    const auto& [direction, now] = hulls;
    if (!(room_along(direction, now, now) > room)) return false;
    room = std::max(room, room_along(direction, now, later_at_least(courses, direction, now)));
    if (enough(room)) return true;
    room = std::max(room, room_along(direction, now, later(courses, hulls)));
    return enough(room);
  };
  if (look_along(*nearer_direction(0))) return room;
  if (turns(then))
    for (const Vector3& direction : {then, now_ + then}) {
      const HullSeparation hulls(surfaces_.places(a_), surfaces_.places(b_), direction);
      if (look_along({direction, hulls.between()})) return room;
    }
  for (std::size_t k = 1; closely && k < most_directions && of_use(most_room()); ++k) {
    const Direction* nearer = nearer_direction(k);
    if (nearer == nullptr || look_along(*nearer)) break;
  }
  return room;
}

}  // namespace terrace
