// NearPairs: contact pairs wake up and fall asleep as their bodies come near and part. Contact with the
// barrier keeps bodies apart, and conserves energy and momenta, at any energy step.
#include "dynamics/terraces/near_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "dynamics/terraces/energy_stepping.hpp"
#include "dynamics/terraces/flight_tubes.hpp"
#include "numerics/infinity.hpp"
#include "potentials/contact/contact_surfaces.hpp"
#include "support/brute_force_overlap.hpp"
#include "support/heap.hpp"
#include "support/small_system.hpp"

namespace terrace::near_pairs_test {
namespace {

const LocalizationEntry own_pairs{LocalizationKind::bodies, 1, ContactLocalization::own};

ContactEntry barrier() {
  ContactEntry contact;
  contact.model = ContactModel::barrier;
  return contact;
}

std::vector<std::string> awake_names(const Lagrangian& system) {
  std::vector<std::string> names;
  for (const Subdomain& subdomain : system.subdomains)
    if (subdomain.contact && !subdomain.asleep) names.push_back(subdomain.name);
  return names;
}

std::vector<Vector3> positions_of(const SmallSystem& system) {
  std::vector<Vector3> positions;
  for (std::size_t a = 0; a < system.model.positions.size(); ++a) positions.push_back(system.position(a));
  return positions;
}

/// Nearest distance of two bodies of a system at its present positions, unsigned.
double distance(const SmallSystem& system, std::size_t first, std::size_t second) {
  const std::vector<Vector3> positions = positions_of(system);
  const ContactSurfaces surfaces(positions, system.model.bodies[first].boundary,
                                 system.model.bodies[second].boundary, "test");
  const auto nearest = nearest_pair(surfaces, 1e3);
  return nearest ? nearest->distance : 1e3;
}

TEST(NearPairs, BoxesAboutSurfacesThatAreToldAreThoseOfWhoLooks) {
  Deck deck = three_cubes(1, false, 0.3);
  deck.contact = barrier();
  deck.bodies[1].velocity = {0.5, 0.1, 0};
  SmallSystem system(deck, own_pairs);
  const ContactPairs& pairs = *system.lagrangian.contact_pairs;
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs looks(subdomains, &pairs), is_told(subdomains, &pairs);
  system.state.time = 0.2;
  std::vector<Box> surfaces(3);
  for (std::int32_t body = 0; body < 3; ++body)
    for (const std::int32_t node : pairs.surface_nodes(body))
      at(surfaces, body).include(system.position(index(node)));
  is_told.start_boxes(surfaces, 0.2);
  EXPECT_EQ(is_told.next_exit(), infinity) << "nobody is followed";
  looks.start(system.state.lines, 0.2);
  EXPECT_LT(looks.next_exit(), infinity);
  for (std::int32_t body = 0; body < 3; ++body) {
    EXPECT_EQ(is_told.box(body).low, looks.box(body).low);
    EXPECT_EQ(is_told.box(body).high, looks.box(body).high);
  }
}

TEST(NearPairs, ABodyThatFliesAloneIsLookedAtNowAndThen) {
  Deck deck = three_cubes(1, false, 2.0);
  deck.contact = barrier();
  deck.bodies[2].velocity = {1, 0, 0};
  SmallSystem system(deck, own_pairs);
  const std::shared_ptr<const ContactPairs> pairs = system.lagrangian.contact_pairs;
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, pairs.get());
  EXPECT_TRUE(near.start(system.state.lines, 0).awake.empty());
  int boxes = 0;
  for (; near.next_exit() < 1e6; ++boxes) {
    ASSERT_LT(boxes, 100);
    EXPECT_TRUE(near.renew_box(system.state.lines, [](std::int32_t) { return true; }).awake.empty());
  }
  EXPECT_LT(boxes, 40) << "a million body lengths";
}

TEST(NearPairs, WhatIsDroppedLeavesNothingAndItsNumberIsTheNextPairs) {
  Deck deck = three_cubes(1, false, 0.05);
  deck.contact = barrier();
  SmallSystem system(deck, own_pairs);
  const std::shared_ptr<const ContactPairs> pairs = system.lagrangian.contact_pairs;
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, pairs.get());
  const std::size_t of_bodies = system.lagrangian.potentials.size();
  const std::vector<std::int32_t> awake = near.start(system.state.lines, 0).awake;
  ASSERT_EQ(awake.size(), 2);
  EXPECT_EQ(system.lagrangian.potentials.size(), of_bodies + awake.size());
  const std::int32_t first = awake[0], count = subdomains.count();
  const BodyPair second_pair = *near.bodies_of(awake[1]);
  near.put_to_sleep(first);
  near.drop(first);
  EXPECT_EQ(near.bodies_of(first), nullptr);
  EXPECT_EQ(system.lagrangian.potentials.size(), of_bodies + 1);
  EXPECT_TRUE(system.lagrangian.subdomains[static_cast<std::size_t>(first)].name.empty());
  near.put_to_sleep(awake[1]);
  EXPECT_EQ(near.awakened(second_pair), awake[1]) << "sleeps, and is no new one";
  const BodyPair new_pair = {0, 2};
  EXPECT_EQ(near.awakened(new_pair), first);
  EXPECT_EQ(*near.bodies_of(first), new_pair);
  EXPECT_EQ(system.lagrangian.subdomains[static_cast<std::size_t>(first)].order, (std::array{0, 2}));
  EXPECT_EQ(subdomains.count(), count);
}

TEST(NearPairs, TubesLearnOfEventsThatTurnABodyBack) {
  Deck deck = three_cubes(1, false, 2.0);
  deck.contact = barrier();
  deck.bodies[2].velocity = {1, 0, 0};
  SmallSystem system(deck, own_pairs);
  const std::shared_ptr<const ContactPairs> pairs = system.lagrangian.contact_pairs;
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, pairs.get());
  const std::span<const std::int32_t> nodes = pairs->surface_nodes(2);
  FlightTubes tubes({{}, {}, {nodes.begin(), nodes.end()}});
  near.watch(&tubes);
  near.start(system.state.lines, 0);
  tubes.begin(0);
  tubes.enclose(2, {{1, 0, 0}, 0.5}, system.state.lines);
  EXPECT_GT(tubes.exit(), 1e9) << "it flies along its tube";
  for (const std::int32_t node : nodes) {
    NodeLine& line = system.state.lines[static_cast<std::size_t>(node)];
    line = {line.displacement_at(1), {-1, 0, 0}, 1, line.inverse_mass};
  }
  near.follow(2, system.state.lines, 1);
  EXPECT_NEAR(tubes.exit(), 1.25, 1e-12) << "half a length from the axis, which goes on";
  near.watch(nullptr);
}

// A body's new box includes its way ahead, unless that meets the box of a body of its cluster. Boxes of other
// clusters do not count: they may be out of date, as other ranks work on those bodies.
TEST(NearPairs, BoxesOfOtherClustersAreNotMet) {
  Deck deck = three_cubes(1, false, 2.0);
  deck.contact = barrier();
  deck.bodies[2].velocity = {-1, 0, 0};
  SmallSystem system(deck, own_pairs);
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, system.lagrangian.contact_pairs.get());
  near.start(system.state.lines, 0);
  const std::vector<std::int32_t> flying = {2};
  const auto low_end = [&](double time) {
    near.renew_boxes(flying, system.state.lines, time, [](std::int32_t) { return true; });
    return near.box(2).low[0];
  };
  EXPECT_GT(low_end(1), 4) << "its own size: b is on its way";
  near.divide({0, 1, 2});
  EXPECT_LT(low_end(2), 2.5) << "with its way until time 4";
}

TEST(NearPairs, OnlyPairsThatComeNearBecomeSubdomains) {
  Deck deck = three_cubes(1, false, 2.0);
  deck.contact = barrier();
  deck.bodies[0].velocity = {1, 0, 0};
  SmallSystem system(deck, own_pairs);
  EnergyStepping stepping(system.lagrangian, system.state);
  EXPECT_FALSE(stepping.advance(system.state, 1.0));
  EXPECT_TRUE(awake_names(system.lagrangian).empty()) << "a is half-way to b";
  ASSERT_TRUE(stepping.advance(system.state, 2.0)) << "a touches b";
  EXPECT_EQ(awake_names(system.lagrangian), std::vector<std::string>{"a/b"});
  // a stops, b flies on to c and leaves a behind.
  while (system.state.time < 9) stepping.advance(system.state, 9);
  EXPECT_EQ(awake_names(system.lagrangian), std::vector<std::string>{"b/c"});
  EXPECT_EQ(stepping.subdomain_records().size(), 3u + 2u) << "a/b and b/c met, a/c never came near";
}

TEST(NearPairs, APairThatSleepsHoldsNothingButWhatItHasSeen) {
  if (heap_in_use() == 0) GTEST_SKIP() << "the allocator does not tell";
  Deck deck = soft_deck({cube_entry("a", 4), cube_entry("b", 4, {1.5, 0.1, 0})});
  deck.contact = barrier();
  deck.bodies[0].velocity = {1, 0, 0};
  SmallSystem system(deck, own_pairs, 1e-3);
  EnergyStepping stepping(system.lagrangian, system.state);
  double least = infinity;
  const auto note_least = [&] {
    ContactExtremes extremes;
    stepping.report(extremes);
    least = std::min(least, extremes.least_distance);
    return extremes.least_distance;
  };
  while (awake_names(system.lagrangian).empty()) ASSERT_TRUE(stepping.advance(system.state, 2));
  std::size_t held = 0;
  for (double time = system.state.time; !awake_names(system.lagrangian).empty(); time += 0.01) {
    ASSERT_LT(time, 50);
    held = heap_in_use();
    while (stepping.advance(system.state, time)) note_least();
  }
  EXPECT_LT(heap_in_use() + 10000, held) << "the lines of two surfaces of 98 nodes";
  EXPECT_LT(least, 0.5);
  EXPECT_EQ(note_least(), least);
}

TEST(NearPairs, FirstTouchComesAtTheSameTimeWithPairsApart) {
  // In `joined` all pairs are in one subdomain with the bodies, and never sleep. No event comes before bodies
  // touch, so that the first event is the touch in both systems.
  Deck deck = three_cubes(1, false, 0.5);
  deck.contact = barrier();
  deck.bodies[0].velocity = {0.1, 0.01, 0.02};
  SmallSystem apart(deck, own_pairs, 1e-6), joined(deck, {LocalizationKind::global}, 1e-6);
  EnergyStepping one(apart.lagrangian, apart.state), other(joined.lagrangian, joined.state);
  ASSERT_TRUE(one.advance(apart.state, 10));
  ASSERT_TRUE(other.advance(joined.state, 10));
  EXPECT_NEAR(apart.state.time, joined.state.time, 1e-9 * apart.state.time);
}

std::int64_t contact_events(const EnergyStepping& stepping) {
  std::int64_t events = 0;
  for (const SubdomainRecord& record : stepping.subdomain_records())
    if (record.name.find('/') != std::string::npos) events += record.events;
  return events;
}

// For cubes that overlap by 0.1 the unsigned distance of the surfaces is that of cubes 0.1 apart. The count
// of overlaps tells the two cases apart.
TEST(BruteForceOverlap, SeesWhatUnsignedDistancesDoNot) {
  for (const double shift : {-0.1, -0.01, 0.01, 0.1}) {
    Deck deck = soft_deck({cube_entry("a", 2), cube_entry("b", 2, {3, 0.23, 0.17})});
    SmallSystem system(deck, own_pairs);
    const brute_force::Overlap overlap(system.model);
    for (std::size_t a = 0; a < system.model.positions.size(); ++a)
      if (system.lagrangian.body_of_node[a] == 1) system.state.lines[a].displacement = {-2 + shift, 0, 0};
    EXPECT_EQ(overlap.count(positions_of(system)) > 0, shift < 0) << shift;
    EXPECT_GT(overlap.count(positions_of(system)), shift < 0 ? 5 : -1) << shift;
  }
  // Crossed bars overlap without a node of one inside the other.
  BodyEntry one = cube_entry("a", 1), other = cube_entry("b", 1, {0, 0, 9});
  one.shape = LatticeShape{{5, 1, 1}, {1, 1, 1}};
  other.shape = LatticeShape{{1, 5, 1.1}, {1, 1, 1}};
  SmallSystem bars(soft_deck({one, other}), own_pairs);
  for (std::size_t a = 0; a < bars.model.positions.size(); ++a)
    if (bars.lagrangian.body_of_node[a] == 1) bars.state.lines[a].displacement = {0.01, 0.02, -9};
  EXPECT_GT(brute_force::Overlap(bars.model).count(positions_of(bars)), 0);
}

// Two cubes are thrown at a third with the material's wave speed, with five energy steps, from 1e-2 to 1e-6
// of the kinetic energy. The long version has 10⁶ events in all.
TEST(Barrier, BodiesNeverTouchAtAnyEnergyStep) {
  const bool full = std::getenv("TERRACE_FULL_TESTS") != nullptr;
  const int events = full ? 200000 : 1500;
  const double wave_speed = std::sqrt((0.01 + 2 * 0.0066) / 0.1);
  for (const double fraction : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Deck deck = soft_deck(
        {cube_entry("a", 2), cube_entry("b", 2, {1.3, 0.2, 0.1}), cube_entry("c", 2, {-1.3, 0.3, -0.2})});
    deck.contact = barrier();
    deck.bodies[1].velocity = {-wave_speed, 0, 0.1};
    deck.bodies[2].velocity = {wave_speed, -0.1, 0};
    deck.bodies[1].rotation_angle = 30;
    SmallSystem system(deck, own_pairs, fraction * initial_kinetic_energy(build_model(deck)));
    EnergyStepping stepping(system.lagrangian, system.state);
    const SystemRecord first = system.record(stepping);
    const IntegerMomentum momentum = system.diagnostics.total_momentum(system.state);
    double nearest = 1e300, least_jacobian = 1;
    const brute_force::Overlap overlap(system.model);
    std::int64_t seen = 0;
    for (int event = 0; event < events; ++event) {
      ASSERT_TRUE(stepping.advance(system.state, 1e6));
      if (!full || event % 500 == 0) {
        ASSERT_GT(system.smallest_jacobian(), 0) << fraction << " event " << event;
      }
      const std::int64_t now = contact_events(stepping);
      if (now > seen) {
        ASSERT_EQ(overlap.count(positions_of(system)), 0) << fraction << " event " << event;
      }
      seen = now;
      if (event % (full ? 500 : 50) != 0) continue;
      nearest = std::min({nearest, distance(system, 0, 1), distance(system, 0, 2), distance(system, 1, 2)});
      least_jacobian = std::min(least_jacobian, system.smallest_jacobian());
    }
    ContactExtremes extremes;
    stepping.report(extremes);
    const SystemRecord last = system.record(stepping);
    EXPECT_GT(nearest, 0) << fraction;
    EXPECT_GT(seen, 100) << fraction;
    EXPECT_GT(extremes.least_distance, 0) << fraction;
    EXPECT_LT(extremes.least_distance, 0.2) << "the bodies should have met; " << fraction;
    EXPECT_EQ(extremes.deepest_penetration, 0) << fraction;
    EXPECT_GT(least_jacobian, 0) << fraction;
    EXPECT_LE(std::abs(last.energy - first.energy), 1e-12 * first.energy) << fraction;
    EXPECT_EQ(system.diagnostics.total_momentum(system.state), momentum) << fraction;
    EXPECT_LE(norm(last.angular_momentum - first.angular_momentum),
              1e-12 * system.diagnostics.angular_momentum_scale(system.state))
        << fraction;
    if (full)
      std::printf("h/K = %g: least distance %.3g, least J %.3g, t = %g\n", fraction, extremes.least_distance,
                  least_jacobian, system.state.time);
  }
}

}  // namespace
}  // namespace terrace::near_pairs_test
