// The shapes that a deck may ask for, and the meshes made of them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// Asks for elements of `size` within the distance `core` of `point`, which is in the body's own frame.
/// Beyond, the element size grows linearly with the distance, to the body's size at the distance `radius`.
struct Refinement {
  Vector3 point;
  double size;
  double radius;
  double core = 0;
};

/// A ball about the origin, unstructured (Gmsh).
struct BallShape {
  double radius;
  double size;  ///< element edge length
  std::vector<Refinement> refinements;
};

/// A block centred at the origin, unstructured (Gmsh).
struct BlockShape {
  Vector3 extent;
  double size;
  std::vector<Refinement> refinements;
};

/// A block centred at the origin and cut into cells; each cell is cut into 24 tetrahedra about its centre and
/// the centres of its faces. 8³ cells give 12,288 tetrahedra and 2,969 nodes.
struct LatticeShape {
  Vector3 extent;
  std::array<int, 3> cells;
};

/// A mesh (.msh) or a geometry to be meshed (.geo, .step, .stp), read with Gmsh. `group` selects a physical
/// volume; empty means all. `size` is the element size for geometries (0: the file's own). Coordinates are
/// multiplied by `scale`.
struct FileShape {
  std::string path;
  std::string group;
  double size = 0;
  double scale = 1;
  std::vector<std::string> node_groups = {};  ///< physical surfaces and volumes whose nodes are wanted
};

using Shape = std::variant<BallShape, BlockShape, LatticeShape, FileShape>;

/// Meshes a shape; the mesh has passed `verify_mesh`. `where` (deck file and line, body) begins every error
/// message. Not collective: to be called on one rank. The same shape always gives the same mesh. Throws
/// Error(input) for a missing or unreadable file, a file without tetrahedra or with other cells, an unknown
/// physical group (the message lists those found), and an element size that is not positive or is larger than
/// the body; Error(run) if Gmsh's module is missing.
TetrahedralMesh make_mesh(const Shape& shape, const std::string& where);

/// A shape, and the text that begins every error message about it.
struct NamedShape {
  const Shape* shape;
  std::string where;
};

/// The meshes of shapes, in their order. Those that need Gmsh are made in a child process: the memory that
/// Gmsh leaves behind is freed when the process ends, and a shape that Gmsh crashes on is reported as one
/// that it cannot mesh. Throws what make_mesh and in_child_process throw.
std::vector<TetrahedralMesh> make_meshes(std::span<const NamedShape> shapes);

}  // namespace terrace
