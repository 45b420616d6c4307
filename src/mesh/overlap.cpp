#include "mesh/overlap.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/box_index.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/segment_triangle.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {

Box bounding_box(const Model& model, const Body& body) {
  Box box;
  for (std::int32_t i = 0; i < body.node_count; ++i) box.include(at(model.positions, body.first_node + i));
  return box;
}

static const Vector3& position(const Model& model, std::int32_t node) { return at(model.positions, node); }

template <std::size_t N>
static std::array<Vector3, N> corners(const Model& model, const std::array<std::int32_t, N>& nodes) {
  std::array<Vector3, N> points;
  for (std::size_t i = 0; i < N; ++i) points[i] = position(model, nodes[i]);
  return points;
}

template <std::size_t N>
static Box box_of(const std::array<Vector3, N>& points) {
  Box box;
  for (const Vector3& point : points) box.include(point);
  return box;
}

/// Six times the signed volume of the tetrahedron a, b, c, d.
static double triple(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  return dot(cross(b - a, c - a), d - a);
}

/// `margin`: least barycentric coordinate.
static bool contains(const std::array<Vector3, 4>& t, const Vector3& p, double margin) {
  const double least = margin * triple(t[0], t[1], t[2], t[3]);
  return triple(p, t[1], t[2], t[3]) > least && triple(t[0], p, t[2], t[3]) > least &&
         triple(t[0], t[1], p, t[3]) > least && triple(t[0], t[1], t[2], p) > least;
}

/// Tetrahedra and boundary triangles of one body near a region, ready to be searched.
class BodySearch {
 public:
  BodySearch(const Model& model, const Body& body, const Box& region) {
    std::vector<bool> known(index(body.node_count), false);
    for (std::int32_t i = 0; i < body.tetrahedron_count; ++i) {
      const Tetrahedron& nodes = at(model.tetrahedra, body.first_tetrahedron + i);
      const auto t = corners(model, nodes);
      if (!box_of(t).overlaps(region)) continue;
      tetrahedra_.push_back(t);
      for (const std::int32_t node : nodes) {
        if (!at(known, node - body.first_node)) points_.push_back(position(model, node));
        at(known, node - body.first_node) = true;
      }
      points_.push_back(0.25 * (t[0] + t[1] + t[2] + t[3]));
    }
    for (const Triangle& triangle : body.boundary) {
      const auto t = corners(model, triangle);
      if (box_of(t).overlaps(region)) triangles_.push_back(t);
    }
    of_tetrahedra_.build(boxes_of(tetrahedra_));
    of_triangles_.build(boxes_of(triangles_));
  }

  /// Calls visit(point) for the nodes and centres of the other's tetrahedra that are in a tetrahedron with
  /// the margin, until it returns true.
  template <class Visit>
  void visit_points_inside(const BodySearch& other, double margin, Visit visit) const {
    for (const Vector3& point : other.points_)
      if (contains(point, margin) && visit(point)) return;
  }

  [[nodiscard]] std::optional<Vector3> find_point_inside(const BodySearch& other) const {
    std::optional<Vector3> found;
    visit_points_inside(other, share_that_touches, [&](const Vector3& point) {
      found = point;
      return true;
    });
    return found;
  }

  [[nodiscard]] std::optional<Vector3> find_piercing(const BodySearch& other) const {
    for (const auto& t : other.triangles_)
      for (std::size_t i = 0; i < 3; ++i)
        if (const auto point = find_piercing(t[i], t[(i + 1) % 3])) return point;
    return {};
  }

 private:
  template <std::size_t N>
  static std::vector<Box> boxes_of(const std::vector<std::array<Vector3, N>>& elements) {
    std::vector<Box> boxes;
    for (const auto& element : elements) boxes.push_back(box_of(element));
    return boxes;
  }

  [[nodiscard]] bool contains(const Vector3& point, double margin) const {
    Box box;
    box.include(point);
    return of_tetrahedra_.any(
        box, 0, [&](std::int32_t i) { return terrace::contains(at(tetrahedra_, i), point, margin); });
  }

  [[nodiscard]] std::optional<Vector3> find_piercing(const Vector3& p, const Vector3& q) const {
    std::optional<Vector3> point;
    (void)of_triangles_.any(box_of(std::array{p, q}), 0, [&](std::int32_t i) {
      point = piercing_point(p, q, at(triangles_, i));
      return point.has_value();
    });
    return point;
  }

  std::vector<std::array<Vector3, 4>> tetrahedra_;
  std::vector<Vector3> points_;  // each node once, and centres
  std::vector<std::array<Vector3, 3>> triangles_;
  BoxIndex of_tetrahedra_, of_triangles_;
};

static double distance_from_triangle(const Vector3& point, const std::array<Vector3, 3>& t) {
  return norm(closest_points(PairKind::vertex_triangle, {point, t[0], t[1], t[2]}).difference);
}

struct CommonPoint {
  Vector3 place;
  double depth;
};

/// Goes on from `deepest` to the other's point that is deepest inside the body. The whole of its surface
/// counts; most points are given up at a triangle nearer than the depth known, which is that of the point
/// before more often than not. Points between two tetrahedra of the body are inside as well.
static void look_for_deeper(const Model& model, const Body& body, const BodySearch& search,
                            const BodySearch& other, CommonPoint& deepest) {
  const double least = share_that_touches * bounding_box(model, body).diagonal();
  std::vector<std::array<Vector3, 3>> surface;
  for (const Triangle& triangle : body.boundary) surface.push_back(corners(model, triangle));
  search.visit_points_inside(other, -share_that_touches, [&](const Vector3& point) {
    double depth = infinity;
    for (auto& triangle : surface) {
      depth = std::min(depth, distance_from_triangle(point, triangle));
      if (depth > std::max(deepest.depth, least)) continue;
      std::swap(surface.front(), triangle);
      return false;
    }
    deepest = {point, depth};
    return false;
  });
}

static std::optional<CommonPoint> find_common_point(const Model& model, const Body& a, const Body& b,
                                                    const Box& region) {
  const BodySearch search_a(model, a, region), search_b(model, b, region);
  auto place = search_a.find_point_inside(search_b);
  if (!place) place = search_b.find_point_inside(search_a);
  if (!place) place = search_a.find_piercing(search_b);
  if (!place) place = search_b.find_piercing(search_a);
  if (!place) return {};
  CommonPoint deepest{*place, 0};
  look_for_deeper(model, a, search_a, search_b, deepest);
  look_for_deeper(model, b, search_b, search_a, deepest);
  return deepest;
}

std::optional<Overlap> find_overlap(const Model& model) {
  std::vector<Box> boxes;
  for (const Body& body : model.bodies) boxes.push_back(bounding_box(model, body));
  BoxIndex index;
  index.build(boxes);
  for (std::size_t first = 0; first < boxes.size(); ++first)
    for (const std::int32_t other : index.near(boxes[first], 0)) {
      const auto second = static_cast<std::size_t>(other);
      if (second <= first) continue;
      const Box region = boxes[first].intersection(boxes[second]);
      if (const auto common = find_common_point(model, model.bodies[first], model.bodies[second], region))
        return Overlap{first, second, common->place, common->depth};
    }
  return {};
}

}  // namespace terrace
