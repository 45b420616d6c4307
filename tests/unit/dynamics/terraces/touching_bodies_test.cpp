// TouchingBodies: bodies that touch share a terrace for as long as they do.
#include "dynamics/terraces/touching_bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <utility>

#include "dynamics/terraces/energy_stepping.hpp"
#include "parallel/archive.hpp"
#include "support/small_system.hpp"

namespace terrace::touching_bodies_test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

const LocalizationEntry touching{LocalizationKind::bodies, 1, ContactLocalization::touching};

TEST(ShareLevels, KeepsTheSumOfLevelsAndPutsEveryEnergyInsideItsTerrace) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> energy(0, 30);
  std::uniform_int_distribution<int> count(1, 5), off(-8, 8);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<double> values(static_cast<std::size_t>(count(random)));
    for (double& value : values) value = energy(random);
    const double h = 0.7, total = std::accumulate(values.begin(), values.end(), 0.0);
    const auto levels = static_cast<std::int64_t>(total / h) + off(random);
    const std::vector<Terrace> terraces = share_levels(levels, h, values);
    std::int64_t sum = 0;
    double most = -1e9, least = 1e9;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += terraces[i].level;
      EXPECT_EQ(terraces[i].level_of(values[i]), terraces[i].level);
      EXPECT_GE(values[i] - terraces[i].bottom(), 0.049 * h);
      EXPECT_GE(terraces[i].top() - values[i], 0.049 * h);
      most = std::max(most, terraces[i].offset);
      least = std::min(least, terraces[i].offset);
    }
    EXPECT_EQ(sum, levels);
    // Levels too many or too few for the energies are spread evenly over the terraces.
    EXPECT_LE(most - least, 1.2 * h);
  }
}

TEST(ShareLevels, NeedsNoOffsetWhereTheLevelsAreThoseOfTheEnergies) {
  const std::vector<double> values = {3.5, 0.25, 7.75};
  for (const Terrace& terrace : share_levels(10, 1, values)) EXPECT_EQ(terrace.offset, 0);
}

Deck impact(ContactModel model) {
  // Flat faces that meet all at once would make the face penalty jump.
  const bool face = model == ContactModel::face_intersection;
  Deck deck = three_cubes(1, false, 0.4);
  deck.bodies[1].rotation_axis = {0.2, 0.3, 1};
  deck.bodies[1].rotation_angle = face ? 30 : 0;
  deck.contact.model = model;
  deck.bodies[0].velocity = {0.3, 0.01, 0.02};
  return deck;
}

std::vector<std::string> names(const Lagrangian& system, const std::vector<std::int32_t>& numbers) {
  std::vector<std::string> found;
  for (const std::int32_t number : numbers)
    found.push_back(system.subdomains[static_cast<std::size_t>(number)].name);
  return found;
}

TEST(TouchingBodies, GroupsAreThoseConnectedByTouchingPairs) {
  Deck deck = impact(ContactModel::barrier);
  for (std::size_t b = 0; b < 3; ++b) deck.bodies[b].position = {1.25 * static_cast<double>(b), 0, 0};
  SmallSystem system(deck, touching);
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, system.lagrangian.contact_pairs.get());
  const auto pairs = near.start(system.state.lines, 0).awake;
  TouchingBodies groups(subdomains, near);
  ASSERT_THAT(names(system.lagrangian, pairs), ElementsAre("a/b", "b/c"));
  EXPECT_TRUE(groups.waits(pairs[0]));
  EXPECT_FALSE(groups.waits(0)) << "a body";

  const auto first = groups.touch(pairs[0]);
  EXPECT_THAT(names(system.lagrangian, first.ending), UnorderedElementsAre("a", "b", "a/b"));
  ASSERT_EQ(first.beginning.size(), 1u);
  EXPECT_FALSE(groups.waits(pairs[0]));
  const auto second = groups.touch(pairs[1]);
  ASSERT_EQ(second.beginning.size(), 1u);
  const std::int32_t all = second.beginning.front();
  EXPECT_THAT(second.ending, UnorderedElementsAre(first.beginning.front(), 2, pairs[1]));
  EXPECT_EQ(all, first.beginning.front()) << "the subdomain of a former group is used again";
  EXPECT_THAT(names(system.lagrangian, groups.members(all)),
              UnorderedElementsAre("a", "b", "c", "a/b", "b/c"));
  const Subdomain& group = system.lagrangian.subdomains[static_cast<std::size_t>(all)];
  EXPECT_EQ(group.potentials.size(), 5u);
  EXPECT_EQ(group.elements, 3 * 24);
  // The bodies that each potential loads, in the order of the members: the bodies, then the pairs.
  EXPECT_THAT(groups.members(all), ElementsAre(0, 1, 2, pairs[0], pairs[1]));
  EXPECT_THAT(group.loads_of_potential, ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1), ElementsAre(2, 2),
                                                    ElementsAre(0, 1), ElementsAre(1, 2)));
  EXPECT_EQ(group.loaded_bodies, 3);

  const auto third = groups.part(all, {&pairs[0], 1});
  EXPECT_EQ(third.beginning.size(), 3u) << "a, the pair a/b, and b with c";
  EXPECT_EQ(groups.terrace_of(0), 0);
  EXPECT_EQ(groups.terrace_of(1), groups.terrace_of(2));
  EXPECT_EQ(groups.terrace_of(1), all) << "used again after a parting too";
  EXPECT_THAT(group.loads_of_potential, ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1), ElementsAre(0, 1)))
      << "of b and c";
  EXPECT_TRUE(groups.waits(pairs[0]));
  EXPECT_FALSE(groups.waits(pairs[1]));
}

// The pairs come in the order of their bodies: a/a, a/b, b/b, b/c, c/c.
TEST(TouchingBodies, GroupsKnowWhetherABodyTouchesItself) {
  Deck deck = impact(ContactModel::barrier);
  deck.contact.self = true;
  for (std::size_t b = 0; b < 3; ++b) deck.bodies[b].position = {1.25 * static_cast<double>(b), 0, 0};
  SmallSystem system(deck, touching);
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, system.lagrangian.contact_pairs.get());
  const auto pairs = near.start(system.state.lines, 0).awake;
  ASSERT_EQ(pairs.size(), 5u);
  TouchingBodies groups(subdomains, near);
  const std::int32_t of_two = groups.touch(pairs[1]).beginning.front();
  EXPECT_FALSE(groups.has_pair_with_itself(of_two));
  EXPECT_FALSE(groups.has_pair_with_itself(0)) << "no group";
  const std::int32_t of_three = groups.touch(pairs[3]).beginning.front();
  EXPECT_FALSE(groups.has_pair_with_itself(of_three));
  const std::int32_t all = groups.touch(pairs[4]).beginning.front();
  EXPECT_TRUE(groups.has_pair_with_itself(all));

  ByteWriter writer;
  writer(std::as_const(groups));
  const std::vector<std::byte> saved = writer.take();
  ByteReader reader(saved);
  reader(groups);
  groups.remake_groups();
  EXPECT_TRUE(groups.has_pair_with_itself(all)) << "found anew: it is not saved";
  groups.part(all, {&pairs[4], 1});
  EXPECT_FALSE(groups.has_pair_with_itself(groups.terrace_of(2)));
}

// A chain of six bodies that breaks in two places, whatever the order in which its pairs touched.
TEST(TouchingBodies, AGroupFallsApartWhereItsPairsPart) {
  Deck deck = soft_deck({});
  for (int i = 0; i < 6; ++i)
    deck.bodies.push_back(cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {1.25 * i, 0, 0}));
  deck.bodies[0].velocity = {0.3, 0.01, 0.02};
  deck.contact.model = ContactModel::barrier;
  SmallSystem system(deck, touching);
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, system.lagrangian.contact_pairs.get());
  const auto pairs = near.start(system.state.lines, 0).awake;
  ASSERT_EQ(pairs.size(), 5u);
  TouchingBodies groups(subdomains, near);
  for (const std::size_t pair : {4, 0, 3, 1, 2}) groups.touch(pairs[pair]);
  const std::int32_t all = groups.terrace_of(0);
  ASSERT_EQ(groups.members(all).size(), 11u);

  const std::vector<std::int32_t> parted = {pairs[1], pairs[4]};
  const auto change = groups.part(all, parted);
  const std::int32_t first = groups.terrace_of(0), second = groups.terrace_of(2);
  EXPECT_THAT(change.beginning, UnorderedElementsAre(first, second, 5, pairs[1], pairs[4]));
  EXPECT_THAT(groups.members(first), ElementsAre(0, 1, pairs[0]));
  EXPECT_THAT(groups.pairs(first), ElementsAre(pairs[0]));
  EXPECT_THAT(groups.members(second), ElementsAre(2, 3, 4, pairs[2], pairs[3]));
  EXPECT_THAT(groups.pairs(second), ElementsAre(pairs[2], pairs[3]));
  EXPECT_EQ(groups.terrace_of(5), 5);
  EXPECT_TRUE(groups.waits(pairs[1]));
  EXPECT_TRUE(groups.waits(pairs[4]));
  EXPECT_TRUE(std::ranges::is_sorted(change.beginning));
}

class TouchingImpact : public testing::TestWithParam<ContactModel> {};
INSTANTIATE_TEST_SUITE_P(Contact, TouchingImpact,
                         testing::Values(ContactModel::barrier, ContactModel::gap,
                                         ContactModel::face_intersection));

TEST_P(TouchingImpact, KeepsEnergyAndMomentaThroughJoiningAndParting) {
  Deck deck = impact(GetParam());
  deck.contact.stiffness = GetParam() == ContactModel::face_intersection ? 10 : 0;
  const double h = 1e-3 * initial_kinetic_energy(build_model(deck));
  SmallSystem system(deck, touching, h);
  EnergyStepping stepping(system.lagrangian, system.state);
  const SystemRecord first = system.record(stepping);
  const IntegerMomentum momentum = system.diagnostics.total_momentum(system.state);
  double drift = 0;
  bool joined = false, apart_again = false;
  for (int event = 0; event < 40000 && stepping.advance(system.state, 60); ++event) {
    if (event % 20 != 0) continue;
    const SystemRecord now = system.record(stepping);
    drift = std::max(drift, std::abs(now.energy - first.energy) / first.energy);
    EXPECT_EQ(system.diagnostics.total_momentum(system.state), momentum);
    // Σ h k of the terraces stays near V.
    EXPECT_LE(std::abs(now.terraced - now.potential), 4 * h);
    bool together = false;
    for (const SubdomainRecord& record : stepping.subdomain_records())
      together = together || (record.name == "touching bodies 1" && record.level != 0);
    joined = joined || together;
    apart_again = joined && !together;
  }
  EXPECT_LE(drift, 1e-12);
  EXPECT_LE(norm(system.record(stepping).angular_momentum - first.angular_momentum),
            1e-12 * system.diagnostics.angular_momentum_scale(system.state));
  EXPECT_TRUE(joined) << "the cubes should have met";
  EXPECT_TRUE(apart_again) << "and parted";
  EXPECT_GT(system.smallest_jacobian(), 0);
  const BodyRecord last = system.diagnostics.measure(system.state, stepping).bodies.back();
  EXPECT_GT(last.velocity[0], 0.15) << "c flies off";
}

TEST(TouchingBodies, ThoseThatRestNextToEachOtherPassOnWhatHitsOneOfThem) {
  Deck deck = impact(ContactModel::barrier);
  deck.contact.distance = 0.02;
  deck.bodies[2].position[0] = deck.bodies[1].position[0] + 1 + 1.25 * deck.contact.distance;
  const double h = 1e-3 * initial_kinetic_energy(build_model(deck));
  SmallSystem system(deck, touching, h);
  EnergyStepping stepping(system.lagrangian, system.state);
  while (stepping.advance(system.state, 20)) {
  }
  const auto bodies = system.diagnostics.measure(system.state, stepping).bodies;
  EXPECT_GT(bodies[2].velocity[0], 0.15) << "c flies off";
  EXPECT_LT(bodies[1].velocity[0], bodies[2].velocity[0]) << "not through it";
}

TEST(TouchingBodies, WhileTheyTouchAllIsAsWithOneTerrace) {
  // Until the first touch bodies fly freely. From then on the events are those of a single terrace but for
  // its offset, so that velocities and numbers of events are close, not equal.
  Deck deck = impact(ContactModel::barrier);
  deck.bodies.pop_back();
  SmallSystem system(deck, touching, 1e-6), one(deck, {LocalizationKind::global}, 1e-6);
  EnergyStepping stepping(system.lagrangian, system.state), single(one.lagrangian, one.state);
  while (stepping.advance(system.state, 1.6)) {
  }
  while (single.advance(one.state, 1.6)) {
  }
  const auto a = system.diagnostics.measure(system.state, stepping).bodies,
             b = one.diagnostics.measure(one.state, single).bodies;
  EXPECT_LT(a[0].velocity[0], 0.25) << "in contact";
  EXPECT_NEAR(a[0].velocity[0], b[0].velocity[0], 0.003);
  EXPECT_NEAR(static_cast<double>(stepping.events()), static_cast<double>(single.events()),
              0.05 * static_cast<double>(single.events()));
}

}  // namespace
}  // namespace terrace::touching_bodies_test
