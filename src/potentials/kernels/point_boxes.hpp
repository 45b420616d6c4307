// Boxes about the points of surfaces by packet kernels: there may be thousands of points at each event.
#pragma once

#include <span>

#include "geometry/box.hpp"

namespace terrace {

/// The box about all points: as Box::include of one after the other, but for the sign of a zero.
[[nodiscard]] Box box_about(std::span<const Vector3> points);
/// The box about all differences points[i] − others[i]; both have the same size.
[[nodiscard]] Box box_about_differences(std::span<const Vector3> points, std::span<const Vector3> others);
/// The box about all points[i] + time · velocities[i]; both have the same size.
[[nodiscard]] Box box_about_moved(std::span<const Vector3> points, std::span<const Vector3> velocities,
                                  double time);

}  // namespace terrace
