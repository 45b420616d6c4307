// Who is whose neighbour, each named once.
#include "dynamics/terrace_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_system.hpp"

namespace terrace {
namespace {

/// Three cubes in a row so near that the pairs ab and bc are awake, above a floor.
struct Row {
  explicit Row(ContactLocalization contact)
      : system(deck(), {LocalizationKind::bodies, 1, contact}), graph(system.lagrangian) {
    graph.near_pairs().start(system.state.lines, 0);
  }
  static Deck deck() {
    Deck deck = three_cubes(1, true, 0.01);
    deck.contact.model = ContactModel::face_intersection;
    deck.contact.stiffness = 1;
    return deck;
  }
  [[nodiscard]] std::int32_t number_of(const std::string& name) const {
    const auto& subdomains = system.lagrangian.subdomains;
    const auto found = std::find_if(subdomains.begin(), subdomains.end(),
                                    [&](const Subdomain& subdomain) { return subdomain.name == name; });
    EXPECT_NE(found, subdomains.end()) << name;
    return found == subdomains.end() ? 0 : static_cast<std::int32_t>(found - subdomains.begin());
  }
  [[nodiscard]] std::vector<std::string> neighbours_of(const std::string& name,
                                                       std::int32_t changed_body = -1) const {
    std::vector<std::uint8_t> changed;
    for (const std::int32_t body : system.lagrangian.body_of_node)
      changed.push_back(changed_body < 0 || body == changed_body ? 1 : 0);
    std::vector<std::string> names;
    for (const std::int32_t j : graph.neighbours_of(number_of(name), changed))
      names.push_back(system.lagrangian.subdomains[static_cast<std::size_t>(j)].name);
    return names;
  }
  SmallSystem system;
  TerraceGraph graph;
};

using Names = std::vector<std::string>;

TEST(TerraceGraph, ABodyHasItsWallAndItsPairs) {
  const Row row(ContactLocalization::own);
  EXPECT_EQ(row.neighbours_of("a"), (Names{"a/floor", "a/b"}));
  EXPECT_EQ(row.neighbours_of("b"), (Names{"b/floor", "a/b", "b/c"}));
}

TEST(TerraceGraph, APairHasWhatChangedOfItsBodies) {
  const Row row(ContactLocalization::own);
  EXPECT_EQ(row.neighbours_of("a/b"), (Names{"a", "b", "a/floor", "b/floor", "b/c"}));
  EXPECT_EQ(row.neighbours_of("a/b", 0), (Names{"a", "a/floor"}));
  EXPECT_EQ(row.neighbours_of("a/b", 1), (Names{"b", "b/floor", "b/c"}));
}

// Its members b, with its floor, and ab both lead to b/c, and b/c to both. ("c and more": c with its floor.)
TEST(TerraceGraph, AGroupIsANeighbourOnce) {
  Row row(ContactLocalization::touching);
  const auto change = row.graph.touching().touch(row.number_of("a/b"));
  ASSERT_EQ(change.beginning.size(), 1U);
  const std::string group =
      row.system.lagrangian.subdomains[static_cast<std::size_t>(change.beginning.front())].name;
  EXPECT_EQ(row.neighbours_of(group), (Names{"b/c"}));
  EXPECT_EQ(row.neighbours_of("b/c"), (Names{"c and more", group}));
}

}  // namespace
}  // namespace terrace
