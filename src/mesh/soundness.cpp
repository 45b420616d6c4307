#include "mesh/soundness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/box_index.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/segment_triangle.hpp"
#include "geometry/show.hpp"
#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "numerics/disjoint_sets.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

void require_one_piece(const TetrahedralMesh& mesh, const std::string& where) {
  DisjointSets pieces(mesh.nodes.size());
  for (const Tetrahedron& nodes : mesh.tetrahedra)
    for (std::size_t a = 1; a < 4; ++a) pieces.unite(nodes[0], nodes[a]);
  for (std::int32_t node = 1; node < static_cast<std::int32_t>(mesh.nodes.size()); ++node)
    if (pieces.of(node) != pieces.of(0))
      throw Error(Error::Kind::input, where,
                  "one body, whose tetrahedra hang together (else a physical volume, and `group`, for each)",
                  fmt::format("pieces that share no node, one at {}, one at {}", show(mesh.nodes[0]),
                              show(at(mesh.nodes, node))));
}

/// The boundary of a mesh, with a search for triangles near a place.
class Boundary {
 public:
  explicit Boundary(const TetrahedralMesh& mesh)
      : mesh_(mesh), triangles_(boundary_triangles(mesh.tetrahedra)) {
    std::vector<Box> boxes;
    for (const Triangle& triangle : triangles_) {
      Box box;
      for (const Vector3& corner : corners(triangle)) box.include(corner);
      boxes.push_back(box);
    }
    boxes_.build(std::move(boxes));
  }

  void require_no_node_on_another_triangle(const std::string& where) const {
    for (const std::int32_t node : surface_nodes(triangles_)) {
      const Vector3& x = at(mesh_.nodes, node);
      const bool hangs = boxes_.any(around(std::array<Vector3, 1>{x}), 0, [&](std::int32_t i) {
        const Triangle& triangle = at(triangles_, i);
        if (has(triangle, node)) return false;
        const auto t = corners(triangle);
        const PairPoints points = {x, t[0], t[1], t[2]};
        return norm(closest_points(PairKind::vertex_triangle, points).difference) <=
               share_that_touches * size(t);
      });
      if (hangs)
        throw Error(Error::Kind::input, where, "nodes at the corners of triangles, each once",
                    fmt::format("a node at {} on a triangle that does not have it (a hanging node, or parts "
                                "that were never merged)",
                                show(x)));
    }
  }

  /// Tetrahedra must not overlap: right outside a boundary triangle there is no tetrahedron.
  void require_free_outside(const std::string& where) const {
    for (const Tetrahedron& nodes : mesh_.tetrahedra) {
      const Corners tetrahedron = {at(mesh_.nodes, nodes[0]), at(mesh_.nodes, nodes[1]),
                                   at(mesh_.nodes, nodes[2]), at(mesh_.nodes, nodes[3])};
      std::optional<Vector3> place;
      (void)boxes_.any(around(tetrahedron), 0, [&](std::int32_t i) {
        place = covered(corners(at(triangles_, i)), tetrahedron);
        return place.has_value();
      });
      if (place)
        throw Error(Error::Kind::input, where, "tetrahedra that do not overlap",
                    fmt::format("two at {}", show(*place)));
    }
  }

  void require_not_through_itself(const std::string& where) const {
    for (const Triangle& triangle : triangles_)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t from = triangle[k], to = triangle[(k + 1) % 3];
        if (from > to) continue;  // the neighbour has the edge the other way round
        if (const auto place = piercing(from, to))
          throw Error(Error::Kind::input, where, "a body that does not overlap itself",
                      fmt::format("one whose boundary goes through itself at {}", show(*place)));
      }
  }

 private:
  using PairPoints = std::array<Vector3, 4>;
  using Corners = std::array<Vector3, 4>;

  /// A place where the triangle t, moved outwards by a tiny distance, lies inside the tetrahedron x, if the
  /// part inside is more than a thousandth of its area. The planes of the tetrahedron's faces clip the
  /// triangle to that part.
  [[nodiscard]] static std::optional<Vector3> covered(const std::array<Vector3, 3>& t, const Corners& x) {
    constexpr double outwards = 1e-7, least_share = 1e-3;
    const Vector3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double area = norm(normal), length = std::sqrt(area);
    const Vector3 shift = (outwards * length / area) * normal;
    // Positions are relative to one corner: far from the origin, rounding would make the shift zero.
    std::vector<Vector3> left = {shift, (t[1] - t[0]) + shift, (t[2] - t[0]) + shift};
    for (std::size_t k = 0; k < 4 && !left.empty(); ++k) {
      const Vector3 a = x[(k + 1) % 4] - t[0], b = x[(k + 2) % 4] - t[0], c = x[(k + 3) % 4] - t[0];
      Vector3 inwards = cross(b - a, c - a);
      if (dot(inwards, (x[k] - t[0]) - a) < 0) inwards = -1 * inwards;
      left = behind(left, a, inwards);
    }
    if (left.size() < 3) return std::nullopt;
    Vector3 rest{}, middle{};
    for (std::size_t i = 1; i + 1 < left.size(); ++i) rest += cross(left[i] - left[0], left[i + 1] - left[0]);
    for (const Vector3& corner : left) middle += (1.0 / static_cast<double>(left.size())) * corner;
    if (norm(rest) < least_share * area) return std::nullopt;
    return t[0] + middle;
  }
  /// The part of a polygon that is on the side of the plane through `a` to which its normal `inwards` points.
  [[nodiscard]] static std::vector<Vector3> behind(const std::vector<Vector3>& polygon, const Vector3& a,
                                                   const Vector3& inwards) {
    std::vector<Vector3> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vector3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double from = dot(inwards, p - a), to = dot(inwards, q - a);
      if (from > 0) kept.push_back(p);
      if ((from > 0) != (to > 0)) kept.push_back(p + (from / (from - to)) * (q - p));
    }
    return kept;
  }

  [[nodiscard]] std::array<Vector3, 3> corners(const Triangle& t) const {
    return {at(mesh_.nodes, t[0]), at(mesh_.nodes, t[1]), at(mesh_.nodes, t[2])};
  }
  [[nodiscard]] static bool has(const Triangle& triangle, std::int32_t node) {
    return std::find(triangle.begin(), triangle.end(), node) != triangle.end();
  }
  [[nodiscard]] static double size(const std::array<Vector3, 3>& t) {
    return std::sqrt(norm(cross(t[1] - t[0], t[2] - t[0])));
  }
  template <std::size_t N>
  [[nodiscard]] static Box around(const std::array<Vector3, N>& points) {
    Box box;
    for (const Vector3& point : points) box.include(point);
    return box;
  }

  /// Where the edge between two nodes goes through a boundary triangle that has neither of them.
  [[nodiscard]] std::optional<Vector3> piercing(std::int32_t from, std::int32_t to) const {
    const Vector3 &p = at(mesh_.nodes, from), &q = at(mesh_.nodes, to);
    std::optional<Vector3> place;
    (void)boxes_.any(around(std::array{p, q}), 0, [&](std::int32_t i) {
      const Triangle& triangle = at(triangles_, i);
      if (has(triangle, from) || has(triangle, to)) return false;
      place = piercing_point(p, q, corners(triangle));
      return place.has_value();
    });
    return place;
  }

  const TetrahedralMesh& mesh_;
  std::vector<Triangle> triangles_;
  BoxIndex boxes_;  // of the triangles
};

}  // namespace

void verify_sound(const TetrahedralMesh& mesh, const std::string& where) {
  require_one_piece(mesh, where);
  const Boundary boundary(mesh);
  boundary.require_no_node_on_another_triangle(where);
  boundary.require_not_through_itself(where);
  boundary.require_free_outside(where);
}

}  // namespace terrace
