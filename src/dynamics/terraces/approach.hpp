// How long two bodies that are apart certainly stay apart, without another look at their surfaces.
#pragma once

#include <algorithm>
#include <cmath>

#include "numerics/infinity.hpp"

namespace terrace {

/// The room between two surfaces: their contact has no energy before nodes of the two have come nearer to
/// each other by `left`. So bodies with much room between them are looked at again only when that room may be
/// used up, not after each of their events.
struct Approach {
  double left = 0;   ///< room left at `time` [length]; 0: nothing is known
  double time = 0;   ///< the nodes have had their present lines since this time
  double speed = 0;  ///< on these lines no two nodes of different bodies approach each other faster
  /// Whether `speed` is that of the flights of groups whose far sides are left (FarSides), and `left` already
  /// allows for how far their nodes stray from these flights.
  bool is_of_flights = false;

  /// Contact has no energy before this time; +∞ if the bodies do not approach each other.
  [[nodiscard]] double end() const { return speed > 0 ? time + left / speed : infinity; }
  /// One of the bodies or both have new lines from `instant` on, on which their nodes approach each other no
  /// faster than `new_speed`. If `instant` is before `time`, by rounding, the room is reduced all the same:
  /// nothing tells that it was larger then.
  void go_on(double instant, double new_speed) {
    constexpr double rounding = 1e-12;
    use_up((1 + rounding) * speed * std::abs(instant - time));
    time = instant;
    speed = new_speed;
  }
  /// From now on `speed` is that of flights. Between any two instants the ways of two nodes of different
  /// bodies differ from their flights by no more than `distance` [length] together. So `distance` is taken
  /// from the room once, at the first call.
  void go_by_flights(double distance) {
    if (!is_of_flights) use_up(distance);
    is_of_flights = true;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [left, time, speed, never_where_it_is_saved] = self;
    archive(left, time, speed);
  }

 private:
  void use_up(double distance) {
    if (distance > 0) left = std::max(0.0, std::nextafter(left - distance, 0.0));
  }
};

}  // namespace terrace
