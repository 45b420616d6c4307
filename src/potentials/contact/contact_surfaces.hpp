// Two boundary surfaces and the pairs of their features: the geometry that contact potentials share.
#pragma once

#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "geometry/closest_points.hpp"
#include "numerics/at.hpp"
#include "potentials/contact/broad_phase.hpp"
#include "potentials/contact/triangulated_surface.hpp"
#include "potentials/displacements.hpp"

namespace terrace {

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
/// second's. A surface against itself appears twice. The surfaces belong to their bodies' other pairs as
/// well; a pair's own are the numbers of its nodes alone.
class ContactSurfaces {
 public:
  using Surface = std::shared_ptr<const TriangulatedSurface>;
  /// The same one twice: against itself.
  ContactSurfaces(Surface first, Surface second);
  /// Surfaces that no other pair knows, as make_surface, which throws; equal lists: one against itself.
  ContactSurfaces(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                  const std::vector<Triangle>& second, const std::string& where);

  /// Local numbers of all nodes, ascending, each once.
  [[nodiscard]] std::span<const std::int32_t> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t local(std::size_t own) const {
    const std::size_t first = first_nodes();
    return index(own < first ? first_->nodes[own] : second_->nodes[own - first]);
  }
  [[nodiscard]] std::size_t size() const { return first_nodes() + second_->nodes.size(); }
  [[nodiscard]] std::size_t first_nodes() const { return first_->nodes.size(); }
  /// Either surface, in its own numbering.
  [[nodiscard]] const TriangulatedSurface& first() const { return *first_; }
  [[nodiscard]] const TriangulatedSurface& second() const { return *second_; }
  /// The pair's number of a node of the second surface; those of the first have their own.
  [[nodiscard]] std::int32_t own(std::int32_t of_second) const {
    return static_cast<std::int32_t>(first_nodes()) + of_second;
  }
  /// Triangles and edges in the pair's numbering.
  [[nodiscard]] const Triangle& first_triangle(std::int32_t place) const {
    return at(first_->triangles, place);
  }
  [[nodiscard]] Triangle second_triangle(std::int32_t place) const {
    const Triangle& nodes = at(second_->triangles, place);
    return {own(nodes[0]), own(nodes[1]), own(nodes[2])};
  }
  [[nodiscard]] const Edge& first_edge(std::int32_t place) const { return at(first_->edges, place); }
  [[nodiscard]] Edge second_edge(std::int32_t place) const {
    const Edge& nodes = at(second_->edges, place);
    return {own(nodes[0]), own(nodes[1])};
  }
  [[nodiscard]] bool is_self() const { return first_ == second_; }
  [[nodiscard]] double mean_edge() const { return mean_edge_; }
  [[nodiscard]] double smallest_edge() const { return smallest_edge_; }
  /// Of all nodes, own numbering.
  [[nodiscard]] std::vector<Vector3> reference() const;

  /// Calls visit(own number, local number, reference position) for all nodes, in the order of own numbers.
  template <class Visit>
  void visit_nodes(Visit visit) const;
  /// Calls visit(const SurfacePair&) for the pairs that a triangle of the first and one of the second surface
  /// stand for, of those for which concerns(kind, nodes): over all pairs of triangles every pair turns up
  /// once. Pairs that share a node (a surface against itself) are left out.
  template <class Concerns, class Visit>
  void visit_pairs(std::int32_t of_first, std::int32_t of_second, Concerns concerns, Visit visit) const;
  /// The same of all.
  template <class Visit>
  void visit_pairs(std::int32_t of_first, std::int32_t of_second, Visit visit) const {
    visit_pairs(
        of_first, of_second, [](PairKind, const std::array<std::int32_t, 4>&) { return true; }, visit);
  }

  /// Pairs of triangles within `skin` of each other. This outlives them.
  [[nodiscard]] BroadPhase broad_phase(double skin) const {
    return {first_->triangles, second_->triangles, first_nodes(), skin};
  }

  /// Of one node, by its own number.
  [[nodiscard]] const Vector3& reference(std::size_t own) const {
    const std::size_t first = first_nodes();
    return own < first ? first_->reference[own] : second_->reference[own - first];
  }

  /// Positions of all nodes, own numbering.
  void positions_at(const Displacements& displacements, std::span<Vector3> positions) const;

 private:
  [[nodiscard]] bool share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const;

  Surface first_, second_;
  std::vector<std::int32_t> nodes_;
  double mean_edge_ = 0, smallest_edge_ = 0;
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
void ContactSurfaces::visit_nodes(Visit visit) const {
  std::size_t node = 0;
  for (const TriangulatedSurface* surface : {first_.get(), second_.get()})
    for (std::size_t i = 0; i < surface->nodes.size(); ++i)
      visit(node++, index(surface->nodes[i]), surface->reference[i]);
}

// Few pairs concern anybody: what they stand for is found of these alone.
template <class Concerns, class Visit>
void ContactSurfaces::visit_pairs(std::int32_t of_first, std::int32_t of_second, Concerns concerns,
                                  Visit visit) const {
  const TriangulatedSurface &first = *first_, &second = *second_;
  const std::size_t s = index(of_first), t = index(of_second);
  const auto vertex = [&](std::int32_t node, double area, const Triangle& face) {
    const SurfacePair pair{PairKind::vertex_triangle, {node, face[0], face[1], face[2]}, area, 0};
    if (concerns(pair.kind, pair.nodes) && !share_a_node(pair.nodes, 1)) visit(pair);
  };
  const Triangle &one_face = first_triangle(of_first), other_face = second_triangle(of_second);
  for (const std::int32_t v : first.vertices_of(s)) vertex(v, first.vertex_areas[index(v)], other_face);
  // A surface against itself: the other half of these pairs turns up with the triangles exchanged.
  if (!is_self())
    for (const std::int32_t v : second.vertices_of(t))
      vertex(own(v), second.vertex_areas[index(v)], one_face);
  const auto edges = [&](std::int32_t place, std::int32_t other_place) {
    if (is_self() && other_place <= place) return;
    const std::size_t e = index(place), f = index(other_place);
    const Edge &one = first.edges[e], &other = second.edges[f];
    const std::array<std::int32_t, 4> nodes = {one[0], one[1], own(other[0]), own(other[1])};
    if (!concerns(PairKind::edge_edge, nodes) || share_a_node(nodes, 2)) return;
    const double lengths = first.edge_lengths[e] * second.edge_lengths[f];
    const double area = 0.5 * std::numbers::pi * first.edge_areas[e] * second.edge_areas[f] / lengths;
    visit(SurfacePair{PairKind::edge_edge, nodes, area, lengths});
  };
  first.for_each_edge_of(s, [&](std::int32_t place) {
    second.for_each_edge_of(t, [&](std::int32_t other_place) { edges(place, other_place); });
  });
}

}  // namespace terrace
