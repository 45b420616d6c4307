// Uniform gravity on some nodes.
#pragma once

#include <vector>

#include "numerics/infinity.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = −Σ_a m_a g·u_a, u_a the displacement from the reference position. V is linear: V″ and V‴ are 0, and
/// there is no lowest value. The weight of a node is one term of the sums. Each node must belong to one such
/// potential, on one rank; else the sums would depend on how the work is divided over ranks.
class Gravity : public Potential {
 public:
  /// `nodes`: local numbers, ascending; `masses`: of all local nodes.
  Gravity(std::vector<std::int32_t> nodes, const std::vector<double>& masses, const Vector3& acceleration);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] double infimum() const override { return -infinity; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  /// Adds nothing: V is linear.
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  void add_bounds_nearby(const Displacements& displacements, double radius, std::span<double> slope,
                         std::span<double> stiffness) const override;
  [[nodiscard]] std::unique_ptr<DiscreteGradient> discrete_gradient() const override;
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  /// A node costs a small part of an element.
  [[nodiscard]] double work() const override { return 0.05 * static_cast<double>(nodes_.size()); }

 private:
  friend class GravityOnLine;
  std::vector<std::int32_t> nodes_;
  std::vector<Vector3> gradients_;  ///< −m_a g
};

/// A node's energy is linear along its line.
class GravityOnLine : public PotentialOnLine {
 public:
  explicit GravityOnLine(const Gravity& gravity);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    return gravity_.add_gradient({lines, instant}, grid, gradient);
  }
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  /// Adds nothing: V″ and V‴ are 0.
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return gravity_.work(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  void set_node(std::size_t i, const NodeLine& line, double origin);

  const Gravity& gravity_;
  std::vector<double> value_, slope_;  ///< of each node, at the line's origin
};

}  // namespace terrace
