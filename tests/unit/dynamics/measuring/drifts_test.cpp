// Drifts of rows whose energies and momenta are changed by known amounts.
#include "dynamics/measuring/drifts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace terrace::drifts_test {
namespace {

SystemRecord row(double energy, const Vector3& angular_momentum = {}) {
  SystemRecord record;
  record.energy = energy;
  record.own_angular_momentum = angular_momentum;
  return record;
}
const IntegerMomentum none{0, 0, 0};

TEST(Drifts, OfTheEnergyAreTheLargestOfAllRowsOverTheFirst) {
  Drifts drifts;
  EXPECT_FALSE(drifts.started());
  drifts.start(row(-8), none, 1);
  EXPECT_TRUE(drifts.started());
  drifts.add(row(-8), none);
  EXPECT_EQ(drifts.energy(), 0);
  drifts.add(row(-9), none);
  EXPECT_EQ(drifts.energy(), 0.125);
  drifts.add(row(-6), none);
  EXPECT_EQ(drifts.energy(), 0.25);
  drifts.add(row(-8), none);
  EXPECT_EQ(drifts.energy(), 0.25) << "what was off stays known";
  EXPECT_EQ(drifts.first().energy, -8);
}

TEST(Drifts, OfAnEnergyThatWasZeroAreInItsUnit) {
  Drifts drifts;
  drifts.start(row(0), none, 1);
  drifts.add(row(-0.5), none);
  EXPECT_EQ(drifts.energy(), 0.5);
}

// Under gravity the zero of the energy has no meaning: drifts are divided by the largest kinetic energy, less
// what the energy has grown by.
TEST(Drifts, OfTheEnergyAreOverTheLargestKineticEnergyWhereThatIsMore) {
  Drifts drifts;
  SystemRecord first = row(1e-9), later = row(2e-9);
  later.kinetic = 4;
  drifts.start(first, none, 1);
  drifts.add(first, none);
  drifts.add(later, none);
  EXPECT_DOUBLE_EQ(drifts.energy(), 1e-9 / (4 - 1e-9));
}

// Where an integrator blows up, the kinetic energy that it made does not count in the scale: 1000 over 2.
TEST(Drifts, OfAnEnergyThatGrowsAreOverTheOneThatWasThere) {
  Drifts drifts;
  SystemRecord first = row(2), later = row(1002);
  first.kinetic = 2;
  later.kinetic = 1001;
  drifts.start(first, none, 1);
  drifts.add(first, none);
  drifts.add(later, none);
  EXPECT_DOUBLE_EQ(drifts.energy(), 500);
}

// Where supports load a body slowly, their work is the measure of what is stored: the energy at the start and
// the kinetic energy are far less.
TEST(Drifts, OfTheEnergyAreOverTheLargestWorkOfSupportsWhereThatIsMore) {
  Drifts drifts;
  SystemRecord first = row(1e-6), loaded = row(1e-6 + 1e-3), unloaded = row(1e-6);
  first.kinetic = loaded.kinetic = 1e-6;
  loaded.support_work = -4;  // its sign does not matter
  loaded.potential = 5;
  loaded.terraced = 3;
  unloaded.support_work = 1;
  drifts.start(first, none, 1);
  for (const SystemRecord& each : {first, loaded, unloaded}) drifts.add(each, none);
  EXPECT_DOUBLE_EQ(drifts.energy(), 1e-3 / 4);
  EXPECT_DOUBLE_EQ(drifts.potential(), 2.0 / 4);
}

TEST(Drifts, OfWhatIsHeldForThePotentialEnergyAreTheLargestOfAllRows) {
  Drifts drifts;
  SystemRecord first = row(8), later = row(8);
  first.potential = first.terraced = 3;
  later.potential = 5;
  later.terraced = 6;
  later.kinetic = 2;
  drifts.start(first, none, 1);
  drifts.add(first, none);
  EXPECT_EQ(drifts.potential(), 0);
  drifts.add(later, none);
  EXPECT_EQ(drifts.potential(), 0.125);
  drifts.add(first, none);
  EXPECT_EQ(drifts.potential(), 0.125) << "what was off stays known";
  EXPECT_EQ(drifts.energy(), 0);
}

TEST(Drifts, OfTheAngularMomentumAreOverTheScaleInEveryComponent) {
  for (std::size_t d = 0; d < 3; ++d) {
    Vector3 turned{3, 4, 0};
    turned[d] += 2;
    Drifts by_scale, by_itself;
    by_scale.start(row(1, {3, 4, 0}), none, 16);
    by_scale.add(row(1, turned), none);
    by_scale.add(row(1, {3, 4, 0}), none);
    EXPECT_EQ(by_scale.angular_momentum(), 2.0 / 16) << d;
    by_itself.start(row(1, {3, 4, 0}), none, 1e-3);
    by_itself.add(row(1, turned), none);
    EXPECT_EQ(by_itself.angular_momentum(), 2.0 / 5) << "|L(0)| where that is larger";
    EXPECT_EQ(by_itself.energy(), 0);
  }
  Drifts norm;
  norm.start(row(1), none, 1);
  norm.add(row(1, {3, 4, 12}), none);
  EXPECT_EQ(norm.angular_momentum(), 13);
}

TEST(Drifts, WithoutAScaleComparesStillWithTheFirstRow) {
  Drifts drifts;
  drifts.start(row(2), none, 0);
  drifts.add(row(2), none);
  drifts.add(row(3), none);
  drifts.add(row(3), none);
  EXPECT_EQ(drifts.first().energy, 2);
  EXPECT_EQ(drifts.energy(), 0.5);
  EXPECT_EQ(drifts.angular_momentum(), 0);
}

TEST(Drifts, OfAnAngularMomentumFromNothingHaveNoMeasure) {
  Drifts drifts;
  drifts.start(row(1), none, 0);
  drifts.add(row(1, {0, 1e-20, 0}), none);
  EXPECT_EQ(drifts.angular_momentum(), std::nullopt);
}

TEST(Drifts, ThatAreNoNumberDoNotPassForNone) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Drifts drifts;
  drifts.start(row(2, {1, 0, 0}), none, 1);
  drifts.add(row(nan, {1, nan, 0}), none);
  drifts.add(row(2, {1, 0, 0}), none);
  EXPECT_TRUE(std::isnan(drifts.energy()));
  EXPECT_TRUE(std::isnan(drifts.angular_momentum().value()));
}

TEST(Drifts, OfTheMomentumAreTheLastRowsLessTheFirstsInQuanta) {
  constexpr Integer128 far = Integer128{1} << 100;
  Drifts drifts;
  drifts.start(row(1), {far, -far, 5}, 1);
  drifts.add(row(1), {far, -far, 5});
  EXPECT_EQ(drifts.momentum_change(), (std::array<std::int64_t, 3>{0, 0, 0}));
  drifts.add(row(1), {far + 1, -far - 7, 1});
  EXPECT_EQ(drifts.momentum_change(), (std::array<std::int64_t, 3>{1, -7, -4}));
  drifts.add(row(1), {-far, far, 5 + (Integer128{1} << 62)});
  constexpr std::int64_t most = std::int64_t{1} << 62;
  EXPECT_EQ(drifts.momentum_change(), (std::array<std::int64_t, 3>{-most, most, most})) << "no wrap-around";
}

}  // namespace
}  // namespace terrace::drifts_test
