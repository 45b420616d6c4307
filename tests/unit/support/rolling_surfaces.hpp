// Irregular surfaces in contact that roll and slide over each other for long.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "parallel/exact_sum.hpp"
#include "potentials/node_line.hpp"
#include "potentials/on_line.hpp"
#include "support/brute_force_contact.hpp"

namespace terrace::rolling {

using brute_force::Real;
using Random = std::mt19937_64;

inline Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

struct Bodies {
  std::vector<Vector3> reference;
  std::vector<Triangle> first, second;
  std::size_t first_nodes = 0;

  void end_of_first() { first_nodes = reference.size(); }
  /// As one surface: contact with itself.
  void unite() {
    first.insert(first.end(), second.begin(), second.end());
    second = first;
  }
};

/// Irregular balls of the radii 1 and 0.8, the second one beside the first.
inline void add_ball(Bodies& bodies, std::vector<Triangle>& triangles, double radius, const Vector3& centre,
                     Random& random) {
  constexpr int rings = 5, around = 7;
  const auto base = static_cast<std::int32_t>(bodies.reference.size());
  const auto node = [&](int i, int j) { return base + 1 + (i - 1) * around + j % around; };
  const std::int32_t south = node(rings, 0);
  bodies.reference.push_back(centre + Vector3{0, 0, radius});
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double theta = M_PI * i / rings, phi = 2 * M_PI * j / around;
      const Vector3 x = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
      bodies.reference.push_back(centre + radius * (x + random_vector(random, 0.1)));
    }
  bodies.reference.push_back(centre + Vector3{0, 0, -radius});
  for (int j = 0; j < around; ++j) {
    triangles.push_back({base, node(1, j), node(1, j + 1)});
    triangles.push_back({south, node(rings - 1, j + 1), node(rings - 1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
      triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  }
}

inline Bodies balls(Random& random) {
  Bodies bodies;
  add_ball(bodies, bodies.first, 1, {}, random);
  bodies.end_of_first();
  add_ball(bodies, bodies.second, 0.8, {2.1, 0, 0}, random);
  return bodies;
}

/// Two nearly flat sheets with sides that are all but parallel, one above the other.
inline Bodies sheets(Random& random) {
  constexpr int n = 4;
  Bodies bodies;
  for (int sheet = 0; sheet < 2; ++sheet) {
    const auto base = static_cast<std::int32_t>(bodies.reference.size());
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        bodies.reference.push_back(Vector3{0.12 * sheet, 0.5 * i, 0.5 * j} + random_vector(random, 0.006));
    const auto node = [&](int i, int j) { return base + i * (n + 1) + j; };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        auto& triangles = sheet == 0 ? bodies.first : bodies.second;
        triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
        triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
      }
    if (sheet == 0) bodies.end_of_first();
  }
  return bodies;
}

/// Lines of one stretch after the other: the second body is led to a distance of about half d̂ from the first
/// and slides and rolls over it, every node trembling.
class Motion {
 public:
  Motion(const Bodies& bodies, const brute_force::Contact& twin, double activation, bool rolls,
         Random& random)
      : bodies_(bodies), twin_(twin), activation_(activation), rolls_(rolls), random_(random) {
    positions = bodies.reference;
    lines.assign(positions.size(), {});
  }
  /// The next stretch, from `origin` on for the time 1; the first body's nodes move only if `both`.
  void next(double origin, bool both) {
    const double distance = static_cast<double>(twin_.distance(positions));
    const double approach = (distance - 0.45 * activation_) / 2;
    Vector3 centre{}, other{};
    for (std::size_t a = 0; a < positions.size(); ++a)
      (a < bodies_.first_nodes ? other : centre) += positions[a];
    centre = 1.0 / static_cast<double>(positions.size() - bodies_.first_nodes) * centre;
    other = 1.0 / static_cast<double>(bodies_.first_nodes) * other;
    const Vector3 apart = centre - other;
    const Vector3 towards = rolls_ ? (-approach / norm(apart)) * apart : Vector3{-approach, 0, 0};
    const double time = origin;
    const Vector3 slide = rolls_
                              ? 0.3 * activation_ * Vector3{0, std::cos(0.07 * time), std::sin(0.05 * time)}
                              : 0.3 * activation_ * Vector3{0, std::cos(0.1 * time), std::sin(0.13 * time)};
    const Vector3 spin = rolls_ ? Vector3{0.05, 0.08 * std::cos(0.03 * time), 0.09} : Vector3{};
    for (std::size_t a = 0; a < lines.size(); ++a) {
      const bool is_second = a >= bodies_.first_nodes;
      if (!is_second && !both) continue;
      // Velocities on a coarse grid of numbers, so that positions below repeat the potential's.
      const Vector3 tremble = random_vector(random_, (rolls_ ? 0.03 : 0.002) * activation_);
      // A tremble that stays: what has moved off comes back.
      const Vector3 back = is_second ? Vector3{} : 0.2 * (bodies_.reference[a] - positions[a]);
      const Vector3 velocity =
          is_second ? towards + slide + cross(spin, positions[a] - centre) + tremble : back + tremble;
      lines[a] = {positions[a] - bodies_.reference[a], velocity, origin, 1};
    }
  }
  [[nodiscard]] std::vector<Vector3> at(double instant) const {
    std::vector<Vector3> x(lines.size());
    for (std::size_t a = 0; a < x.size(); ++a)
      x[a] = bodies_.reference[a] + lines[a].displacement_at(instant);
    return x;
  }

  std::vector<Vector3> positions;
  std::vector<NodeLine> lines;

 private:
  const Bodies& bodies_;
  const brute_force::Contact& twin_;
  double activation_;
  bool rolls_;
  Random& random_;
};

inline LineGrids grids() {
  const Grid fine = Grid::holding(100, 4096), wide = Grid::holding(1e6, 4096);
  return {DoubleGrid::holding(1e3, 65536), fine, wide, wide, wide, wide, wide, wide};
}

}  // namespace terrace::rolling
