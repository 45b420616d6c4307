// Contact of a ball with a rigid plane by Hertz's law, over a patch of the ball's surface.
#pragma once

#include <vector>

#include "potentials/contact/hertz_law.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/contact/sphere_of_patch.hpp"

namespace terrace {

/// V = Φ(δ), δ = (distance of the load's middle from the plane where the undeformed sphere touches it) − (the
/// distance now): HertzContact with a plane for the second ball. The distance is linear on straight lines.
/// The wall is no body: the impulses it gives are the sum of the gradient, for the ledger to close.
class HertzWall : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; the patch in local node numbers, loaded, about the
  /// point of the sphere nearest to the plane. The plane's normal, of length 1, points to the ball.
  HertzWall(std::span<const Vector3> reference_positions, const SpherePatch& patch, const Sphere& sphere,
            const Plane& plane, const HertzLaw& law);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  /// Of the sphere, as of two that touch (HertzContact).
  [[nodiscard]] double unfelt_penetration(const Displacements& displacements, bool has_energy) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  [[nodiscard]] std::unique_ptr<DiscreteGradient> discrete_gradient() const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 0.05 * static_cast<double>(nodes_.size()); }

 private:
  friend class HertzWallOnLine;
  friend class HertzWallDiscreteGradient;
  [[nodiscard]] double penetration(const Displacements& displacements) const;
  /// Of the contact's middle from the patch's, as the ball has turned, in radii of the patch.
  [[nodiscard]] double shift(const Displacements& displacements) const;

  std::vector<std::int32_t> nodes_;
  std::vector<double> load_;
  Vector3 normal_;
  HertzLaw law_;
  double gap_;     ///< between sphere and plane in the reference
  Vector3 point_;  ///< of the plane
  SphereOfPatch sphere_;
};

/// δ and δ′ at the origin of the line say all.
class HertzWallOnLine : public PotentialOnLine {
 public:
  explicit HertzWallOnLine(const HertzWall& wall) : wall_(wall) {}

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return 1; }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void report(ContactExtremes& extremes) const override;
  void keep_extremes() override { kept_ = seen_; }
  void recall_extremes() override { seen_ = kept_; }
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return wall_.work(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin,
              std::span<const std::uint8_t> /*changed*/) override {
    begin(lines, origin);
  }

 private:
  const HertzWall& wall_;
  double penetration_ = 0, rate_ = 0;  ///< at the origin of the line
  struct Seen {
    double widest = 0, shift = 0;  ///< in radii of the patch
  };
  Seen seen_, kept_;  ///< so far
};

}  // namespace terrace
