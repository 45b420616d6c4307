// PairInFlight: the room that two surfaces leave each other in flight. It is never more than there is, and
// does not depend on what was asked before.
#include "dynamics/windows/pair_in_flight.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "support/planned_windows.hpp"

namespace terrace::pair_in_flight_test {
namespace {

using Courses = PairInFlight::Courses;

/// Where the surface nodes of two bodies are at `time` if they fly on by these courses.
struct Places {
  Places(const Planned& plan, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
         const Courses& courses, double time) {
    for (std::size_t i = 0; i < 2; ++i)
      for (const std::int32_t node : plan.pairs.surface_nodes(bodies[i])) {
        const Vector3& velocity = courses.node_by_node[i] ? at(plan.system.state.lines, node).velocity
                                                          : surfaces[bodies[i]].velocity;
        of[i].push_back(at(plan.system.model.positions, node) + time * velocity);
      }
  }
  /// The least distance of nodes of different bodies, measured as the largest difference of a coordinate.
  [[nodiscard]] double between() const {
    double least = infinity;
    for (const Vector3& a : of[0])
      for (const Vector3& b : of[1])
        least =
            std::min(least, std::max({std::abs(b[0] - a[0]), std::abs(b[1] - a[1]), std::abs(b[2] - a[2])}));
    return least;
  }
  /// How far the second is ahead of the first along a direction.
  [[nodiscard]] double ahead(const Vector3& direction) const {
    double end = -infinity, begin = infinity;
    for (const Vector3& a : of[0]) end = std::max(end, dot(a, direction));
    for (const Vector3& b : of[1]) begin = std::min(begin, dot(b, direction));
    return begin - end;
  }
  std::array<std::vector<Vector3>, 2> of;
};

/// The room along a direction by its definition, from all nodes at both ends of the flight.
double room_along(const Planned& plan, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, const Vector3& direction) {
  const double sum = std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]);
  double room = infinity;
  for (const double time : {0.0, courses.length})
    room = std::min(room, Places(plan, surfaces, bodies, courses, time).ahead(direction));
  return (room - norm(direction) * plan.pairs.largest_activation()) / sum;
}

using Visit = std::function<void(const Planned&, const WindowSurfaces&, std::array<std::int32_t, 2>,
                                 const Courses&, bool closely, std::mt19937&)>;

/// Calls `visit` for pairs of cubes that vibrate, each of which flies on node by node or as a whole.
void visit_pairs(const Visit& visit) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const bool hardly_apart = trial % 2 == 0;
    Planned plan(hardly_apart ? staggered_cubes(random, 2) : loose_cubes(random, 2, 2.2), 2);
    WindowOutlook outlook = free_flight(8, 2);
    let_vibrate(plan, outlook, random, hardly_apart ? 0.05 : 0.5);
    WindowSurfaces surfaces(plan.system.lagrangian, plan.pairs);
    surfaces.look_at(plan.system.state.lines, 0);
    for (std::int32_t a = 0; a < 8; ++a)
      for (std::int32_t b = a + 1; b < 8; ++b) {
        const Courses courses{share(random), {share(random) < 0.8, share(random) < 0.8}};
        visit(plan, surfaces, {a, b}, courses, share(random) < 0.5, random);
      }
  }
}

double all_room(const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies, const Courses& courses,
                bool closely) {
  return PairInFlight(surfaces, bodies[0], bodies[1]).room(courses, closely, [](double) { return false; });
}

TEST(PairInFlight, NoNodeNeedsToComeNearerThanItsRoomPromises) {
  int separated = 0;
  visit_pairs([&](const Planned& plan, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, bool closely, std::mt19937&) {
    double before = -infinity;
    PairInFlight pair(surfaces, bodies[0], bodies[1]);
    const double found = pair.room(courses, closely, [&](double room) {
      EXPECT_GE(room, before) << "what is found is not forgotten";
      before = room;
      return false;
    });
    EXPECT_EQ(found, before);
    if (!(found > 0)) return;
    ++separated;
    for (const double time : {0.0, 0.5 * courses.length, courses.length})
      EXPECT_GE(Places(plan, surfaces, bodies, courses, time).between(), found)
          << "bodies " << bodies[0] << ", " << bodies[1] << ", seed " << seed;
  });
  EXPECT_GT(separated, 150);
}

TEST(PairInFlight, AxesAndTheLineOfCentresAreLookedAlong) {
  int separated = 0, of_hulls = 0;
  visit_pairs([&](const Planned& plan, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, bool, std::mt19937&) {
    const double found = all_room(surfaces, bodies, courses, false);
    const Vector3 centres = surfaces[bodies[1]].centre - surfaces[bodies[0]].centre;
    const double along_centres = room_along(plan, surfaces, bodies, courses, centres);
    EXPECT_GE(found, along_centres - 1e-7);
    bool of_axes = false;
    for (std::size_t k = 0; k < 3; ++k) {
      Vector3 axis{};
      axis[k] = centres[k] < 0 ? -1 : 1;
      const double along_axis = room_along(plan, surfaces, bodies, courses, axis);
      // For bodies that go on node by node, boxes promise less room along an axis than the nodes do.
      const bool as_wholes = !courses.node_by_node[0] && !courses.node_by_node[1];
      EXPECT_TRUE(!as_wholes || found >= along_axis - 1e-7);
      of_axes = of_axes || along_axis > along_centres;
    }
    if (found > 0) ++separated;
    if (found > 0 && !of_axes) ++of_hulls;
  });
  EXPECT_GT(separated, 150);
  EXPECT_GT(of_hulls, 50);
}

TEST(PairInFlight, CloseLooksLookAlongAllDirectionsToTheShortestWay) {
  int more = 0, of_the_first = 0;
  visit_pairs([&](const Planned& plan, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, bool, std::mt19937&) {
    const auto [a, b] = bodies;
    HullSeparation hulls(surfaces.places(a), surfaces.places(b), surfaces[b].centre - surfaces[a].centre);
    double most = -infinity;
    int looks = 0, best = 0;
    while (looks < 20 && hulls.improve()) {
      ++looks;
      const double room = room_along(plan, surfaces, bodies, courses, hulls.direction());
      if (room > most) best = looks;
      most = std::max(most, room);
    }
    EXPECT_GE(all_room(surfaces, bodies, courses, true), most - 1e-7);
    if (most > all_room(surfaces, bodies, courses, false) + 1e-3) {
      ++more;
      of_the_first += best == 1 ? 1 : 0;
    }
  });
  EXPECT_GT(more, 30);
  EXPECT_GT(of_the_first, 5);
}

// The line of centres at the begin does not separate the bodies at the end; the one half-way does.
TEST(PairInFlight, WhereTheLineOfCentresTurnsTheLaterOnesAreLookedAlong) {
  Deck deck = soft_deck({});
  deck.bodies = {cube_entry("left", 1, {0, 0, 0}), cube_entry("right", 1, {1.9, 0, 0})};
  for (BodyEntry& body : deck.bodies) {
    body.rotation_axis = {0, 0, 1};
    body.rotation_angle = 45;
  }
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.01;
  deck.bodies[1].velocity = {-1.9, 1.9, 0};
  Planned plan(deck, 2);
  WindowSurfaces surfaces(plan.system.lagrangian, plan.pairs);
  surfaces.look_at(plan.system.state.lines, 0);
  // The bodies are 1.9 apart along x at the begin, along y at the end. The line half-way is normal to faces,
  // so that the room is the distance of the centres along it, less an edge of 1 and the reach of contact of
  // 0.01. The division by √2 makes it a distance in each coordinate.
  const double room = all_room(surfaces, {0, 1}, {1, {false, false}}, false);
  const double along_faces = (1.9 / std::sqrt(2.0) - 1 - 0.01) / std::sqrt(2.0);
  EXPECT_NEAR(room, along_faces, 1e-3);
  EXPECT_LT(room_along(plan, surfaces, {0, 1}, {1, {false, false}}, {1, 0, 0}), 0);
}

TEST(PairInFlight, WhatIsFoundDoesNotDependOnWhatWasAskedBefore) {
  int close = 0;
  visit_pairs([&](const Planned&, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, bool closely, std::mt19937& random) {
    std::uniform_real_distribution<double> share(0, 1);
    PairInFlight pair(surfaces, bodies[0], bodies[1]);
    const auto never = [](double) { return false; };
    for (int before = 0; before < 3; ++before) {
      const Courses other{2 * share(random), {share(random) < 0.5, share(random) < 0.5}};
      EXPECT_EQ(pair.room(other, before == 1, never), all_room(surfaces, bodies, other, before == 1));
    }
    EXPECT_EQ(pair.room(courses, closely, never), all_room(surfaces, bodies, courses, closely));
    const double further = all_room(surfaces, bodies, courses, true);
    if (further > all_room(surfaces, bodies, courses, false) + 1e-3) ++close;
  });
  EXPECT_GT(close, 20) << "pairs of which close looks find more";
}

TEST(PairInFlight, BodiesMayMeetWhereTheyTakeAllTheRoomThereIs) {
  int meet = 0, apart = 0;
  visit_pairs([&](const Planned&, const WindowSurfaces& surfaces, std::array<std::int32_t, 2> bodies,
                  const Courses& courses, bool closely, std::mt19937& random) {
    const double room = all_room(surfaces, bodies, courses, closely);
    std::normal_distribution<double> off(0, 0.05);
    PairInFlight pair(surfaces, bodies[0], bodies[1]);
    for (int trial = 0; trial < 8; ++trial) {
      const double taken = std::max(trial == 0 ? room : room + off(random), 0.0);
      EXPECT_EQ(pair.may_meet(courses, closely, taken), taken >= room) << room << ", seed " << seed;
      ++(taken >= room ? meet : apart);
    }
  });
  EXPECT_GT(meet, 500);
  EXPECT_GT(apart, 500);
}

}  // namespace
}  // namespace terrace::pair_in_flight_test
