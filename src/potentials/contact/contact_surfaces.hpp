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

/// A vertex and a triangle of the other surface, or one edge of each surface, and the area that the pair
/// stands for. A vertex stands for a third of the triangles around it. Of edges about 2/π · (length per
/// area)₁ · (length per area)₂ pairs cross on a unit of area (Buffon's needles), so that a pair stands for
/// π/2 · (area/length)₁ (area/length)₂.
struct SurfacePair {
  PairKind kind;
  std::array<std::int32_t, 4> nodes;  ///< numbering of the ContactSurfaces
  double area;                        ///< [length²]
  double length_product;              ///< edges only: product of their reference lengths [length²]
};

/// Two surfaces, or one against itself, with a numbering of their nodes that belongs to the pair (own
/// numbers): the first surface's nodes come first, then the second's. A surface against itself appears twice,
/// so that each of its nodes has two own numbers. The surfaces themselves are shared with all other pairs of
/// their bodies.
class ContactSurfaces {
 public:
  using Surface = std::shared_ptr<const TriangulatedSurface>;
  /// The same surface twice means one against itself.
  ContactSurfaces(Surface first, Surface second);
  /// Makes surfaces that no other pair shares, and throws, as make_surface. Equal lists mean one surface
  /// against itself.
  ContactSurfaces(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                  const std::vector<Triangle>& second, const std::string& where);

  /// Local numbers of all nodes, ascending, each once.
  [[nodiscard]] std::span<const std::int32_t> nodes() const { return nodes_; }
  /// Local number of a node by its own number.
  [[nodiscard]] std::size_t local(std::size_t own) const {
    const std::size_t first = first_nodes();
    return index(own < first ? first_->nodes[own] : second_->nodes[own - first]);
  }
  /// How many own numbers there are.
  [[nodiscard]] std::size_t size() const { return first_nodes() + second_->nodes.size(); }
  [[nodiscard]] std::size_t first_nodes() const { return first_->nodes.size(); }
  /// The two surfaces, each with its own node numbers from 0 on.
  [[nodiscard]] const TriangulatedSurface& first() const { return *first_; }
  [[nodiscard]] const TriangulatedSurface& second() const { return *second_; }
  /// Own number in the pair of a node of the second surface; nodes of the first surface have the same number
  /// in both.
  [[nodiscard]] std::int32_t own(std::int32_t of_second) const {
    return static_cast<std::int32_t>(first_nodes()) + of_second;
  }
  /// A triangle or edge by its place in its surface, with the pair's own node numbers.
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
  /// Reference positions of all nodes, by own number [length].
  [[nodiscard]] std::vector<Vector3> reference() const;

  /// Calls visit(own number, local number, reference position) for all nodes, in the order of own numbers.
  template <class Visit>
  void visit_nodes(Visit visit) const;
  /// Calls visit(const SurfacePair&) for every vertex-triangle and edge-edge pair that a triangle of the
  /// first and one of the second surface stand for, if concerns(kind, nodes) holds. Over all pairs of
  /// triangles every such pair turns up once. Pairs that share a node (a surface against itself) are left
  /// out.
  template <class Concerns, class Visit>
  void visit_pairs(std::int32_t of_first, std::int32_t of_second, Concerns concerns, Visit visit) const;
  /// The same without a condition.
  template <class Visit>
  void visit_pairs(std::int32_t of_first, std::int32_t of_second, Visit visit) const {
    visit_pairs(
        of_first, of_second, [](PairKind, const std::array<std::int32_t, 4>&) { return true; }, visit);
  }

  /// A list, not built yet, of the pairs of triangles within `skin` of each other. This must outlive it.
  [[nodiscard]] BroadPhase broad_phase(double skin) const {
    return {first_->triangles, second_->triangles, first_nodes(), skin};
  }

  /// Reference position of one node, by its own number [length].
  [[nodiscard]] const Vector3& reference(std::size_t own) const {
    const std::size_t first = first_nodes();
    return own < first ? first_->reference[own] : second_->reference[own - first];
  }

  /// Writes the positions of all nodes, by own number.
  void positions_at(const Displacements& displacements, std::span<Vector3> positions) const;

 private:
  [[nodiscard]] bool share_a_node(const std::array<std::int32_t, 4>& nodes, std::size_t first_count) const;

  Surface first_, second_;
  std::vector<std::int32_t> nodes_;
  double mean_edge_ = 0, smallest_edge_ = 0;
};

/// Earliest s ≥ 0 at which two boxes can come within `distance` of each other on every axis, while the points
/// in each move at velocities within its box of velocities; +∞ if never.
[[nodiscard]] double boxes_meet(const Box& first, const Box& first_velocities, const Box& second,
                                const Box& second_velocities, double distance);

/// A vertex-triangle or edge-edge pair: its distance and the reference position of its first node [length].
struct NearestPair {
  double distance;
  Vector3 place;
};
/// The nearest pair of two surfaces in their reference positions; nothing if none is nearer than `within`.
[[nodiscard]] std::optional<NearestPair> nearest_pair(const ContactSurfaces& surfaces, double within);

template <class Visit>
void ContactSurfaces::visit_nodes(Visit visit) const {
  std::size_t node = 0;
  for (const TriangulatedSurface* surface : {first_.get(), second_.get()})
    for (std::size_t i = 0; i < surface->nodes.size(); ++i)
      visit(node++, index(surface->nodes[i]), surface->reference[i]);
}

// Few pairs pass `concerns`: areas are computed for these alone.
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
