// What each key of [[supports]] and [gravity] does, and what the reader says of those that are wrong.
#include <gmock/gmock.h>

#include <fstream>

#include "support/key_effects.hpp"

namespace terrace::key_effects_supports_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const foot = "[[supports]]\nname = \"foot\"\nbody = \"left\"\n";

class SupportKeys : public KeyEffect {
 protected:
  /// The places of the nodes of the only support.
  [[nodiscard]] std::vector<Vector3> places(const std::string& keys, const Settings& settings = {}) const {
    const Model made = model(settings, foot + keys);
    EXPECT_EQ(made.supports.size(), 1U);
    std::vector<Vector3> all;
    for (const std::int32_t node : made.supports.at(0).nodes)
      all.push_back(made.positions[static_cast<std::size_t>(node)]);
    return all;
  }
  [[nodiscard]] std::string broken(const std::string& keys) const {
    return message(two_blocks + std::string(foot) + keys);
  }
  [[nodiscard]] std::string not_built(const std::string& deck, const Settings& settings = {}) const {
    return refusal(settings, deck);
  }
};

// A cell has 8 corners, 6 centres of faces and its own centre.
TEST_F(SupportKeys, ABoxHoldsTheNodesOfItsBodyInItAndItsCornersCount) {
  EXPECT_EQ(places("box = [[-0.5, -0.5, -0.5], [0.5, 0.5, -0.5]]").size(), 5U);
  EXPECT_EQ(places("box = [[-9, -9, 0.1], [9, 9, 9]]").size(), 5U) << "of the body left alone";
  EXPECT_EQ(places("box = [[-9, -9, 0.1], [9, 9, 9]]", {"supports.0.body=right"}).size(), 5U);
  for (const Vector3& x : places("box = [[-9, -9, 0.1], [9, 9, 9]]", {"supports.0.body=right"}))
    EXPECT_GT(x[0], 2.4);
  EXPECT_EQ(places("box = [[9.5, -1, 0.1], [10.5, 1, 1]]", {"bodies.0.position=[10,0,0]"}).size(), 5U)
      << "where the body is placed";
}

TEST_F(SupportKeys, ARepeatedEntryIsHeldInAllItsBodiesOrInOne) {
  const Settings three = {"bodies.0.repeat={count=3,offset=[0,3,0]}"};
  EXPECT_EQ(places("surface = true", three).size(), 3U * 14);
  const std::vector<Vector3> second = places("surface = true", {three[0], "supports.0.body=left-2"});
  EXPECT_EQ(second.size(), 14U);
  for (const Vector3& x : second) EXPECT_NEAR(x[1], 3, 0.6);
  for (const Vector3& x : places("surface = true", {three[0], "supports.0.body=right"})) EXPECT_GT(x[0], 2.4);
}

TEST_F(SupportKeys, TheSurfaceIsAllButTheInnerNodes) {
  EXPECT_EQ(places("surface = true").size(), 14U);
  EXPECT_EQ(places("surface = true", {"bodies.0.cells=[2,1,1]"}).size(), 12U + 10);
}

TEST_F(SupportKeys, AGroupIsAPhysicalSurfaceOrVolumeOfTheFile) {
  std::ofstream(directory_ / "box.geo") << R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 2};
low() = Surface In BoundingBox {-0.1, -0.1, -0.1, 1.1, 1.1, 0.1};
Physical Surface("low") = {low()};
Physical Volume("all") = {1};
Mesh.MeshSizeMin = 0.6;
Mesh.MeshSizeMax = 0.6;
)";
  const std::string file =
      "bodies.0={name='left',material='soft',shape='file',file='box.geo',position=[0,0,50]}";
  const std::vector<Vector3> low = places("group = \"low\"", {file});
  EXPECT_GE(low.size(), 5U);
  for (const Vector3& x : low) EXPECT_EQ(x[2], 50);
  const Model made = model({file}, foot + std::string("group = \"all\""));
  EXPECT_EQ(made.supports[0].nodes.size(), static_cast<std::size_t>(made.bodies[0].node_count));
  EXPECT_THAT(
      not_built(foot + std::string("group = \"lwo\""), {file}),
      HasSubstr("one of the physical surfaces and volumes \"low\", \"all\" with nodes of the body, found "
                "\"lwo\" for a support"));
  std::ofstream(directory_ / "box.geo", std::ios::app) << "Physical Surface(\"all\") = {low()};\n";
  EXPECT_THAT(not_built(foot + std::string("group = \"all\""), {file}),
              HasSubstr("expected the name, or number without a name, of one physical surface or volume, "
                        "found \"all\" of 2"))
      << "of the surface or of the whole volume";
  std::ofstream(directory_ / "box.geo") << "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 2};\n";
  EXPECT_THAT(not_built(foot + std::string("group = \"low\""), {file}),
              HasSubstr("a file with physical surfaces or volumes"));
}

TEST_F(SupportKeys, VelocityIsThatOfTheHeldComponentsAtTheStartAndLater) {
  const Settings moving = {"bodies.0.velocity=[4,5,6]"};
  const Model made =
      model(moving, foot + std::string("surface = true\ncomponents = [\"z\", \"x\"]\nvelocity = [1, 0, 3]"));
  EXPECT_THAT(made.supports[0].components, ElementsAre(true, false, true));
  EXPECT_EQ(made.supports[0].velocity, (Vector3{1, 0, 3}));
  int held = 0, free = 0;
  for (std::int32_t a = 0; a < made.bodies[0].node_count; ++a) {
    held += made.velocities[static_cast<std::size_t>(a)] == Vector3{1, 5, 3};
    free += made.velocities[static_cast<std::size_t>(a)] == Vector3{4, 5, 6};
  }
  EXPECT_EQ(held, 14);
  EXPECT_EQ(free, 1);
  EXPECT_THAT(model({}, foot + std::string("surface = true")).supports[0].components,
              ElementsAre(true, true, true));
}

TEST_F(SupportKeys, ASupportHasItsNameInTheLedger) {
  const auto made = system({}, foot + std::string("surface = true\n[gravity]\nacceleration = [0, 0, -2]\n"));
  EXPECT_THAT(made->lagrangian.reaction_names, ElementsAre("foot", "gravity"));
  int held = 0;
  for (const HeldBy& held_by : made->lagrangian.held_by) held += is_held(held_by);
  EXPECT_EQ(held, 14);
}

TEST_F(SupportKeys, GravityPullsEveryBodyByItsMass) {
  const auto made = system({}, "[gravity]\nacceleration = [0, 1, -2]\n");
  std::vector<Vector3> gradient(made->lagrangian.masses.size());
  const Grid grid = Grid::holding(100, 16);
  for (const Subdomain& subdomain : made->lagrangian.subdomains)
    for (std::size_t p = 0; p < subdomain.potentials.size(); ++p)
      if (subdomain.reaction_of_potential[p] == 0)
        subdomain.potentials[p]->add_gradient({made->state.lines, 0}, grid, gradient);
  Vector3 sum{};
  for (const Vector3& of_node : gradient) sum += of_node;
  EXPECT_NEAR(sum[1], -9, 1e-9) << "2 and 7 kg";
  EXPECT_NEAR(sum[2], 18, 1e-9);
  EXPECT_TRUE(system({}, "")->lagrangian.reaction_names.empty());
}

TEST_F(SupportKeys, GravityIsSwitchedOff) {
  const std::string gravity = "[gravity]\nacceleration = [0, 1, -2]\n";
  EXPECT_THAT(system({}, gravity + "active = true\n")->lagrangian.reaction_names, ElementsAre("gravity"));
  EXPECT_TRUE(system({}, gravity + "active = false\n")->lagrangian.reaction_names.empty());
}

TEST_F(SupportKeys, WhatIsWrongIsSaid) {
  EXPECT_THAT(broken(""),
              HasSubstr("one of the keys group, box and surface = true, to choose the nodes of the "
                        "support, found none"));
  EXPECT_THAT(broken("surface = true\nbox = [[0, 0, 0], [1, 1, 1]]"), HasSubstr("found more than one"));
  EXPECT_THAT(broken("group = \"low\""),
              HasSubstr("supports[0].group only for bodies of the shape \"file\", found "
                        "another shape"));
  EXPECT_THAT(broken("box = [[0, 0, 0]]"),
              HasSubstr("supports[0].box to be a box, [[x, y, z], [x, y, z]], lowest "
                        "corner first, found an array of 1 elements"));
  EXPECT_THAT(broken("box = [[0, 0, 0], [1, -1, 1]]"), HasSubstr("lowest corner first, found 0 before -1"));
  for (const std::string components : {"[]", "[\"w\"]", "[3]", "[\"x\", \"x\"]", "\"x\""})
    EXPECT_THAT(
        broken("surface = true\ncomponents = " + components),
        HasSubstr("supports[0].components to be an array of different ones of \"x\", \"y\", \"z\", found"));
  EXPECT_THAT(broken("surface = true\ncomponents = [\"x\", \"x\"]"), HasSubstr("\"x\" twice"));
  EXPECT_THAT(broken("surface = true\ncomponents = [\"x\"]\nvelocity = [0, 2, 0]"),
              HasSubstr("supports[0].velocity to be 0 in components that are not held, found 2"));
  EXPECT_THAT(
      message(two_blocks + std::string("[[supports]]\nname = \"foot\"\nbody = \"lfet\"\nsurface = true")),
      HasSubstr(
          "supports[0].body to be a body: \"left\", \"right\", found \"lfet\" (did you mean \"left\"?)"));
  EXPECT_THAT(
      message(two_blocks + std::string("[[supports]]\nname = \"right\"\nbody = \"left\"\nsurface = true")),
      HasSubstr("supports[0].name to be a name of no other body, wall or support, found \"right\""));
  EXPECT_THAT(message(two_blocks + std::string("[gravity]\nacceleration = [0, 0, 0]")),
              HasSubstr("gravity.acceleration to be a vector that is not zero"));
  EXPECT_THAT(
      message(two_blocks + std::string("[gravity]\nacceleration = [0, 0, 1]"), {"bodies.0.name=gravity"}),
      HasSubstr("no body, wall or support of the name \"gravity\", which is that of a row of bodies.csv"));
}

TEST_F(SupportKeys, ASupportHoldsNodesAndNoneThatAnotherHolds) {
  EXPECT_THAT(not_built(foot + std::string("box = [[7, 7, 7], [8, 8, 8]]")),
              HasSubstr("a node of left in the box of support foot, found none"));
  const std::string side = "box = [[-1, -1, -1], [1, 1, -0.5]]\n";
  const std::string other =
      "[[supports]]\nname = \"side\"\nbody = \"left\"\nbox = [[0.5, -1, -1], [0.5, 1, 1]]\n";
  EXPECT_THAT(
      not_built(foot + side + other),
      HasSubstr("every component of a node held by one support at most, found x of the node at (0.5, "));
  EXPECT_EQ(not_built(foot + side + "components = [\"x\"]\n" + other + "components = [\"y\", \"z\"]\n"),
            "accepted");
}

}  // namespace
}  // namespace terrace::key_effects_supports_test
