// Regions of space with an implicit function: balls and half-spaces, their intersections and unions.
#pragma once

#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// A half-space or a ball: where g(x) < 0. g is the distance from its surface [length], with a sign.
struct RegionPart {
  enum class Kind { half_space, ball };
  Kind kind = Kind::half_space;
  Vector3 point{};     ///< on the plane, or the centre
  Vector3 normal{};    ///< unit, out of the half-space
  double radius = 0;   ///< of the ball [length]
  bool inside = true;  ///< false: what is outside it
  [[nodiscard]] double signed_distance(const Vector3& x) const;
  [[nodiscard]] Vector3 outward(const Vector3& x) const;  ///< ∇g; of a ball at its centre 0
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [kind, point, normal, radius, inside] = self;
    archive(kind, point, normal, radius, inside);
  }
};

/// The union of intersections of such parts: g = min over the pieces of the max over their parts, an implicit
/// function whose zero set is the interface, with corners where surfaces meet. |g(x) − g(y)| ≤ |x − y|.
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
