// The boundary of one body as contact sees it: made once, shared by all pairs that the body belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mesh/tetrahedral_mesh.hpp"

namespace terrace {

/// An edge of a surface: its nodes, ascending.
using Edge = std::array<std::int32_t, 2>;

/// A surface with node numbers of its own: a node's number is its place in `nodes`. Every node and every edge
/// is listed with one of its triangles alone. So a pair of triangles of two surfaces stands for certain
/// vertex-triangle and edge-edge pairs, and each of these belongs to one pair of triangles only.
struct TriangulatedSurface {
  std::vector<std::int32_t> nodes;  ///< local numbers, ascending
  std::vector<Vector3> reference;   ///< their reference positions [length]
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;           ///< each once, in the order of the triangles they are listed with
  std::vector<double> vertex_areas;  ///< by node: a third of the area of the triangles around it
  std::vector<double> edge_areas;    ///< a third of the area of the triangles beside the edge
  std::vector<double> edge_lengths;  ///< reference lengths
  std::vector<std::int32_t> vertices_by_triangle;       ///< all nodes in the order of their triangles
  std::vector<std::int32_t> vertices_from, edges_from;  ///< where those of each triangle begin, and the end

  /// Nodes listed with a triangle.
  [[nodiscard]] std::span<const std::int32_t> vertices_of(std::size_t triangle) const {
    return std::span(vertices_by_triangle)
        .subspan(static_cast<std::size_t>(vertices_from[triangle]),
                 static_cast<std::size_t>(vertices_from[triangle + 1] - vertices_from[triangle]));
  }
  /// Calls visit(place in `edges`) for the edges listed with a triangle.
  template <class Visit>
  void for_each_edge_of(std::size_t triangle, Visit visit) const {
    for (std::int32_t place = edges_from[triangle]; place < edges_from[triangle + 1]; ++place) visit(place);
  }
};

/// Makes the surface of these triangles. `reference_positions`: of all local nodes [length]; `triangles`: in
/// local node numbers; `where` names the surface in messages. Throws Error(input) if there are no triangles,
/// a node number is out of range, or an edge has length 0.
[[nodiscard]] std::shared_ptr<const TriangulatedSurface> make_surface(
    std::span<const Vector3> reference_positions, const std::vector<Triangle>& triangles,
    const std::string& where);

}  // namespace terrace
