// Spheres that meshes approximate, and patches of their surfaces that carry the load of a contact.
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

/// A patch of a body's surface, as two sets of weights of the body's boundary nodes; each sums to 1. `load`:
/// the share that a node carries of a load p(r) ∝ √(1 − r²/b²), with r the distance from the axis through the
/// sphere's centre. `middle`: the weight of a node in the mean position of the whole surface.
struct SpherePatch {
  std::vector<std::int32_t> nodes;  ///< all boundary nodes, ascending
  std::vector<double> load;         ///< without moment: its weighted mean is on the axis
  std::vector<double> middle;       ///< nearly ∝ the area around the node; its weighted mean is on the axis
  int inside = 0;                   ///< number of nodes on the axis' side that are nearer to it than b
};

/// The patch of radius b = `patch_radius` about the point of the sphere in the direction of `axis` (unit
/// vector). `triangles`: the body's boundary. All loads are 0 where no triangle reaches the patch.
[[nodiscard]] SpherePatch sphere_patch(std::span<const Vector3> positions,
                                       std::span<const Triangle> triangles, const Sphere& sphere,
                                       const Vector3& axis, double patch_radius);

}  // namespace terrace
