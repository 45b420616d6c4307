// Contact of a deformable body with a rigid plane: a barrier in front of it, or a penalty on the depth behind
// it.
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

/// A plane through `point`. The `normal`, of any length, points to the side of the body.
struct Plane {
  Vector3 point, normal;
};

/// The nodes on a body's boundary and their weights; shared by all walls about the body.
struct BoundaryNodes {
  std::vector<std::int32_t> nodes;  ///< local numbers, ascending
  std::vector<double> weights;      ///< w_a
};

/// V = κ Σ_a w_a ψ((x_a − O)·n) over the boundary nodes. With the barrier w_a is a third of the area of the
/// boundary triangles around the node and κ has the unit [energy/length²]. With the penalty w_a = 1 and κ =
/// 1/ε [force/length]: V = 1/(2ε) Σ_a ((x_a − O)·n)² over the nodes behind the plane (thesis (3.90), (3.91)).
///
/// Along straight lines every distance is linear in time and ψ″ does not increase with the distance, so that
/// its values at the ends of an interval bound V″ of a node: certified. With the barrier no node reaches the
/// plane. The wall is not a body: the impulses it gives are the sum of the gradient, which its ledger
/// records.
class PlaneContact : public Potential {
 public:
  /// `reference_positions`: of all local nodes [length]; they must outlive this. `stiffness`: κ > 0. The
  /// second constructor shares the nodes among several walls about one body. Throws Error(input) naming
  /// `where` if the normal is zero or not finite, if the stiffness is not positive, if the node list is not
  /// ascending and within the positions, or if the number of weights is not that of the nodes.
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
  /// Energy of the i-th boundary node; 0 of one that does not feel the plane.
  [[nodiscard]] double energy(std::size_t i, const Displacements& displacements) const;
  /// Distance of the i-th boundary node from the plane [length]; negative behind it.
  [[nodiscard]] double gap(std::size_t i, const Vector3& displacement) const {
    return dot(at(reference_, node(i)) - point_, normal_) + dot(displacement, normal_);
  }

  [[nodiscard]] std::size_t count() const { return boundary_->nodes.size(); }
  [[nodiscard]] std::int32_t node(std::size_t i) const { return boundary_->nodes[i]; }
  /// κ w_a
  [[nodiscard]] double stiffness_of(std::size_t i) const { return boundary_->weights[i] * stiffness_; }

  std::shared_ptr<const BoundaryNodes> boundary_;
  std::span<const Vector3> reference_;  ///< X_a, by local node (storing distances would take more memory)
  Vector3 point_, normal_;              ///< O, n
  ContactProfile profile_;
  double stiffness_;     ///< κ
  double offset_;        ///< O·n
  double rounding_ = 0;  ///< bound of the rounding error of any distance [length]
};

/// The gaps of all nodes are linear along the line.
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
  /// Whether the box given to expect_inside shows that no node feels the plane up to s = `to`. If it does
  /// not, looks at all nodes, which then holds for the rest of this line.
  [[nodiscard]] bool is_out_of_reach(double to);
  /// Whether no node can feel the plane up to s = `to`, even if the nearest one were also the fastest.
  [[nodiscard]] bool stays_far(double to) const;

  static constexpr double never = -infinity;

  const PlaneContact& contact_;
  double far_until_ = never;           ///< [s] as found by expect_inside, for the lines that begin next
  double out_of_reach_until_ = never;  ///< [s] for the present lines; never: all nodes have been looked at
  std::span<const NodeLine> unseen_;   ///< the lines given to `begin`, if their nodes have not been looked at
  std::vector<double> gap_, speed_;    ///< at the origin of the line
  double least_gap_ = 0, least_speed_ = 0;  ///< lower bounds; a change of some lines never raises them
  KnownStretch apart_;  ///< interval of s in which no node is within the activation distance
  KnownStretch far_;    ///< the same with room for the rounding of distances
};

}  // namespace terrace
