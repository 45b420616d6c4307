// For tests that plan windows: cubes, far apart or hardly apart, and outlooks on their work.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/windows/window_plan.hpp"
#include "support/small_system.hpp"

namespace terrace {

inline constexpr std::uint32_t seed = 20261123;
inline const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

/// Cubes on a loose grid, turned and moving at random.
inline Deck loose_cubes(std::mt19937& random, int a_side, double spacing) {
  std::uniform_real_distribution<double> number(-1, 1);
  Deck deck = soft_deck({});
  for (int i = 0; i < a_side * a_side * a_side; ++i) {
    BodyEntry body = cube_entry(
        "cube" + std::to_string(i), 1,
        {spacing * (i % a_side), spacing * (i / a_side % a_side), spacing * (i / a_side / a_side)});
    body.rotation_axis = {number(random), number(random), 1.5};
    body.rotation_angle = 180 * number(random);
    body.velocity = {0.1 * number(random), 0.1 * number(random), 0.1 * number(random)};
    deck.bodies.push_back(body);
  }
  deck.contact.model = ContactModel::barrier;
  return deck;
}

/// Cubes in layers that are shifted against each other. All are turned alike, hardly apart and hardly moving,
/// so that faces are near each other.
inline Deck staggered_cubes(std::mt19937& random, int a_side) {
  std::uniform_real_distribution<double> number(-1, 1);
  const double gap = 0.06 + 0.02 * number(random), turned = 40 * number(random);
  const double cosine = std::cos(turned * M_PI / 180), sine = std::sin(turned * M_PI / 180);
  const double shift = 0.5 * number(random), lift = 0.5 * number(random);
  Deck deck = soft_deck({});
  for (int i = 0; i < a_side * a_side * a_side; ++i) {
    const int layer = i % a_side;
    const double x = (1 + gap) * layer, y = (1 + gap) * (i / a_side % a_side) + shift * layer,
                 z = (1 + gap) * (i / a_side / a_side) + lift * layer;
    BodyEntry body =
        cube_entry("cube" + std::to_string(i), 1, {cosine * x - sine * y, sine * x + cosine * y, z});
    body.rotation_axis = {0, 0, 1};
    body.rotation_angle = turned;
    body.velocity = {1e-3 * number(random), 1e-3 * number(random), 1e-3 * number(random)};
    deck.bodies.push_back(body);
  }
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.01;
  return deck;
}

inline WindowOutlook free_flight(std::size_t bodies, int ranks) {
  WindowOutlook outlook{.elements = std::vector<double>(bodies, 0),
                        .work = std::vector<double>(bodies, 100),
                        .touched = std::vector<double>(bodies, 100),
                        .touches = std::vector<double>(bodies, 0),
                        .deviation = std::vector<double>(bodies, 0.002),
                        .departure = std::vector<double>(bodies, infinity),
                        .group = std::vector<std::int32_t>(bodies),
                        .pace = std::vector<double>(bodies, 1),
                        .surface = std::vector<double>(bodies, 8),
                        .rank = std::vector<int>(bodies)};
  std::iota(outlook.group.begin(), outlook.group.end(), 0);
  for (std::size_t body = 0; body < bodies; ++body) outlook.rank[body] = static_cast<int>(body) % ranks;
  return outlook;
}

/// The outlook of bodies in one group, with much work at few events.
inline WindowOutlook heavy_group(std::size_t bodies, int ranks) {
  WindowOutlook outlook = free_flight(bodies, ranks);
  outlook.work.assign(bodies, 1e9);
  outlook.touched = outlook.work;
  outlook.pace.assign(bodies, 10);
  outlook.group.assign(bodies, 0);
  return outlook;
}

struct Planned {
  Planned(const Deck& deck, int on_ranks)
      : system(deck, touching), pairs(*system.lagrangian.contact_pairs), ranks(on_ranks) {}
  Window window(double until, const WindowOutlook& outlook, bool closely = false) {
    WindowPlanner planner(system.lagrangian, pairs, ranks);
    if (closely) let_look_closely(planner, until);
    return planner.plan(system.state.lines, 0, until, outlook);
  }
  /// Plans a window before, in which one rank has all the work.
  void let_look_closely(WindowPlanner& planner, double until) const {
    const auto bodies = static_cast<std::size_t>(pairs.bodies());
    WindowOutlook lopsided = free_flight(bodies, ranks);
    lopsided.work.assign(bodies, 0);
    lopsided.work[0] = 1e9;
    lopsided.touched = lopsided.work;
    EXPECT_LT(planner.plan(system.state.lines, 0, until, lopsided).balance, 0.75);
  }
  SmallSystem system;
  const ContactPairs& pairs;
  int ranks;
};

/// Gives all nodes velocities of their own. The outlook says that nodes hardly left their lines in the last
/// window; for a quarter of the bodies it says that nothing is known.
inline void let_vibrate(Planned& plan, WindowOutlook& outlook, std::mt19937& random, double speed) {
  std::uniform_real_distribution<double> number(-speed, speed);
  for (NodeLine& line : plan.system.state.lines)
    line.velocity += Vector3{number(random), number(random), number(random)};
  for (double& departure : outlook.departure)
    departure = number(random) > -0.5 * speed ? 0.1 * speed : infinity;
}

}  // namespace terrace
