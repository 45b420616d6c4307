// The exact set constraint (thesis (2.89), (2.92)): two bodies never pass through each other, and reflect
// where their distance reaches zero.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "potentials/contact/contact_surfaces.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = 0 while the bodies are apart, +∞ where they intersect: an energy step of infinite height. The
/// trajectory always reflects from it, along the gradient of the distance g of the pair of features that
/// collides first. Other pairs that touch at the same instant follow as events of their own.
///
/// The surfaces are triangles with their normals outwards. Bodies count as touching at a distance of a
/// ten-billionth of the smallest edge (touching_per_size), or of 1000 roundings of the largest coordinate if
/// that is more. They stay that far apart, so that the side on which a feature lies is never in doubt.
class ImpenetrabilityConstraint : public SetConstraint {
 public:
  /// `reference_positions`: of all local nodes [length]. The triangles are in local node numbers, each list a
  /// complete boundary with normals outwards. `where` names the pair in messages. Throws as ContactSurfaces.
  ImpenetrabilityConstraint(std::span<const Vector3> reference_positions,
                            const std::vector<Triangle>& first_boundary,
                            const std::vector<Triangle>& second_boundary, const std::string& where);
  /// As above, of surfaces that are shared with other pairs.
  explicit ImpenetrabilityConstraint(ContactSurfaces surfaces);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  [[nodiscard]] std::unique_ptr<ConstraintOnLine> on_line() const override;

  /// The distance [length] at which features touch.
  [[nodiscard]] double touching() const { return touching_; }
  /// Largest coordinate [length] that is allowed where features touch: rounding beyond it could move them
  /// past each other.
  [[nodiscard]] double farthest() const {
    constexpr double roundings = 4;  // of the positions of two nodes and of the distances they move
    return touching_ / (roundings * std::numeric_limits<double>::epsilon());
  }
  [[nodiscard]] const ContactSurfaces& surfaces() const { return surfaces_; }
  /// Unit normals at the nodes (own numbering) in the reference configuration, outwards.
  [[nodiscard]] std::span<const Vector3> normals() const { return normals_; }

 private:
  ContactSurfaces surfaces_;
  std::vector<Vector3> normals_;
  double touching_ = 0;
};

/// Throws Error(input), naming `where`, if an edge of one surface pierces a triangle of the other by more
/// than a touch: from such a start the constraint could not tell inside from outside. The triangles' node
/// numbers index `positions`.
void require_apart(std::span<const Vector3> positions, const std::vector<Triangle>& first,
                   const std::vector<Triangle>& second, const std::string& where);

}  // namespace terrace
