// Contact of a ball with a rigid plane by Hertz's law, over a patch of the ball's surface.
#pragma once

#include <vector>

#include "potentials/contact/hertz_law.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/contact/sphere_of_patch.hpp"

namespace terrace {

/// V = Φ(δ): HertzContact with a rigid plane in place of the second ball. δ is how much nearer the middle of
/// the load is to the plane than where the undeformed sphere touches it; it is linear on straight lines. The
/// wall is not a body: the impulses it gives are the sum of the gradient, which its ledger records.
class HertzWall : public Potential {
 public:
  /// `reference_positions`: of all local nodes [length]. The patch is in local node numbers, carries a load,
  /// and is centred on the point of the sphere nearest to the plane. The plane's normal has length 1 and
  /// points to the ball.
  HertzWall(std::span<const Vector3> reference_positions, const SpherePatch& patch, const Sphere& sphere,
            const Plane& plane, const HertzLaw& law);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  /// Overlap of the sphere and the wall beyond the δ that is felt [length], as in HertzContact.
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
  /// δ [length]; negative before the sphere touches.
  [[nodiscard]] double penetration(const Displacements& displacements) const;
  /// How far the contact's middle is from the patch's because the ball has turned, in radii of the patch.
  [[nodiscard]] double shift(const Displacements& displacements) const;

  std::vector<std::int32_t> nodes_;  ///< those with a load
  std::vector<double> load_;
  Vector3 normal_;
  HertzLaw law_;
  double gap_;     ///< between sphere and plane in the reference positions [length]
  Vector3 point_;  ///< on the plane
  SphereOfPatch sphere_;
};

/// δ is linear along the line: its value and rate at the origin determine it.
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
  Seen seen_, kept_;  ///< largest so far, and when keep_extremes was called
};

}  // namespace terrace
