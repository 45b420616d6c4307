// A potential whose forces and line are what a test says, and that remembers what it was asked.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/small_system.hpp"

namespace terrace {

class ScriptedPotential : public Potential {
 public:
  static constexpr std::size_t quantities = 8;

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  double add_gradient(std::span<const NodeLine> /*lines*/, double /*instant*/, const Grid& grid,
                      std::span<Vector3> gradient) override {
    ++gradients;
    double largest = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        gradient[static_cast<std::size_t>(nodes_[i])][d] += grid.round(forces[i][d]);
        if (!std::isnan(largest) && !(std::abs(forces[i][d]) <= largest)) largest = std::abs(forces[i][d]);
      }
    return largest;
  }
  void set_line(std::span<const NodeLine> /*lines*/, double /*origin*/) override {}
  void sample(double /*s*/, const LineGrids& grids, LineSample& sum) const override {
    ++samples;
    seen = grids;
    sum.value.add(grids.value, sizes[0]);
    sum.slope += grids.slope.round(sizes[1]);
    sum.curvature += grids.curvature.round(sizes[2]);
    sum.largest_value = std::abs(sizes[0]);
    sum.largest_slope = std::abs(sizes[1]);
    sum.largest_curvature = std::abs(sizes[2]);
  }
  void bound(double /*from*/, double /*to*/, const LineGrids& grids, LineBound& sum) const override {
    sum.third += grids.third.round(sizes[3]);
    sum.below += grids.below.round(sizes[4]);
    sum.above += grids.above.round(sizes[5]);
    sum.rise += grids.rise.round(sizes[6]);
    sum.fall += grids.fall.round(sizes[7]);
    sum.largest_third = std::abs(sizes[3]);
    sum.largest_below = std::abs(sizes[4]);
    sum.largest_above = std::abs(sizes[5]);
    sum.largest_rise = std::abs(sizes[6]);
    sum.largest_fall = std::abs(sizes[7]);
  }
  FirstCollision first_collision(double from, double to) override {
    ++samples;
    return {std::numeric_limits<double>::infinity(), std::min(to, from + 0.25)};
  }
  [[nodiscard]] double work() const override { return 7; }

  /// The grids of the eight quantities in the last sample, in the order of `sizes`.
  [[nodiscard]] std::array<Grid, quantities> grids() const {
    return {seen.value.coarse, seen.slope, seen.curvature, seen.third,
            seen.below,        seen.above, seen.rise,      seen.fall};
  }

  std::array<Vector3, 3> forces{};
  /// V, V′, V″, and of the certificate third, below, above, rise, fall.
  std::array<double, quantities> sizes{};
  mutable int samples = 0;
  mutable LineGrids seen;
  int gradients = 0;

 private:
  std::vector<std::int32_t> nodes_ = {0, 1, 2};
};

/// A cube whose only subdomain holds nothing but the scripted potential: elastic, or as contact alone.
struct ScriptedSystem {
  explicit ScriptedSystem(bool contact) : system(spinning_cube(1)) {
    Subdomain& only = subdomain();
    only.potentials = {&potential};
    only.wall_of_potential = {-1};
    only.contact = contact;
    if (contact) only.elements = 0;
  }
  Subdomain& subdomain() { return system.lagrangian.subdomains[0]; }
  ScriptedPotential potential;
  SmallSystem system;
};

}  // namespace terrace
