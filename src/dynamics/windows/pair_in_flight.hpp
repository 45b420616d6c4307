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

/// Of two bodies, from the instant on of which WindowSurfaces tells. What is between two surfaces along a
/// direction is a concave function of time where all nodes go straight on, so that both ends of a flight are
/// enough. Directions that were looked along once are remembered: flights of several lengths are tried, and
/// are mostly too short to turn the bodies about each other.
class PairInFlight {
 public:
  /// `surfaces` must stay as they are. What is found does not depend on what was asked for before.
  PairInFlight(const WindowSurfaces& surfaces, std::int32_t a, std::int32_t b);

  /// So long [time], and whether the bodies go on node by node or as wholes (Flight).
  struct Courses {
    double length;
    std::array<bool, 2> node_by_node;
  };
  /// The room that the bodies may take together beside their courses, along an axis, or the line of centres
  /// now and, where that turns, then, or, `closely`, the shortest way between their hulls; negative where no
  /// such direction separates them. Where it is certainly `enough(room)`, more is not looked for.
  template <class Enough>
  [[nodiscard]] double room(const Courses& courses, bool closely, Enough enough) {
    return look_for_room(courses, closely, enough, [](double) { return true; });
  }
  /// Whether it is not more than they take.
  [[nodiscard]] bool may_meet(const Courses& courses, bool closely, double taken);

 private:
  static constexpr std::size_t most_directions = 21;
  struct Direction {
    Vector3 direction;
    double between;  // the hulls, now, in lengths of it
  };
  /// Of no two nodes do velocities differ from those of the wholes by more.
  [[nodiscard]] double spread(const Courses& courses) const;
  [[nodiscard]] double room_along_axes(const Courses& courses) const;
  /// With so much between the surfaces now and later, in lengths of the direction.
  [[nodiscard]] double room_along(const Vector3& direction, double now, double later) const;
  /// What is between them at the end, at least, where so much is now.
  [[nodiscard]] double later_at_least(const Courses& courses, const Vector3& direction, double now) const;
  /// The same of the hulls, exactly.
  [[nodiscard]] double later(const Courses& courses, const Direction& hulls) const;
  /// Number `k` of those that come nearer and nearer to the shortest way; none where that is known before.
  [[nodiscard]] const Direction* nearer_direction(std::size_t k);
  [[nodiscard]] bool turns(const Vector3& then) const;
  /// It is not looked for where all that there may be is not `of_use(room)`.
  template <class Enough, class OfUse>
  [[nodiscard]] double look_for_room(const Courses& courses, bool closely, Enough enough, OfUse of_use);
  /// No direction has more, as far as is known, where that is not negative.
  [[nodiscard]] double most_room() const { return hulls_ ? hulls_->at_most() - surfaces_.reach() : infinity; }

  const WindowSurfaces& surfaces_;
  std::int32_t a_, b_;
  const SurfaceOutline &first_, &second_;
  Vector3 velocity_, now_;  // of the second as the first sees it
  double reach_;            // of contact, with what rounding may take
  std::optional<HullSeparation> hulls_;
  bool ends_ = false;  // there are no more directions than these
  std::size_t count_ = 0;
  std::array<Direction, most_directions> directions_;
};

// Axes, then balls about the centres, which cost nothing, tell of most bodies; then what the hulls leave now,
// and what vibrations take from it at most, of most others.
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
