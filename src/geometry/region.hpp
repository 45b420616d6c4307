// Regions of space with an implicit function: balls, half-spaces and what a formula says, their intersections
// and unions.
#pragma once

#include <vector>

#include "geometry/vector3.hpp"
#include "numerics/formula.hpp"

namespace terrace {

/// A half-space, a ball, or where a formula is negative: where g(x) < 0. g is the distance from its surface
/// [length], with a sign; of a formula f it is f / |∇f|, which is that near the surface.
struct RegionPart {
  enum class Kind { half_space, ball, formula };
  Kind kind = Kind::half_space;
  Vector3 point{};     ///< on the plane, or the centre
  Vector3 normal{};    ///< unit, out of the half-space
  double radius = 0;   ///< of the ball [length]
  bool inside = true;  ///< false: what is outside it
  Formula function{};  ///< of x, y, z
  [[nodiscard]] double signed_distance(const Vector3& x) const;
  /// ∇g, or ∇f / |∇f| of a formula, which is ∇g on its surface alone; 0 where it has no direction.
  [[nodiscard]] Vector3 outward(const Vector3& x) const;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [kind, point, normal, radius, inside, function] = self;
    archive(kind, point, normal, radius, inside, function);
  }
};

/// The union of intersections of such parts: g = min over the pieces of the max over their parts, an implicit
/// function whose zero set is the interface, with corners where surfaces meet. Without formulas
/// |g(x) − g(y)| ≤ |x − y|.
struct Region {
  std::vector<std::vector<RegionPart>> pieces;
  bool complement = false;  ///< all but that
  [[nodiscard]] double signed_distance(const Vector3& x) const;
  /// Of the part that decides g at x: the unit normal out of the region.
  [[nodiscard]] Vector3 outward(const Vector3& x) const;
  [[nodiscard]] bool contains(const Vector3& x) const { return signed_distance(x) < 0; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [pieces, complement] = self;
    archive(pieces, complement);
  }
};

}  // namespace terrace
