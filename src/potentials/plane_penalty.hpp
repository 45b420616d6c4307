// Penalty contact of a deformable body with a rigid plane.
#pragma once

#include <vector>

#include "mesh/model.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = 1/(2ε) Σ_a ((x_a − O)·n)² over the boundary nodes behind the plane, (x_a − O)·n < 0 (thesis (3.90),
/// (3.91)). Along straight lines every node's V″ is 0 or (v·n)²/ε and jumps where the node meets the plane:
/// certified. The wall is no body: the impulses it gives are the sum of the gradient, for the ledger to
/// close.
class PlanePenalty : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; `boundary_nodes`: local numbers, ascending, of the
  /// rank's share. The wall's normal need not be of unit length. Throws Error(input) if it is zero or not
  /// finite, if the stiffness is not positive, or if the node list is not ascending and within the positions.
  PlanePenalty(std::span<const Vector3> reference_positions, std::vector<std::int32_t> boundary_nodes,
               const Wall& wall);

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
  Vector3 normal_;
  double stiffness_;
  std::vector<double> reference_gap_;  ///< (X_a − O)·n
  std::vector<double> gap_, speed_;    ///< (x_a − O)·n at the origin of the line, v_a·n
};

}  // namespace terrace
