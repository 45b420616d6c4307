// A mesh of linear tetrahedra on one body, in its reference configuration.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

using Tetrahedron = std::array<std::int32_t, 4>;  ///< node indices, positively oriented
using Triangle = std::array<std::int32_t, 3>;     ///< node indices, normal pointing out of the body

/// Nodes [length unit of the deck] and tetrahedra; every node belongs to at least one tetrahedron.
struct TetrahedralMesh {
  std::vector<Vector3> nodes;
  std::vector<Tetrahedron> tetrahedra;
  std::map<std::string, std::vector<std::int32_t>> node_groups =
      {};  ///< ascending; those that were asked for
};

/// Six times the signed volume of a tetrahedron is the triple product of its edges; this is the volume
/// itself.
double signed_volume(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron);

/// Triangles that belong to exactly one tetrahedron, oriented outwards, in a fixed order (sorted by their
/// nodes).
std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tetrahedra);

/// Figures of a mesh a user should look at before trusting a run.
struct MeshQuality {
  double smallest_volume = 0;        ///< [length³]
  double smallest_edge = 0;          ///< [length]
  double largest_edge = 0;           ///< [length]
  double smallest_radius_ratio = 0;  ///< 3 r_in / r_circ, 1 for the regular tetrahedron, 0 for a flat one
  double mean_radius_ratio = 0;
  double volume = 0;  ///< of the whole mesh
};
MeshQuality measure_quality(const TetrahedralMesh& mesh);

/// Throws Error(input) naming `where` and the element when the mesh is empty, an index is out of range, a
/// coordinate is not finite, a node belongs to no tetrahedron, a tetrahedron is inverted or of zero volume
/// (relative to its longest edge cubed), or a face has more than two tetrahedra, or two on one side.
void verify_mesh(const TetrahedralMesh& mesh, const std::string& where);

}  // namespace terrace
