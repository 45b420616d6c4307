// Whether two bodies are in each other, by a look into every tetrahedron. Unsigned distances of surfaces
// cannot tell.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <vector>

#include "mesh/model.hpp"

namespace terrace::brute_force {

inline double volume(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}

/// Counts surface nodes of a body inside tetrahedra of another, and surface edges of a body through surface
/// triangles of another.
class Overlap {
 public:
  explicit Overlap(const Model& model) : model_(model) {
    for (const Body& body : model.bodies) {
      SurfaceFeatures surface;
      for (const Triangle& t : body.boundary)
        for (std::size_t k = 0; k < 3; ++k) {
          surface.nodes.insert(t[k]);
          surface.edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
        }
      surfaces_.push_back(std::move(surface));
    }
  }

  /// Number of surface nodes of either body in the other and of surface edges through its surface.
  [[nodiscard]] int count(const std::vector<Vector3>& x, std::size_t a, std::size_t b) const {
    Range one(x, surfaces_[a]), other(x, surfaces_[b]);
    if (!one.meets(other)) return 0;
    return inside(x, a, b, other) + inside(x, b, a, one) + pierced(x, a, b, other) + pierced(x, b, a, one);
  }
  [[nodiscard]] int count(const std::vector<Vector3>& x) const {
    int sum = 0;
    for (std::size_t a = 0; a < surfaces_.size(); ++a)
      for (std::size_t b = a + 1; b < surfaces_.size(); ++b) sum += count(x, a, b);
    return sum;
  }

 private:
  struct SurfaceFeatures {
    std::set<std::int32_t> nodes;
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
  };
  struct Range {
    Vector3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    Range(const std::vector<Vector3>& x, const SurfaceFeatures& surface) {
      for (const std::int32_t node : surface.nodes)
        for (std::size_t k = 0; k < 3; ++k) {
          low[k] = std::min(low[k], x[static_cast<std::size_t>(node)][k]);
          high[k] = std::max(high[k], x[static_cast<std::size_t>(node)][k]);
        }
    }
    [[nodiscard]] bool meets(const Range& other) const {
      for (std::size_t k = 0; k < 3; ++k)
        if (low[k] > other.high[k] || high[k] < other.low[k]) return false;
      return true;
    }
    [[nodiscard]] bool holds(const Vector3& p) const {
      for (std::size_t k = 0; k < 3; ++k)
        if (p[k] < low[k] || p[k] > high[k]) return false;
      return true;
    }
  };

  template <std::size_t N>
  static std::array<Vector3, N> corners(const std::vector<Vector3>& x,
                                        const std::array<std::int32_t, N>& nodes) {
    std::array<Vector3, N> points;
    for (std::size_t i = 0; i < N; ++i) points[i] = x[static_cast<std::size_t>(nodes[i])];
    return points;
  }

  [[nodiscard]] int inside(const std::vector<Vector3>& x, std::size_t of, std::size_t in,
                           const Range& range) const {
    const Body& body = model_.bodies[in];
    int found = 0;
    for (const std::int32_t node : surfaces_[of].nodes) {
      const Vector3& p = x[static_cast<std::size_t>(node)];
      if (!range.holds(p)) continue;
      for (std::int32_t e = 0; e < body.tetrahedron_count; ++e) {
        const auto t = corners(x, model_.tetrahedra[static_cast<std::size_t>(body.first_tetrahedron + e)]);
        // All four parts have the sign of the whole.
        const double whole = volume(t[0], t[1], t[2], t[3]);
        if (volume(p, t[1], t[2], t[3]) / whole > 0 && volume(t[0], p, t[2], t[3]) / whole > 0 &&
            volume(t[0], t[1], p, t[3]) / whole > 0 && volume(t[0], t[1], t[2], p) / whole > 0)
          ++found;
      }
    }
    return found;
  }

  [[nodiscard]] int pierced(const std::vector<Vector3>& x, std::size_t of, std::size_t through,
                            const Range& range) const {
    int found = 0;
    for (const auto& [from, to] : surfaces_[of].edges) {
      const Vector3 &p = x[static_cast<std::size_t>(from)], &q = x[static_cast<std::size_t>(to)];
      bool beside = false;
      for (std::size_t k = 0; k < 3; ++k)
        beside = beside || std::max(p[k], q[k]) < range.low[k] || std::min(p[k], q[k]) > range.high[k];
      if (beside) continue;
      for (const Triangle& triangle : model_.bodies[through].boundary) {
        const auto t = corners(x, triangle);
        // The ends on different sides, and the line through the triangle on the same side of all its sides.
        if ((volume(t[0], t[1], t[2], p) > 0) == (volume(t[0], t[1], t[2], q) > 0)) continue;
        const bool one = volume(p, q, t[0], t[1]) > 0, two = volume(p, q, t[1], t[2]) > 0,
                   three = volume(p, q, t[2], t[0]) > 0;
        if (one == two && two == three) ++found;
      }
    }
    return found;
  }

  const Model& model_;
  std::vector<SurfaceFeatures> surfaces_;
};

}  // namespace terrace::brute_force
