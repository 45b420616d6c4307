// The interface to the module that calls Gmsh (mesh/gmsh/). Gmsh and the seventy libraries that it needs take
// a fifth of a second to load, which every rank of a run would pay for. So only the process that meshes
// (make_meshes) loads the module, and only when it meshes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "mesh/shapes.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Linear tetrahedra with Gmsh's numbers for them.
struct NumberedMesh {
  TetrahedralMesh mesh;
  std::vector<std::size_t> element_numbers;  ///< Gmsh's number of each tetrahedron, ascending
  std::vector<std::size_t> node_numbers;     ///< Gmsh's number of each node, ascending
};

/// Edge length of the elements at a position, as a function of the position.
using ElementSize = std::function<double(const Vector3&)>;

/// The module's functions. `where` begins every error message; all throw Error(input).
struct GmshMeshers {
  /// The ball of radius 1 about the origin; six nodes of its surface are on the axes.
  TetrahedralMesh (*unit_ball)(const ElementSize& size, const std::string& where);
  /// The block between −half_extent and half_extent.
  TetrahedralMesh (*block)(const Vector3& half_extent, const ElementSize& size, const std::string& where);
  /// The file's mesh, or a mesh of its geometry, with the groups of nodes that the shape asks for. It is not
  /// yet multiplied by the shape's scale.
  NumberedMesh (*file)(const FileShape& shape, const std::string& where);
};

/// The module's functions; the first call loads it. It is looked for beside the program, then in the library
/// directory of an installation. Throws Error(run) with `where` if it, or a library it needs, is not found.
const GmshMeshers& gmsh_meshers(const std::string& where);

}  // namespace terrace
