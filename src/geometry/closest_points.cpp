#include "geometry/closest_points.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

Vector3 combination(const std::array<double, 4>& weights, const PairNodes& x) {
  return weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2] + weights[3] * x[3];
}

ClosestPoints at_corner(const PairNodes& x, int corner) {
  ClosestPoints closest{{1, 0, 0, 0}, {}, 0, {}};
  at(closest.weights, corner) = -1;
  closest.difference = x[0] - at(x, corner);
  return closest;
}

/// The vertex and the point at the share `t` of the triangle's side from node i to node j.
ClosestPoints at_side(const PairNodes& x, int i, int j, double t) {
  ClosestPoints closest{{1, 0, 0, 0}, {}, 1, {}};
  at(closest.weights, i) = -(1 - t);
  at(closest.weights, j) = -t;
  closest.directions[0] = {i, j};
  closest.difference = combination(closest.weights, x);
  return closest;
}

/// The part of the difference along the normal, for closest points inside a face or inside both edges: its
/// direction is exact however small it is.
Vector3 along_normal(const Vector3& difference, const Vector3& normal, double square) {
  return (dot(difference, normal) / square) * normal;
}

/// The closest point of the sides, for a triangle without area, where rounding would decide in which region
/// the vertex is.
ClosestPoints at_nearest_side(const PairNodes& x) {
  constexpr int sides[3][2] = {{1, 2}, {1, 3}, {2, 3}};
  ClosestPoints nearest;
  double least = infinity;
  for (const auto& [i, j] : sides) {
    const Vector3& from = at(x, i);
    const Vector3 side = at(x, j) - from;
    const double square = dot(side, side);
    const double t = square > 0 ? std::clamp(dot(x[0] - from, side) / square, 0.0, 1.0) : 0.0;
    const ClosestPoints closest = t == 0 ? at_corner(x, i) : t == 1 ? at_corner(x, j) : at_side(x, i, j, t);
    const double distance = dot(closest.difference, closest.difference);
    if (!(distance < least)) continue;
    least = distance;
    nearest = closest;
  }
  return nearest;
}

ClosestPoints vertex_triangle(const PairNodes& x) {
  const Vector3 ab = x[2] - x[1], ac = x[3] - x[1], ap = x[0] - x[1];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return at_corner(x, 1);
  const Vector3 bp = x[0] - x[2];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return at_corner(x, 2);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) return at_side(x, 1, 2, d1 / (d1 - d3));
  const Vector3 cp = x[0] - x[3];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return at_corner(x, 3);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 - d6 > 0) return at_side(x, 1, 3, d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4, to_c = d4 - d3, to_b = d5 - d6;
  const double sum = va + vb + vc;
  if (va <= 0 && to_c >= 0 && to_b >= 0 && to_c + to_b > 0) return at_side(x, 2, 3, to_c / (to_c + to_b));
  const Vector3 normal = cross(ab, ac);
  const double square = dot(normal, normal);
  if (!(sum > 0) || !(square > 0)) return at_nearest_side(x);
  const double v = vb / sum, w = vc / sum;
  ClosestPoints closest{{1, -(1 - v - w), -v, -w}, {}, 2, {}};
  closest.directions = {{{1, 2}, {1, 3}}};
  closest.difference = along_normal(ap, normal, square);
  return closest;
}

ClosestPoints edge_edge(const PairNodes& x) {
  const Vector3 d1 = x[1] - x[0], d2 = x[3] - x[2], r = x[0] - x[2];
  const double a = dot(d1, d1), e = dot(d2, d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r);
  const Vector3 normal = cross(d1, d2);
  const double square = dot(normal, normal);
  double s = square > 0 ? std::clamp((b * f - c * e) / square, 0.0, 1.0) : 0.0;
  double t = e > 0 ? (b * s + f) / e : 0.0;
  if (t < 0 || t > 1 || !(e > 0)) {
    t = t > 1 ? 1.0 : std::max(t, 0.0);
    s = a > 0 ? std::clamp((t * b - c) / a, 0.0, 1.0) : 0.0;
  }
  ClosestPoints closest{{1 - s, s, -(1 - t), -t}, {}, 0, {}};
  const bool first_free = s > 0 && s<1, second_free = t> 0 && t < 1;
  if (first_free) at(closest.directions, closest.free_directions++) = {0, 1};
  if (second_free) at(closest.directions, closest.free_directions++) = {2, 3};
  // With nearly parallel edges the normal is no better than the difference itself.
  const bool crossing = first_free && second_free && square > 1e-12 * a * e;
  closest.difference = crossing ? along_normal(r, normal, square) : combination(closest.weights, x);
  return closest;
}

}  // namespace

ClosestPoints closest_points(PairKind kind, const PairNodes& positions) {
  return kind == PairKind::vertex_triangle ? vertex_triangle(positions) : edge_edge(positions);
}

SquaredDistance squared_distance(const ClosestPoints& closest, const PairNodes& positions,
                                 const PairNodes& velocities) {
  const Vector3& r = closest.difference;
  const Vector3 rate = combination(closest.weights, velocities);
  std::array<Vector3, 2> g{};
  std::array<double, 2> h{};
  const int count = closest.free_directions;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    const auto i = static_cast<std::size_t>(closest.directions[k].first);
    const auto j = static_cast<std::size_t>(closest.directions[k].second);
    // The second of two edges has negative weights: g and h both have the opposite sign then, which cancels.
    g[k] = positions[j] - positions[i];
    h[k] = dot(g[k], rate) + dot(velocities[j] - velocities[i], r);
  }
  double sliding = 0;
  if (count == 1) {
    const double square = dot(g[0], g[0]);
    sliding = square > 0 ? h[0] * h[0] / square : 0;
  } else if (count == 2) {
    const double a = dot(g[0], g[0]), b = dot(g[0], g[1]), c = dot(g[1], g[1]);
    const double determinant = a * c - b * b;
    if (determinant > 1e-14 * a * c)
      sliding = (c * h[0] * h[0] - 2 * b * h[0] * h[1] + a * h[1] * h[1]) / determinant;
  }
  return {dot(r, r), 2 * dot(r, rate), 2 * (dot(rate, rate) - sliding)};
}

}  // namespace terrace
