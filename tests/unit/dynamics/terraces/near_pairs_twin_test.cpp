// Pairs of bodies are awake whenever a brute-force distance says they could touch, along motions with many
// new boxes; under Newmark too bodies from afar meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dynamics/steps/newmark.hpp"
#include "dynamics/terraces/near_pairs.hpp"
#include "numerics/infinity.hpp"
#include "support/brute_force_contact.hpp"
#include "support/brute_force_overlap.hpp"
#include "support/small_system.hpp"

namespace terrace::near_pairs_twin_test {
namespace {

const LocalizationEntry own_pairs{LocalizationKind::bodies, 1, ContactLocalization::own};

ContactEntry barrier() {
  ContactEntry contact;
  contact.model = ContactModel::barrier;
  return contact;
}

/// Cubes of one cell in a row, `apart` from centre to centre, with contact between all.
struct Crowd {
  Crowd(int count, double apart) : system(deck(count, apart), own_pairs) {
    for (const Body& body : system.model.bodies) boundaries.push_back(body.boundary);
    for (std::int32_t a = 0; a < bodies(); ++a)
      for (std::int32_t b = a + 1; b < bodies(); ++b)
        twins.push_back(
            {{a, b},
             {system.model.positions, boundaries[static_cast<std::size_t>(a)],
              boundaries[static_cast<std::size_t>(b)], brute_force::Contact::Profile::gap, 1, 1}});
  }
  static Deck deck(int count, double apart) {
    Deck deck = soft_deck({});
    for (int i = 0; i < count; ++i) {
      deck.bodies.push_back(cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {i * apart, 0, 0}));
      deck.bodies.back().velocity = {i == 0 ? 0.3 : 0.0, 0, 0};
    }
    deck.contact = barrier();
    return deck;
  }
  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(boundaries.size()); }
  [[nodiscard]] std::vector<Vector3> positions(double instant) const {
    std::vector<Vector3> x;
    for (std::size_t a = 0; a < system.model.positions.size(); ++a)
      x.push_back(system.lagrangian.reference[a] + system.state.lines[a].displacement_at(instant));
    return x;
  }

  SmallSystem system;
  std::vector<std::vector<Triangle>> boundaries;
  std::vector<std::pair<BodyPair, brute_force::Contact>> twins;
};

/// The time at which the first node leaves the body's box, found component by component. NearPairs must have
/// the same bits.
double exit_by_hand(const Crowd& crowd, const Box& box, std::int32_t body, double time) {
  double earliest = infinity;
  const auto x = crowd.positions(time);
  for (const std::int32_t node : crowd.system.lagrangian.contact_pairs->surface_nodes(body))
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::size_t>(node);
      const double v = crowd.system.state.lines[a].velocity[k];
      if (v > 0) earliest = std::min(earliest, (box.high[k] - x[a][k]) / v);
      if (v < 0) earliest = std::min(earliest, (x[a][k] - box.low[k]) / -v);
    }
  return time + std::max(earliest, 0.0);
}

bool is_awake(const NearPairs& near, const BodyPair& pair) {
  bool of_first = false, of_second = false;
  for (const std::int32_t subdomain : near.awake_pairs(pair.first))
    of_first = of_first || *near.bodies_of(subdomain) == pair;
  for (const std::int32_t subdomain : near.awake_pairs(pair.second))
    of_second = of_second || *near.bodies_of(subdomain) == pair;
  EXPECT_EQ(of_first, of_second);
  return of_first;
}

// Bodies fly through each other at random, deform and turn round. No forces act.
TEST(NearPairsTwin, EveryPairWithinItsActivationDistanceIsAwake) {
  for (const unsigned seed : {1u, 2u}) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&](double size) {
      return size * Vector3{uniform(random), uniform(random), uniform(random)};
    };
    Crowd crowd(4, 3);
    auto& lines = crowd.system.state.lines;
    LivingSubdomains subdomains(crowd.system.lagrangian);
    NearPairs near(subdomains, crowd.system.lagrangian.contact_pairs.get());
    const double reach = crowd.system.lagrangian.contact_pairs->activation({0, 1});
    ASSERT_GT(reach, 0.01);
    double time = 0;
    // A new velocity for a body, roughly towards the middle of all.
    const auto turn = [&](std::int32_t body) {
      const auto x = crowd.positions(time);
      const Body& of = crowd.system.model.bodies[static_cast<std::size_t>(body)];
      const auto first = static_cast<std::size_t>(of.first_node);
      const double speed = std::pow(10, uniform(random));
      const Vector3 aim = Vector3{4.5, 0, 0} + Vector3{4 * uniform(random), uniform(random), uniform(random)};
      const Vector3 velocity = 0.3 * speed * (aim - x[first]);
      for (std::size_t a = first; a < first + static_cast<std::size_t>(of.node_count); ++a) {
        // The shape stays near the reference's.
        const Vector3 strain =
            (x[a] - x[first]) - (crowd.system.model.positions[a] - crowd.system.model.positions[first]);
        lines[a] = {x[a] - crowd.system.lagrangian.reference[a],
                    velocity + vector(0.1 * speed) - 0.5 * speed * strain, time, lines[a].inverse_mass};
      }
    };
    for (std::int32_t body = 0; body < crowd.bodies(); ++body) turn(body);
    near.start(lines, time);
    int close = 0, sleeping = 0, woken = 0, renewed = 0;
    for (int event = 0; event < 300; ++event) {
      const double wanted = time + 0.2 * (1 + uniform(random)), next = std::min(wanted, near.next_exit());
      ASSERT_GE(next, time);
      // On the way every pair that could feel something is awake.
      for (const double share : {0.5, 0.999}) {
        const auto x = crowd.positions(time + share * (next - time));
        for (const auto& [pair, twin] : crowd.twins) {
          const bool awake = is_awake(near, pair);
          sleeping += awake ? 0 : 1;
          if (awake) continue;
          ASSERT_GE(twin.distance(x, reach), reach) << "seed " << seed << " event " << event;
        }
        if (share == 0.5)
          for (const auto& [pair, twin] : crowd.twins) close += twin.distance(x, reach) < reach ? 1 : 0;
      }
      time = next;
      if (next < wanted) {
        const auto changes = near.renew_box(lines, [](std::int32_t) { return true; });
        ++renewed;
        woken += static_cast<int>(changes.awake.size());
        for (const std::int32_t subdomain : changes.awake) {
          EXPECT_TRUE(is_awake(near, *near.bodies_of(subdomain)));
          EXPECT_FALSE(crowd.system.lagrangian.subdomains[static_cast<std::size_t>(subdomain)].asleep);
        }
        for (const std::int32_t subdomain : changes.asleep) {
          EXPECT_FALSE(is_awake(near, *near.bodies_of(subdomain)));
          EXPECT_TRUE(crowd.system.lagrangian.subdomains[static_cast<std::size_t>(subdomain)].asleep);
        }
      } else {
        const auto body = static_cast<std::int32_t>(event % crowd.bodies());
        turn(body);
        near.follow(body, lines, time);
        ASSERT_EQ(near.exit(body), exit_by_hand(crowd, near.box(body), body, time))
            << "seed " << seed << " event " << event;
      }
    }
    EXPECT_GT(close, 30) << "seed " << seed;
    EXPECT_GT(sleeping, 500) << "seed " << seed;
    EXPECT_GT(woken, 5) << "seed " << seed;
    EXPECT_GT(renewed, 50) << "seed " << seed;
  }
}

TEST(NearPairsTwin, BodiesWithoutMotionNeverLeaveTheirBoxes) {
  Crowd crowd(2, 3);
  for (NodeLine& line : crowd.system.state.lines) line.velocity = {};
  LivingSubdomains subdomains(crowd.system.lagrangian);
  NearPairs near(subdomains, crowd.system.lagrangian.contact_pairs.get());
  EXPECT_TRUE(near.start(crowd.system.state.lines, 0).awake.empty());
  EXPECT_TRUE(std::isinf(near.next_exit()));
}

// A pair that may not sleep, as it is on a level of energy that it has to give back, stays awake however far
// apart its bodies are.
TEST(NearPairsTwin, APairThatMayNotSleepStaysAwakeFarApart) {
  for (const bool may_sleep : {false, true}) {
    Crowd crowd(2, 1.25);
    auto& lines = crowd.system.state.lines;
    for (NodeLine& line : lines) line.velocity = {};
    const Body& last = crowd.system.model.bodies[1];
    for (std::int32_t i = 0; i < last.node_count; ++i)
      lines[static_cast<std::size_t>(last.first_node + i)].velocity = {1, 0, 0};
    LivingSubdomains subdomains(crowd.system.lagrangian);
    NearPairs near(subdomains, crowd.system.lagrangian.contact_pairs.get());
    ASSERT_EQ(near.start(lines, 0).awake.size(), 1u);
    while (near.next_exit() < 5) near.renew_box(lines, [&](std::int32_t) { return may_sleep; });
    EXPECT_EQ(is_awake(near, {0, 1}), !may_sleep);
  }
}

// Bodies at rest leave no box, so that pairs near each other are found at the start or not at all.
TEST(Newmark, PairsNearAtTheStartAreAwakeBeforeAnythingMoves) {
  Crowd crowd(3, 1.25);
  for (NodeLine& line : crowd.system.state.lines) line.velocity = {};
  const Newmark newmark(crowd.system.lagrangian, crowd.system.state, 0.01);
  ASSERT_EQ(crowd.system.lagrangian.subdomains.size(), 5u) << "a/b and b/c besides the bodies";
  EXPECT_FALSE(crowd.system.lagrangian.subdomains[3].asleep);
  EXPECT_FALSE(crowd.system.lagrangian.subdomains[4].asleep);
}

// The pair of the first two cubes has no subdomain at the start.
TEST(Newmark, BodiesFromAfarMeet) {
  Crowd crowd(3, 2.5);
  SmallSystem& system = crowd.system;
  Newmark newmark(system.lagrangian, system.state, 0.2 * stable_newmark_step(system.lagrangian));
  EXPECT_EQ(system.lagrangian.subdomains.size(), 3u) << "no pair is near yet";
  const SystemRecord first = system.record(newmark);
  const brute_force::Overlap overlap(system.model);
  bool met = false;
  while (newmark.advance(system.state, 30)) {
    const auto x = crowd.positions(system.state.time);
    ASSERT_EQ(overlap.count(x), 0) << "at " << system.state.time;
    const double reach = system.lagrangian.contact_pairs->activation({1, 2});
    met = met || crowd.twins[2].second.distance(x, reach) < reach;
  }
  EXPECT_TRUE(met) << "b with c";
  const auto bodies = system.diagnostics.measure(system.state, newmark).bodies;
  EXPECT_LT(bodies[0].velocity[0], 0.15);
  EXPECT_GT(bodies[2].velocity[0], 0.15) << "the impact went through b to c";
  const SystemRecord last = system.record(newmark);
  EXPECT_NEAR(last.kinetic + last.potential, first.kinetic + first.potential, 0.05 * first.kinetic);
}

}  // namespace
}  // namespace terrace::near_pairs_twin_test
