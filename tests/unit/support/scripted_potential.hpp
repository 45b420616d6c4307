// A potential and a constraint whose answers a test sets, and which count how often they are asked.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/infinity.hpp"
#include "support/small_system.hpp"

namespace terrace {

class ScriptedPotential : public Potential {
 public:
  static constexpr std::size_t quantities = 8;

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::vector<double> energies(const Displacements& /*displacements*/) const override {
    return {sizes[0]};
  }
  double add_gradient(const Displacements& /*displacements*/, const Grid& grid,
                      std::span<Vector3> gradient) const override {
    ++gradients;
    double largest = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        gradient[static_cast<std::size_t>(nodes_[i])][d] += grid.round(forces[i][d]);
        if (!std::isnan(largest) && !(std::abs(forces[i][d]) <= largest)) largest = std::abs(forces[i][d]);
      }
    return largest;
  }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  [[nodiscard]] double work() const override { return 7; }
  [[nodiscard]] bool certified() const override { return std::isinf(jumps_at); }

  /// The grids of the eight quantities in the last sample, in the order of `sizes`.
  [[nodiscard]] std::array<Grid, quantities> grids() const {
    return {seen.value.coarse, seen.slope, seen.curvature, seen.third,
            seen.below,        seen.above, seen.rise,      seen.fall};
  }

  std::array<Vector3, 3> forces{};
  /// V, V′, V″, and of the certificate third, below, above, rise, fall.
  std::array<double, quantities> sizes{};
  /// From this s on V is `value_beyond`; the subdomain is then one without a certificate.
  double jumps_at = infinity, value_beyond = 0;
  /// The numbers of contact terms that it reports: of a sample, and of a gradient at one node.
  double contact_terms = 0, contact_terms_at_node = 0;
  /// A limit on the number reported for a node when terms are counted node by node.
  double most_contact_terms_at_node = infinity;
  /// The answer to PotentialOnLine::room.
  PotentialOnLine::Room room{};
  mutable int samples = 0, looks = 0;
  mutable LineGrids seen;
  mutable int gradients = 0, counts = 0;

 private:
  std::vector<std::int32_t> nodes_ = {0, 1, 2};
};

class ScriptedOnLine : public PotentialOnLine {
 public:
  explicit ScriptedOnLine(const ScriptedPotential& potential) : potential_(potential) {}
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    return potential_.add_gradient({lines, instant}, grid, gradient);
  }
  [[nodiscard]] double contact_terms_at_node() const override { return potential_.contact_terms_at_node; }
  void count_contact_terms(std::span<Vector3> numbers) const override {
    ++potential_.counts;
    numbers[0][0] += std::min(potential_.contact_terms_at_node, potential_.most_contact_terms_at_node);
  }
  void sample(double s, const LineGrids& grids, LineSample& sum) override {
    ++potential_.samples;
    potential_.seen = grids;
    const double value = s < potential_.jumps_at ? potential_.sizes[0] : potential_.value_beyond;
    sum.value.add(grids.value, value);
    sum.largest_value = std::abs(value);
    sum.slope += grids.slope.round(potential_.sizes[1]);
    sum.curvature += grids.curvature.round(potential_.sizes[2]);
    sum.contact_terms += potential_.contact_terms;
    sum.largest_slope = std::abs(potential_.sizes[1]);
    sum.largest_curvature = std::abs(potential_.sizes[2]);
  }
  void bound(double /*from*/, double /*to*/, const LineGrids& grids, LineBound& sum) override {
    sum.third += grids.third.round(potential_.sizes[3]);
    sum.below += grids.below.round(potential_.sizes[4]);
    sum.above += grids.above.round(potential_.sizes[5]);
    sum.rise += grids.rise.round(potential_.sizes[6]);
    sum.fall += grids.fall.round(potential_.sizes[7]);
    sum.largest_third = std::abs(potential_.sizes[3]);
    sum.largest_below = std::abs(potential_.sizes[4]);
    sum.largest_above = std::abs(potential_.sizes[5]);
    sum.largest_rise = std::abs(potential_.sizes[6]);
    sum.largest_fall = std::abs(potential_.sizes[7]);
  }
  [[nodiscard]] double longest_trial(double /*s*/) override { return 0.1; }
  [[nodiscard]] Room room(double /*s*/) override {
    ++potential_.looks;
    return potential_.room;
  }
  [[nodiscard]] double work() const override { return potential_.work(); }

 protected:
  void begin(std::span<const NodeLine> /*lines*/, double /*origin*/) override {}
  void change(std::span<const NodeLine> /*lines*/, double /*origin*/,
              std::span<const std::uint8_t> /*changed*/) override {}

 private:
  const ScriptedPotential& potential_;
};

inline std::unique_ptr<PotentialOnLine> ScriptedPotential::on_line() const {
  return std::make_unique<ScriptedOnLine>(*this);
}

/// A constraint that is met at the instant `meets_at`, by default never. A search from `from` covers instants
/// up to, but not including, `from` + 0.25.
class ScriptedConstraint : public SetConstraint {
 public:
  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] std::unique_ptr<ConstraintOnLine> on_line() const override;
  double meets_at = infinity;
  double too_far_from = infinity;  ///< it cannot be looked for from there on
  Vector3 direction{};             ///< of the gradient, at the first node
  mutable int looks = 0;

 private:
  std::vector<std::int32_t> nodes_ = {0, 1, 2};
};

class ScriptedConstraintOnLine : public ConstraintOnLine {
 public:
  explicit ScriptedConstraintOnLine(const ScriptedConstraint& constraint) : constraint_(constraint) {}
  double add_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/, const Grid& grid,
                      std::span<Vector3> gradient) override {
    for (std::size_t d = 0; d < 3; ++d) gradient[0][d] += grid.round(constraint_.direction[d]);
    return norm(constraint_.direction);
  }
  FirstCollision first_collision(double from, double to) override {
    ++constraint_.looks;
    if (from >= constraint_.too_far_from) return {infinity, infinity, 1e9};
    const double end = std::min(to, from + 0.25);
    if (from <= constraint_.meets_at && constraint_.meets_at < end) return {constraint_.meets_at, to};
    return {infinity, end};
  }
  [[nodiscard]] double work() const override { return 7; }

 protected:
  void begin(std::span<const NodeLine> /*lines*/, double /*origin*/) override {}
  void change(std::span<const NodeLine> /*lines*/, double /*origin*/,
              std::span<const std::uint8_t> /*changed*/) override {}

 private:
  const ScriptedConstraint& constraint_;
};

inline std::unique_ptr<ConstraintOnLine> ScriptedConstraint::on_line() const {
  return std::make_unique<ScriptedConstraintOnLine>(*this);
}

/// A cube whose only subdomain holds nothing but the scripted potential. The subdomain counts as elastic, or
/// as one of contact alone.
struct ScriptedSystem {
  explicit ScriptedSystem(bool contact) : system(spinning_cube(1)) {
    Subdomain& only = subdomain();
    only.potentials = {&potential};
    only.reaction_of_potential = {-1};
    only.contact = contact;
    if (contact) only.elements = 0;
  }
  Subdomain& subdomain() { return system.lagrangian.subdomains[0]; }
  ScriptedPotential potential;
  SmallSystem system;
};

}  // namespace terrace
