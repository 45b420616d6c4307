// Boxes about the points of surfaces, of which there may be thousands for each event: by packets.
#pragma once

#include <span>

#include "geometry/box.hpp"

namespace terrace {

/// About all points, as Box::include one after the other, but for the sign of a zero.
[[nodiscard]] Box box_about(std::span<const Vector3> points);
/// About all differences of a point and the other one in the same place, of which there are as many.
[[nodiscard]] Box box_about_differences(std::span<const Vector3> points, std::span<const Vector3> others);
/// About all points after `time`, each with its velocity, of which there are as many.
[[nodiscard]] Box box_about_moved(std::span<const Vector3> points, std::span<const Vector3> velocities,
                                  double time);

}  // namespace terrace
