#include "geometry/triangle_intersection.hpp"

#include <algorithm>

namespace terrace {
namespace {

// Vector3 is a std::array: its operators are found by scope only, and the operators below would hide them.
using terrace::cross;
using terrace::dot;
using terrace::operator+;
using terrace::operator-;
using terrace::operator*;

/// Sine below which an edge counts as parallel to a plane, and area relative to the longest edge squared
/// below which a triangle counts as a needle. Below it the place of the segment's end is mere round-off.
constexpr double degenerate_sine = 1e-10;

/// A scalar and its derivatives along the line, to second order.
struct Jet2 {
  double value, first, second;
};

Jet2 operator-(const Jet2& a, const Jet2& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}

Jet2 operator/(const Jet2& a, const Jet2& b) {
  const double value = a.value / b.value;
  const double first = (a.first - value * b.first) / b.value;
  return {value, first, (a.second - 2 * first * b.first - value * b.second) / b.value};
}

/// A vector and its derivatives along the line, to second order.
struct JetVector {
  Vector3 value, first, second;
};

JetVector operator+(const JetVector& a, const JetVector& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}

JetVector operator-(const JetVector& a, const JetVector& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}

JetVector operator*(const Jet2& s, const JetVector& a) {
  return {s.value * a.value, s.first * a.value + s.value * a.first,
          s.second * a.value + 2 * s.first * a.first + s.value * a.second};
}

Jet2 dot(const JetVector& a, const JetVector& b) {
  return {dot(a.value, b.value), dot(a.first, b.value) + dot(a.value, b.first),
          dot(a.second, b.value) + 2 * dot(a.first, b.first) + dot(a.value, b.second)};
}

JetVector cross(const JetVector& a, const JetVector& b) {
  return {cross(a.value, b.value), cross(a.first, b.value) + cross(a.value, b.first),
          cross(a.second, b.value) + 2 * cross(a.first, b.first) + cross(a.value, b.second)};
}

using Index = std::size_t;
constexpr Index index(int node) { return static_cast<Index>(node); }

/// Unnormalised normal of the triangle whose first node is `plane`.
Vector3 normal_of(const TrianglePair& x, int plane) {
  const Index c = index(plane);
  return cross(x[c + 1] - x[c], x[c + 2] - x[c]);
}

/// The two edges of a triangle that pierce the other one's plane, and their places on the line of
/// intersection.
struct Piercing {
  std::array<SegmentEnd, 2> ends;
  std::array<double, 2> along;  ///< ascending
};

bool is_needle(const TrianglePair& x, int plane, const Vector3& normal) {
  const Index c = index(plane);
  const Vector3 p = x[c + 1] - x[c], q = x[c + 2] - x[c], r = x[c + 2] - x[c + 1];
  return !(norm(normal) > degenerate_sine * std::max({dot(p, p), dot(q, q), dot(r, r)}));
}

/// Nothing unless nodes of the triangle lie strictly on both sides of the other one's plane.
std::optional<Piercing> pierce(const TrianglePair& x, int triangle, const Vector3& plane_normal,
                               const Vector3& direction) {
  const int plane = 3 - triangle;
  const Vector3& base = x[index(plane)];
  std::array<double, 3> height{};
  for (int i = 0; i < 3; ++i) height[index(i)] = dot(plane_normal, x[index(triangle + i)] - base);
  const auto [low, high] = std::minmax_element(height.begin(), height.end());
  if (!(*low < 0 && *high > 0)) return std::nullopt;

  // One node is alone on its side; its two edges pierce the plane.
  const std::array<bool, 3> above{height[0] >= 0, height[1] >= 0, height[2] >= 0};
  int alone = 0;
  if (above[0] == above[2]) alone = 1;
  if (above[0] == above[1]) alone = 2;
  Piercing piercing{};
  for (int k = 0; k < 2; ++k) {
    const int other = (alone + 1 + k) % 3;
    const double fraction = height[index(alone)] / (height[index(alone)] - height[index(other)]);
    const Vector3& tail = x[index(triangle + alone)];
    const Vector3 edge = x[index(triangle + other)] - tail;
    piercing.ends[index(k)] = {triangle + alone, triangle + other, plane};
    piercing.along[index(k)] = dot(direction, (tail - base) + fraction * edge);
  }
  if (piercing.along[0] > piercing.along[1]) {
    std::swap(piercing.along[0], piercing.along[1]);
    std::swap(piercing.ends[0], piercing.ends[1]);
  }
  // Both triangles have to measure from the same point.
  const double offset = dot(direction, base - x[0]);
  for (double& along : piercing.along) along += offset;
  return piercing;
}

bool is_parallel(const TrianglePair& x, const SegmentEnd& end, const Vector3& normal) {
  const Vector3 edge = x[index(end.head)] - x[index(end.tail)];
  return !(std::abs(dot(normal, edge)) > degenerate_sine * norm(normal) * norm(edge));
}

/// One end of the segment as it moves; positions and velocities are relative to those of node 0.
JetVector moving_end(const TrianglePair& x, const TrianglePair& v, const SegmentEnd& end) {
  const auto node = [&](int i) { return JetVector{x[index(i)] - x[0], v[index(i)] - v[0], {}}; };
  const JetVector tail = node(end.tail), head = node(end.head), base = node(end.plane);
  const JetVector normal = cross(node(end.plane + 1) - base, node(end.plane + 2) - base);
  const Jet2 tail_height = dot(normal, tail - base), head_height = dot(normal, head - base);
  return tail + (tail_height / (tail_height - head_height)) * (head - tail);
}

/// What the gradient needs of one end of the segment.
struct EndGeometry {
  Vector3 normal, edge;
  double fraction;      ///< A = tail + fraction edge
  double normal_edge;   ///< N·e
  Vector3 point;        ///< relative to node 0
  Vector3 barycentric;  ///< weights of A in the pierced triangle, sum 1
};

EndGeometry end_geometry(const TrianglePair& x, const SegmentEnd& end) {
  EndGeometry geometry{};
  const Index c = index(end.plane);
  const Vector3 p = x[c + 1] - x[c], q = x[c + 2] - x[c];
  const Vector3 tail = x[index(end.tail)] - x[c], head = x[index(end.head)] - x[c];
  geometry.normal = cross(p, q);
  geometry.edge = x[index(end.head)] - x[index(end.tail)];
  const double tail_height = dot(geometry.normal, tail);
  geometry.normal_edge = dot(geometry.normal, head) - tail_height;
  geometry.fraction = -tail_height / geometry.normal_edge;
  const Vector3 in_plane = tail + geometry.fraction * geometry.edge;
  const double area = dot(geometry.normal, geometry.normal);
  const double second = dot(geometry.normal, cross(in_plane, q)) / area;
  const double third = dot(geometry.normal, cross(p, in_plane)) / area;
  geometry.barycentric = {1 - second - third, second, third};
  geometry.point = in_plane + (x[c] - x[0]);
  return geometry;
}

/// Adds g·∂A/∂x for the end A, which slides along its edge so as to stay on the plane.
void add_end_gradient(const SegmentEnd& end, const EndGeometry& geometry, const Vector3& g,
                      TrianglePair& gradient) {
  const Vector3 sliding = (dot(g, geometry.edge) / geometry.normal_edge) * geometry.normal;
  gradient[index(end.tail)] += (1 - geometry.fraction) * (g - sliding);
  gradient[index(end.head)] += geometry.fraction * (g - sliding);
  for (Index k = 0; k < 3; ++k) gradient[index(end.plane) + k] += geometry.barycentric[k] * sliding;
}

/// Whether no two nodes of the triangle are on different sides of the plane. Cheap, so asked first.
bool on_one_side(const TrianglePair& x, int triangle, const Vector3& plane_normal) {
  const Vector3& base = x[index(3 - triangle)];
  bool above = false, below = false;
  for (int i = 0; i < 3; ++i) {
    const double height = dot(plane_normal, x[index(triangle + i)] - base);
    above = above || height > 0;
    below = below || height < 0;
  }
  return !(above && below);
}

/// The tensor Σ |y|² 1 − y ⊗ y of the points y, by columns.
std::array<Vector3, 3> inertia_of(const TrianglePair& y) {
  std::array<Vector3, 3> inertia{};
  for (const Vector3& point : y) {
    for (Index j = 0; j < 3; ++j) {
      inertia[j][j] += dot(point, point);
      for (Index k = 0; k < 3; ++k) inertia[j][k] -= point[j] * point[k];
    }
  }
  return inertia;
}

/// Removes what round-off left of the net force F and torque T by the smallest change of the six forces, δf =
/// −F/6 − α × y with Σ y × (α × y) = T and y relative to the centroid. Both are 0 in exact arithmetic, as the
/// potential depends on the shape of the pair alone; but an end that slides along a nearly parallel plane
/// multiplies the round-off of its place by a large force.
void balance(const TrianglePair& x, TrianglePair& forces) {
  Vector3 centroid{};
  for (const Vector3& point : x) centroid += (1.0 / 6) * (point - x[0]);
  TrianglePair y{};
  for (Index i = 0; i < 6; ++i) y[i] = (x[i] - x[0]) - centroid;
  auto inertia = inertia_of(y);
  // Points on one line have no inertia about it; with this addition the rest of the torque is still removed.
  const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
  for (Index k = 0; k < 3; ++k) inertia[k][k] += 1e-14 * trace;
  const double determinant = dot(inertia[0], cross(inertia[1], inertia[2]));
  for (int pass = 0; pass < 3; ++pass) {
    Vector3 force{}, torque{};
    for (Index i = 0; i < 6; ++i) {
      force += forces[i];
      torque += cross(y[i], forces[i]);
    }
    const Vector3 rotation = (1 / determinant) * (torque[0] * cross(inertia[1], inertia[2]) +
                                                  torque[1] * cross(inertia[2], inertia[0]) +
                                                  torque[2] * cross(inertia[0], inertia[1]));
    for (Index i = 0; i < 6; ++i) forces[i] -= (1.0 / 6) * force + cross(rotation, y[i]);
  }
}

/// How far the triangle is from the plane of the other one, if all its nodes are on one side of it, else 0;
/// in units in which a displacement counts by its largest component.
double distance_from_plane(const TrianglePair& x, int triangle) {
  const int plane = 3 - triangle;
  const Vector3 normal = normal_of(x, plane);
  const double size = std::abs(normal[0]) + std::abs(normal[1]) + std::abs(normal[2]);
  if (!(size > 0)) return 0;
  std::array<double, 3> height{};
  for (int i = 0; i < 3; ++i) height[index(i)] = dot(normal, x[index(triangle + i)] - x[index(plane)]);
  const auto [low, high] = std::minmax_element(height.begin(), height.end());
  return std::max({*low, -*high, 0.0}) / size;
}

}  // namespace

double separation(const TrianglePair& x, double enough) {
  double distance = 0;
  for (Index k = 0; k < 3; ++k) {
    const double first_low = std::min(std::min(x[0][k], x[1][k]), x[2][k]);
    const double first_high = std::max(std::max(x[0][k], x[1][k]), x[2][k]);
    const double second_low = std::min(std::min(x[3][k], x[4][k]), x[5][k]);
    const double second_high = std::max(std::max(x[3][k], x[4][k]), x[5][k]);
    distance = std::max(distance, std::max(second_low - first_high, first_low - second_high));
  }
  if (distance <= enough) distance = std::max(distance, distance_from_plane(x, 0));
  if (distance <= enough) distance = std::max(distance, distance_from_plane(x, 3));
  return distance;
}

std::optional<std::array<SegmentEnd, 2>> intersection_segment(const TrianglePair& x) {
  std::array<Vector3, 2> normal{};
  normal[1] = normal_of(x, 3);
  if (on_one_side(x, 0, normal[1])) return std::nullopt;
  normal[0] = normal_of(x, 0);
  if (on_one_side(x, 3, normal[0])) return std::nullopt;
  const Vector3 direction = cross(normal[0], normal[1]);
  const auto first = pierce(x, 0, normal[1], direction);
  if (!first) return std::nullopt;
  const auto second = pierce(x, 3, normal[0], direction);
  if (!second || is_needle(x, 0, normal[0]) || is_needle(x, 3, normal[1])) return std::nullopt;

  // The segment is what the two triangles' intervals on the line of intersection have in common.
  const bool first_begins = first->along[0] >= second->along[0],
             first_ends = first->along[1] <= second->along[1];
  const double begin = first_begins ? first->along[0] : second->along[0];
  const double end = first_ends ? first->along[1] : second->along[1];
  if (!(begin < end)) return std::nullopt;
  const std::array<SegmentEnd, 2> ends{first_begins ? first->ends[0] : second->ends[0],
                                       first_ends ? first->ends[1] : second->ends[1]};
  for (const SegmentEnd& e : ends) {
    if (is_parallel(x, e, normal[e.plane == 0 ? 0 : 1])) return std::nullopt;
  }
  return ends;
}

LineDerivatives segment_penalty(const TrianglePair& x, const TrianglePair& v) {
  const auto ends = intersection_segment(x);
  if (!ends) return {};
  const JetVector segment = moving_end(x, v, (*ends)[0]) - moving_end(x, v, (*ends)[1]);
  const Jet2 square = dot(segment, segment);
  return {0.5 * square.value, 0.5 * square.first, 0.5 * square.second};
}

std::optional<TrianglePair> segment_penalty_gradient(const TrianglePair& x) {
  const auto ends = intersection_segment(x);
  if (!ends) return std::nullopt;
  const EndGeometry a = end_geometry(x, (*ends)[0]), b = end_geometry(x, (*ends)[1]);
  const Vector3 segment = a.point - b.point;
  TrianglePair gradient{};
  add_end_gradient((*ends)[0], a, segment, gradient);
  add_end_gradient((*ends)[1], b, -1.0 * segment, gradient);
  balance(x, gradient);
  return gradient;
}

}  // namespace terrace
