#include "potentials/contact/triangulated_surface.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

void verify(const std::vector<Triangle>& triangles, std::size_t node_count, const std::string& where) {
  if (triangles.empty()) throw Error(Error::Kind::input, where, "a boundary with triangles", "none");
  for (const Triangle& triangle : triangles)
    for (const std::int32_t node : triangle)
      if (node < 0 || index(node) >= node_count)
        throw Error(Error::Kind::input, where, fmt::format("node numbers from 0 to {}", node_count - 1),
                    fmt::format("node {}", node));
}

/// The triangles with each node's number replaced by its place in the ascending list `nodes`.
std::vector<Triangle> renumber(std::vector<Triangle> triangles, const std::vector<std::int32_t>& nodes) {
  for (Triangle& triangle : triangles)
    for (std::int32_t& node : triangle)
      node = static_cast<std::int32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  return triangles;
}

/// Finds the places of edges by their nodes: a chain of edges for each node that is the lower one of an edge.
class EdgePlaces {
 public:
  explicit EdgePlaces(std::size_t nodes) : last_(nodes, none) {}

  /// The place of an edge among all edges asked for so far; a new edge gets the next place.
  std::int32_t of(const Edge& edge) {
    for (std::int32_t place = at(last_, edge[0]); place != none; place = at(before_, place))
      if (at(other_node_, place) == edge[1]) return place;
    before_.push_back(at(last_, edge[0]));
    other_node_.push_back(edge[1]);
    return at(last_, edge[0]) = static_cast<std::int32_t>(before_.size()) - 1;
  }

 private:
  static constexpr std::int32_t none = -1;
  std::vector<std::int32_t> last_, before_, other_node_;
};

/// Lists every node and every edge with the first of its triangles; finds their areas and the edges' lengths.
void list_features(TriangulatedSurface& surface, const std::string& where) {
  const std::span<const Vector3> x = surface.reference;
  surface.vertex_areas.assign(x.size(), 0.0);
  std::vector<std::uint8_t> listed(x.size(), 0);
  EdgePlaces places(x.size());
  for (const Triangle& triangle : surface.triangles) {
    surface.vertices_from.push_back(static_cast<std::int32_t>(surface.vertices_by_triangle.size()));
    surface.edges_from.push_back(static_cast<std::int32_t>(surface.edges.size()));
    const double third = triangle_area(triangle, x) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t node = triangle[k];
      at(surface.vertex_areas, node) += third;
      if (at(listed, node) == 0) surface.vertices_by_triangle.push_back(node);
      at(listed, node) = 1;
      Edge edge = {node, triangle[(k + 1) % 3]};
      std::sort(edge.begin(), edge.end());
      const std::int32_t place = places.of(edge);
      if (place == std::ssize(surface.edges)) {
        const double length = norm(at(x, edge[1]) - at(x, edge[0]));
        if (!(length > 0))
          throw Error(Error::Kind::input, where, "boundary triangles with edges of positive length",
                      fmt::format("an edge of length {}", length));
        surface.edges.push_back(edge);
        surface.edge_areas.push_back(0);
        surface.edge_lengths.push_back(length);
      }
      at(surface.edge_areas, place) += third;
    }
  }
  surface.vertices_from.push_back(static_cast<std::int32_t>(surface.vertices_by_triangle.size()));
  surface.edges_from.push_back(static_cast<std::int32_t>(surface.edges.size()));
}

}  // namespace

std::shared_ptr<const TriangulatedSurface> make_surface(std::span<const Vector3> reference_positions,
                                                        const std::vector<Triangle>& triangles,
                                                        const std::string& where) {
  verify(triangles, reference_positions.size(), where);
  auto surface = std::make_shared<TriangulatedSurface>();
  surface->nodes = surface_nodes(triangles);
  for (const std::int32_t node : surface->nodes) surface->reference.push_back(at(reference_positions, node));
  surface->triangles = renumber(triangles, surface->nodes);
  list_features(*surface, where);
  return surface;
}

}  // namespace terrace
