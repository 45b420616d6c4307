#include "potentials/kernels/point_boxes.hpp"

#include <type_traits>

#include "numerics/contract.hpp"
#include "potentials/kernels/box_corners.hpp"

namespace terrace {
namespace {

static_assert(sizeof(Vector3) == 3 * sizeof(double) && std::is_standard_layout_v<Vector3>);

const double* coordinates(std::span<const Vector3> points) {
  return points.empty() ? nullptr : points.front().data();
}

template <class Kernel>
Box box_by(Kernel kernel) {
  BoxCorners corners = no_corners;
  kernel(corners);
  return box_with(corners);
}

}  // namespace

Box box_about(std::span<const Vector3> points) {
  return box_by(
      [&](BoxCorners& box) { packet_kernels().box_of_points(coordinates(points), points.size(), box); });
}

Box box_about_differences(std::span<const Vector3> points, std::span<const Vector3> others) {
  TERRACE_ASSERT(points.size() == others.size(), points.size(), others.size());
  return box_by([&](BoxCorners& box) {
    packet_kernels().box_of_differences(coordinates(points), coordinates(others), points.size(), box);
  });
}

Box box_about_moved(std::span<const Vector3> points, std::span<const Vector3> velocities, double time) {
  TERRACE_ASSERT(points.size() == velocities.size(), points.size(), velocities.size());
  return box_by([&](BoxCorners& box) {
    packet_kernels().box_of_moved(coordinates(points), coordinates(velocities), time, points.size(), box);
  });
}

}  // namespace terrace
