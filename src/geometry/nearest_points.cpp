#include "geometry/nearest_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/infinity.hpp"

namespace terrace {
namespace {

/// A point of a feature counts as on its rim if one of its weights is smaller than this.
constexpr double on_the_rim = 1e-9;
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

struct Best {
  std::array<double, 4> weights{};
  double squared = infinity;
};

Vector3 connection(const std::array<double, 4>& w, const PairNodes& x) {
  // Relative to one point, as Σ w = 0.
  return w[1] * (x[1] - x[0]) + w[2] * (x[2] - x[0]) + w[3] * (x[3] - x[0]);
}

void keep_nearer(const std::array<double, 4>& weights, const PairNodes& x, Best& best) {
  const Vector3 d = connection(weights, x);
  const double squared = dot(d, d);
  if (squared < best.squared) best = {weights, squared};
}

/// Keeps the nearest points of point p and segment (a, b), indices into x, if they are nearer than `best`.
/// `sign`: +1 if p belongs to the first feature, else −1.
void point_and_segment(const PairNodes& x, std::size_t p, std::size_t a, std::size_t b, double sign,
                       Best& best) {
  const Vector3 edge = x[b] - x[a];
  const double length = dot(edge, edge);
  const double along = length > 0 ? std::clamp(dot(x[p] - x[a], edge) / length, 0.0, 1.0) : 0.0;
  std::array<double, 4> weights{};
  weights[p] = sign;
  weights[a] = -sign * (1 - along);
  weights[b] = -sign * along;
  keep_nearer(weights, x, best);
}

/// Keeps the foot of the perpendicular from the vertex if it lies within the triangle.
void foot_in_triangle(const PairNodes& x, const Vector3& m, Best& best) {
  const double squared = dot(m, m);
  if (!(squared > 0)) return;
  const Vector3 second = x[2] - x[1], third = x[3] - x[1];
  double b2 = 0, b3 = 0;
  for (int pass = 0; pass < 2; ++pass) {  // the second pass corrects rounding for flat triangles
    const Vector3 rest = ((x[0] - x[1]) - b2 * second) - b3 * third;
    b2 += dot(cross(rest, third), m) / squared;
    b3 += dot(cross(second, rest), m) / squared;
  }
  const double b1 = 1 - b2 - b3;
  if (b1 >= 0 && b2 >= 0 && b3 >= 0) keep_nearer({1, -b1, -b2, -b3}, x, best);
}

/// Keeps the common perpendicular of the lines if it meets both edges.
void common_perpendicular(const PairNodes& x, const Vector3& m, Best& best) {
  const double squared = dot(m, m);
  if (!(squared > 0)) return;
  const Vector3 first = x[1] - x[0], second = x[3] - x[2];
  const double a = dot(cross(x[2] - x[0], second), m) / squared;
  if (!(a >= 0 && a <= 1)) return;
  // The foot on the other edge is found from this one: an error of a hardly counts then, however small the
  // angle.
  const double b = dot((x[0] - x[2]) + a * first, second) / dot(second, second);
  if (b >= 0 && b <= 1) keep_nearer({1 - a, a, b - 1, -b}, x, best);
}

double largest_extent(const PairNodes& x) {
  double largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(x[i][k] - x[0][k]));
  return largest;
}

/// The edge on which nearest points lie that are neither within a triangle nor at a crossing of edges; for
/// parallel edges either one. Zero if two vertices are nearest.
Vector3 edge_of_contact(PairKind kind, const std::array<double, 4>& weights, const PairNodes& x) {
  const std::size_t firsts = kind == PairKind::vertex_triangle ? 1 : 2;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j)
      if (std::abs(weights[i]) > on_the_rim && std::abs(weights[j]) > on_the_rim &&
          (i < firsts) == (j < firsts))
        return x[j] - x[i];
  return {};
}

Vector3 any_direction_across(const Vector3& edge) {
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(edge[k]) < std::abs(edge[least])) least = k;
  Vector3 axis{};
  axis[least] = 1;
  const Vector3 across = cross(edge, axis);
  return norm(across) > 0 ? (1 / norm(across)) * across : axis;
}

/// The direction out of the second body and into the first, from normals interpolated to the nearest points.
Vector3 into_first(const std::array<double, 4>& weights, const PairNodes& normals) {
  Vector3 sum{};
  for (std::size_t i = 0; i < 4; ++i) sum -= weights[i] * normals[i];
  return sum;
}

/// For features on top of each other at an edge or a vertex: the unit vector of `outward` less its part along
/// the edge.
Vector3 outward_across(const Vector3& edge, const Vector3& outward) {
  const double squared = dot(edge, edge);
  const Vector3 across = squared > 0 ? outward - (dot(outward, edge) / squared) * edge : outward;
  return norm(across) > 1e-6 * norm(outward) ? (1 / norm(across)) * across : any_direction_across(edge);
}

}  // namespace

NearestPoints nearest_points(PairKind kind, const PairNodes& x, double touching, const PairNodes& normals) {
  const bool triangle = kind == PairKind::vertex_triangle;
  const Vector3 first = triangle ? x[2] - x[1] : x[1] - x[0], second = triangle ? x[3] - x[1] : x[3] - x[2];
  const Vector3 m = cross(first, second);
  Best best;
  if (triangle) {
    foot_in_triangle(x, m, best);
  } else {
    common_perpendicular(x, m, best);
  }
  // Without rounding, a foot inside is the nearest point. The rim is looked at if there is no such foot, and
  // where features are nearly degenerate (|m| small).
  const double spread = norm(first) * norm(second);
  const double sine = spread > 0 ? norm(m) / spread : 0;
  const bool foot_found = std::isfinite(best.squared);
  if (!foot_found || sine < 1e-6) {
    if (triangle) {
      point_and_segment(x, 0, 1, 2, 1, best);
      point_and_segment(x, 0, 2, 3, 1, best);
      point_and_segment(x, 0, 3, 1, 1, best);
    } else {
      point_and_segment(x, 0, 2, 3, 1, best);
      point_and_segment(x, 1, 2, 3, 1, best);
      point_and_segment(x, 2, 0, 1, -1, best);
      point_and_segment(x, 3, 0, 1, -1, best);
    }
  }
  NearestPoints result;
  result.weights = best.weights;
  result.distance = std::sqrt(best.squared);
  const Vector3 d = connection(best.weights, x);
  const double difference_error = rounding * largest_extent(x) / result.distance;
  const double cross_error = sine > 0 ? rounding / sine : 1;
  const bool coincide = !(result.distance > 1e-3 * touching);
  const bool inside = foot_found && sine >= 1e-6;
  // On the rim of a face its normal tells nothing: a neighbouring face may be the one that is touched.
  const bool off_the_rim = std::none_of(best.weights.begin(), best.weights.end(),
                                        [](double w) { return std::abs(w) <= on_the_rim; });
  if (inside && (coincide ? off_the_rim : cross_error < difference_error)) {
    const Vector3 outward = coincide ? into_first(best.weights, normals) : Vector3{};
    const double side = coincide ? dot(m, outward) : dot(m, d);
    result.normal = (side < 0 ? -1 : 1) / norm(m) * m;
    result.normal_error = cross_error;
  } else if (coincide) {
    result.normal = outward_across(edge_of_contact(kind, best.weights, x), into_first(best.weights, normals));
    result.normal_error = rounding;
  } else {
    result.normal = (1 / result.distance) * d;
    result.normal_error = std::min(1.0, difference_error);
  }
  return result;
}

bool closing(const NearestPoints& nearest, const PairNodes& v) {
  double rate = 0, scale = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    rate += nearest.weights[i] * dot(nearest.normal, v[i] - v[0]);
    scale += std::abs(nearest.weights[i]) * norm(v[i]);
  }
  return rate < -1e-13 * scale;
}

}  // namespace terrace
