// Where the sphere is to which a patch belongs.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "potentials/contact/sphere_patch.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// A sphere that moves with nodes of its surface (a patch, or all of them) as if these were rigid: with their
/// mean position, and with the frame that the moments of their positions define in the plane at right angles
/// to the direction from the centre to their mean.
class SphereOfPatch {
 public:
  /// `nodes`: numbers into `reference_positions` [length].
  SphereOfPatch(std::span<const Vector3> reference_positions, std::vector<std::int32_t> nodes,
                const Sphere& sphere);

  [[nodiscard]] double radius() const { return radius_; }  ///< [length]
  /// The sphere's centre; none where the nodes define no plane: one or two nodes, or nodes in line.
  [[nodiscard]] std::optional<Vector3> centre(const Displacements& displacements) const;
  /// Unit vector from the centre to the mean of the nodes, if that is not the centre; none as for `centre`.
  [[nodiscard]] std::optional<Vector3> towards_patch(const Displacements& displacements) const;

 private:
  struct Frame {
    Vector3 middle;
    std::array<Vector3, 3> axes;
  };
  /// The mean position and orthonormal axes of the nodes at place(i); none where they define no plane.
  template <class PlaceOf>
  [[nodiscard]] std::optional<Frame> frame(PlaceOf place) const;
  /// The components of a vector along the frame's axes.
  [[nodiscard]] static Vector3 along(const Frame& frame, const Vector3& of);

  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> reference_;
  std::vector<std::array<double, 2>> moments_;  // of each node: coordinates in the plane about the mean
  double radius_;
  Vector3 centre_{}, towards_{};  // in the frame's axes: from the mean to the centre, and back (unit)
};

}  // namespace terrace
