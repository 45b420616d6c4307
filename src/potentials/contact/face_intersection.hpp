// The thesis's own penalty contact of two deformable bodies: intersecting boundary faces.
#pragma once

#include <array>
#include <vector>

#include "potentials/contact/broad_phase.hpp"
#include "potentials/contact/contact_surfaces.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = 1/(2ε) Σ |A − B|² over the pairs of intersecting triangles, one of each body's boundary, A and B the
/// ends of the intersection segment (thesis (2.90), (2.91)).
class FaceIntersection : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers, a complete boundary
  /// each; `stiffness`: 1/ε [force/length]. Throws Error(input) if a surface is empty, a node number is out
  /// of range, an edge has length 0, or the stiffness is not positive.
  FaceIntersection(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first_boundary,
                   const std::vector<Triangle>& second_boundary, double stiffness);
  /// As above, of surfaces that are shared with other pairs.
  FaceIntersection(ContactSurfaces surfaces, double stiffness);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return surfaces_.nodes(); }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  /// Where the boundaries cross nowhere, as when two blocks meet face to face with their sides in line: the
  /// depth of the deepest vertex or middle of a triangle behind the nearest triangle, if less than a mean
  /// edge (penetration).
  [[nodiscard]] double unfelt_penetration(const Displacements& displacements, bool has_energy) const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] bool certified() const override { return false; }
  [[nodiscard]] double work() const override { return 0.2 * static_cast<double>(surfaces_.nodes().size()); }

  [[nodiscard]] const ContactSurfaces& surfaces() const { return surfaces_; }
  [[nodiscard]] double stiffness() const { return stiffness_; }
  /// Mean length of the triangles' sides [length].
  [[nodiscard]] double mean_side() const { return mean_side_; }

  /// Own numbers of the nodes of a pair of triangles.
  [[nodiscard]] std::array<std::size_t, 6> nodes_of(const BroadPhase::Pair& pair) const {
    const Triangle &a = surfaces_.first_triangle(pair.first), b = surfaces_.second_triangle(pair.second);
    return {index(a[0]), index(a[1]), index(a[2]), index(b[0]), index(b[1]), index(b[2])};
  }
  /// Adds the gradient of one pair of triangles at these positions (own numbering), and raises `largest` to
  /// the largest magnitude of a component of its terms. Returns false where the triangles do not intersect.
  bool add_gradient_of(const BroadPhase::Pair& pair, std::span<const Vector3> positions, const Grid& grid,
                       std::span<Vector3> gradient, double& largest) const;

 private:
  ContactSurfaces surfaces_;
  double stiffness_;
  double mean_side_;
};

}  // namespace terrace
