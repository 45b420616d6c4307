// SubdomainGradient: n, v_n and s keep their digits after a rare peak, and take no more passes than
// necessary.
#include "dynamics/terraces/subdomain_gradient.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/scripted_potential.hpp"

namespace terrace::subdomain_gradient_test {
namespace {

/// A cube that turns, with forces on its first three nodes.
struct Loaded : ScriptedSystem {
  explicit Loaded(bool contact = false) : ScriptedSystem(contact), gradient(system.lagrangian, lines) {}
  void load(double size) {
    potential.forces = {
        {{size, -size / 3, 0.7 * size}, {0.1 * size, 0, 0.9 * size}, {0, size / 7, -size / 11}}};
  }
  SubdomainGradient::Products evaluate() { return gradient.evaluate(0, system.state, 0, grids); }
  /// v_n and s in long double, from the forces as rounded to their grid.
  [[nodiscard]] std::array<long double, 2> expected() const {
    long double normal_velocity = 0, compliance = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t d = 0; d < 3; ++d) {
        const long double n = gradient.values()[a][d];
        normal_velocity += n * system.state.lines[a].velocity[d];
        compliance += n * n / system.lagrangian.masses[a];
      }
    return {normal_velocity, compliance};
  }
  void expect_digits(double size) {
    load(size);
    const SubdomainGradient::Products products = evaluate();
    const auto [normal_velocity, compliance] = expected();
    ASSERT_NE(normal_velocity, 0);
    EXPECT_NEAR(products.normal_velocity / static_cast<double>(normal_velocity), 1, 2e-15);
    EXPECT_NEAR(products.compliance / static_cast<double>(compliance), 1, 2e-15);
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_LE(norm(gradient.values()[a] - potential.forces[a]), 1e-13 * size) << "node " << a;
    EXPECT_LE(products.grid, 1e-13 * size);
    EXPECT_EQ(products.grid, std::exp2(std::ilogb(products.grid))) << "a power of two";
    EXPECT_EQ(std::remainder(gradient.values()[0][0], products.grid), 0) << "on its grid";
  }
  Lines lines;
  SubdomainGradient gradient;
  GradientGrids grids;
};

TEST(SubdomainGradient, WhatDoesNotStandWasNeverAsked) {
  Loaded loaded;
  loaded.load(1);
  const SubdomainGradient::Products before = loaded.evaluate();
  const std::vector<Vector3> values(loaded.gradient.values().begin(), loaded.gradient.values().end());
  const auto bytes = [](const auto& value) {
    ByteWriter writer;
    writer(value);
    return writer.take();
  };
  const auto grids = bytes(loaded.grids);
  loaded.load(1e20);  // would need other grids
  std::vector<double> heard;
  const auto asked = [&](bool stands) {
    const SubdomainGradient::Question question{{3, 0.5}, [&](std::span<const double> sums) {
                                                 heard.assign(sums.begin(), sums.end());
                                                 return stands;
                                               }};
    return loaded.gradient.evaluate_if(question, 0, loaded.system.state, 0, loaded.grids, {});
  };
  EXPECT_FALSE(asked(false));
  EXPECT_EQ(heard, (std::vector<double>{3, 0.5}));
  EXPECT_EQ(bytes(loaded.grids), grids);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), loaded.gradient.values().begin()));
  loaded.load(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(asked(false)) << "and nothing is thrown";
  EXPECT_THROW((void)asked(true), Error);
  loaded.load(1);
  const auto again = asked(true);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->normal_velocity, before.normal_velocity);
  EXPECT_EQ(again->compliance, before.compliance);
}

// A double holds 2^53 quanta: the sum of all contact forces at a node must be within that.
TEST(SubdomainGradient, TheGridHoldsTheSumOfAsManyContactTermsAsANodeHas) {
  for (const double terms : {1e4, 1e8}) {
    Loaded loaded(true);
    loaded.load(3);
    loaded.potential.contact_terms_at_node = terms;
    EXPECT_LE(terms * 3, std::exp2(53) * loaded.evaluate().grid) << terms << " terms";
  }
}

// In a group of many bodies the sum of the counts that its pairs give is far above the number of terms at any
// node. Where that sum is unusual, terms are counted node by node.
TEST(SubdomainGradient, ContactTermsAreCountedNodeByNodeWhereTheirSumIsUnusual) {
  Loaded loaded(true);
  loaded.load(3);
  const double usual = loaded.evaluate().grid;
  loaded.potential.contact_terms_at_node = 1e8;
  loaded.potential.most_contact_terms_at_node = 100;
  EXPECT_EQ(loaded.evaluate().grid, usual);
  loaded.potential.gradients = 0;
  EXPECT_EQ(loaded.evaluate().grid, usual);
  EXPECT_EQ(loaded.potential.gradients, 1) << "it fits at once";
  loaded.potential.most_contact_terms_at_node = 1e6;
  EXPECT_LE(1e6 * 3, std::exp2(53) * loaded.evaluate().grid);
}

// A potential counts for the bodies that it loads only: the terms of the body with most of them decide.
TEST(SubdomainGradient, ContactTermsOfAGroupAreThoseOfOneOfItsBodies) {
  using Loads = std::vector<std::array<std::int32_t, 2>>;
  const auto counts = [](const Loads& loads) {
    Loaded loaded(true);
    Subdomain& group = loaded.system.lagrangian.subdomains.front();
    group.potentials.assign(loads.size(), group.potentials.front());
    group.reaction_of_potential.assign(loads.size(), -1);
    group.loads_of_potential = loads;
    group.loaded_bodies = 3;
    loaded.load(3);
    loaded.potential.contact_terms_at_node = 100;
    (void)loaded.evaluate();
    return loaded.potential.counts;
  };
  EXPECT_EQ(counts({{0, 1}, {1, 2}, {2, 2}}), 0) << "at most 200 of one";
  EXPECT_GT(counts({{0, 1}, {1, 2}, {1, 1}}), 0) << "300 of the second";
  EXPECT_GT(counts({{0, 2}, {1, 2}, {0, 2}}), 0) << "300 of the third";
}

TEST(SubdomainGradient, KeepsItsDigitsAfterARarePeak) {
  for (const double peak : {1e4, 1e6, 1e9, 1e15})
    for (const bool contact : {false, true}) {
      SCOPED_TRACE(peak);
      Loaded loaded(contact);
      loaded.expect_digits(0.3);
      loaded.expect_digits(0.3 * peak);
      loaded.expect_digits(0.3);
      loaded.expect_digits(0.25);
    }
}

TEST(SubdomainGradient, TheGridOfContactForcesFollowsEveryEvent) {
  Loaded loaded(true);
  loaded.load(1);
  const double grid = loaded.evaluate().grid;
  for (const double peak : {100.0, 1e5}) {
    loaded.load(peak);
    EXPECT_GT(loaded.evaluate().grid, grid);
    loaded.load(1);
    EXPECT_EQ(loaded.evaluate().grid, grid) << peak;
  }
}

TEST(SubdomainGradient, TakesOnePassWhereTheForcesAreOfTheUsualSize) {
  Loaded loaded;
  loaded.load(1);
  loaded.evaluate();
  EXPECT_LE(loaded.potential.gradients, 3) << "grids for the forces, then for the products";
  for (const double size : {1.0, 0.5, 0.1, 0.9}) {
    loaded.potential.gradients = 0;
    loaded.load(size);
    const std::int64_t evaluations = loaded.gradient.element_evaluations();
    loaded.evaluate();
    EXPECT_EQ(loaded.potential.gradients, 1) << size;
    EXPECT_EQ(loaded.gradient.element_evaluations() - evaluations, 7) << size;
  }
  loaded.evaluate();
  loaded.potential.gradients = 0;
  loaded.load(1e-5);
  loaded.evaluate();
  EXPECT_EQ(loaded.potential.gradients, 2) << "once to see that the grids are too coarse";
  loaded.potential.gradients = 0;
  loaded.evaluate();
  EXPECT_EQ(loaded.potential.gradients, 1) << "and not again";
}

TEST(SubdomainGradient, RestsOnItsGridsAlone) {
  Loaded loaded;
  loaded.load(std::exp2(20));
  const double coarse = loaded.evaluate().grid;
  loaded.grids = {};
  loaded.load(std::exp2(14));  // not so small that they would be refitted
  EXPECT_EQ(loaded.evaluate().grid / coarse, std::exp2(-6));
}

TEST(SubdomainGradient, OfNoForceIsNone) {
  Loaded loaded;
  const SubdomainGradient::Products products = loaded.evaluate();
  EXPECT_EQ(products.normal_velocity, 0);
  EXPECT_EQ(products.compliance, 0);
}

TEST(SubdomainGradient, RefusesForcesThatAreNotFinite) {
  for (const double bad : {std::nan(""), infinity})
    for (const bool contact : {false, true}) {
      Loaded loaded(contact);
      loaded.load(1);
      loaded.evaluate();
      loaded.potential.forces[1][2] = bad;
      EXPECT_THAT([&] { loaded.evaluate(); },
                  testing::ThrowsMessage<Error>(testing::AllOf(
                      testing::HasSubstr("subdomain cube"),
                      testing::HasSubstr("expected finite nodal forces, found infinity or NaN"))));
      EXPECT_THAT([&] { loaded.gradient.evaluate_all(loaded.system.state, 0); },
                  testing::ThrowsMessage<Error>(testing::HasSubstr("all potentials")));
    }
}

TEST(SubdomainGradient, OfAllAddsThePotentialsThatAreAwake) {
  SmallSystem cubes(soft_deck({cube_entry("a", 1), cube_entry("b", 1, {3, 0, 0})}),
                    {LocalizationKind::bodies});
  ScriptedPotential first, second;
  first.forces = {{{1, 2, 3}, {}, {}}};
  second.forces = {{{10, 20, 30}, {5, 0, 0}, {}}};
  cubes.lagrangian.subdomains[0].potentials = {&first};
  cubes.lagrangian.subdomains[1].potentials = {&second};
  Lines lines;
  SubdomainGradient gradient(cubes.lagrangian, lines);
  gradient.evaluate_all(cubes.state, 0);
  EXPECT_EQ(gradient.values()[0], (Vector3{11, 22, 33}));
  EXPECT_EQ(gradient.values()[1], (Vector3{5, 0, 0}));
  cubes.lagrangian.subdomains[1].asleep = true;
  gradient.evaluate_all(cubes.state, 0);
  EXPECT_EQ(gradient.values()[0], (Vector3{1, 2, 3}));
  EXPECT_EQ(gradient.values()[1], (Vector3{0, 0, 0})) << "nothing left of before";
}

// The quantum of the gradient of all follows from the largest number of subdomains that load one node, not
// from the number of subdomains.
TEST(SubdomainGradient, GridOfAllIsForTheTermsOfOneNode) {
  const auto quantum = [](int bodies, bool meet) {
    Deck deck = soft_deck({});
    for (int b = 0; b < bodies; ++b)
      deck.bodies.push_back(cube_entry("cube-" + std::to_string(b), 1, {3.0 * b, 0, 0}));
    SmallSystem cubes(deck, {LocalizationKind::bodies});
    ScriptedPotential unit;
    unit.forces = {{{1, 0, 0}, {}, {}}};
    auto& subdomains = cubes.lagrangian.subdomains;
    subdomains[0].potentials = {&unit};
    for (std::size_t b = 1; meet && b < subdomains.size(); ++b) subdomains[b].nodes.push_back(0);
    Lines lines;
    return SubdomainGradient(cubes.lagrangian, lines).evaluate_all(cubes.state, 0);
  };
  const double of_two = quantum(2, false);
  EXPECT_EQ(quantum(40, false), of_two) << "those far away do not count";
  EXPECT_GE(quantum(40, true), 16 * of_two) << "those that load the node do";
}

// An iteration of Newton's method that is given up leaves no trace: the grid goes back, and with it the
// number of terms that it holds.
TEST(SubdomainGradient, GridOfAllGoesBackWithTheTermsThatItHolds) {
  Deck deck = soft_deck({});
  for (int b = 0; b < 40; ++b)
    deck.bodies.push_back(cube_entry("cube-" + std::to_string(b), 1, {3.0 * b, 0, 0}));
  SmallSystem cubes(deck, {LocalizationKind::bodies});
  ScriptedPotential unit;
  unit.forces = {{{1, 0, 0}, {}, {}}};
  auto& subdomains = cubes.lagrangian.subdomains;
  subdomains[0].potentials = {&unit};
  const auto wake = [&](bool awake) {
    for (std::size_t b = 1; b < subdomains.size(); ++b) subdomains[b].asleep = !awake;
  };
  for (std::size_t b = 1; b < subdomains.size(); ++b) subdomains[b].nodes.push_back(0);
  Lines lines;
  SubdomainGradient gradient(cubes.lagrangian, lines);
  wake(false);
  const double of_one = gradient.evaluate_all(cubes.state, 0);
  const auto before = gradient.grids_of_all();
  wake(true);
  const double of_all = gradient.evaluate_all(cubes.state, 0);
  EXPECT_GE(of_all, 16 * of_one);
  gradient.set_grids_of_all(before);
  EXPECT_EQ(gradient.evaluate_all(cubes.state, 0), of_all);
  gradient.set_grids_of_all(before);
  wake(false);
  EXPECT_EQ(gradient.evaluate_all(cubes.state, 0), of_one) << "no trace";
}

}  // namespace
}  // namespace terrace::subdomain_gradient_test
