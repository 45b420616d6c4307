// A mesh of linear tetrahedra of one body in its reference configuration.
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
      {};  ///< by name; nodes ascending; the groups that were asked for
};

/// Signed volume of a tetrahedron [length³]: a sixth of the triple product of the edges from its first node.
double signed_volume(const TetrahedralMesh& mesh, const Tetrahedron& tetrahedron);

/// The triangles that belong to exactly one tetrahedron, oriented outwards and sorted by their nodes.
std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tetrahedra);

/// Figures of a mesh that a user should look at before trusting a run.
struct MeshQuality {
  double smallest_volume = 0;        ///< [length³]
  double smallest_edge = 0;          ///< [length]
  double largest_edge = 0;           ///< [length]
  double smallest_radius_ratio = 0;  ///< 3 r_in / r_circ, 1 for the regular tetrahedron, 0 for a flat one
  double mean_radius_ratio = 0;
  double volume = 0;  ///< of the whole mesh
};
MeshQuality measure_quality(const TetrahedralMesh& mesh);

/// Throws Error(input), naming `where` and the element or node, if the mesh is empty, an index is out of
/// range, a coordinate is not finite, a node belongs to no tetrahedron, a tetrahedron is inverted or has no
/// volume (relative to the cube of its longest edge), or a face has more than two tetrahedra or two on one
/// side.
void verify_mesh(const TetrahedralMesh& mesh, const std::string& where);

}  // namespace terrace
