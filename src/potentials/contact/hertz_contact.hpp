// Contact of two balls by Hertz's law between patches of their surfaces.
#pragma once

#include <array>
#include <vector>

#include "potentials/contact/hertz_law.hpp"
#include "potentials/contact/sphere_of_patch.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = Φ(δ) with Φ of HertzLaw and the penetration δ = δ₀ − P·n. P is the vector from the middle of the first
/// body's load to that of the second's; Q is the vector from the middle of the first body's surface to that
/// of the second's, and n is its direction. Middles are weighted means of nodal positions (SpherePatch). δ₀
/// is P·n where the undeformed spheres touch. V depends on relative positions alone, so that momentum and
/// angular momentum are conserved.
///
/// The patches are fixed parts of the bodies' surfaces: the contact must stay in their middle (`shift`).
/// Spheres that touch elsewhere do not feel each other there; `unfelt_penetration` tells of that.
///
/// Along straight lines P and Q are linear in time, so that δ, δ′ and δ″ have bounds on an interval. These
/// bound V″ too, since Φ″ never decreases with δ: certified.
class HertzContact : public Potential {
 public:
  /// `reference_positions`: of all local nodes [length]. The patches are in local node numbers, have no node
  /// in common and carry a load each. `spheres`: those that the patches are parts of; `gap`: the distance
  /// between them in the reference positions [length].
  HertzContact(std::span<const Vector3> reference_positions, const SpherePatch& first,
               const SpherePatch& second, const std::array<Sphere, 2>& spheres, const HertzLaw& law,
               double gap);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  /// Overlap of the spheres beyond the δ that is felt [length]; 0 where it is no more than the patches are
  /// meant for (HertzLaw::unfelt).
  [[nodiscard]] double unfelt_penetration(const Displacements& displacements, bool has_energy) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 0.05 * static_cast<double>(nodes_.size()); }

 private:
  friend class HertzContactOnLine;
  /// P, Q, and the vector from the middle of the first body's surface to that of its load (arm).
  struct Between {
    Vector3 loads{}, middles{}, arm{};
  };
  /// The distance P·n and its derivatives along P + s P′, Q + s Q′ at s = 0.
  struct Distance {
    double value, first, second;
  };
  /// The weighted sums P, Q and arm of vectors of all nodes: positions, displacements or velocities.
  template <class VectorOf>
  [[nodiscard]] Between between(VectorOf vector) const;
  /// P, Q and arm at these displacements.
  [[nodiscard]] Between place(const Displacements& displacements) const;
  [[nodiscard]] double penetration(const Between& place) const;
  [[nodiscard]] static Distance distance(const Between& place, const Between& velocity);
  /// How far the contact's middle is from the patch's, across n; the larger one of the two bodies [length].
  [[nodiscard]] static double shift(const Between& place);

  struct NodeShare {
    std::int32_t node;
    bool first;           ///< a node of the first body
    double load, middle;  ///< weights of the node in P and Q; negative for the first body
  };
  std::vector<NodeShare> shares_;  ///< ascending by node
  std::vector<std::int32_t> nodes_;
  std::size_t heaviest_ = 0;  ///< place of the largest load in shares_: takes the remainder of rounding
  HertzLaw law_;
  double touching_ = 0;  ///< δ₀
  Between reference_;    ///< in the reference positions
  std::array<SphereOfPatch, 2> spheres_;
};

/// P, Q and arm are linear along the line.
class HertzContactOnLine : public PotentialOnLine {
 public:
  explicit HertzContactOnLine(const HertzContact& contact) : contact_(contact) {}

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  [[nodiscard]] double contact_terms_at_node() const override { return 1; }
  void count_contact_terms(std::span<Vector3> numbers) const override;
  void report(ContactExtremes& extremes) const override;
  void keep_extremes() override { kept_ = seen_; }
  void recall_extremes() override { seen_ = kept_; }
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  [[nodiscard]] double work() const override { return contact_.work(); }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  void change(std::span<const NodeLine> lines, double origin,
              std::span<const std::uint8_t> /*changed*/) override {
    begin(lines, origin);
  }

 private:
  [[nodiscard]] HertzContact::Between place(double s) const;

  const HertzContact& contact_;
  HertzContact::Between place_, velocity_;  ///< at the origin of the line
  struct Seen {
    double widest = 0, shift = 0;
  };
  Seen seen_, kept_;  ///< largest so far, and when keep_extremes was called
};

}  // namespace terrace
