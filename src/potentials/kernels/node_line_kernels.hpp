// Positions of nodes on their lines, and boxes about them. A line is eight doubles: displacement (3),
// velocity (3), time, inverse mass (NodeLine).
#pragma once

#include "potentials/kernels/packet_kernels.hpp"
#include "potentials/kernels/simd_point.hpp"

namespace terrace::TERRACE_LEVEL {

/// A box that includes points one after the other, as Box::include does.
struct GrowingBox {
  Point least, most;
  [[gnu::always_inline]] explicit GrowingBox(const BoxCorners& box)
      : least(point_at(box.low)), most(point_at(box.high)) {}
  [[gnu::always_inline]] void include(Point x) {
    least = minimum(x, least);
    most = maximum(x, most);
  }
  [[gnu::always_inline]] void tell(BoxCorners& box) const {
    store(least, box.low);
    store(most, box.high);
  }
};

[[gnu::always_inline]] inline const double* line_of(const double* lines, std::int32_t node) {
  return lines + 8 * static_cast<std::ptrdiff_t>(node);
}
[[gnu::always_inline]] inline Point velocity_of(const double* line) { return row_at(line + 3); }
/// NodeLine::displacement_at.
[[gnu::always_inline]] inline Point displacement_of(const double* line, double instant) {
  return row_at(line) + all_of(instant - line[6]) * velocity_of(line);
}
[[gnu::always_inline]] inline Point reference_of(const double* reference, std::int32_t node) {
  return point_at(reference + 3 * static_cast<std::ptrdiff_t>(node));
}

/// PacketKernels::places_and_velocities.
inline void places_and_velocities(const double* lines, const std::int32_t* nodes, std::size_t count,
                                  const double* reference, double instant, double* places,
                                  double* velocities) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* line = line_of(lines, nodes[i]);
    store(point_at(reference + 3 * i) + displacement_of(line, instant), places + 3 * i);
    store(velocity_of(line), velocities + 3 * i);
  }
}

/// PacketKernels::box_of_velocities.
inline void box_of_velocities(const double* lines, const std::int32_t* nodes, std::size_t count,
                              BoxCorners& box) {
  GrowingBox velocities(box);
  for (std::size_t i = 0; i < count; ++i) velocities.include(velocity_of(line_of(lines, nodes[i])));
  velocities.tell(box);
}

/// PacketKernels::box_of_places.
inline void box_of_places(const double* lines, const std::int32_t* nodes, std::size_t count,
                          const double* reference, double instant, BoxCorners& box) {
  GrowingBox places(box);
  for (std::size_t i = 0; i < count; ++i)
    places.include(reference_of(reference, nodes[i]) + displacement_of(line_of(lines, nodes[i]), instant));
  places.tell(box);
}

/// PacketKernels::boxes_of_ways.
inline void boxes_of_ways(const double* lines, const std::int32_t* nodes, std::size_t count,
                          const double* reference, const double* starts, double instant, WayBoxes& boxes) {
  GrowingBox places(boxes.places), ways(boxes.ways), velocities(boxes.velocities);
  for (std::size_t i = 0; i < count; ++i) {
    const double* line = line_of(lines, nodes[i]);
    const Point x = reference_of(reference, nodes[i]) + displacement_of(line, instant);
    places.include(x);
    ways.include(x - point_at(starts + 3 * i));
    velocities.include(velocity_of(line));
  }
  places.tell(boxes.places);
  ways.tell(boxes.ways);
  velocities.tell(boxes.velocities);
}

/// PacketKernels::boxes_of_strays.
inline void boxes_of_strays(const double* lines, const std::int32_t* nodes, std::size_t count,
                            const double* starts, double instant, double elapsed, StrayBoxes& boxes) {
  GrowingBox ways(boxes.ways), strays(boxes.strays), velocities(boxes.velocities);
  const Point since = all_of(elapsed);
  for (std::size_t i = 0; i < count; ++i) {
    const double* line = line_of(lines, nodes[i]);
    const double* start = starts + 6 * i;
    const Point way = displacement_of(line, instant) - row_at(start), velocity = point_at(start + 3);
    ways.include(way);
    strays.include(way - since * velocity);
    velocities.include(velocity_of(line) - velocity);
  }
  ways.tell(boxes.ways);
  strays.tell(boxes.strays);
  velocities.tell(boxes.velocities);
}

/// PacketKernels::find_exit. A node is looked at closely only if it may leave earlier than all before it,
/// which few do: the others need no division and no branch on a sign.
inline double find_exit(const double* lines, const std::int32_t* nodes, std::size_t count,
                        const double* reference, double instant, const BoxCorners& room,
                        BoxCorners& velocities) {
  constexpr double rounding = 1e-14;
  const Point low = point_at(room.low), high = point_at(room.high), zero = all_of(0.0);
  GrowingBox of_velocities(velocities);
  double earliest = __builtin_inf();
  Point perhaps = all_of(earliest);
  for (std::size_t i = 0; i < count; ++i) {
    const double* line = line_of(lines, nodes[i]);
    const Point x = reference_of(reference, nodes[i]) + displacement_of(line, instant), v = velocity_of(line);
    of_velocities.include(v);
    const Point above = high - x, below = x - low, farthest = perhaps * v;
    if (any_less(above, farthest, below, zero - farthest)) [[unlikely]] {
      double up[3], down[3], speed[3];
      store(above, up);
      store(below, down);
      store(v, speed);
      for (int k = 0; k < 3; ++k) {
        if (speed[k] == 0) continue;
        const double way = speed[k] > 0 ? up[k] : down[k], time = way / __builtin_fabs(speed[k]);
        const double from_now = time < 0 ? 0.0 : time;
        if (from_now < earliest) earliest = from_now;
      }
      perhaps = all_of(earliest * (1 + rounding));
    }
  }
  of_velocities.tell(velocities);
  return earliest;
}

}  // namespace terrace::TERRACE_LEVEL
