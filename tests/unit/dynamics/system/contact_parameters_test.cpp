// Distance and stiffness of smooth contact, calculated by hand from the rule in contact_parameters.hpp;
// stable steps of its springs; bodies that are near each other at the start.
#include "dynamics/system/contact_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::contact_parameters_test {
namespace {

ContactEntry entry(ContactModel model) {
  ContactEntry contact;
  contact.model = model;
  return contact;
}

/// Two bodies with E* = 1/(1/2 + 1/6) = 1.5, a mean density of 2 and a reduced layer of 3·6/9 = 2.
const ContactBody soft{0.1, 0.5, 2, 1, 3, 7}, stiff{0.2, 0.4, 6, 3, 6, 5};

TEST(ContactParameters, OfAPairFollowTheirRule) {
  // ρ v²/E* = 2 · 0.01/1.5 = 1/75. Slowness² = 2 max(1/2, 3/6) = 1: approach = 0.4 · (0.01)^0.4.
  const double pressure = 1.5 * std::pow(1.0 / 75, 0.2), approach = 0.4 * std::pow(0.1, 0.8);
  const double distance = 0.3 * 0.1;
  ASSERT_LT(distance, 1.2 * approach);
  const ContactParameters gap = contact_parameters(soft, stiff, 0.1, entry(ContactModel::gap));
  EXPECT_NEAR(gap.pressure, pressure, 1e-14);
  EXPECT_NEAR(gap.activation, distance, 1e-16);
  EXPECT_NEAR(gap.stiffness, 15 * pressure * distance, 1e-14);
  const ContactParameters barrier = contact_parameters(soft, stiff, 0.1, entry(ContactModel::barrier));
  EXPECT_NEAR(barrier.activation, distance, 1e-16);
  EXPECT_NEAR(barrier.stiffness, 40 * pressure * distance, 1e-14);
  // Twelve times half the reduced mass per area times v²: 6 · 2 · 0.01.
  EXPECT_NEAR(gap.least_stiffness, 0.12, 1e-15);
  EXPECT_LT(gap.least_stiffness, gap.stiffness);
  const ContactParameters swapped = contact_parameters(stiff, soft, 0.1, entry(ContactModel::gap));
  EXPECT_EQ(swapped.stiffness, gap.stiffness);
  EXPECT_EQ(swapped.activation, gap.activation);
}

TEST(ContactParameters, TheApproachLimitsTheDistanceOfSlowImpacts) {
  const double speed = 1e-3, approach = 0.4 * std::pow(speed, 0.8);
  ASSERT_LT(1.2 * approach, 0.03);
  const ContactParameters gap = contact_parameters(soft, stiff, speed, entry(ContactModel::gap));
  EXPECT_NEAR(gap.activation, 1.2 * approach, 1e-16);
  const double pressure = 1.5 * std::pow(2 * speed * speed / 1.5, 0.2);
  EXPECT_NEAR(gap.stiffness, 15 * pressure * 1.2 * approach, 1e-15);
}

TEST(ContactParameters, TheSofterBodyAloneDecidesTheApproach) {
  const ContactBody softer{0.1, 0.5, 0.5, 1, 3, 7};  // slowness² = 2 · 1/0.5
  for (const bool first : {true, false}) {
    const ContactParameters gap =
        contact_parameters(first ? softer : stiff, first ? stiff : softer, 1e-3, entry(ContactModel::gap));
    EXPECT_NEAR(gap.activation, 1.2 * 0.4 * std::pow(4e-6, 0.4), 1e-15) << first;
  }
}

TEST(ContactParameters, AtRestAThousandthOfTheWaveSpeedCounts) {
  const ContactParameters gap = contact_parameters(soft, stiff, 0, entry(ContactModel::gap));
  EXPECT_NEAR(gap.pressure, 1.5 * std::pow(1e-6, 0.2), 1e-15);
  EXPECT_NEAR(gap.activation, 1.2 * 0.4 * std::pow(1e-6, 0.4), 1e-16);
  EXPECT_NEAR(gap.least_stiffness, 6 * 2 * 1e-6 * 1.5 / 2, 1e-18);
}

TEST(ContactParameters, FastImpactsPressAtMostWithTheModulusAndStopTheNodesOneByOne) {
  const ContactParameters gap = contact_parameters(soft, stiff, 10, entry(ContactModel::gap));
  EXPECT_EQ(gap.pressure, 1.5);
  EXPECT_NEAR(gap.stiffness, 6 * 2 * 100.0, 1e-10) << "more than 15 · 1.5 · 0.03";
}

TEST(ContactParameters, TheDecksOwnValuesGoFirst) {
  ContactEntry given = entry(ContactModel::barrier);
  given.distance = 0.7;
  EXPECT_EQ(contact_parameters(soft, stiff, 0.1, given).activation, 0.7);
  EXPECT_NEAR(contact_parameters(soft, stiff, 0.1, given).stiffness, 40 * 1.5 * std::pow(1.0 / 75, 0.2) * 0.7,
              1e-13);
  given.stiffness = 0.9;
  EXPECT_EQ(contact_parameters(soft, stiff, 0.1, given).stiffness, 0.9);
}

TEST(ContactParameters, OfAWallAreTheBodysAlone) {
  Wall wall{"floor", {}, {0, 0, 1}, 0};
  wall.model = WallModel::barrier;
  // E* = 6, ρ = 3: ρ v²/E* = 0.005, slowness² = 0.5, layer 6.
  const double pressure = 6 * std::pow(0.005, 0.2);
  ContactParameters chosen = wall_parameters(stiff, 0.1, wall);
  EXPECT_NEAR(chosen.pressure, pressure, 1e-14);
  EXPECT_NEAR(chosen.activation, std::min(0.3 * 0.2, 1.2 * 0.4 * std::pow(0.005, 0.4)), 1e-15);
  EXPECT_NEAR(chosen.stiffness, 40 * pressure * chosen.activation, 1e-13);
  EXPECT_NEAR(chosen.least_stiffness, 6 * 6 * 0.01, 1e-14);
  wall.distance = 0.25;
  EXPECT_EQ(wall_parameters(stiff, 0.1, wall).activation, 0.25);
  wall.stiffness = 3;
  EXPECT_EQ(wall_parameters(stiff, 0.1, wall).stiffness, 3);
}

TEST(ContactParameters, StableStepIsThatOfTheNodesOnTheSprings) {
  ContactParameters parameters;
  parameters.activation = 0.5;
  parameters.stiffness = 3;
  // ω² = 2 κ ψ″ (A/m + A/m) with ψ″ = 1/d̂² of the gap: 2 · 12 · 12 = 288, of the barrier 1.5 times that.
  EXPECT_NEAR(contact_stable_step(soft, stiff, 0, parameters, ContactModel::gap), 2 / std::sqrt(288.0),
              1e-15);
  EXPECT_NEAR(contact_stable_step(soft, stiff, 0, parameters, ContactModel::barrier), 2 / std::sqrt(432.0),
              1e-15);
  EXPECT_EQ(contact_stable_step(soft, stiff, 100, parameters, ContactModel::gap), 0.25 * 0.5 / 100);
  EXPECT_NEAR(contact_stable_step(soft, stiff, 0.1, parameters, ContactModel::gap), 2 / std::sqrt(288.0),
              1e-15);
}

/// A unit cube of 1 cell: corners have 1/16 of the mass 0.1 and, with six triangles of 1/4 around each, an
/// area of 6 · 1/4 / 3 = 1/2; centres of faces 1/24 and 4 · 1/4 / 3 = 1/3. Together 8/2 + 6/3 = 6.
TEST(ContactParameters, WhatContactKnowsOfACube) {
  const Model model = build_model(spinning_cube(1));
  const ContactBody cube = contact_body(model, model.bodies[0]);
  EXPECT_NEAR(cube.edge, std::sqrt(0.5), 1e-15) << "half a diagonal";
  EXPECT_NEAR(cube.radius, std::cbrt(0.75 / std::acos(-1.0)), 1e-15);
  EXPECT_NEAR(cube.modulus, 4 * 0.0066 * 0.0166 / 0.0232, 1e-15);
  EXPECT_EQ(cube.density, 0.1);
  EXPECT_NEAR(cube.layer, 0.75 * 0.1 / 6, 1e-16);
  EXPECT_NEAR(cube.lightness, std::max(0.5 / (0.1 / 16), 1.0 / 3 / (0.1 / 24)), 1e-12);
}

TEST(ContactParameters, SpeedsOfImpact) {
  Model model = build_model(soft_deck({cube_entry("a", 1), cube_entry("b", 1, {3, 0, 0})}));
  for (Vector3& velocity : model.velocities) velocity = {1, 1, 1};
  EXPECT_EQ(impact_speed(model), 0) << "all fly together";
  model.velocities[2] = {4, 1, 1};
  model.velocities[20] = {1, -3, 1};
  EXPECT_EQ(impact_speed(model), 5) << "ranges 3, 4 and 0";
  EXPECT_EQ(largest_speed(model, model.bodies[0]), norm(Vector3{4, 1, 1}));
  EXPECT_EQ(largest_speed(model, model.bodies[1]), norm(Vector3{1, -3, 1}));
}

// By free fall: v² = v₀² + 2 g d along the wall's normal, whatever way the body takes there.
TEST(ContactParameters, SpeedsAtWallsKnowOfGravity) {
  Model model = build_model(soft_deck({cube_entry("a", 1, {0, 0, 5})}));  // its lowest nodes at z = 4.5
  for (Vector3& velocity : model.velocities) velocity = {3, 0, 0};
  Wall floor{"floor", {0, 0, 0.5}, {0, 0, 2}, 0};
  const Wall ceiling{"ceiling", {0, 0, 9}, {0, 0, -1}, 0}, side{"side", {7, 0, 0}, {-1, 0, 0}, 0};
  EXPECT_EQ(speed_at_wall(model, model.bodies[0], floor), 3) << "no gravity";
  model.gravity = {0, 0, -2};
  EXPECT_DOUBLE_EQ(speed_at_wall(model, model.bodies[0], floor), 5) << "9 + 2 * 2 * 4";
  EXPECT_EQ(speed_at_wall(model, model.bodies[0], ceiling), 3);
  EXPECT_EQ(speed_at_wall(model, model.bodies[0], side), 3);
  const Wall slope{"slope", {0, 0, 0.5}, {3, 0, 4}, 0};  // of the lowest corner 4 (4/5) − 0.5 (3/5) away
  EXPECT_DOUBLE_EQ(speed_at_wall(model, model.bodies[0], slope), std::sqrt(9 + 2 * (2 * 0.8) * 2.9));
  model.supports = {{"pin", {}, {true, true, false}, {3}}};
  EXPECT_DOUBLE_EQ(speed_at_wall(model, model.bodies[0], floor), 5) << "held, but not against gravity";
  model.supports[0].components[2] = true;
  EXPECT_EQ(speed_at_wall(model, model.bodies[0], floor), 3);
  model.supports[0].nodes = {model.bodies[0].node_count};  // another body's
  EXPECT_DOUBLE_EQ(speed_at_wall(model, model.bodies[0], floor), 5);
  floor.point = {0, 0, 4.75};
  EXPECT_EQ(speed_at_wall(model, model.bodies[0], floor), 3) << "in it already";
}

/// Two unit cubes with this gap between them.
Model cubes(double gap) {
  return build_model(soft_deck({cube_entry("a", 1), cube_entry("b", 1, {1 + gap, 0, 0})}));
}

TEST(ContactParameters, RoomAtTheStartIsHalfTheDistance) {
  const Model model = cubes(0.25);
  ContactEntry contact = entry(ContactModel::gap);
  contact.close_start = CloseStart::reduce;
  ContactParameters parameters{0.5, 99, 2, 0.001, 15};
  adapt_to_start(model, model.bodies[0], model.bodies[1], contact, parameters);
  EXPECT_NEAR(parameters.activation, 0.125, 1e-15);
  EXPECT_NEAR(parameters.stiffness, 15 * 2 * 0.125, 1e-14) << "chosen for the new distance";

  parameters = {0.2, 99, 2, 0.001, 15};
  adapt_to_start(model, model.bodies[0], model.bodies[1], contact, parameters);
  EXPECT_EQ(parameters.activation, 0.2) << "there is room";
  EXPECT_EQ(parameters.stiffness, 99);

  contact.stiffness = 99;
  parameters = {0.5, 99, 2, 0.001, 15};
  adapt_to_start(model, model.bodies[0], model.bodies[1], contact, parameters);
  EXPECT_EQ(parameters.stiffness, 99) << "the deck's";

  contact.close_start = CloseStart::refuse;
  EXPECT_THAT(
      [&] {
        adapt_to_start(model, model.bodies[0], model.bodies[1], contact, parameters = {0.5, 1});
      },
      testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("bodies a and b only 0.25 apart"),
                                                   testing::HasSubstr("activation distance 0.5"))));
}

// Between bodies that touch there is no distance that could be halved.
TEST(ContactParameters, BodiesThatTouchAreToldToBeMoved) {
  const Model model = cubes(0);
  ContactEntry contact = entry(ContactModel::gap);
  ContactParameters parameters{0.5, 99, 2, 0.001, 15};
  for (const CloseStart start : {CloseStart::refuse, CloseStart::reduce}) {
    contact.close_start = start;
    EXPECT_THAT([&] { adapt_to_start(model, model.bodies[0], model.bodies[1], contact, parameters); },
                testing::ThrowsMessage<Error>(testing::AllOf(
                    testing::HasSubstr("a gap between bodies, which smooth contact needs: move one by "
                                       "some thousandths of an element (bodies.position), which "
                                       "contact.close_start = \"reduce\" then takes"),
                    testing::HasSubstr("bodies a and b that touch at"))));
    const Wall wall{"side", {-0.5, 0, 0}, {1, 0, 0}, 0};
    EXPECT_THAT([&] { adapt_to_wall(model, model.bodies[0], wall, contact, parameters); },
                testing::ThrowsMessage<Error>(testing::AllOf(
                    testing::HasSubstr("a gap between it and bodies, which a barrier needs: move the "
                                       "wall or them by some thousandths of an element, which "
                                       "contact.close_start = \"reduce\" then takes"),
                    testing::HasSubstr("body a that touches it"))));
  }
}

TEST(ContactParameters, RoomAtAWallIsHalfTheHeight) {
  const Model model = cubes(0.25);
  ContactEntry contact = entry(ContactModel::gap);
  contact.close_start = CloseStart::reduce;
  Wall wall{"side", {-0.75, 0, 0}, {1, 0, 0}, 0};
  ContactParameters parameters{0.5, 99, 2, 0.001, 40};
  adapt_to_wall(model, model.bodies[0], wall, contact, parameters);
  EXPECT_NEAR(parameters.activation, 0.125, 1e-15);
  EXPECT_NEAR(parameters.stiffness, 40 * 2 * 0.125, 1e-14);
  parameters = {0.5, 99, 2, 0.001, 40};
  adapt_to_wall(model, model.bodies[1], wall, contact, parameters);
  EXPECT_EQ(parameters.activation, 0.5) << "the other cube is far";
  // With two sides the normal may point away.
  wall.normal = {-1, 0, 0};
  wall.two_sided = true;
  adapt_to_wall(model, model.bodies[0], wall, contact, parameters);
  EXPECT_NEAR(parameters.activation, 0.125, 1e-15);
  contact.close_start = CloseStart::refuse;
  EXPECT_THAT(
      [&] {
        adapt_to_wall(model, model.bodies[0], wall, contact, parameters = {0.5, 1});
      },
      testing::ThrowsMessage<Error>(
          testing::HasSubstr("activation distance 0.5 (its key distance, or contact.close_start = \"reduce\" "
                             "for less where needed), found body a only 0.25 away")));
}

// The node that is farthest from a two-sided wall tells on which side of it a body is: others may lie on it.
TEST(ContactParameters, ABodyThatTouchesATwoSidedWallIsOnTheSideOfTheRest) {
  const Model model = cubes(0.25);
  const Vector3 first = model.positions[0];
  for (const double away : {1.0, -1.0})
    for (const double rounding : {-1e-17, 0.0, 1e-17}) {
      Wall wall{"screen", {first[0] - rounding, 0, 0}, {away, 0, 0}, 0};
      wall.two_sided = true;
      EXPECT_EQ(facing(wall, model, model.bodies[0]).normal, (Vector3{1, 0, 0})) << away << rounding;
      wall.two_sided = false;
      EXPECT_EQ(facing(wall, model, model.bodies[0]).normal, (Vector3{away, 0, 0}));
    }
}

TEST(ContactParameters, StableStepAtAWall) {
  const Model model = build_model(spinning_cube(1));
  Wall wall{"floor", {0, 0, -3}, {0, 0, 1}, 4};
  // The lightest boundary node is the centre of a face, 0.1/24.
  EXPECT_NEAR(wall_stable_step(model, model.bodies[0], {}, wall, {}), 2 * std::sqrt(0.1 / 24 / 4), 1e-15);
  wall.model = WallModel::barrier;
  ContactParameters parameters;
  parameters.activation = 0.5;
  parameters.stiffness = 1e6;  // so stiff that the speed does not matter
  EXPECT_NEAR(
      wall_stable_step(model, model.bodies[0], contact_body(model, model.bodies[0]), wall, parameters),
      2 / std::sqrt(2 * 1.5 * 4e6 * 80), 1e-12);
}

}  // namespace
}  // namespace terrace::contact_parameters_test
