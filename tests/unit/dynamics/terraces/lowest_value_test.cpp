// Potential energies that may be negative: levels below 0, and a bottom only above the lowest value of V.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/infinity.hpp"
#include "support/small_system.hpp"

namespace terrace::lowest_value_test {
namespace {

struct Spring {
  double stiffness = 0, force = 0, constant = 0, least = 0;
};

/// ½ k u² + f u + c of the displacement u of node 0 along z.
class OneSpring : public Potential {
 public:
  explicit OneSpring(const Spring& chosen) : spring(chosen) {}
  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  [[nodiscard]] double infimum() const override { return spring.least; }
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override {
    const double u = displacements[0][2];
    return {u * (spring.force + 0.5 * spring.stiffness * u) + spring.constant};
  }
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override {
    const double f = spring.force + spring.stiffness * displacements[0][2];
    gradient[0][2] += grid.round(f);
    return std::abs(f);
  }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;

  Spring spring;

 private:
  std::vector<std::int32_t> nodes_ = {0};
};

class OneSpringOnLine : public PotentialOnLine {
 public:
  explicit OneSpringOnLine(const OneSpring& potential) : potential_(potential) {}
  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override {
    return potential_.add_gradient({lines, instant}, grid, gradient);
  }
  void sample(double s, const LineGrids& grids, LineSample& sum) override {
    const auto& [stiffness, force, constant, least] = potential_.spring;
    const double u = at_ + s * rate_, value = u * (force + 0.5 * stiffness * u) + constant,
                 slope = (force + stiffness * u) * rate_, curvature = stiffness * rate_ * rate_;
    sum.value.add(grids.value, value);
    sum.slope += grids.slope.round(slope);
    sum.curvature += grids.curvature.round(curvature);
    sum.largest_value = std::abs(value);
    sum.largest_slope = std::abs(slope);
    sum.largest_curvature = std::abs(curvature);
  }
  void bound(double /*from*/, double /*to*/, const LineGrids& /*grids*/, LineBound& /*sum*/) override {}
  [[nodiscard]] double work() const override { return 1; }

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override {
    at_ = lines[0].displacement_at(origin)[2];
    rate_ = lines[0].velocity[2];
  }
  void change(std::span<const NodeLine> lines, double origin,
              std::span<const std::uint8_t> /*changed*/) override {
    begin(lines, origin);
  }

 private:
  const OneSpring& potential_;
  double at_ = 0, rate_ = 0;
};

std::unique_ptr<PotentialOnLine> OneSpring::on_line() const {
  return std::make_unique<OneSpringOnLine>(*this);
}

/// A cube of which only node 0 moves, along z, and feels nothing but the spring.
struct OneNode {
  OneNode(const Spring& spring, double velocity, double energy_step)
      : potential(spring),
        system(soft_deck({cube_entry("cube", 1)}), {LocalizationKind::global}, energy_step) {
    Subdomain& only = system.lagrangian.subdomains[0];
    only.potentials = {&potential};
    only.reaction_of_potential = {-1};
    set_velocity(velocity);
    mass = system.lagrangian.masses[0];
  }
  void set_velocity(double velocity) {
    std::vector<Vector3> velocities(system.lagrangian.masses.size());
    velocities[0] = {0, 0, velocity};
    system.state.set_velocities(velocities);
  }
  [[nodiscard]] double velocity() const { return system.state.lines[0].velocity[2]; }
  [[nodiscard]] double kinetic() const { return 0.5 * mass * velocity() * velocity(); }

  OneSpring potential;
  SmallSystem system;
  double mass;
};

Spring well(double constant, double least) {
  Spring spring;
  spring.stiffness = 2;
  spring.constant = constant;
  spring.least = least;
  return spring;
}

/// Runs 2¼ periods and asks that K + h k is kept at every event. Returns the lowest and the highest level.
std::pair<std::int64_t, std::int64_t> swing(OneNode& node, double energy_step) {
  EnergyStepping integrator(node.system.lagrangian, node.system.state);
  const double energy = node.kinetic() + *integrator.conserved_potential();
  const double period = 2 * std::numbers::pi * std::sqrt(node.mass / node.potential.spring.stiffness);
  std::int64_t lowest = 0, highest = -1000000, turns = 0;
  double before = node.velocity();
  while (integrator.advance(node.system.state, 2.25 * period)) {
    const std::int64_t level = integrator.subdomain_records()[0].level;
    lowest = std::min(lowest, level);
    highest = std::max(highest, level);
    EXPECT_NEAR(node.kinetic() + energy_step * static_cast<double>(level), energy, 1e-13 * 12);
    if (node.velocity() * before < 0) ++turns;
    before = node.velocity();
  }
  // It turns at a quarter and three quarters of each period, at none of the passages of the lowest point.
  EXPECT_EQ(turns, 5);
  EXPECT_EQ(integrator.reflections(), 5);
  return {lowest, highest};
}

TEST(LowestValue, AWellBelowZeroIsPassedAtItsLowestPointAndCrossesLevelZero) {
  constexpr double h = 0.0237;
  OneNode node(well(-10, -10), 0, h);
  node.set_velocity(std::sqrt(2 * 11.3 / node.mass));
  const auto [lowest, highest] = swing(node, h);
  EXPECT_EQ(lowest, static_cast<std::int64_t>(std::floor(-10 / h)));
  EXPECT_NEAR(static_cast<double>(highest) * h, 1.3, 2 * h);
}

TEST(LowestValue, WithoutOneTheStartIsInTheMiddleOfATerrace) {
  constexpr double h = 0.0237;
  OneNode node(well(-10, -infinity), 0, h);
  EnergyStepping integrator(node.system.lagrangian, node.system.state);
  EXPECT_EQ(integrator.subdomain_records()[0].level, static_cast<std::int64_t>(std::floor(-10 / h)));
  EXPECT_FALSE(integrator.advance(node.system.state, 100)) << "nothing moves: no surface is met";
}

TEST(LowestValue, AFallPassesOneLevelAfterTheOtherAndEachGivesItsStepOfKineticEnergy) {
  constexpr double h = 1e-3, gravity = 0.5;
  Spring spring;
  spring.force = gravity;
  spring.least = -infinity;
  OneNode node(spring, 0.3, h);
  EnergyStepping integrator(node.system.lagrangian, node.system.state);
  const double kinetic = node.kinetic();
  const std::int64_t first = integrator.subdomain_records()[0].level;
  for (int event = 1; event <= 400; ++event) {
    ASSERT_TRUE(integrator.advance(node.system.state, 1e6));
    const std::int64_t passed = integrator.subdomain_records()[0].level - first;
    EXPECT_NEAR(node.kinetic(), kinetic - h * static_cast<double>(passed), 1e-13);
    // At an event V is on a surface. These are at odd multiples of h/2, as the start is in the middle of a
    // terrace.
    const double value = gravity * node.system.state.lines[0].displacement_at(node.system.state.time)[2];
    const double half = value / h - static_cast<double>(passed);
    EXPECT_NEAR(std::abs(half), 0.5, 1e-9);
  }
  EXPECT_LT(integrator.subdomain_records()[0].level, -300);
}

TEST(LowestValue, LevelsHaveABottomDownToTheOneThatHoldsIt) {
  EXPECT_FALSE((Terrace{2, 0, 0}.has_bottom()));
  EXPECT_TRUE((Terrace{2, 1, 0}.has_bottom()));
  EXPECT_TRUE((Terrace{2, 0, 0, -3}.has_bottom()));
  EXPECT_TRUE((Terrace{2, -1, 0, -3}.has_bottom()));
  EXPECT_FALSE((Terrace{2, -2, 0, -3}.has_bottom()));
  EXPECT_TRUE((Terrace{2, -1000, 0, -infinity}.has_bottom()));
  EXPECT_EQ((Terrace{2, 0, 0, -3}.not_below_lowest(-7)), -2);
  EXPECT_EQ((Terrace{2, 0, 0, -infinity}.not_below_lowest(-7)), -7);
}

}  // namespace
}  // namespace terrace::lowest_value_test
