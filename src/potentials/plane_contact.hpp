// Barrier contact of a deformable body with a rigid plane.
#pragma once

#include <vector>

#include "potentials/contact_profile.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// A plane through `point` with the unit `normal` on the side of the body.
struct Plane {
  Vector3 point, normal;
};

/// V = κ Σ_a A_a ψ((x_a − O)·n) over the boundary nodes, κ [energy/length²], A_a a third of the boundary
/// triangles around the node. Along straight lines every distance is linear in time, so V″ of a node is
/// bounded by its values at the ends of an interval: certified. With the barrier no node reaches the plane.
class PlaneContact : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; `boundary_nodes`: local numbers, ascending, with their
  /// `areas` [length²]. `stiffness`: κ > 0.
  PlaneContact(std::span<const Vector3> reference_positions, std::vector<std::int32_t> boundary_nodes,
               std::vector<double> areas, const Plane& plane, const ContactProfile& profile,
               double stiffness);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return 1; }
  void set_line(std::span<const NodeLine> lines, double origin) override;
  void update_line(std::span<const NodeLine> lines, double origin,
                   std::span<const std::uint8_t> changed) override;
  void sample(double s, const LineGrids& grids, LineSample& sum) const override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) const override;
  [[nodiscard]] double work() const override { return 0.1 * static_cast<double>(nodes_.size()); }

 private:
  void set_node(std::size_t i, const NodeLine& line, double origin);

  std::vector<std::int32_t> nodes_;
  std::vector<double> stiffness_;  ///< κ A_a
  Vector3 normal_;
  ContactProfile profile_;
  std::vector<double> reference_gap_;  ///< (X_a − O)·n
  std::vector<double> gap_, speed_;    ///< at the origin of the line
};

}  // namespace terrace
