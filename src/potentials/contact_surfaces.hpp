// Two boundary surfaces and the pairs of their features: the geometry that contact potentials share.
#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "geometry/closest_points.hpp"
#include "mesh/tetrahedral_mesh.hpp"
#include "potentials/broad_phase.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

/// An edge of a surface: its nodes, ascending.
using Edge = std::array<std::int32_t, 2>;

/// One surface in the pair's own numbering.
struct TriangulatedSurface {
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;             ///< each once
  std::vector<std::int32_t> vertices;  ///< each once, ascending
  std::vector<double> vertex_areas;    ///< a third of the triangles around, by place in `vertices`
  std::vector<double> edge_areas;      ///< a third of the triangles beside
  std::vector<double> edge_lengths;    ///< reference lengths
  /// Every vertex and edge is listed with one of its triangles, so that a pair of triangles names the vertex
  /// and edge pairs it stands for, each pair once.
  std::vector<std::vector<std::int32_t>> vertices_of, edges_of;  ///< places in `vertices` and `edges`
};

/// A vertex and a triangle of the other surface, or an edge of either, and the area they stand for: a third
/// of the triangles around the vertex; of edges, of which about 2/π · (length per area)₁ · (length per area)₂
/// pairs cross on a unit of area (Buffon's needles), π/2 · (area/length)₁ (area/length)₂.
struct SurfacePair {
  PairKind kind;
  std::array<std::int32_t, 4> nodes;  ///< own numbering
  double area;                        ///< [length²]
  double length_product;              ///< of edges: their reference lengths multiplied [length²]
};

/// Two surfaces, or one against itself, in a numbering of their own: the first surface's nodes, then the
/// second's. A surface against itself appears twice.
class ContactSurfaces {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers. `where` names the pair
  /// in messages. Throws Error(input) if a surface is empty, a node number is out of range, or an edge has
  /// length 0.
  ContactSurfaces(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                  const std::vector<Triangle>& second, const std::string& where);

  /// Local numbers of all nodes, ascending, each once.
  [[nodiscard]] std::span<const std::int32_t> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t local(std::size_t own) const { return static_cast<std::size_t>(local_[own]); }
  [[nodiscard]] std::size_t size() const { return local_.size(); }
  [[nodiscard]] std::size_t first_nodes() const { return first_nodes_; }
  [[nodiscard]] const TriangulatedSurface& first() const { return first_; }
  [[nodiscard]] const TriangulatedSurface& second() const { return second_; }
  [[nodiscard]] bool is_self() const { return self_; }
  [[nodiscard]] double mean_edge() const { return mean_edge_; }
  [[nodiscard]] double smallest_edge() const { return smallest_edge_; }
  [[nodiscard]] std::span<const Vector3> reference() const { return reference_; }

  /// Calls visit(const SurfacePair&) for the pairs that a triangle of the first and one of the second surface
  /// stand for: over all pairs of triangles every pair turns up once. Pairs that share a node (a surface
  /// against itself) are left out.
  template <class Visit>
  void visit_pairs(std::int32_t first_triangle, std::int32_t second_triangle, Visit visit) const;

  /// Positions of all nodes, own numbering.
  void positions_at(const Displacements& displacements, std::span<Vector3> positions) const;

 private:
  [[nodiscard]] bool share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const;

  std::vector<std::int32_t> nodes_, local_;
  std::size_t first_nodes_ = 0;
  bool self_ = false;
  TriangulatedSurface first_, second_;
  double mean_edge_ = 0, smallest_edge_ = 0;
  std::vector<Vector3> reference_;
};

/// Earliest s ≥ 0 at which boxes, whose sides move no faster than the boxes of velocities say, can come
/// within `distance`; +∞ if never.
[[nodiscard]] double boxes_meet(const Box& first, const Box& first_velocities, const Box& second,
                                const Box& second_velocities, double distance);

/// The nearest pair of vertices, edges and triangles of two surfaces in their reference positions, if it is
/// nearer than `within`.
struct NearestPair {
  double distance;
  Vector3 place;
};
[[nodiscard]] std::optional<NearestPair> nearest_pair(const ContactSurfaces& surfaces, double within);

template <class Visit>
void ContactSurfaces::visit_pairs(std::int32_t first_triangle, std::int32_t second_triangle,
                                  Visit visit) const {
  const auto s = static_cast<std::size_t>(first_triangle), t = static_cast<std::size_t>(second_triangle);
  const auto vertices = [&](const TriangulatedSurface& from, std::size_t of, const Triangle& face) {
    for (const std::int32_t place : from.vertices_of[of]) {
      const auto v = static_cast<std::size_t>(place);
      const SurfacePair pair{
          PairKind::vertex_triangle, {from.vertices[v], face[0], face[1], face[2]}, from.vertex_areas[v], 0};
      if (!share_a_node(pair.nodes, 1)) visit(pair);
    }
  };
  vertices(first_, s, second_.triangles[t]);
  // A surface against itself: the other half of these pairs turns up with the triangles exchanged.
  if (!self_) vertices(second_, t, first_.triangles[s]);
  for (const std::int32_t place : first_.edges_of[s])
    for (const std::int32_t other_place : second_.edges_of[t]) {
      if (self_ && other_place <= place) continue;
      const auto e = static_cast<std::size_t>(place), f = static_cast<std::size_t>(other_place);
      const double lengths = first_.edge_lengths[e] * second_.edge_lengths[f];
      const double area = 0.5 * std::numbers::pi * first_.edge_areas[e] * second_.edge_areas[f] / lengths;
      const Edge &one = first_.edges[e], &other = second_.edges[f];
      const SurfacePair pair{PairKind::edge_edge, {one[0], one[1], other[0], other[1]}, area, lengths};
      if (!share_a_node(pair.nodes, 2)) visit(pair);
    }
}

}  // namespace terrace
