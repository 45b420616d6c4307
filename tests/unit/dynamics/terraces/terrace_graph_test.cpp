// TerraceGraph: the neighbours of a subdomain or a group, each named once.
#include "dynamics/terraces/terrace_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_system.hpp"

namespace terrace::terrace_graph_test {
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

// The group of a, b and a/b has b/c as a neighbour both by b and by a/b, and is named once; the same the
// other way round. ("c and more" is c with its floor.)
TEST(TerraceGraph, AGroupIsANeighbourOnce) {
  Row row(ContactLocalization::touching);
  const auto change = row.graph.touching().touch(row.number_of("a/b"));
  ASSERT_EQ(change.beginning.size(), 1U);
  const std::string group =
      row.system.lagrangian.subdomains[static_cast<std::size_t>(change.beginning.front())].name;
  EXPECT_EQ(row.neighbours_of(group), (Names{"b/c"}));
  EXPECT_EQ(row.neighbours_of("b/c"), (Names{"c and more", group}));
}

// A wall need not look at a body as long as that is in its box, if the box is out of the wall's reach.
TEST(TerraceGraph, WallsNeedNotLookAtABodyThatStaysInItsBox) {
  constexpr double until_floor = 1.5, speed = 0.1;
  Row row(ContactLocalization::touching);
  for (NodeLine& line : row.system.state.lines) line.velocity = {0, 0, -speed};
  const std::int32_t number = row.graph.near_pairs().loading_subdomains(1).front();
  Lines lines;
  const auto terms_at = [&](double s, bool with_box) {
    row.graph.follow_bodies(row.system.state.lines, number, 0);
    if (with_box) row.graph.tell_walls(lines, number);
    const Subdomain& a = at(row.system.lagrangian.subdomains, number);
    lines.for_each(a, [&](OnLine& line) { line.set_line(row.system.state.lines, 0); });
    const Potential* wall = a.potentials.back();
    EXPECT_TRUE(wall->is_contact());
    LineSample sample;
    lines.of(*wall).sample(s, LineGrids{}, sample);
    return sample.contact_terms;
  };
  EXPECT_EQ(terms_at(0.99 * until_floor / speed, false), 0);
  EXPECT_LT(row.graph.near_pairs().exit(1), until_floor / speed);
  EXPECT_GT(terms_at(1.01 * until_floor / speed, false), 0);
  EXPECT_GT(terms_at(1.01 * until_floor / speed, true), 0) << "it has left its box by then";
  // The wall believes the box that it is told, which is out of reach here although the body is at the floor.
  for (NodeLine& line : row.system.state.lines) line.displacement = {0, 0, -until_floor};
  row.graph.near_pairs().forget_boxes(std::vector<std::int32_t>{0}, row.system.state.lines, 0);
  row.graph.near_pairs().set_exit(1, 1);
  row.graph.tell_walls(lines, number);
  lines.of(*at(row.system.lagrangian.subdomains, number).potentials.back())
      .set_line(row.system.state.lines, 0);
  LineSample sample;
  lines.of(*at(row.system.lagrangian.subdomains, number).potentials.back()).sample(0.5, LineGrids{}, sample);
  EXPECT_EQ(sample.contact_terms, 0);
}

// Contact of other bodies, far away or with finer meshes, does not shorten a subdomain's stable step.
TEST(TerraceGraph, StableStepsOfContactAreThoseOfASubdomainsOwnPairsAndWalls) {
  Deck deck = three_cubes(1, true, 0.01);
  deck.bodies[2] = cube_entry("c", 2, deck.bodies[2].position);
  deck.contact.model = ContactModel::gap;
  deck.contact.stiffness = 1;
  deck.contact.distance = 0.005;
  SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching});
  const Lagrangian& all = system.lagrangian;
  TerraceGraph graph(system.lagrangian);
  const auto step_of = [&](std::int32_t number) {
    return all.subdomains[static_cast<std::size_t>(number)].stable_contact_step;
  };
  const double wall = step_of(0), finer_wall = step_of(2);
  EXPECT_EQ(step_of(1), wall);
  EXPECT_LT(finer_wall, 0.9 * wall);
  const std::int32_t coarse = graph.near_pairs().awakened({0, 1}), fine = graph.near_pairs().awakened({1, 2});
  const double pair = step_of(coarse), finer_pair = step_of(fine);
  EXPECT_LT(finer_pair, 0.9 * pair);
  EXPECT_NE(pair, wall);
  EXPECT_EQ(step_of(graph.touching().unite({coarse})), stable_together(pair, wall));
  EXPECT_EQ(step_of(graph.touching().unite({fine})), stable_together(finer_pair, finer_wall));
  EXPECT_LE(all.stable_contact_step, stable_together(finer_pair, finer_wall)) << "the shortest of all";
}

}  // namespace
}  // namespace terrace::terrace_graph_test
