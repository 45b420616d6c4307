// Contact of two balls by Hertz's law between patches of their surfaces.
#pragma once

#include <array>
#include <vector>

#include "potentials/contact/hertz_law.hpp"
#include "potentials/contact/sphere_of_patch.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// V = Φ(δ), δ = δ₀ − P·n: Φ of HertzLaw, P from the middle of the first body's load to that of the second's,
/// n the direction from the middle of the one surface to that of the other, δ₀ = P·n where the undeformed
/// spheres touch. It depends on mutual positions alone, so that momentum and angular momentum stay.
///
/// The patches are parts of the bodies: the contact must stay in their middle (`shift`). Spheres that touch
/// elsewhere are not felt there, which `unfelt_penetration` tells.
///
/// Along straight lines P and the vector Q between the middles are linear in time, so δ, δ′ and δ″ have
/// bounds on an interval, and with them V″, since Φ″ never falls with δ: certified.
class HertzContact : public Potential {
 public:
  /// `reference_positions`: all local nodes [length]; the patches in local node numbers, of different nodes,
  /// either loaded; `spheres`: which they are parts of; `gap`: between these there [length].
  HertzContact(std::span<const Vector3> reference_positions, const SpherePatch& first,
               const SpherePatch& second, const std::array<Sphere, 2>& spheres, const HertzLaw& law,
               double gap);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  /// Of the spheres, where that is more than is felt and than the patches are meant for.
  [[nodiscard]] double unfelt_penetration(const Displacements& displacements, bool has_energy) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  [[nodiscard]] bool is_contact() const override { return true; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 0.05 * static_cast<double>(nodes_.size()); }

 private:
  friend class HertzContactOnLine;
  /// P, Q, and from the middle of the first body's surface to that of its load.
  struct Between {
    Vector3 loads{}, middles{}, arm{};
  };
  /// The distance P·n and its derivatives along P + s P′, Q + s Q′ at s = 0.
  struct Distance {
    double value, first, second;
  };
  /// What both bodies' nodes with these vectors come to.
  template <class VectorOf>
  [[nodiscard]] Between between(VectorOf vector) const;
  [[nodiscard]] Between place(const Displacements& displacements) const;
  [[nodiscard]] double penetration(const Between& place) const;
  [[nodiscard]] static Distance distance(const Between& place, const Between& velocity);
  /// Of the contact's middle from the patches', the larger one [length].
  [[nodiscard]] static double shift(const Between& place);

  struct NodeShare {
    std::int32_t node;
    bool first;           ///< body
    double load, middle;  ///< of the first body's with a minus
  };
  std::vector<NodeShare> shares_;  ///< by node
  std::vector<std::int32_t> nodes_;
  std::size_t heaviest_ = 0;  ///< of the shares: with the largest load, takes what rounding leaves
  HertzLaw law_;
  double touching_ = 0;  ///< δ₀
  Between reference_;
  std::array<SphereOfPatch, 2> spheres_;
};

/// The middles of loads and surfaces move along straight lines too.
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
  Seen seen_, kept_;  ///< so far
};

}  // namespace terrace
