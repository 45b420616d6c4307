// Which rank works on what: every tetrahedron somewhere, whole subdomains where asked, and a fair share for
// each rank.
#include "dynamics/system/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "support/small_system.hpp"

namespace terrace::layout_test {
namespace {

ContactEntry face_contact(double energy_step) {
  ContactEntry contact;
  contact.model = ContactModel::face_intersection;
  contact.stiffness = 1;
  contact.energy_step = energy_step;
  return contact;
}

struct Divided {
  Model model;
  Localization localization;
};

Divided three_cubes_in_parts(int parts) {
  Deck deck = three_cubes(4, true);
  deck.contact = face_contact(0);
  Model model = build_model(deck);
  Localization localization =
      localize(model, {LocalizationKind::metis, parts, ContactLocalization::own}, deck.contact, 1e-5);
  return {std::move(model), std::move(localization)};
}

std::vector<double> elements_of_ranks(const Layout& layout, int ranks) {
  std::vector<double> elements(static_cast<std::size_t>(ranks), 0.0);
  for (const std::int32_t rank : layout.rank_of_tetrahedron) elements[static_cast<std::size_t>(rank)] += 1;
  return elements;
}

std::int32_t subdomain_of(const Localization& localization, std::size_t e) {
  return localization.terms[static_cast<std::size_t>(localization.term_of_tetrahedron[e])].subdomain;
}

TEST(Layout, EveryTetrahedronAndSubdomainHasARankThatExists) {
  for (const int parts : {1, 3}) {
    const Divided system = three_cubes_in_parts(parts);
    for (const LayoutKind kind :
         {LayoutKind::own, LayoutKind::slice, LayoutKind::windows, LayoutKind::automatic})
      for (const int ranks : {1, 2, 3, 7, 40}) {
        const Layout layout = lay_out(system.model, system.localization, kind, ranks);
        ASSERT_EQ(layout.rank_of_tetrahedron.size(), system.model.tetrahedra.size());
        ASSERT_EQ(layout.rank_of_subdomain.size(), system.localization.subdomains.size());
        for (const auto& list : {layout.rank_of_tetrahedron, layout.rank_of_subdomain})
          for (const std::int32_t rank : list) ASSERT_TRUE(rank >= 0 && rank < ranks);
      }
  }
}

TEST(Layout, OwnKeepsSubdomainsWhole) {
  const Divided system = three_cubes_in_parts(4);
  for (const int ranks : {2, 5, 100}) {
    const Layout layout = lay_out(system.model, system.localization, LayoutKind::own, ranks);
    for (std::size_t e = 0; e < system.model.tetrahedra.size(); ++e)
      ASSERT_EQ(layout.rank_of_tetrahedron[e],
                layout.rank_of_subdomain[static_cast<std::size_t>(subdomain_of(system.localization, e))]);
  }
}

TEST(Layout, MoreRanksThanSubdomainsLeaveRanksIdleUnderOwnAndNoneUnderSlice) {
  const Divided system = three_cubes_in_parts(1);
  const std::vector<double> own =
      elements_of_ranks(lay_out(system.model, system.localization, LayoutKind::own, 12), 12);
  EXPECT_EQ(std::count_if(own.begin(), own.end(), [](double n) { return n > 0; }), 3);
  const std::vector<double> sliced =
      elements_of_ranks(lay_out(system.model, system.localization, LayoutKind::slice, 12), 12);
  EXPECT_EQ(std::count(sliced.begin(), sliced.end(), 0.0), 0);
}

TEST(Layout, RanksGetNearlyEqualNumbersOfElements) {
  const Divided system = three_cubes_in_parts(8);  // 24 subdomains
  for (const LayoutKind kind : {LayoutKind::own, LayoutKind::slice})
    for (const int ranks : {2, 3, 4}) {
      const std::vector<double> elements =
          elements_of_ranks(lay_out(system.model, system.localization, kind, ranks), ranks);
      const double mean = static_cast<double>(system.model.tetrahedra.size()) / ranks;
      EXPECT_LE(*std::max_element(elements.begin(), elements.end()), 1.2 * mean) << ranks;
    }
}

// 24 elements each, and one of 96 that comes last: alone on a rank it leaves 96 for the other.
TEST(Layout, OwnPlacesTheLargestSubdomainsFirst) {
  Deck deck = soft_deck({});
  for (int i = 0; i < 4; ++i)
    deck.bodies.push_back(cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {2.0 * i, 0, 0}));
  BodyEntry bar = cube_entry("bar", 1, {0, 5, 0});
  bar.shape = LatticeShape{{4, 1, 1}, {4, 1, 1}};
  deck.bodies.push_back(bar);
  const Model model = build_model(deck);
  const Localization localization = localize(model, {LocalizationKind::bodies}, deck.contact, 1e-5);
  const std::vector<double> elements = elements_of_ranks(lay_out(model, localization, LayoutKind::own, 2), 2);
  EXPECT_EQ(elements[0], 96);
  EXPECT_EQ(elements[1], 96);
}

TEST(Layout, WindowsKeepNeighboursInTheDeckTogether) {
  std::mt19937_64 random{17};
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> work;
    for (int count = 1 + round; count > 0; --count) work.push_back(std::pow(uniform(random), 3));
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    for (const int ranks : {1, 2, 3, 7, 100}) {
      const std::vector<std::int32_t> rank_of = ranks_in_a_row(work, ranks);
      ASSERT_EQ(rank_of.size(), work.size());
      EXPECT_TRUE(std::is_sorted(rank_of.begin(), rank_of.end()));
      std::vector<double> sums(static_cast<std::size_t>(ranks), 0.0);
      for (std::size_t s = 0; s < work.size(); ++s) sums.at(static_cast<std::size_t>(rank_of[s])) += work[s];
      const double largest = *std::max_element(work.begin(), work.end());
      for (const double sum : sums) {
        EXPECT_LE(sum, all / ranks + largest * (1 + 1e-9)) << round << " on " << ranks;
        EXPECT_GE(sum, all / ranks - largest * (1 + 1e-9)) << round << " on " << ranks;
      }
    }
  }
  EXPECT_EQ(ranks_in_a_row({0, 0}, 3), (std::vector<std::int32_t>{0, 0}));
}

TEST(Layout, SliceGivesEveryRankAShareOfEverySubdomain) {
  const Divided system = three_cubes_in_parts(2);
  constexpr int ranks = 4;
  const Layout layout = lay_out(system.model, system.localization, LayoutKind::slice, ranks);
  std::vector<std::vector<double>> share(system.localization.subdomains.size(),
                                         std::vector<double>(ranks, 0.0));
  for (std::size_t e = 0; e < system.model.tetrahedra.size(); ++e)
    share[static_cast<std::size_t>(subdomain_of(system.localization, e))]
         [static_cast<std::size_t>(layout.rank_of_tetrahedron[e])] += 1;
  for (std::size_t subdomain = 0; subdomain < 6; ++subdomain) {
    const auto [least, most] = std::minmax_element(share[subdomain].begin(), share[subdomain].end());
    EXPECT_GT(*least, 0) << subdomain;
    EXPECT_LE(*most, 1.35 * *least) << subdomain;
  }
}

TEST(Layout, OfFewTetrahedraOnManyRanksIsLegal) {
  const Deck deck = soft_deck({cube_entry("cube", 1)});
  const Model model = build_model(deck);
  const Localization localization = localize(model, {LocalizationKind::metis, 3}, {}, 1e-5);
  for (const LayoutKind kind : {LayoutKind::own, LayoutKind::slice})
    for (const int ranks : {24, 25, 64}) {
      const Layout layout = lay_out(model, localization, kind, ranks);
      for (const std::int32_t rank : layout.rank_of_tetrahedron) ASSERT_TRUE(rank >= 0 && rank < ranks);
    }
}

}  // namespace
}  // namespace terrace::layout_test
