// Elements of bodies that are made and ended on demand: while they are there the system equals one that
// always has them.
#include "dynamics/system/living_subdomains.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "potentials/elastic/elastic_potential.hpp"
#include "support/small_system.hpp"

namespace terrace::living_subdomains_test {
namespace {

const LocalizationEntry bodies{LocalizationKind::bodies, 1, ContactLocalization::touching};

SmallSystem system_with(const Deck& deck, Elements elements) {
  return {build_model(deck), deck.contact, bodies, 1, LayoutKind::own, MPI_COMM_SELF, elements};
}

Deck cubes_above_a_wall() {
  Deck deck = three_cubes(1, true);
  deck.contact.model = ContactModel::barrier;
  return deck;
}

// Of three cubes the middle one has other cells; the other two share their lists.
TEST(PassingElements, OfEqualBodiesAreListedOnce) {
  Deck deck = cubes_above_a_wall();
  std::get<LatticeShape>(deck.bodies[1].shape).cells = {1, 1, 2};
  const SmallSystem system = system_with(deck, Elements::on_demand);
  const std::vector<ElasticBlock>& blocks = system.lagrangian.elastic_blocks;
  ASSERT_EQ(blocks.size(), 3);
  EXPECT_EQ(blocks[0].passing.lists, blocks[2].passing.lists);
  EXPECT_NE(blocks[0].passing.lists, blocks[1].passing.lists);
  EXPECT_TRUE(blocks[0].tetrahedra.empty() && blocks[0].global_tetrahedra.empty());
  const SmallSystem complete = system_with(deck, Elements::at_once);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<std::int32_t> numbers = blocks[b].passing.numbers();
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, complete.lagrangian.elastic_blocks[b].global_tetrahedra) << b;
  }
}

TEST(PassingElements, AreThoseThatAreAlwaysThere) {
  const Deck deck = cubes_above_a_wall();
  const SmallSystem complete = system_with(deck, Elements::at_once);
  SmallSystem system = system_with(deck, Elements::on_demand);
  LivingSubdomains living(system.lagrangian);
  const std::size_t others = system.lagrangian.potentials.size();
  for (int round = 0; round < 2; ++round) {
    for (const ElasticBlock& block : system.lagrangian.elastic_blocks) ASSERT_EQ(block.elastic, nullptr);
    for (const std::int32_t body : {1, 0, 2, 1}) living.make_elements(body);  // one of them twice
    ASSERT_EQ(system.lagrangian.potentials.size(), complete.lagrangian.potentials.size());
    for (std::size_t s = 0; s < complete.lagrangian.subdomains.size(); ++s) {
      const Subdomain &made = system.lagrangian.subdomains[s], &expected = complete.lagrangian.subdomains[s];
      ASSERT_EQ(made.reaction_of_potential, expected.reaction_of_potential);
      ASSERT_EQ(made.potentials.size(), expected.potentials.size());
      for (std::size_t p = 0; p < made.potentials.size(); ++p) {
        EXPECT_TRUE(std::ranges::equal(made.potentials[p]->nodes(), expected.potentials[p]->nodes()));
        EXPECT_EQ(made.potentials[p]->work(), expected.potentials[p]->work());
      }
    }
    for (std::size_t b = 0; b < system.lagrangian.elastic_blocks.size(); ++b) {
      const ElasticPotential &made = *system.lagrangian.elastic_blocks[b].elastic,
                             &expected = *complete.lagrangian.elastic_blocks[b].elastic;
      EXPECT_EQ(made.energies({system.state.lines, 1}), expected.energies({complete.state.lines, 1}));
      EXPECT_EQ(made.material().name, expected.material().name);
    }
    // The last potential takes the place of one that ends, and must be found there when its own end comes.
    for (const std::int32_t body : {0, 2, 0, 1}) living.end_elements(body);
    ASSERT_EQ(system.lagrangian.potentials.size(), others);
    for (const Subdomain& subdomain : system.lagrangian.subdomains) {
      EXPECT_EQ(std::ranges::count(subdomain.reaction_of_potential, -1), 0) << "walls alone are left";
      EXPECT_EQ(subdomain.potentials.size(), subdomain.reaction_of_potential.size());
    }
  }
}

TEST(PassingElements, OfASystemThatAlwaysHasThemStay) {
  const Deck deck = cubes_above_a_wall();
  SmallSystem system = system_with(deck, Elements::at_once);
  LivingSubdomains living(system.lagrangian);
  const std::vector<const Potential*> before = system.lagrangian.subdomains[1].potentials;
  living.end_elements(1);
  living.make_elements(1);
  EXPECT_EQ(system.lagrangian.subdomains[1].potentials, before);
}

}  // namespace
}  // namespace terrace::living_subdomains_test
