// Regions of space with an implicit function: balls, half-spaces and where a formula is negative, their
// intersections and unions.
#pragma once

#include <vector>

#include "geometry/vector3.hpp"
#include "numerics/formula.hpp"

namespace terrace {

/// The places where g(x) < 0: a half-space, a ball, or where a formula f is negative. g is the signed
/// distance from its surface [length]; for a formula it is f / |∇f|, which is the distance near the surface
/// alone.
struct RegionPart {
  enum class Kind { half_space, ball, formula };
  Kind kind = Kind::half_space;
  Vector3 point{};     ///< on the plane, or the ball's centre
  Vector3 normal{};    ///< unit, out of the half-space
  double radius = 0;   ///< of the ball [length]
  bool inside = true;  ///< of the ball; false: the part is all that is outside it
  Formula function{};  ///< of x, y, z
  /// g(x).
  [[nodiscard]] double signed_distance(const Vector3& x) const;
  /// ∇g, or for a formula ∇f / |∇f|, which is ∇g on its surface alone; 0 where there is no direction.
  [[nodiscard]] Vector3 outward(const Vector3& x) const;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [kind, point, normal, radius, inside, function] = self;
    archive(kind, point, normal, radius, inside, function);
  }
};

/// A union of pieces, each an intersection of parts: g = min over the pieces of the max over their parts. The
/// zero set of g is the interface, with corners where surfaces meet. Without formulas |g(x) − g(y)| ≤ |x −
/// y|.
struct Region {
  std::vector<std::vector<RegionPart>> pieces;
  bool complement = false;  ///< the region is all of space but that
  /// g(x), with the opposite sign for a complement.
  [[nodiscard]] double signed_distance(const Vector3& x) const;
  /// The unit normal out of the region, of the part that decides g at x.
  [[nodiscard]] Vector3 outward(const Vector3& x) const;
  [[nodiscard]] bool contains(const Vector3& x) const { return signed_distance(x) < 0; }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [pieces, complement] = self;
    archive(pieces, complement);
  }
};

}  // namespace terrace
