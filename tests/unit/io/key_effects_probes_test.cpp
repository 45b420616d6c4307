// What the keys of [[probes]] do, and what the reader says of those that are wrong.
#include <gmock/gmock.h>

#include "support/key_effects.hpp"

namespace terrace::key_effects_probes_test {
namespace {

using testing::HasSubstr;

class ProbeKeys : public KeyEffect {
 protected:
  static std::string probe(const std::string& body, const std::string& point, const std::string& name = "p") {
    return "[[probes]]\nname = \"" + name + "\"\nbody = \"" + body + "\"\npoint = " + point + "\n";
  }
  /// Where the node of the only probe is.
  [[nodiscard]] Vector3 place(const std::string& body, const std::string& point,
                              const Settings& settings = {}) const {
    const Model made = model(settings, probe(body, point));
    EXPECT_EQ(made.probes.size(), 1U);
    return made.positions.at(static_cast<std::size_t>(made.probes.at(0).node));
  }
};

// A cell has 8 corners, 6 centres of faces and its own centre.
TEST_F(ProbeKeys, AProbeHasItsNameAndFollowsTheNodeOfItsBodyNearestToItsPoint) {
  EXPECT_EQ(place("left", "[0.4, 0.3, -0.45]"), (Vector3{0.5, 0.5, -0.5}));
  EXPECT_EQ(place("left", "[0.4, 0.1, 0]"), (Vector3{0.5, 0, 0}));
  EXPECT_EQ(place("right", "[2.6, 0.4, 0.4]"), (Vector3{2.5, 0.5, 0.5}));
  EXPECT_EQ(place("left", "[9.5, 0, 0]", {"bodies.0.position=[10,0,0]"}), (Vector3{9.5, 0, 0}))
      << "where the body is placed";
  EXPECT_EQ(place("left-2", "[0.5, 2.5, 0.5]", {"bodies.0.repeat={count=3,offset=[0,3,0]}"}),
            (Vector3{0.5, 2.5, 0.5}));
  const Model two = model({}, probe("right", "[3, 0, 0]", "inner") + probe("left", "[0, 0, 0]", "other"));
  ASSERT_EQ(two.probes.size(), 2U);
  EXPECT_EQ(two.probes[0].name, "inner");
  EXPECT_EQ(two.probes[1].name, "other");
}

TEST_F(ProbeKeys, OfNodesThatAreAsNearTheFirstIsFollowed) {
  const Model made = model({}, probe("left", "[0, 0, 0.25]"));  // between the centres of a face and of all
  const Vector3 found = made.positions.at(static_cast<std::size_t>(made.probes.at(0).node));
  std::int32_t first = -1;
  for (std::int32_t a = made.bodies[0].node_count - 1; a >= 0; --a)
    if (const Vector3& x = made.positions[static_cast<std::size_t>(a)];
        x == Vector3{0, 0, 0} || x == Vector3{0, 0, 0.5})
      first = a;
  EXPECT_EQ(made.probes[0].node, first) << found[2];
}

TEST_F(ProbeKeys, ThatAreWrongAreToldByTheirLine) {
  const auto broken = [&](const std::string& text) { return message(two_blocks + text); };
  EXPECT_THAT(
      broken(probe("middle", "[0, 0, 0]")),
      HasSubstr("deck.toml:29: expected probes[0].body to be a body: \"left\", \"right\", found \"middle\""));
  EXPECT_THAT(broken(probe("left", "[0, 0, 0]") + probe("right", "[3, 0, 0]")),
              HasSubstr("probes[1].name to be a name of no other probe, found \"p\""));
  EXPECT_THAT(broken(probe("left", "[0, 0]")), HasSubstr("expected probes[0].point to be"));
  EXPECT_THAT(broken("[[probes]]\nname = \"p\"\nbody = \"left\"\n"), HasSubstr("point"));
}

TEST_F(ProbeKeys, AreOfBodiesAlone) {
  const std::string one = "[[probes]]\nname = \"p\"\nbody = \"a\"\npoint = [0, 0, 0]\n";
  EXPECT_THAT(
      message("[time]\nend = 1\n[[particles]]\nname = \"a\"\nmass = 1\npositions = [[0, 0, 0]]\n" + one),
      HasSubstr("meshes, not both, found \"probes\", which is of meshes"));
  EXPECT_THAT(message("[time]\nend = 1\n[system]\nkind = \"kepler\"\n[integrator]\nmethod = \"verlet\"\n"
                      "time_step = 0.1\n" +
                      one),
              HasSubstr("found \"probes\", which is of those"));
}

TEST_F(ProbeKeys, ARepeatedEntryDoesNotNameOneBody) {
  const std::string text = two_blocks + probe("left", "[0, 0, 0]");
  EXPECT_THAT(
      message(text, {"bodies.0.repeat={count=3,offset=[0,3,0]}"}),
      HasSubstr("expected one of the 3 bodies left-1 … left-3, found \"left\", which are all of them"));
}

TEST_F(ProbeKeys, APointFarFromItsBodyIsRefused) {
  EXPECT_THAT(
      refusal({}, probe("right", "[0, 0, 0]")),
      HasSubstr("expected a point of probe p in or near the box of body right, from (2.5, -0.5, -0.5) to "
                "(3.5, 0.5, 0.5), found (0, 0, 0)"));
  EXPECT_EQ(place("right", "[3, 0, 0.55]"), (Vector3{3, 0, 0.5}))
      << "a round body's surface is outside its facets";
  EXPECT_THAT(refusal({}, probe("right", "[3, 0, 0.6]")), HasSubstr("in or near the box of body right"));
  EXPECT_THAT(refusal({}, probe("left", "[0, 0, nan]")), HasSubstr("point"));
}

}  // namespace
}  // namespace terrace::key_effects_probes_test
