// Models that decks give: masses, places and velocities of bodies, their numbering, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/deck.hpp"
#include "mesh/overlap.hpp"
#include "parallel/error.hpp"

namespace terrace::build_model_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

BodyEntry lattice_body(const std::string& name, const Vector3& position, const Vector3& extent = {1, 1, 1},
                       const std::array<int, 3>& cells = {2, 2, 2}) {
  BodyEntry entry{};
  entry.name = name;
  entry.where = "deck.toml:" + name;
  entry.shape = LatticeShape{extent, cells};
  entry.position = position;
  entry.rotation_axis = {0, 0, 1};
  entry.count = 1;
  return entry;
}

Deck deck_of(const std::vector<BodyEntry>& bodies) {
  Deck deck;
  deck.materials = {{"light", 0.1, 1, 1}, {"heavy", 7.0, 1, 1}};
  deck.bodies = bodies;
  return deck;
}

struct Totals {
  double mass = 0;
  Vector3 momentum{}, centre{}, angular_momentum{};  ///< the last about the centre of mass
};

Totals totals_of(const Model& model, const Body& body) {
  Totals totals;
  const auto first = static_cast<std::size_t>(body.first_node);
  const std::size_t last = first + static_cast<std::size_t>(body.node_count);
  for (std::size_t a = first; a < last; ++a) {
    totals.mass += model.masses[a];
    totals.momentum += model.masses[a] * model.velocities[a];
    totals.centre += model.masses[a] * model.positions[a];
  }
  totals.centre = (1 / totals.mass) * totals.centre;
  for (std::size_t a = first; a < last; ++a)
    totals.angular_momentum +=
        model.masses[a] * cross(model.positions[a] - totals.centre, model.velocities[a]);
  return totals;
}

void expect_near(const Vector3& a, const Vector3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

std::string message(const Deck& deck) {
  try {
    build_model(deck);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "no error";
}

TEST(BuildModel, MassesSumToDensityTimesVolumeAndTheCentreIsWhereTheBodyWasPut) {
  std::vector<BodyEntry> bodies = {lattice_body("a", {5, 0, -1}, {1, 2, 3}, {2, 3, 4}),
                                   lattice_body("b", {0, 9, 0})};
  bodies[0].material = 1;
  const Model model = build_model(deck_of(bodies));
  ASSERT_EQ(model.bodies.size(), 2U);
  EXPECT_NEAR(totals_of(model, model.bodies[0]).mass, 7.0 * 6, 1e-12 * 42);
  EXPECT_NEAR(totals_of(model, model.bodies[1]).mass, 0.1, 1e-13);
  expect_near(totals_of(model, model.bodies[0]).centre, {5, 0, -1}, 1e-13);
  for (const double mass : model.masses) EXPECT_GT(mass, 0);
}

TEST(BuildModel, NumbersBodyByBodyAndTheBoundaryIsTheBodysOwnClosedSurface) {
  const Model model =
      build_model(deck_of({lattice_body("a", {}), lattice_body("b", {9, 0, 0}, {1, 1, 1}, {3, 1, 1})}));
  std::int32_t node = 0, tetrahedron = 0;
  for (const Body& body : model.bodies) {
    EXPECT_EQ(body.first_node, node);
    EXPECT_EQ(body.first_tetrahedron, tetrahedron);
    node += body.node_count;
    tetrahedron += body.tetrahedron_count;
    double volume = 0;  // divergence theorem
    for (const Triangle& triangle : body.boundary) {
      std::array<Vector3, 3> x;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GE(triangle[i], body.first_node);
        EXPECT_LT(triangle[i], node);
        x[i] = model.positions[static_cast<std::size_t>(triangle[i])];
      }
      volume += dot(x[0], cross(x[1], x[2])) / 6;
    }
    EXPECT_NEAR(volume, 1, 1e-12);
  }
  EXPECT_EQ(model.positions.size(), static_cast<std::size_t>(node));
  EXPECT_EQ(model.velocities.size(), model.positions.size());
  EXPECT_EQ(model.masses.size(), model.positions.size());
  EXPECT_EQ(model.tetrahedra.size(), static_cast<std::size_t>(tetrahedron));
  EXPECT_EQ(model.tetrahedra.size(), 24U * (8 + 3));
  EXPECT_EQ(model.body_of_tetrahedron.front(), 0);
  EXPECT_EQ(model.body_of_tetrahedron.back(), 1);
}

TEST(BuildModel, MomentumIsMassTimesVelocityWhateverTheSpin) {
  BodyEntry body = lattice_body("a", {100, -50, 3}, {1, 2, 3});
  body.velocity = {4, -1, 0.5};
  body.spin = {3, -2, 7};
  body.rotation_axis = {1, 1, 0};
  body.rotation_angle = 20;
  const Model model = build_model(deck_of({body}));
  const Totals totals = totals_of(model, model.bodies[0]);
  expect_near(totals.momentum, totals.mass * body.velocity, 1e-12);
}

TEST(BuildModel, TheSpinningCubeHasItsKnownKineticEnergy) {
  BodyEntry cube = lattice_body("cube", {}, {1, 1, 1}, {8, 8, 8});
  cube.spin = {0, 0, 1};
  const Model model = build_model(deck_of({cube}));
  EXPECT_EQ(model.positions.size(), 2969U);
  EXPECT_EQ(model.tetrahedra.size(), 12288U);
  double kinetic = 0;
  for (std::size_t a = 0; a < model.masses.size(); ++a)
    kinetic += 0.5 * model.masses[a] * dot(model.velocities[a], model.velocities[a]);
  EXPECT_NEAR(kinetic, 8.43099e-3, 1e-8);  // from an independent prototype of this mesh; continuum: 1/120
}

TEST(BuildModel, AngularMomentumIsInertiaTimesSpin) {
  BodyEntry body = lattice_body("a", {10, 20, 30}, {1, 2, 3}, {12, 24, 36});
  body.spin = {0, 2, 0};
  const Model model = build_model(deck_of({body}));
  const Totals totals = totals_of(model, model.bodies[0]);
  const double inertia = totals.mass / 12 * (1 * 1 + 3 * 3);             // of a solid block about y
  EXPECT_NEAR(totals.angular_momentum[1], 2 * inertia, 0.01 * inertia);  // lumping: O(element size squared)
  EXPECT_NEAR(totals.angular_momentum[0], 0, 1e-10);
}

TEST(BuildModel, RotationTurnsByDegreesAboutTheAxisBeforePlacement) {
  BodyEntry body = lattice_body("a", {10, 0, 0}, {4, 2, 1});
  body.rotation_axis = {0, 0, 5};
  body.rotation_angle = 90;
  const Model model = build_model(deck_of({body}));
  const Box box = bounding_box(model, model.bodies[0]);
  expect_near(box.low, {9, -2, -0.5}, 1e-14);
  expect_near(box.high, {11, 2, 0.5}, 1e-14);
  for (const double size : {1e-300, 1e200}) {
    body.rotation_axis = {0, 0, size};
    const Model same = build_model(deck_of({body}));
    for (std::size_t a = 0; a < model.positions.size(); ++a)
      expect_near(same.positions[a], model.positions[a], 1e-14);
  }
}

TEST(BuildModel, RepeatedBodiesAreNumberedFromOneAndEachOffsetFromTheOneBefore) {
  BodyEntry body = lattice_body("bead", {1, 0, 0});
  body.count = 4;
  body.offset = {0, 1.5, 0};
  body.velocity = {1, 0, 0};
  const Model model = build_model(deck_of({body, lattice_body("last", {50, 0, 0})}));
  ASSERT_EQ(model.bodies.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(model.bodies[i].name, "bead-" + std::to_string(i + 1));
    const Totals totals = totals_of(model, model.bodies[i]);
    expect_near(totals.centre, {1, 1.5 * static_cast<double>(i), 0}, 1e-14);
    expect_near(totals.momentum, {0.1, 0, 0}, 1e-14);
  }
  EXPECT_EQ(model.bodies[4].name, "last");
}

TEST(BuildModel, OverlapNamesBothBodiesThePlaceAndTheDepth) {
  const std::string text = message(deck_of(
      {lattice_body("far", {0, 50, 0}), lattice_body("left", {}), lattice_body("right", {0.9, 0.2, 0.2})}));
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("deck.toml:right: expected bodies that do not overlap, found bodies left and right "
                      "both at ("),
            HasSubstr("), 0.1 deep")));
  EXPECT_THAT(text, testing::Not(HasSubstr("far")));
}

TEST(BuildModel, OverlapsAreAsDeepAsTheDeepestPointInTheOtherBody) {
  const auto depth_of = [](const BodyEntry& first, const BodyEntry& second) {
    return message(deck_of({first, second}));
  };
  const BodyEntry cube = lattice_body("a", {}, {1, 1, 1}, {1, 1, 1});
  // A small cube within: its corner nearest to the centre is 0.405 from the faces of the other.
  const BodyEntry crumb = lattice_body("b", {0.1, 0.1, 0.1}, {0.01, 0.01, 0.01}, {1, 1, 1});
  EXPECT_THAT(depth_of(cube, crumb), HasSubstr("(0.095, 0.095, 0.095), 0.405 deep"));
  EXPECT_THAT(depth_of(crumb, cube), HasSubstr("(0.095, 0.095, 0.095), 0.405 deep"));
  // An edge of one, with a node, behind a face of the other; then the same without a node.
  BodyEntry turned = lattice_body("b", {1.15, 0, 0}, {1, 1, 1}, {1, 1, 2});
  turned.rotation_angle = 45;
  EXPECT_THAT(depth_of(cube, turned), HasSubstr(", 0), 0.05711 deep"));
  BodyEntry long_edge = lattice_body("b", {1.15, 0.2, 0}, {1, 1, 2}, {1, 1, 1});
  long_edge.rotation_angle = 45;
  EXPECT_THAT(depth_of(cube, long_edge), HasSubstr("where an edge pierces a face"));
}

TEST(BuildModel, OverlapsOfEveryKindAreFoundAndTouchesAllowedAtEveryScale) {
  struct Case {
    std::string what;
    BodyEntry other;
    bool overlaps;
  };
  BodyEntry turned = lattice_body("b", {1.15, 0, 0});
  turned.rotation_angle = 45;  // its edge reaches 0.707 from its centre, into the face at 0.5
  BodyEntry turned_free = turned;
  turned_free.position = {1.22, 0, 0};
  const std::vector<Case> cases = {
      {"the same place", lattice_body("b", {}), true},
      {"shifted by one lattice cell", lattice_body("b", {0.5, 0, 0}), true},
      {"shifted by half a cell: nodes on faces between elements", lattice_body("b", {0.25, 0.25, 0.25}),
       true},
      {"a plate thinner than a millionth of its elements, in itself",
       lattice_body("b", {}, {1, 1, 3e-7}, {2, 2, 1}), true},
      {"shifted by one and a half", lattice_body("b", {0.75, 0.75, 0.75}), true},
      {"one inside the other", lattice_body("b", {0.1, 0.1, 0.1}, {0.01, 0.01, 0.01}, {1, 1, 1}), true},
      {"crossed bars: no corner is inside", lattice_body("b", {0.03, 0.02, 0}, {5, 0.1, 0.1}, {1, 1, 1}),
       true},
      {"an edge through a face", turned, true},
      {"an edge before a face", turned_free, false},
      {"faces that touch", lattice_body("b", {1, 0, 0}), false},
      {"faces that touch, other mesh", lattice_body("b", {1, 0.3, 0.1}, {1, 1, 1}, {3, 2, 5}), false},
      {"edges that touch", lattice_body("b", {1, 1, 0}), false},
      {"corners that touch", lattice_body("b", {1, 1, 1}), false},
      {"a thousandth too deep", lattice_body("b", {0.999, 0.013, 0.017}), true},
  };
  for (const Case& test : cases)
    for (const double scale : {1.0, 1e-3, 1e-6, 1e6}) {
      std::vector<BodyEntry> bodies = {lattice_body("a", {}), test.other};
      for (BodyEntry& body : bodies) {
        body.position = scale * body.position;
        auto& shape = std::get<LatticeShape>(body.shape);
        shape.extent = scale * shape.extent;
      }
      EXPECT_EQ(message(deck_of(bodies)) != "no error", test.overlaps) << test.what << ", scale " << scale;
    }
}

// The needle goes through the plate beside all nodes and centres of elements, and beside the plate's edges:
// one body's edges pierce the other's faces, not the other way round.
TEST(BuildModel, EdgesOfEitherBodyAloneThatPierceTheOtherAreFound) {
  const BodyEntry plate = lattice_body("plate", {}, {4, 4, 0.2}, {1, 1, 1}),
                  needle = lattice_body("needle", {1.1, 0.3, 0.7}, {0.02, 0.02, 4}, {1, 1, 1});
  EXPECT_THAT(message(deck_of({needle, plate})), HasSubstr("where an edge pierces a face"));
  EXPECT_THAT(message(deck_of({plate, needle})), HasSubstr("where an edge pierces a face"));
}

TEST(BuildModel, RepeatedBodiesThatOverlapEachOtherAreFound) {
  BodyEntry body = lattice_body("bead", {});
  body.count = 3;
  body.offset = {0.95, 0.1, 0.05};
  EXPECT_THAT(message(deck_of({body})),
              AllOf(HasSubstr("bead-1"), HasSubstr("bead-2"), HasSubstr("deck.toml:bead")));
}

TEST(BuildModel, ABodyBehindAWallIsRefusedAndOneThatTouchesItIsNot) {
  Deck deck = deck_of({lattice_body("block", {0, 0, 0.5})});
  deck.walls = {{"floor", {7, 7, 0}, {0, 0, 1}, 1e3}};
  EXPECT_EQ(message(deck), "no error");
  deck.bodies[0].position[2] = 0.49;
  EXPECT_THAT(message(deck), AllOf(HasSubstr("block"), HasSubstr("floor"), HasSubstr("0.01 behind")));
}

TEST(BuildModel, MassesOutsideTheRangeOfADoubleAreRefused) {
  EXPECT_THAT(
      message(deck_of({lattice_body("dust", {}, {1e-110, 1e-110, 1e-110})})),
      AllOf(HasSubstr("deck.toml:dust: expected nodal masses of body dust within the range of a double"),
            HasSubstr("found the mass 0 of its node 0")));
}

TEST(BuildModel, SpeedsWhoseEnergyNoDoubleHoldsAreRefused) {
  BodyEntry body = lattice_body("comet", {});
  body.velocity = {1e200, 0, 0};
  EXPECT_THAT(message(deck_of({body})),
              HasSubstr("deck.toml:comet: expected a kinetic energy of body comet within the range of a "
                        "double, found inf"));
  body.velocity = {};
  body.spin = {0, 1e160, 0};
  EXPECT_THAT(message(deck_of({body})), HasSubstr("a kinetic energy of body comet"));
}

TEST(BuildModel, BodiesThatNoMemoryHoldsAreRefusedBeforeTheyAreMade) {
  const std::array<int, 3> cells = {10, 10, 10};  // of 24 tetrahedra
  BodyEntry many = lattice_body("many", {5, 0, 0}, {1, 1, 1}, cells);
  many.count = 1000000;
  many.offset = {2, 0, 0};
  EXPECT_THAT(message(deck_of({many})), HasSubstr("deck.toml:many: expected a number of bodies that gives at "
                                                  "most 5e+08 elements, found about 2e+10"));
  many.count = 20833;  // as many as indices can count, were they alone
  EXPECT_THAT(message(deck_of({lattice_body("one", {0, 0, 0}, {1, 1, 1}, cells), many})),
              HasSubstr("deck.toml:many: expected a number of bodies that gives at most"));
}

}  // namespace
}  // namespace terrace::build_model_test
