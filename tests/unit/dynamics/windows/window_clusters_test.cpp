// Bodies of different clusters cannot meet in a window, whatever they do in the tubes about their flights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "numerics/at.hpp"
#include "potentials/contact/contact_surfaces.hpp"
#include "support/brute_force_overlap.hpp"
#include "support/planned_windows.hpp"

namespace terrace::window_clusters_test {
namespace {

TEST(WindowClusters, NothingInItsTubeComesWithinReachOfAnotherCluster) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(0, 1), number(-1, 1);
  int divided = 0, joined = 0, taken_apart = 0, node_by_node = 0, unlike = 0;
  for (int trial = 0; trial < 48; ++trial) {
    const bool closely = trial % 24 >= 12;
    Planned plan(closely ? staggered_cubes(random, 2) : loose_cubes(random, 2, 1.8 + 0.5 * share(random)), 2);
    WindowOutlook outlook = free_flight(8, 2);
    if (closely) outlook.work = outlook.touched = std::vector<double>(8, 1e9);
    if (trial >= 24) let_vibrate(plan, outlook, random, closely ? 0.02 : 0.5);
    const Window window = plan.window(1, outlook, closely);
    if (closely && window.clusters > plan.window(window.end, outlook).clusters) ++taken_apart;
    ASSERT_GT(window.end, 0);
    const SmallSystem& system = plan.system;
    for (int sample = 0; sample < 40; ++sample) {
      const double time = sample % 2 == 0 ? window.end * share(random) : window.end;
      // Moves nodes to corners of their tubes: all of a body to the same corner, or each to its own.
      std::vector<Vector3> positions = system.model.positions;
      for (std::size_t b = 0; b < 8; ++b) {
        const Flight& flight = window.flights[b];
        if (flight.node_by_node) ++node_by_node;
        const Body& body = system.model.bodies[b];
        Vector3 together;
        for (double& component : together) component = std::copysign(flight.radius, number(random));
        for (std::int32_t node = body.first_node; node < body.first_node + body.node_count; ++node) {
          Vector3 off = together;
          if (sample % 4 < 2)
            for (double& component : off) component = std::copysign(flight.radius, number(random));
          const Vector3 velocity =
              flight.node_by_node ? at(system.state.lines, node).velocity : flight.velocity;
          at(positions, node) += time * velocity + off;
        }
      }
      for (std::int32_t a = 0; a < 8; ++a)
        for (std::int32_t b = a + 1; b < 8; ++b) {
          const auto [first, second] = std::pair(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
          if (window.cluster_of[first] == window.cluster_of[second]) {
            ++joined;
            continue;
          }
          ++divided;
          if (window.flights[first].node_by_node != window.flights[second].node_by_node) ++unlike;
          const ContactSurfaces surfaces(positions, system.model.bodies[first].boundary,
                                         system.model.bodies[second].boundary, "test");
          const auto nearest = nearest_pair(surfaces, 1e3);
          ASSERT_TRUE(nearest.has_value());
          EXPECT_GT(nearest->distance, plan.pairs.activation({a, b}))
              << "seed " << seed << ", trial " << trial << ", bodies " << a << ", " << b << ", time " << time;
        }
    }
  }
  EXPECT_GT(divided, 1000);
  EXPECT_GT(joined, 100);
  EXPECT_GT(taken_apart, 6) << "by a look that is closer";
  EXPECT_GT(node_by_node, 1000);
  EXPECT_GT(unlike, 300) << "one of a pair node by node, the other as a whole";
}

// Two cubes side by side, turned by 40° and shifted along their faces: neither an axis nor the line of
// centres separates them. A close look finds the normal of the faces, which does.
TEST(WindowClusters, CloseLooksTakeApartWhatIsOutOfLine) {
  Deck deck = soft_deck({});
  for (int i = 0; i < 2; ++i) {
    BodyEntry body = cube_entry("plate" + std::to_string(i), 1, {0, 0, 0});
    const double turned = 40 * M_PI / 180, along = 0.8 * i, across = 1.05 * i;
    body.rotation_axis = {0, 0, 1};
    body.rotation_angle = 40;
    body.position = {along * std::cos(turned) - across * std::sin(turned),
                     along * std::sin(turned) + across * std::cos(turned), 0};
    deck.bodies.push_back(body);
  }
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.01;
  Planned plan(deck, 2);
  WindowOutlook outlook = free_flight(2, 2);
  EXPECT_EQ(plan.window(1e-3, outlook).clusters, 1);
  WindowPlanner in_vain(plan.system.lagrangian, plan.pairs, 2);
  plan.let_look_closely(in_vain, 1e-3);
  EXPECT_EQ(in_vain.plan(plan.system.state.lines, 0, 1e-3, outlook).clusters, 1) << "for next to no work";
  outlook.work.assign(2, 1e9);
  outlook.touched = outlook.work;
  EXPECT_EQ(plan.window(1e-3, outlook).clusters, 1);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  plan.let_look_closely(planner, 1e-3);
  const Window window = planner.plan(plan.system.state.lines, 0, 1e-3, outlook);
  EXPECT_EQ(window.clusters, 2);
  EXPECT_NE(window.rank_of[0], window.rank_of[1]);
  EXPECT_EQ(window.balance, 1);
  // Two nodes of the second body get additional velocities of ±0.5. Close looks expect vibrations to go on
  // nearly as they are, so that its tube is about 0.5 times the length of the window wide.
  const std::span<const std::int32_t> nodes = plan.pairs.surface_nodes(1);
  at(plan.system.state.lines, nodes[0]).velocity[2] += 0.5;
  at(plan.system.state.lines, nodes[1]).velocity[2] -= 0.5;
  planner.surfaces().forget();
  const Window vibrating = planner.plan(plan.system.state.lines, 0, 1e-3, outlook);
  EXPECT_EQ(vibrating.clusters, 2);
  const double length = vibrating.end - vibrating.begin;
  EXPECT_GE(vibrating.flights[1].radius, 0.9 * 0.5 * length);
  EXPECT_LE(vibrating.flights[1].radius, 1.5 * 0.5 * length);
  EXPECT_LE(vibrating.flights[0].radius, 0.1 * length);
  // After close looks that were in vain, as for bodies that touch, no others are tried for some windows.
  WindowPlanner patient(plan.system.lagrangian, plan.pairs, 2);
  plan.let_look_closely(patient, 1e-3);
  outlook.group[1] = outlook.group[0];
  EXPECT_EQ(patient.plan(plan.system.state.lines, 0, 1e-3, outlook).clusters, 1);
  outlook.group[1] = 1;
  int windows = 1;
  while (windows < 20 && patient.plan(plan.system.state.lines, 0, 1e-3, outlook).clusters == 1) ++windows;
  EXPECT_GE(windows, 5);
  EXPECT_LE(windows, 12);
  // On one rank close looks are of no use.
  plan.ranks = 1;
  outlook.rank.assign(2, 0);
  WindowPlanner alone(plan.system.lagrangian, plan.pairs, 1);
  for (int window_before = 0; window_before < 3; ++window_before)
    EXPECT_EQ(alone.plan(plan.system.state.lines, 0, 1e-3, outlook).clusters, 1);
}

TEST(WindowClusters, BodiesThatMeetWithinTheWindowAreOneCluster) {
  Deck deck = three_cubes(1, false, 1.0);
  deck.contact.model = ContactModel::barrier;
  deck.bodies[0].velocity = {1, 0, 0};
  Planned plan(deck, 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  // Windows grow where nothing is near: until one reaches the touch, about t = 1.
  bool met = false;
  for (double begin = 0; begin < 0.99;) {
    for (NodeLine& line : plan.system.state.lines) ASSERT_EQ(line.time, 0);
    const Window window = planner.plan(plan.system.state.lines, begin, 2, free_flight(3, 2));
    ASSERT_GT(window.end, begin);
    const bool together = window.cluster_of[0] == window.cluster_of[1];
    EXPECT_TRUE(together || window.end <= 1) << window.begin << " to " << window.end;
    EXPECT_TRUE(!together || window.rank_of[0] == window.rank_of[1]);
    met = met || together;
    begin = window.end;
  }
  EXPECT_TRUE(met);
}

// Two cubes that rest as wholes and stretch along the line between them, by constant velocities.
TEST(WindowClusters, BodiesAtRestWhoseNodesMeetWithinTheWindowAreOneCluster) {
  Deck deck = soft_deck({});
  deck.bodies = {cube_entry("left", 1, {0, 0, 0}), cube_entry("right", 1, {3, 0, 0})};
  deck.contact.model = ContactModel::barrier;
  Planned plan(deck, 2);
  for (const std::int32_t body : {0, 1})
    for (const std::int32_t node : plan.pairs.surface_nodes(body)) {
      const double outwards = at(plan.system.model.positions, node)[0] - 3 * body;
      at(plan.system.state.lines, node).velocity = {2 * outwards, 0, 0};
    }
  WindowOutlook outlook = free_flight(2, 2);
  outlook.departure.assign(2, 1e-9);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  bool met = false;
  for (double begin = 0; begin < 0.99;) {
    const Window window = planner.plan(plan.system.state.lines, begin, 2, outlook);
    ASSERT_GT(window.end, begin);
    EXPECT_TRUE(window.clusters == 1 || window.end <= 1) << window.begin << " to " << window.end;
    EXPECT_TRUE(window.clusters == 1 || window.flights.front().node_by_node);
    met = met || window.clusters == 1;
    begin = window.end;
  }
  EXPECT_TRUE(met);
}

TEST(WindowClusters, BodiesThatTouchStayTogetherHoweverFarTheyAre) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 10), 2);
  WindowOutlook outlook = free_flight(8, 2);
  outlook.group[7] = outlook.group[0];
  const Window window = plan.window(1e-3, outlook);
  EXPECT_EQ(window.end, 1e-3) << "not beyond what was asked for";
  EXPECT_EQ(window.clusters, 7);
  EXPECT_EQ(window.cluster_of[7], window.cluster_of[0]);
  EXPECT_EQ(window.rank_of[7], window.rank_of[0]);
}

/// The window as several ranks plan it, each of which calls meetings() and widen() for its part of the
/// bodies. The flight of a body is that of the part that was asked to widen it.
/// `widened`: counts bodies whose flights became wider by the last step.
Window plan_in_parts(const Planned& plan, double until, const WindowOutlook& outlook, int parts, bool closely,
                     int& widened) {
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, plan.ranks);
  if (closely) plan.let_look_closely(planner, until);
  planner.look(plan.system.state.lines, 0, until, outlook);
  std::vector<WindowPlanner::Meeting> meetings;
  for (int part = parts - 1; part >= 0; --part) {
    std::vector<std::int32_t> bodies;
    for (std::int32_t body = 0; body < plan.pairs.bodies(); ++body)
      if ((body / 2) % parts == part) bodies.push_back(body);
    const std::vector<WindowPlanner::Meeting> more = planner.meetings(bodies);
    meetings.insert(meetings.end(), more.begin(), more.end());
  }
  Window window = planner.choose(meetings);
  std::vector<Flight> flights = window.flights;
  for (int part = 0; part < parts; ++part) {
    std::vector<std::int32_t> bodies;
    for (std::int32_t body = 0; body < plan.pairs.bodies(); ++body)
      if (body % parts == part) bodies.push_back(body);
    Window of_part = window;
    planner.widen(of_part, bodies);
    for (std::size_t body = 0; body < flights.size(); ++body) {
      const bool is_asked_for = static_cast<int>(body) % parts == part;
      if (is_asked_for) flights[body] = of_part.flights[body];
      EXPECT_GE(of_part.flights[body].radius, window.flights[body].radius);
      widened += of_part.flights[body].radius > window.flights[body].radius ? 1 : 0;
      EXPECT_TRUE(is_asked_for || of_part.flights[body].radius == window.flights[body].radius);
    }
  }
  window.flights = flights;
  return window;
}

/// The lines of all nodes, but with NaN on the surfaces of bodies that are not in `near`.
std::vector<NodeLine> lines_near(const Planned& plan, std::span<const std::int32_t> near) {
  const UntouchedArray<NodeLine>& all = plan.system.state.lines;
  std::vector<NodeLine> lines(all.begin(), all.end());
  for (std::int32_t body = 0; body < plan.pairs.bodies(); ++body)
    if (!std::ranges::binary_search(near, body))
      for (const std::int32_t node : plan.pairs.surface_nodes(body))
        at(lines, node).displacement[0] = std::numeric_limits<double>::quiet_NaN();
  return lines;
}

TEST(WindowClusters, OfWhatIsNotNearNoNodesAreLookedAt) {
  std::mt19937 random(seed);
  int others = 0, met = 0, node_by_node = 0;
  for (int trial = 0; trial < 12; ++trial) {
    Planned plan(loose_cubes(random, 3, 2 + 0.08 * (trial % 6)), 4);
    WindowOutlook outlook = free_flight(27, 4);
    if (trial >= 6) let_vibrate(plan, outlook, random, 0.5);
    const double until = trial >= 6 ? 0.05 : 1;
    WindowPlanner planner(plan.system.lagrangian, plan.pairs, 4);
    planner.look(plan.system.state.lines, 0, until, outlook);
    const std::vector<std::int32_t> some = {0, 5, 13};
    const std::vector<std::int32_t> near = planner.near(some);
    EXPECT_TRUE(std::ranges::includes(near, some));
    others += 27 - static_cast<int>(near.size());
    std::vector<std::int32_t> all(27);
    std::iota(all.begin(), all.end(), 0);
    const std::vector<WindowPlanner::Meeting> meetings = planner.meetings(some);
    met += static_cast<int>(meetings.size());
    Window window = planner.choose(planner.meetings(all));
    EXPECT_TRUE(std::ranges::includes(near, planner.near(some))) << "before flights are widened";
    planner.widen(window, some);
    // `other` knows the outlines of all bodies, but the nodes of those in `near` only.
    const std::vector<NodeLine> lines = lines_near(plan, near);
    WindowPlanner other(plan.system.lagrangian, plan.pairs, 4);
    for (const std::int32_t body : all)
      other.surfaces().learn(body, planner.surfaces().outline(body, plan.system.state.lines, 0));
    other.surfaces().know(0);
    other.look(lines, 0, until, outlook);
    const std::vector<WindowPlanner::Meeting> with_those = other.meetings(some);
    ASSERT_EQ(with_those.size(), meetings.size());
    for (std::size_t i = 0; i < meetings.size(); ++i)
      EXPECT_TRUE(with_those[i].a == meetings[i].a && with_those[i].b == meetings[i].b &&
                  with_those[i].trials == meetings[i].trials);
    Window again = other.choose(planner.meetings(all));
    other.widen(again, some);
    for (const std::int32_t body : some) {
      EXPECT_EQ(at(again.flights, body).radius, at(window.flights, body).radius) << body;
      node_by_node += at(again.flights, body).node_by_node ? 1 : 0;
    }
  }
  EXPECT_GT(node_by_node, 5);
  EXPECT_GT(others, 10) << "some are not near";
  EXPECT_GT(met, 0);
}

TEST(WindowClusters, IsTheSameInAnyNumberOfParts) {
  std::mt19937 random(seed);
  bool some_met = false, some_did_not = false;
  int other_plans = 0, widened = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const bool closely = trial >= 6;
    Planned plan(closely ? staggered_cubes(random, 3) : loose_cubes(random, 3, 2 + 0.08 * trial), 4);
    WindowOutlook outlook = free_flight(27, 4);
    outlook.group[26] = outlook.group[20] = outlook.group[3];
    for (std::size_t body = 0; body < 27; ++body)
      outlook.work[body] = (closely ? 1e7 : 1) * (100 + static_cast<double>(body * body));
    if (trial % 2 == 1) let_vibrate(plan, outlook, random, closely ? 0.02 : 0.5);
    const Window whole = plan.window(1, outlook, closely);
    if (closely && whole.clusters > plan.window(whole.end, outlook).clusters) ++other_plans;
    some_met = some_met || whole.clusters < 25;
    some_did_not = some_did_not || whole.clusters > 1;
    for (const int parts : {1, 2, 3, 7, 27, 40}) {
      const Window window = plan_in_parts(plan, 1, outlook, parts, closely, widened);
      EXPECT_EQ(window.end, whole.end) << parts;
      EXPECT_EQ(window.cluster_of, whole.cluster_of) << parts;
      EXPECT_EQ(window.rank_of, whole.rank_of) << parts;
      EXPECT_EQ(window.work, whole.work) << parts;
      EXPECT_EQ(window.clusters, whole.clusters) << parts;
      EXPECT_EQ(window.balance, whole.balance) << parts;
      for (std::size_t body = 0; body < 27; ++body) {
        EXPECT_EQ(window.flights[body].velocity, whole.flights[body].velocity) << parts << ", " << body;
        EXPECT_EQ(window.flights[body].radius, whole.flights[body].radius) << parts << ", " << body;
        EXPECT_EQ(window.flights[body].node_by_node, whole.flights[body].node_by_node);
      }
    }
  }
  EXPECT_TRUE(some_met && some_did_not);
  EXPECT_GT(widened, 0);
  EXPECT_GT(other_plans, 0) << "by closer looks";
}

TEST(WindowClusters, SurfacesThatWereToldAreNotLookedAtAndOthersAre) {
  std::mt19937 random(seed);
  Planned plan(loose_cubes(random, 2, 1.9), 2);
  WindowPlanner planner(plan.system.lagrangian, plan.pairs, 2);
  WindowSurfaces& surfaces = planner.surfaces();
  UntouchedArray<NodeLine>& lines = plan.system.state.lines;
  surfaces.look_at(lines, 0);
  const Box at_first = surfaces[3].box;
  for (std::int32_t body = 0; body < 8; ++body) surfaces.learn(body, surfaces.outline(body, lines, 0.25));
  surfaces.know(0.25);
  SurfaceOutline other = surfaces[3];
  other.box.low[0] -= 1;
  surfaces.learn(3, other);
  surfaces.look_at(lines, 0.25);
  EXPECT_EQ(surfaces[3].box.low, other.box.low) << "as it was told";
  EXPECT_NE(surfaces[2].box.low, at_first.low);
  surfaces.look_at(lines, 0);
  EXPECT_EQ(surfaces[3].box.low, at_first.low) << "at another instant";
  surfaces.learn(3, other);
  surfaces.forget();
  surfaces.look_at(lines, 0);
  EXPECT_EQ(surfaces[3].box.low, at_first.low) << "of other lines";
  // The ball about the centre holds all nodes, and is no larger than it has to be.
  for (std::int32_t body = 0; body < 8; ++body) {
    double farthest = 0;
    for (const std::int32_t node : plan.pairs.surface_nodes(body))
      farthest = std::max(farthest, norm(plan.system.model.positions[static_cast<std::size_t>(node)] -
                                         surfaces[body].centre));
    EXPECT_NEAR(surfaces[body].radius, farthest, 1e-12);
    EXPECT_NEAR(surfaces[body].spread, 0, 1e-12) << "nothing turns";
  }
  for (const std::int32_t node : plan.pairs.surface_nodes(5)) at(lines, node).velocity += Vector3{0.5, 0, 0};
  const std::int32_t fast = plan.pairs.surface_nodes(6)[1];
  at(lines, fast).velocity[1] += 8;
  surfaces.forget();
  surfaces.look_at(lines, 0);
  const auto nodes = static_cast<double>(plan.pairs.surface_nodes(6).size());
  EXPECT_NEAR(surfaces[5].spread, 0, 1e-12) << "all of it is faster";
  EXPECT_NEAR(surfaces[6].spread, 8 * (1 - 1 / nodes), 1e-12);
}

}  // namespace
}  // namespace terrace::window_clusters_test
