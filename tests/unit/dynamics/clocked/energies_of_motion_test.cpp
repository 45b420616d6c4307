// The kinetic energies of bodies, about their mean velocity and in the deck's frame.
#include "dynamics/clocked/energies_of_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/small_system.hpp"

namespace terrace::energies_of_motion_test {
namespace {

/// Three cubes of 0.1 kg: the first flies at 5 m/s, the second spins at 2 rad/s, the third is at rest. All
/// move with the velocity `common` as well.
Deck cubes(const Vector3& common = {}) {
  Deck deck = three_cubes(1, false);
  deck.bodies[0].velocity = {0, 3, 4};
  deck.bodies[1].spin = {0, 0, 2};
  for (BodyEntry& body : deck.bodies) body.velocity += common;
  return deck;
}

const LocalizationEntry each{LocalizationKind::bodies, 1, ContactLocalization::touching};

double mass_of(const SmallSystem& system) {
  double mass = 0;
  for (const double of_node : system.lagrangian.masses) mass += of_node;
  return mass / 3;
}

TEST(EnergiesOfMotion, OfBodiesIsWhatTheyHaveBesideTheirFlight) {
  for (const Vector3& common : {Vector3{}, Vector3{-7, 0, 200}}) {
    SmallSystem system(cubes(common), each);
    const std::array<std::int32_t, 3> bodies = {0, 1, 2};
    const std::vector<double> found = energies_about_mean(system.lagrangian, system.state, bodies);
    // ½ I ω² with ω = 2 and I = m/6, the moment of inertia of a solid unit cube. Lumping the mass at so few
    // nodes makes I larger, by a factor of up to 1.8.
    const double spinning = 0.5 * mass_of(system) / 6 * 4;
    EXPECT_LT(found[0], 1e-20);
    EXPECT_GT(found[1], spinning);
    EXPECT_LT(found[1], 1.8 * spinning);
    EXPECT_LT(found[2], 1e-20);
  }
}

TEST(EnergiesOfMotion, InTheDecksFrameIsAllThatBodiesHave) {
  SmallSystem system(cubes(), each);
  const double mass = mass_of(system);
  const std::array<std::int32_t, 3> bodies = {0, 1, 2};
  const std::vector<double> found = energies_of_motion(system.lagrangian, system.state, bodies);
  EXPECT_NEAR(found[0], 0.5 * mass * 25, 1e-12);
  EXPECT_GT(found[1], 0);
  EXPECT_EQ(found[2], 0);
  const std::array<std::int32_t, 1> all = {0};
  SmallSystem together(cubes(), {LocalizationKind::global});
  SmallSystem flying(cubes({-7, 0, 0}), {LocalizationKind::global});
  const double sum = energies_of_motion(together.lagrangian, together.state, all)[0];
  EXPECT_NEAR(sum, found[0] + found[1], 1e-12);
  EXPECT_NEAR(energies_of_motion(flying.lagrangian, flying.state, all)[0], sum + 1.5 * mass * 49, 1e-12);
}

}  // namespace
}  // namespace terrace::energies_of_motion_test
