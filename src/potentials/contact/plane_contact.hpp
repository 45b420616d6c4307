// Contact of a deformable body with a rigid plane: by a barrier before it, or by the depth behind it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/kernels/contact_profile.hpp"
#include "potentials/known_stretch.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// A plane through `point` with the `normal`, of any length, on the side of the body.
struct Plane {
  Vector3 point, normal;
};

/// The nodes on a body's boundary and what each counts; all walls about a body have them in common.
struct BoundaryNodes {
  std::vector<std::int32_t> nodes;  ///< local numbers, ascending
  std::vector<double> weights;      ///< w_a
};

/// V = κ Σ_a w_a ψ((x_a − O)·n) over the boundary nodes. Of a barrier w_a is a third of the boundary
/// triangles around the node and κ [energy/length²]; of the penalty w_a = 1 and κ = 1/ε [force/length],
/// V = 1/(2ε) Σ_a ((x_a − O)·n)² over the nodes behind the plane (thesis (3.90), (3.91)).
///
/// Along straight lines every distance is linear in time and ψ″ does not increase with it, so V″ of a node is
/// bounded by its values at the ends of an interval: certified. With the barrier no node reaches the plane.
/// The wall is no body: the impulses it gives are the sum of the gradient, for the ledger to close.
class PlaneContact : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; they outlive this. `stiffness`: κ > 0. Throws
  /// Error(input) naming `where` if the normal is zero or not finite, if the stiffness is not positive, if
  /// the node list is not ascending and within the positions, or if there are not as many weights. The second
  /// is for several walls about one body.
  PlaneContact(std::span<const Vector3> reference_positions, std::vector<std::int32_t> boundary_nodes,
               std::vector<double> weights, const Plane& plane, const ContactProfile& profile,
               double stiffness, const std::string& where);
  PlaneContact(std::span<const Vector3> reference_positions, std::shared_ptr<const BoundaryNodes> boundary,
               const Plane& plane, const ContactProfile& profile, double stiffness, const std::string& where);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return boundary_->nodes; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  void add_bounds_nearby(const Displacements& displacements, double radius, std::span<double> slope,
                         std::span<double> stiffness) const override;
  [[nodiscard]] std::unique_ptr<DiscreteGradient> discrete_gradient() const override;
  [[nodiscard]] std::unique_ptr<TermsAtNodes> terms_at_nodes() const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 0.1 * static_cast<double>(boundary_->nodes.size()); }

 private:
  friend class PlaneContactOnLine;
  friend class PlaneContactAtNodes;
  friend class PlaneContactDiscreteGradient;
  [[nodiscard]] double energy(std::size_t i, const Displacements& displacements) const;
  [[nodiscard]] double gap(std::size_t i, const Vector3& displacement) const {
    return dot(at(reference_, node(i)) - point_, normal_) + dot(displacement, normal_);
  }

  [[nodiscard]] std::size_t count() const { return boundary_->nodes.size(); }
  [[nodiscard]] std::int32_t node(std::size_t i) const { return boundary_->nodes[i]; }
  /// κ w_a
  [[nodiscard]] double stiffness_of(std::size_t i) const { return boundary_->weights[i] * stiffness_; }

  std::shared_ptr<const BoundaryNodes> boundary_;
  std::span<const Vector3> reference_;  ///< X_a, by local node: a distance of each would be as much memory
  Vector3 point_, normal_;              ///< O, n
  ContactProfile profile_;
  double stiffness_;     ///< κ
  double offset_;        ///< O·n
  double rounding_ = 0;  ///< more than that of any distance [length]
};

/// A node's gap is linear along its line.
class PlaneContactOnLine : public PotentialOnLine {
 public:
  explicit PlaneContactOnLine(const PlaneContact& contact);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    if (far_.contains(instant - origin())) return 0;
    return contact_.add_gradient({lines, instant}, grid, gradient);
  }
  [[nodiscard]] double contact_terms_at_node() const override { return 1; }
  void count_contact_terms(std::span<Vector3> numbers) const override {
    for (const std::int32_t node : contact_.nodes()) numbers[static_cast<std::size_t>(node)][0] += 1;
  }
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  void expect_inside(const Box& box, double until) override;
  [[nodiscard]] double work() const override { return contact_.work(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  void set_node(std::size_t i, const NodeLine& line, double origin);
  void look_at_all(std::span<const NodeLine> lines, double origin);
  [[nodiscard]] bool is_out_of_reach(double to);
  [[nodiscard]] bool stays_far(double to) const;

  static constexpr double never = -infinity;

  const PlaneContact& contact_;
  double far_until_ = never;           ///< [s] of the lines that come next
  double out_of_reach_until_ = never;  ///< [s] of these, whose nodes nobody has looked at; never: they were
  std::span<const NodeLine> unseen_;   ///< as given to `begin`, to be looked at where that is not enough
  std::vector<double> gap_, speed_;    ///< at the origin of the line
  double least_gap_ = 0, least_speed_ = 0;  ///< of any node; or less, as it was before a change
  KnownStretch apart_;                      ///< no node within the activation distance in it
  KnownStretch far_;                        ///< nor would any be if distances were rounded otherwise
};

}  // namespace terrace
