// Smooth contact of two surfaces as a sum over all pairs, without lists, by formulas of its own in long
// double. The potential is compared with it. It shares nothing with src/ but the types of its arguments.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "geometry/vector3.hpp"
#include "mesh/tetrahedral_mesh.hpp"

namespace terrace::brute_force {

using Real = long double;
using Point = std::array<Real, 3>;

inline Point point(const Vector3& a) { return {a[0], a[1], a[2]}; }
inline Real inner(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Point added(const Point& a, Real factor, const Point& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
inline Point minus(const Point& a, const Point& b) { return added(a, -1, b); }
inline Real length(const Point& a) { return std::sqrt(inner(a, a)); }

/// The nearest points of two simplices: Σ weight_i x_i = difference is the vector from the point of the
/// second to that of the first.
struct Nearest {
  Real distance = HUGE_VALL;
  std::array<Real, 4> weights{};
  Point difference{};
};

/// The nearest points of the simplex of the first `firsts` of four points and that of the others. For every
/// pair of their faces (every active set of the quadratic programme) finds the nearest points of the planes
/// through the two faces, and keeps the nearest ones that lie in the faces.
inline Nearest nearest(std::size_t firsts, const std::array<Point, 4>& x) {
  Nearest best;
  for (unsigned chosen = 1; chosen < 16; ++chosen) {
    // Unknowns: the weights of the corners of either face but its first one; at most two.
    std::array<std::array<std::size_t, 2>, 2> steps{};
    std::size_t count = 0;
    std::size_t corner[2] = {4, 4};  // the first one of either face
    for (std::size_t i = 0; i < 4; ++i) {
      if ((chosen >> i & 1) == 0) continue;
      std::size_t& first = corner[i < firsts ? 0 : 1];
      if (first < 4) steps[count++] = {first, i};
      if (first == 4) first = i;
    }
    if (corner[0] == 4 || corner[1] == 4) continue;
    const Point start = minus(x[corner[0]], x[corner[1]]);
    std::array<Point, 2> g{};
    for (std::size_t k = 0; k < count; ++k) {
      g[k] = minus(x[steps[k][1]], x[steps[k][0]]);
      if (steps[k][0] >= firsts) g[k] = added({}, -1, g[k]);
    }
    std::array<Real, 2> share{};
    const Real a = inner(g[0], g[0]), b = inner(g[0], g[1]), c = inner(g[1], g[1]);
    const Real p = -inner(g[0], start), q = -inner(g[1], start);
    if (count == 1) share[0] = p / a;
    if (count == 2) {
      const Real determinant = a * c - b * b;
      if (!(determinant > 1e-15L * a * c)) continue;
      share = {(c * p - b * q) / determinant, (a * q - b * p) / determinant};
    }
    Nearest found;
    found.weights[corner[0]] += 1;
    found.weights[corner[1]] -= 1;
    for (std::size_t k = 0; k < count; ++k) {
      const Real sign = steps[k][0] < firsts ? 1 : -1;
      found.weights[steps[k][0]] -= sign * share[k];
      found.weights[steps[k][1]] += sign * share[k];
    }
    bool inside = true;
    for (std::size_t i = 0; i < 4; ++i)
      inside = inside && (i < firsts ? found.weights[i] : -found.weights[i]) >= 0;
    if (!inside) continue;
    found.difference = added(added(start, share[0], g[0]), share[1], g[1]);
    found.distance = length(found.difference);
    if (found.distance < best.distance) best = found;
  }
  return best;
}

/// The sums over all pairs at some positions.
struct Sum {
  Real value = 0;
  std::vector<Point> gradient;      ///< by node
  Real least_distance = HUGE_VALL;  ///< of the pairs in contact
  int vertices_of_first = 0, vertices_of_second = 0, edges = 0, parallel_edges = 0;  ///< pairs in contact
};

/// V = κ Σ A/3 m ψ(d).
class Contact {
 public:
  enum class Profile { barrier, gap };

  Contact(std::span<const Vector3> reference, const std::vector<Triangle>& first,
          const std::vector<Triangle>& second, Profile profile, double activation, double stiffness)
      : profile_(profile), activation_(activation), nodes_(reference.size()) {
    const bool self = first == second;
    const Features one(reference, first), other(reference, second);
    for (const auto& [node, area] : one.vertices) surface_nodes_[0].push_back(node);
    for (const auto& [node, area] : other.vertices) surface_nodes_[1].push_back(node);
    const auto vertices = [&](const Features& of, const std::vector<Triangle>& faces, Kind kind) {
      for (const auto& [node, area] : of.vertices)
        for (const Triangle& face : faces) {
          if (std::find(face.begin(), face.end(), node) != face.end()) continue;
          pairs_.push_back({kind, {node, face[0], face[1], face[2]}, stiffness * area / 3, 0});
        }
    };
    vertices(one, second, Kind::vertex_of_first);
    if (!self) vertices(other, first, Kind::vertex_of_second);
    for (const auto& [e, area_e] : one.edges)
      for (const auto& [f, area_f] : other.edges) {
        if (self && !(e < f)) continue;
        if (std::set<std::int32_t>{e.first, e.second, f.first, f.second}.size() < 4) continue;
        const Real length_e = distance_of(reference, e), length_f = distance_of(reference, f);
        const Real area = std::numbers::pi_v<Real> / 2 * (area_e / length_e) * (area_f / length_f);
        const Real size = length_e * length_f;
        pairs_.push_back(
            {Kind::edges, {e.first, e.second, f.first, f.second}, stiffness * area / 3, size * size / 1000});
      }
  }

  [[nodiscard]] Sum at(std::span<const Vector3> positions) const {
    Sum sum;
    sum.gradient.resize(nodes_);
    for (const Pair& pair : pairs_) add(pair, positions, sum);
    return sum;
  }

  /// Least distance of any two features, or `within` if that is less.
  [[nodiscard]] Real distance(std::span<const Vector3> positions, Real within = HUGE_VALL) const {
    Real least = within;
    for (std::size_t k = 0; k < 3 && within < HUGE_VALL; ++k) {
      Real low[2] = {HUGE_VALL, HUGE_VALL}, high[2] = {-HUGE_VALL, -HUGE_VALL};
      for (const int side : {0, 1})
        for (const std::int32_t node : surface_nodes_[side]) {
          const Real x = positions[static_cast<std::size_t>(node)][k];
          low[side] = std::min(low[side], x);
          high[side] = std::max(high[side], x);
        }
      if (low[0] - high[1] > within || low[1] - high[0] > within) return within;
    }
    for (const Pair& pair : pairs_) {
      const auto x = corners(pair, positions);
      if (apart(pair.firsts(), x) < least) least = std::min(least, nearest(pair.firsts(), x).distance);
    }
    return least;
  }

 private:
  using NodePair = std::pair<std::int32_t, std::int32_t>;
  enum class Kind { vertex_of_first, vertex_of_second, edges };
  struct Pair {
    Kind kind;
    std::array<std::int32_t, 4> nodes;
    Real stiffness, parallel;
    [[nodiscard]] std::size_t firsts() const { return kind == Kind::edges ? 2 : 1; }
  };
  /// Vertices with a third of the triangles around them, edges with a third of those beside them.
  struct Features {
    Features(std::span<const Vector3> reference, const std::vector<Triangle>& triangles) {
      for (const Triangle& t : triangles) {
        const NodePair sides[3] = {std::minmax(t[0], t[1]), std::minmax(t[1], t[2]), std::minmax(t[0], t[2])};
        const Real a = distance_of(reference, sides[0]), b = distance_of(reference, sides[1]),
                   c = distance_of(reference, sides[2]), s = (a + b + c) / 2;
        const Real third = std::sqrt(s * (s - a) * (s - b) * (s - c)) / 3;  // Heron
        for (const std::int32_t node : t) vertices[node] += third;
        for (const NodePair& side : sides) edges[side] += third;
      }
    }
    std::map<std::int32_t, Real> vertices;
    std::map<NodePair, Real> edges;
  };

  static Real distance_of(std::span<const Vector3> x, const NodePair& nodes) {
    return length(minus(point(x[static_cast<std::size_t>(nodes.first)]),
                        point(x[static_cast<std::size_t>(nodes.second)])));
  }
  static std::array<Point, 4> corners(const Pair& pair, std::span<const Vector3> positions) {
    std::array<Point, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = point(positions[static_cast<std::size_t>(pair.nodes[i])]);
    return x;
  }
  /// A lower bound of the distance: the largest gap along an axis.
  static Real apart(std::size_t firsts, const std::array<Point, 4>& x) {
    Real most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      Real low[2] = {HUGE_VALL, HUGE_VALL}, high[2] = {-HUGE_VALL, -HUGE_VALL};
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t side = i < firsts ? 0 : 1;
        low[side] = std::min(low[side], x[i][k]);
        high[side] = std::max(high[side], x[i][k]);
      }
      most = std::max({most, low[0] - high[1], low[1] - high[0]});
    }
    return most;
  }

  void add(const Pair& pair, std::span<const Vector3> positions, Sum& sum) const {
    const auto x = corners(pair, positions);
    if (apart(pair.firsts(), x) >= activation_) return;
    const Nearest closest = nearest(pair.firsts(), x);
    if (closest.distance >= activation_) return;
    sum.least_distance = std::min(sum.least_distance, closest.distance);
    const Real u = closest.distance / activation_, rest = 1 - u;
    const bool barrier = profile_ == Profile::barrier;
    const Real psi = barrier ? -rest * rest * std::log(u) : rest * rest / 2;
    const Real psi_rate = (barrier ? 2 * rest * std::log(u) - rest * rest / u : -rest) / activation_;
    Real m = 1, m_rate = 0;
    const Point e = minus(x[1], x[0]), f = minus(x[3], x[2]);
    if (pair.kind == Kind::edges) {
      const Real c = inner(e, e) * inner(f, f) - inner(e, f) * inner(e, f),
                 y = c / pair.parallel;  // Lagrange
      if (y < 1) {
        m = 1 - (1 - y) * (1 - y);
        m_rate = 2 * (1 - y) / pair.parallel;
        ++sum.parallel_edges;
      }
      ++sum.edges;
      const Point by_e = added(added({}, 2 * inner(f, f), e), -2 * inner(e, f), f);
      const Point by_f = added(added({}, 2 * inner(e, e), f), -2 * inner(e, f), e);
      const Real factor = pair.stiffness * psi * m_rate;
      for (const auto& [node, sign, by] :
           {std::tuple{0, -1, by_e}, std::tuple{1, 1, by_e}, std::tuple{2, -1, by_f}, std::tuple{3, 1, by_f}})
        push(sum, pair, static_cast<std::size_t>(node), static_cast<Real>(sign) * factor, by);
    } else {
      ++(pair.kind == Kind::vertex_of_first ? sum.vertices_of_first : sum.vertices_of_second);
    }
    sum.value += pair.stiffness * m * psi;
    for (std::size_t i = 0; i < 4; ++i)
      push(sum, pair, i, pair.stiffness * m * psi_rate * closest.weights[i] / closest.distance,
           closest.difference);
  }
  static void push(Sum& sum, const Pair& pair, std::size_t i, Real factor, const Point& direction) {
    Point& force = sum.gradient[static_cast<std::size_t>(pair.nodes[i])];
    force = added(force, factor, direction);
  }

  Profile profile_;
  Real activation_;
  std::size_t nodes_;
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> surface_nodes_[2];
};

}  // namespace terrace::brute_force
