#include "mesh/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/box_index.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/segment_triangle.hpp"
#include "geometry/tetrahedron_overlap.hpp"
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

/// Whether p is in the tetrahedron t; a point on a face is inside.
static bool contains(const std::array<Vector3, 4>& t, const Vector3& p) {
  const double least = -share_that_touches * triple(t[0], t[1], t[2], t[3]);
  return triple(p, t[1], t[2], t[3]) > least && triple(t[0], p, t[2], t[3]) > least &&
         triple(t[0], t[1], p, t[3]) > least && triple(t[0], t[1], t[2], p) > least;
}

/// A point in both of two overlapping tetrahedra, where an edge goes through a face; if no edge does, a point
/// near them.
static Vector3 common_place(const std::array<Vector3, 4>& a, const std::array<Vector3, 4>& b) {
  for (const auto& [edges, faces] : {std::pair(a, b), std::pair(b, a)})
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < 4; ++k)
          if (const auto point =
                  piercing_point(edges[i], edges[j], {faces[k], faces[(k + 1) % 4], faces[(k + 2) % 4]}))
            return *point;
  const Box common = box_of(a).intersection(box_of(b));
  return 0.5 * (common.low + common.high);
}

/// The tetrahedra of one body whose boxes overlap a region, ready to be searched.
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
    std::vector<Box> boxes;
    for (const auto& t : tetrahedra_) boxes.push_back(box_of(t));
    of_tetrahedra_.build(std::move(boxes));
  }

  /// Calls visit(point) for the nodes and centres of the other's tetrahedra that are in a tetrahedron of
  /// these.
  template <class Visit>
  void visit_points_inside(const BodySearch& other, Visit visit) const {
    for (const Vector3& point : other.points_)
      if (contains(point)) visit(point);
  }

  /// A place where a tetrahedron of the other is in one of these by more than a touch, if there is one.
  [[nodiscard]] std::optional<Vector3> find_place_shared_with(const BodySearch& other) const {
    std::optional<Vector3> place;
    for (const auto& theirs : other.tetrahedra_) {
      const Box box = box_of(theirs);
      const bool overlaps = of_tetrahedra_.any(box, 0, [&](std::int32_t i) {
        const auto& own = at(tetrahedra_, i);
        constexpr double of_thin_ones = 0.1;
        const double touching =
            std::min(share_that_touches * std::min(box.diagonal(), box_of(own).diagonal()),
                     of_thin_ones * std::min(least_height(own), least_height(theirs)));
        if (!overlap_by_more_than(touching, own, theirs)) return false;
        place = common_place(own, theirs);
        return true;
      });
      if (overlaps) break;
    }
    return place;
  }

 private:
  [[nodiscard]] bool contains(const Vector3& point) const {
    Box box;
    box.include(point);
    return of_tetrahedra_.any(box, 0,
                              [&](std::int32_t i) { return terrace::contains(at(tetrahedra_, i), point); });
  }

  std::vector<std::array<Vector3, 4>> tetrahedra_;
  std::vector<Vector3> points_;  // each node once, and centres
  BoxIndex of_tetrahedra_;
};

static double distance_from_triangle(const Vector3& point, const std::array<Vector3, 3>& t) {
  return norm(closest_points(PairKind::vertex_triangle, {point, t[0], t[1], t[2]}).difference);
}

struct CommonPoint {
  Vector3 place;
  double depth;
};

/// Replaces `deepest` by the other's point that is deepest inside the body, if it is deeper. Depth is the
/// distance from the whole surface of the body. Most points are given up at the first triangle that is nearer
/// than the depth known already; as it often is the same triangle as for the point before, it moves to the
/// front. Points on faces between tetrahedra of the body are inside as well.
static void look_for_deeper(const Model& model, const Body& body, const BodySearch& search,
                            const BodySearch& other, CommonPoint& deepest) {
  const double least = share_that_touches * bounding_box(model, body).diagonal();
  std::vector<std::array<Vector3, 3>> surface;
  for (const Triangle& triangle : body.boundary) surface.push_back(corners(model, triangle));
  search.visit_points_inside(other, [&](const Vector3& point) {
    double depth = infinity;
    for (auto& triangle : surface) {
      depth = std::min(depth, distance_from_triangle(point, triangle));
      if (depth > std::max(deepest.depth, least)) continue;
      std::swap(surface.front(), triangle);
      return;
    }
    deepest = {point, depth};
  });
}

static std::optional<CommonPoint> find_common_point(const Model& model, const Body& a, const Body& b,
                                                    const Box& region) {
  const BodySearch search_a(model, a, region), search_b(model, b, region);
  const auto place = search_a.find_place_shared_with(search_b);
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
