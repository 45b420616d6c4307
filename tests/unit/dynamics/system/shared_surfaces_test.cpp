// What belongs to a body is held once, however many pairs it is in.
#include <gtest/gtest.h>

#include "dynamics/system/contact_pairs.hpp"
#include "potentials/contact/face_intersection.hpp"
#include "potentials/contact/set_constraint.hpp"
#include "support/heap.hpp"
#include "support/small_system.hpp"

namespace terrace::shared_surfaces_test {
namespace {

/// Three cubes apart, whose pairs are subdomains of their own.
struct Cubes {
  explicit Cubes(ContactModel model, int cells) : system(deck(model, cells), own_pairs) {}
  static Deck deck(ContactModel model, int cells) {
    Deck deck = three_cubes(cells, false, 2.0);
    deck.contact.model = model;
    if (model == ContactModel::face_intersection) deck.contact.stiffness = 1;
    return deck;
  }
  [[nodiscard]] const ContactPairs& pairs() const { return *system.lagrangian.contact_pairs; }
  [[nodiscard]] std::unique_ptr<Potential> potential(const BodyPair& pair) const {
    return pairs().make(pair, system.lagrangian.reference);
  }
  [[nodiscard]] std::unique_ptr<SetConstraint> constraint(const BodyPair& pair) const {
    return pairs().make_constraint(pair, system.lagrangian.reference);
  }

  static constexpr LocalizationEntry own_pairs{LocalizationKind::bodies, 1, ContactLocalization::own};
  SmallSystem system;
};

void expect_shared(const ContactSurfaces& of_ab, const ContactSurfaces& of_ac, const ContactSurfaces& of_bc) {
  EXPECT_EQ(&of_ab.first(), &of_ac.first());
  EXPECT_EQ(&of_ab.second(), &of_bc.first());
  EXPECT_EQ(&of_ac.second(), &of_bc.second());
  EXPECT_NE(&of_ab.first(), &of_ab.second());
}

template <class Contact>
const ContactSurfaces& surfaces_of(const std::unique_ptr<Potential>& potential) {
  if constexpr (std::is_same_v<Contact, SurfaceContact>)
    return dynamic_cast<const SurfaceContact&>(*potential).contact().surfaces;
  else
    return dynamic_cast<const FaceIntersection&>(*potential).surfaces();
}

template <class Contact>
void expect_shared_by(ContactModel model) {
  const Cubes cubes(model, 1);
  const auto ab = cubes.potential({0, 1}), ac = cubes.potential({0, 2}), bc = cubes.potential({1, 2});
  expect_shared(surfaces_of<Contact>(ab), surfaces_of<Contact>(ac), surfaces_of<Contact>(bc));
}

TEST(SharedSurfaces, AreThoseOfAllPairsOfABody) {
  expect_shared_by<SurfaceContact>(ContactModel::barrier);
  expect_shared_by<SurfaceContact>(ContactModel::gap);
  expect_shared_by<FaceIntersection>(ContactModel::face_intersection);
  const Cubes cubes(ContactModel::rigid, 1);
  const auto ab = cubes.constraint({0, 1}), ac = cubes.constraint({0, 2}), bc = cubes.constraint({1, 2});
  const auto surfaces = [](const std::unique_ptr<SetConstraint>& constraint) -> const ContactSurfaces& {
    return dynamic_cast<const ImpenetrabilityConstraint&>(*constraint).surfaces();
  };
  expect_shared(surfaces(ab), surfaces(ac), surfaces(bc));
}

TEST(SharedSurfaces, ABodyAgainstItselfHasOneSurface) {
  const Cubes cubes(ContactModel::barrier, 1);
  const auto self = cubes.potential({1, 1}), pair = cubes.potential({0, 1});
  const ContactSurfaces& surfaces = surfaces_of<SurfaceContact>(self);
  EXPECT_TRUE(surfaces.is_self());
  EXPECT_EQ(&surfaces.first(), &surfaces.second());
  EXPECT_EQ(&surfaces.first(), &surfaces_of<SurfaceContact>(pair).second());
}

/// Bytes per surface node that a pair of bodies apart from each other holds beyond a fixed sum.
double bytes_per_node(ContactModel model) {
  const Cubes cubes(model, 6);
  constexpr int count = 16;
  constexpr double fixed = 3000;
  const auto first = cubes.potential({0, 2});  // now the surfaces are there
  std::vector<std::unique_ptr<Potential>> pairs;
  std::vector<std::unique_ptr<PotentialOnLine>> on_lines;
  pairs.reserve(count);
  on_lines.reserve(count);
  const std::size_t before = heap_in_use();
  for (int i = 0; i < count; ++i) {
    pairs.push_back(cubes.potential({0, 2}));
    on_lines.push_back(pairs.back()->on_line());
    on_lines.back()->set_line(cubes.system.state.lines, 0);
    LineBound bound;
    LineSample sample;
    on_lines.back()->bound(0, 1e-3, LineGrids{}, bound);
    on_lines.back()->sample(0, LineGrids{}, sample);
  }
  const double held = static_cast<double>(heap_in_use() - before) / count;
  return (held - fixed) / static_cast<double>(first->nodes().size());
}

// For each surface node a pair holds a place (24 bytes), a velocity (24) and a number in the list of nodes
// (4). A surface of its own would take 150 bytes more, its triangles for the search of near ones 24,
// positions at an instant 24. Intersecting faces remember positions at three instants.
TEST(SharedSurfaces, APairHoldsTheMotionOfItsNodesAlone) {
  if (heap_in_use() == 0) GTEST_SKIP() << "the allocator does not tell";
  EXPECT_LT(bytes_per_node(ContactModel::barrier), 54);
  EXPECT_LT(bytes_per_node(ContactModel::face_intersection), 54 + 3 * 24);
}

}  // namespace
}  // namespace terrace::shared_surfaces_test
