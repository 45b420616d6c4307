// The exact set constraint (thesis (2.89), (2.92)): two bodies never pass through each other, and reflect
// where their distance reaches zero.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "potentials/contact/contact_surfaces.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = 0 while the bodies are apart, +∞ where they intersect: an energy step of infinite height, from which
/// the trajectory always reflects, along the gradient of the distance g of the pair of features that
/// collides. All others that touch at the same instant follow as events of their own.
///
/// The surfaces are triangles with their normals outwards. "Zero" is a ten-billionth of the smallest edge
/// (touching_per_size): as far apart the bodies stay, and the side on which a feature lies is never in doubt.
class ImpenetrabilityConstraint : public SetConstraint {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete boundary
  /// each, outwards. `where` names the pair in messages. Throws as ContactSurfaces.
  ImpenetrabilityConstraint(std::span<const Vector3> reference_positions,
                            const std::vector<Triangle>& first_boundary,
                            const std::vector<Triangle>& second_boundary, const std::string& where);
  /// Of surfaces that other pairs know too.
  explicit ImpenetrabilityConstraint(ContactSurfaces surfaces);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  [[nodiscard]] std::unique_ptr<ConstraintOnLine> on_line() const override;

  /// The distance [length] at which features touch.
  [[nodiscard]] double touching() const { return touching_; }
  /// No coordinate [length] may be larger where features touch: rounding would move them past each other.
  [[nodiscard]] double farthest() const {
    constexpr double roundings = 4;  // of the places and the ways of two nodes
    return touching_ / (roundings * std::numeric_limits<double>::epsilon());
  }
  [[nodiscard]] const ContactSurfaces& surfaces() const { return surfaces_; }
  /// At the nodes, own numbering, out of the surfaces in the reference configuration.
  [[nodiscard]] std::span<const Vector3> normals() const { return normals_; }

 private:
  ContactSurfaces surfaces_;
  std::vector<Vector3> normals_;
  double touching_ = 0;
};

/// Throws Error(input), naming `where`, if an edge of one surface pierces a triangle of the other by more
/// than a touch: from there the constraint could not tell inside from outside. Triangles index `positions`.
void require_apart(std::span<const Vector3> positions, const std::vector<Triangle>& first,
                   const std::vector<Triangle>& second, const std::string& where);

}  // namespace terrace
