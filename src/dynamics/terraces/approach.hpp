// How long two bodies that are apart stay so, without another look at them.
#pragma once

#include <algorithm>
#include <cmath>

#include "numerics/infinity.hpp"

namespace terrace {

/// Nothing is felt of a pair of surfaces before their nodes have come nearer to each other by what is left.
/// Bodies between which there is much room are looked at anew when that may be used up, not after each of
/// their events.
struct Approach {
  double left = 0;             ///< at `time` [length]; 0: nothing is known
  double time = 0;             ///< since when the nodes' lines are as they are
  double speed = 0;            ///< on these no two nodes of different bodies come nearer to each other faster
  bool is_of_flights = false;  ///< so is the speed, and what is left allows for what strays from them

  /// Nothing is felt before.
  [[nodiscard]] double end() const { return speed > 0 ? time + left / speed : infinity; }
  /// New lines from `instant` on, of one of the bodies or both; if that is before `time`, by rounding, what
  /// was left then is not known to be more.
  void go_on(double instant, double new_speed) {
    constexpr double rounding = 1e-12;
    use_up((1 + rounding) * speed * std::abs(instant - time));
    time = instant;
    speed = new_speed;
  }
  /// From now on the speed is one of flights: between any two instants the ways of two nodes of different
  /// bodies differ from these by no more than `distance` together, which is used up once.
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
