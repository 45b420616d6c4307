// Where the sphere is that a patch is a part of.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "potentials/contact/sphere_patch.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// A sphere that moves as its patch does, as if that were rigid: the patch's mean place, and the plane in
/// which its nodes are but for their height.
class SphereOfPatch {
 public:
  /// `nodes`: the patch's, as in `reference_positions` [length].
  SphereOfPatch(std::span<const Vector3> reference_positions, std::vector<std::int32_t> nodes,
                const Sphere& sphere);

  [[nodiscard]] double radius() const { return radius_; }  ///< [length]
  /// None where the patch has no plane: a node or two, or such as are in line.
  [[nodiscard]] std::optional<Vector3> centre(const Displacements& displacements) const;
  /// From the centre to the patch's middle, a unit vector; none likewise.
  [[nodiscard]] std::optional<Vector3> towards_patch(const Displacements& displacements) const;

 private:
  struct Frame {
    Vector3 middle;
    std::array<Vector3, 3> axes;
  };
  template <class PlaceOf>
  [[nodiscard]] std::optional<Frame> frame(PlaceOf place) const;
  /// In the frame's axes.
  [[nodiscard]] static Vector3 along(const Frame& frame, const Vector3& of);

  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> reference_;
  std::vector<std::array<double, 2>> moments_;  // of each node, about the mean, in the patch's plane
  double radius_;
  Vector3 centre_{}, towards_{};  // from the middle, and to the patch, in the frame's axes
};

}  // namespace terrace
