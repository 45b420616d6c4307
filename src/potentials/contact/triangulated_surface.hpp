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

/// A surface in a numbering of its own: a node's number is its place in `nodes`. Every node and every edge is
/// listed with one of its triangles, so that a pair of triangles names the vertex and edge pairs it stands
/// for, each pair once.
struct TriangulatedSurface {
  std::vector<std::int32_t> nodes;  ///< local numbers, ascending
  std::vector<Vector3> reference;   ///< their positions [length]
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;           ///< each once, in the order of the triangles they are listed with
  std::vector<double> vertex_areas;  ///< a third of the triangles around, by node
  std::vector<double> edge_areas;    ///< a third of the triangles beside
  std::vector<double> edge_lengths;  ///< reference lengths
  std::vector<std::int32_t> vertices_by_triangle;       ///< the nodes in the order of their triangles
  std::vector<std::int32_t> vertices_from, edges_from;  ///< where a triangle's begin; one place more

  /// Nodes listed with a triangle.
  [[nodiscard]] std::span<const std::int32_t> vertices_of(std::size_t triangle) const {
    return std::span(vertices_by_triangle)
        .subspan(static_cast<std::size_t>(vertices_from[triangle]),
                 static_cast<std::size_t>(vertices_from[triangle + 1] - vertices_from[triangle]));
  }
  /// Calls visit(place in `edges`) for those listed with a triangle.
  template <class Visit>
  void for_each_edge_of(std::size_t triangle, Visit visit) const {
    for (std::int32_t place = edges_from[triangle]; place < edges_from[triangle + 1]; ++place) visit(place);
  }
};

/// `reference_positions`: all local nodes [length]; `triangles`: in local node numbers. `where` names the
/// surface in messages. Throws Error(input) if there are no triangles, a node number is out of range, or an
/// edge has length 0.
[[nodiscard]] std::shared_ptr<const TriangulatedSurface> make_surface(
    std::span<const Vector3> reference_positions, const std::vector<Triangle>& triangles,
    const std::string& where);

}  // namespace terrace
