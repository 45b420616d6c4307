// How long two bodies that are apart stay so, without another look at them.
#pragma once

#include <algorithm>
#include <limits>

namespace terrace {

/// Nothing is felt of a pair of surfaces before their nodes have come nearer to each other by what is left.
/// Bodies between which there is much room are looked at anew when that may be used up, not after each of
/// their events.
struct Approach {
  double left = 0;   ///< at `time` [length]; 0: nothing is known
  double time = 0;   ///< since when the nodes' lines are as they are
  double speed = 0;  ///< on these no two nodes of different bodies come nearer to each other faster

  /// Nothing is felt before.
  [[nodiscard]] double end() const {
    return speed > 0 ? time + left / speed : std::numeric_limits<double>::infinity();
  }
  /// New lines from `instant` on, of one of the bodies or both.
  void go_on(double instant, double new_speed) {
    constexpr double rounding = 1e-12;
    left = std::max(0.0, left - (1 + rounding) * speed * (instant - time));
    time = instant;
    speed = new_speed;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [left, time, speed] = self;
    archive(left, time, speed);
  }
};

}  // namespace terrace
