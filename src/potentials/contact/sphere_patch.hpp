// Spheres that meshes stand for, and patches of them that carry a contact's load.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

struct Sphere {
  Vector3 centre;
  double radius = 0;
};

/// The sphere on which all these nodes are, to 10⁻⁵ of its radius; nothing if they are on none.
[[nodiscard]] std::optional<Sphere> sphere_through(std::span<const Vector3> positions,
                                                   std::span<const std::int32_t> nodes);

/// A patch of a body's surface by shares of its boundary nodes: what they carry of a load p(r) ∝ √(1 −
/// r²/b²), r the distance from the axis through the centre, and what they count for in the middle of the
/// surface. Either adds up to 1.
struct SpherePatch {
  std::vector<std::int32_t> nodes;  ///< ascending
  std::vector<double> load;         ///< the load's moments about the axis vanish
  std::vector<double> middle;       ///< nearly ∝ a third of the triangles around; on the axis
  int inside = 0;                   ///< number of nodes in the patch, not beside it
};

/// The patch of the radius b about the point of the sphere in the direction of `axis` (unit vector).
/// `triangles`: the body's boundary. Without any load where no triangle reaches the patch.
[[nodiscard]] SpherePatch sphere_patch(std::span<const Vector3> positions,
                                       std::span<const Triangle> triangles, const Sphere& sphere,
                                       const Vector3& axis, double patch_radius);

}  // namespace terrace
