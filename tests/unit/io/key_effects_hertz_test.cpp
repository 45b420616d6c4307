// Keys of contact by Hertz's law: what each changes in the system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "numerics/at.hpp"
#include "support/key_effects.hpp"
#include "support/small_balls.hpp"

namespace terrace::key_effects_hertz_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr BodyPair both = {0, 1};
constexpr double modulus = 10 / 0.9375 / 2;  // E* of two of these balls; their R is a half

class HertzKeys : public KeyEffect {
 protected:
  using Settings = std::vector<std::string>;
  [[nodiscard]] std::unique_ptr<SmallSystem> balls(const Settings& settings = {},
                                                   std::string text = touching_balls,
                                                   const std::string& more = "") const {
    const Deck deck = read(text + more, settings);
    const Model whole = build_model(deck);
    return std::make_unique<SmallSystem>(whole, deck.contact, deck.localization, 1e-3);
  }
  [[nodiscard]] HertzLaw law(const Settings& settings) const {
    return balls(settings)->lagrangian.contact_pairs->hertz()->law(both);
  }
  [[nodiscard]] std::string refused(const Settings& settings, const std::string& text = touching_balls,
                                    const std::string& more = "") const {
    try {
      static_cast<void>(balls(settings, text, more));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      return error.what();
    }
    return "accepted";
  }
};

std::string without(std::string text, const std::string& part) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.erase(place, part.size());
}

/// Mean edge of the boundary triangles with all corners within `reach` of a place.
double mean_edge(const Model& model, const Vector3& place, double reach) {
  double sum = 0, count = 0;
  for (const Body& body : model.bodies)
    for (const Triangle& triangle : body.boundary) {
      if (std::any_of(triangle.begin(), triangle.end(),
                      [&](auto node) { return norm(at(model.positions, node) - place) > reach; }))
        continue;
      for (std::size_t k = 0; k < 3; ++k, ++count)
        sum += norm(at(model.positions, triangle[k]) - at(model.positions, triangle[(k + 1) % 3]));
    }
  return sum / count;
}

double mass_of_left(const Model& model) {
  double sum = 0;
  for (std::int32_t a = 0; a < model.bodies[0].node_count; ++a) sum += at(model.masses, a);
  return sum;
}

/// The energy of the contact when the right ball has moved by `shift`.
double energy_at(const SmallSystem& system, const Vector3& shift) {
  const Lagrangian& lagrangian = system.lagrangian;
  std::vector<Vector3> displacements;
  for (const std::int32_t body : lagrangian.body_of_node)
    displacements.push_back(body == 1 ? shift : Vector3{});
  return lagrangian.contact_pairs->make(both, lagrangian.reference)->value(Displacements(displacements));
}

double contact_radius(double force) { return std::cbrt(0.75 * force * 0.5 / modulus); }

TEST_F(HertzKeys, BallsPushByHertzsLawFromWhereTheirSpheresTouch) {
  const auto system = balls();
  EXPECT_EQ(energy_at(*system, {1e-9, 0, 0}), 0);
  EXPECT_NEAR(energy_at(*system, {-0.01, 0, 0}) / law({}).at(0.01).value, 1, 1e-9);
  const auto apart = balls({"bodies.1.position=[2.004,0,0]"});
  EXPECT_EQ(energy_at(*apart, {-0.004, 0, 0}), 0);
  EXPECT_NEAR(energy_at(*apart, {-0.014, 0, 0}) / law({}).at(0.01).value, 1, 1e-9);
}

TEST_F(HertzKeys, PatchesHaveTheirRadiusOrTwiceTheContactsUnderTheForces) {
  EXPECT_EQ(law({}).patch_radius(), 0.2);
  EXPECT_EQ(law({"contact.patch=0.3"}).patch_radius(), 0.3);
  const std::string free = without(touching_balls, "patch = 0.2\n");
  const auto radius = [&](const Settings& settings) {
    return balls(settings, free)->lagrangian.contact_pairs->hertz()->law(both).patch_radius();
  };
  EXPECT_NEAR(radius({"contact.forces=[1e-6,0.02]"}), 2 * contact_radius(0.02), 1e-12);
  // An impact with the speed v: (2/5) k δ^{5/2} = ½ m v² with m half a ball's mass, δ = a²/R.
  const double speed = 0.02, mass = 0.5 * mass_of_left(balls()->model);
  const double approach = std::pow(1.25 * mass * speed * speed / (4.0 / 3 * modulus * std::sqrt(0.5)), 0.4);
  EXPECT_NEAR(radius({"bodies.0.velocity=[0.02,0,0]"}), 2 * std::sqrt(0.5 * approach), 1e-5)
      << "the balls differ a little";
  EXPECT_THAT(refused({}, free),
              AllOf(HasSubstr("contact.patch or contact.forces where no body moves"), HasSubstr("neither")));
}

TEST_F(HertzKeys, NeighboursMakeUpForWhatTheirMeshesYieldAndOthersForHalfSpaces) {
  const double half_space = 0.6 / (modulus * 0.2);
  // Under the same force Hertz's approach is larger than the depth of this law, by what the meshes yield:
  // their compliance is the difference over the force.
  const auto compliance = [](const HertzLaw& law) {
    const double depth = 1e-4 * law.largest_penetration(), force = law.at(depth).first;
    return (std::pow(force / (4.0 / 3 * modulus * std::sqrt(0.5)), 2.0 / 3) - depth) / force;
  };
  const double of_meshes = compliance(law({}));
  EXPECT_GT(of_meshes, 0.5 * half_space);
  EXPECT_LT(of_meshes, 0.99 * half_space) << "meshes are stiffer than what they stand for";
  EXPECT_NEAR(compliance(law({"bodies.1.position=[2.19,0,0]"})) / of_meshes, 1, 1e-6) << "still neighbours";
  EXPECT_NEAR(compliance(law({"bodies.1.position=[2.21,0,0]"})) / half_space, 1, 1e-6);
  // Two balls of one mesh, one turned to face the other, yield the same on both sides.
  const double turned = compliance(law({"bodies.1.refine=[{point=[1,0,0],size=0.06,slope=0.8}]",
                                        "bodies.1.rotation={axis=[0,0,1],angle=180.0}"}));
  EXPECT_NEAR(turned / of_meshes, 1, 0.05);
}

TEST_F(HertzKeys, PairsThatMayNotTouchShortenNoStep) {
  const std::string hard =
      "[materials.hard]\ndensity = 7\nyoungs_modulus = 1000\npoissons_ratio = 0.25\n[[bodies]]\nname = "
      "\"hard\"\n"
      "material = \"hard\"\nshape = \"ball\"\nradius = 1\nsize = 0.6\nposition = [0, 9, 0]\n";
  const auto step = [&](const Settings& settings, const std::string& more) {
    return balls(settings, touching_balls, more)->lagrangian.stable_contact_step;
  };
  const double alone = step({}, "");
  EXPECT_LT(step({}, hard), 0.9 * alone);
  EXPECT_EQ(step({"contact.pairs=[['left','right']]"}, hard), alone);
}

TEST_F(HertzKeys, AWallPushesABallAsAPlaneDoes) {
  const std::string wall = R"([[walls]]
name = "end"
model = "hertz"
point = [3.001, 0, 0]
normal = [-1, 0, 0]
)";
  const Settings refined = {"bodies.1.refine=[{point=[1,0,0],size=0.06,slope=0.8}]",
                            "bodies.0.position=[-0.5,0,0]"};
  const auto system = balls(refined, touching_balls, wall);
  // The left ball is far away. At a rigid wall E* is E/(1 − ν²) of the ball, and R is its radius.
  EXPECT_EQ(wall_energy(*system, 0, {0.00099, 0, 0}), 0);
  const double energy = wall_energy(*system, 0, {0.011, 0, 0});
  const HertzLaw stiff(2 * modulus, 1, 0.2, 0.5 * 0.6 / (2 * modulus * 0.2)),
      soft(2 * modulus, 1, 0.2, 0.6 / (2 * modulus * 0.2));
  EXPECT_GT(energy, stiff.at(0.01).value);
  EXPECT_LT(energy, soft.at(0.01).value);
  EXPECT_THAT(refused(refined, touching_balls, wall + "stiffness = 1\n"),
              HasSubstr("only with the models \"penalty\" and \"barrier\""));
  EXPECT_THAT(refused({}, touching_balls, wall),
              AllOf(HasSubstr("contact of right and end"), HasSubstr("in the patch")));
}

TEST_F(HertzKeys, ContactsChooseElementsByTheForces) {
  const std::string plain =
      without(without(touching_balls, "refine = [{ point = [1, 0, 0], size = 0.06, slope = 0.8 }]\n"),
              "refine = [{ point = [-1, 0, 0], size = 0.06, slope = 0.8 }]\n");
  const Settings contacts = {"bodies.0.contacts=[[3,0,0]]", "bodies.1.contacts=[[-1,0,0]]"};
  const auto edge = [&](Settings settings, const Vector3& place) {
    settings.insert(settings.end(), contacts.begin(), contacts.end());
    return mean_edge(build_model(read(plain, settings)), place, 0.15);
  };
  EXPECT_NEAR(edge({}, {1, 0, 0}) / (0.2 / 3), 1.3, 0.3) << "a third of the patch, growing";
  EXPECT_NEAR(edge({}, {1, 0, 0}) / edge({"contact.patch=0.4"}, {1, 0, 0}), 0.6, 0.15);
  const Model model = build_model(read(plain, contacts));
  EXPECT_TRUE(std::isnan(mean_edge(model, {-1, 0, 0}, 0.15))) << "none there";
  // With a gap, where facets touch, elements are to be 0.28 of the contact's radius under the smallest force.
  const std::string gap = without(plain, "patch = 0.2\n");
  Settings layered = {"contact.model=\"gap\"", "contact.forces=[0.005,0.05]", "bodies.1.position=[2.1,0,0]"};
  layered.insert(layered.end(), contacts.begin(), contacts.end());
  const Model fine = build_model(read(gap, layered));
  EXPECT_NEAR(mean_edge(fine, {1, 0, 0}, 0.05) / (0.28 * contact_radius(0.005)), 1.3, 0.3);
  EXPECT_THAT(refused(contacts, without(plain, "patch = 0.2\n")),
              AllOf(HasSubstr("deck.toml:7:"),
                    HasSubstr("contact.forces (or contact.patch with the model \"hertz\") for "
                              "bodies.contacts to choose elements by, found neither")));
}

// Directions whose squares a double does not hold are directions too.
TEST_F(HertzKeys, ContactsAreDirectionsOfAnyLength) {
  const auto refinement = [&](const std::string& length) {
    const Deck deck = read(touching_balls, {"bodies.0.contacts=[[0," + length + ",0]]"});
    return std::get<BallShape>(deck.bodies[0].shape).refinements.back();
  };
  for (const std::string length : {"1e-170", "1e160", "-1e160"})
    EXPECT_EQ(refinement(length).point, (Vector3{0, length[0] == '-' ? -1.0 : 1.0, 0})) << length;
}

// Forces that nothing heeds are a mistake: without Hertz's law, and without contacts for which to choose
// elements.
TEST_F(HertzKeys, ForcesAreRefusedWhereNothingHeedsThem) {
  const std::string gap = without(touching_balls, "patch = 0.2\n");
  Settings unheeded = {"contact.model=\"gap\"", "contact.forces=[0.005,0.05]", "bodies.1.position=[2.1,0,0]"};
  EXPECT_THAT(message(gap, unheeded), HasSubstr("contact.forces only with the model \"hertz\", walls of it "
                                                "or bodies.contacts, which heed them, found none of these"));
  unheeded[0] = "contact.model=\"hertz\"";
  EXPECT_NO_THROW(static_cast<void>(read(gap, unheeded)));
}

TEST_F(HertzKeys, MassOfTheSphereMakesUpForFacets) {
  const auto mass = [&](const Settings& settings) {
    return mass_of_left(build_model(read(touching_balls, settings)));
  };
  const double sphere = 7 * 4 * M_PI / 3;
  EXPECT_LT(mass({}), 0.99 * sphere);
  EXPECT_EQ(mass({"bodies.0.mass=\"mesh\""}), mass({}));
  EXPECT_NEAR(mass({"bodies.0.mass=\"sphere\""}) / sphere, 1, 1e-12);
  const Model model = build_model(read(touching_balls, {"bodies.0.mass=\"sphere\""}));
  EXPECT_EQ(at(model.materials, model.bodies[1].material).density, 7) << "the other ball keeps its own";
}

TEST_F(HertzKeys, RefinementGrowsFromItsCoreBySlope) {
  const auto edges = [&](const std::string& refine, const Vector3& place, double reach) {
    return mean_edge(
        build_model(read(touching_balls, {"bodies.0.refine=[{point=[1,0,0],size=0.05," + refine + "}]",
                                          "bodies.1.position=[9,0,0]"})),
        place, reach);
  };
  const Vector3 tip{1, 0, 0}, aside{std::cos(0.4), std::sin(0.4), 0};
  EXPECT_NEAR(edges("slope=0.4", tip, 0.1), edges("radius=1.375", tip, 0.1), 1e-12)
      << "0.05 + 0.4 · 1.375 = 0.6";
  const Vector3 farther{std::cos(0.7), std::sin(0.7), 0};
  EXPECT_GT(edges("slope=0.8", farther, 0.5), 1.4 * edges("slope=0.3", farther, 0.5));
  EXPECT_NEAR(edges("slope=0.8,core=0.5", aside, 0.15) / 0.05, 1.1, 0.2);
  EXPECT_GT(edges("slope=0.8", aside, 0.3), 2 * edges("slope=0.8,core=0.5", aside, 0.3));
  EXPECT_THAT(refused({"bodies.0.refine=[{point=[1,0,0],size=0.05}]"}),
              AllOf(HasSubstr("either radius or slope"), HasSubstr("neither")));
  EXPECT_THAT(refused({"bodies.0.refine=[{point=[1,0,0],size=0.05,slope=1,radius=1}]"}),
              AllOf(HasSubstr("either radius or slope"), HasSubstr("both")));
  EXPECT_THAT(refused({"bodies.0.refine=[{point=[1,0,0],size=0.05,core=0.5,radius=0.5}]"}),
              HasSubstr("a number > core = 0.5"));
}

TEST_F(HertzKeys, WhatIsNoBallOrTooCoarseIsRefused) {
  std::string with_block = touching_balls;
  const std::string ball = "shape = \"ball\"\nradius = 1\n";
  with_block.replace(with_block.rfind(ball), ball.size(), "shape = \"block\"\nextent = [2, 2, 2]\n");
  EXPECT_THAT(refused({}, with_block), AllOf(HasSubstr("balls for contact.model = \"hertz\""),
                                             HasSubstr("body right of another shape")));
  EXPECT_THAT(refused({"contact.patch=0.01"}),
              AllOf(HasSubstr("contact of left and right"),
                    HasSubstr("elements of 0.00333 or less about the contact point, a third of the radius of "
                              "the patch that carries "
                              "the contact's load"),
                    HasSubstr("nodes of left in the patch")));
  EXPECT_THAT(refused({"bodies.1.position=[1.9998,0,0]", "bodies.1.rotation={axis=[0,0,1],angle=24.0}",
                       "bodies.0.rotation={axis=[0,0,1],angle=17.0}"}),
              AllOf(HasSubstr("contact of left and right"),
                    HasSubstr("spheres that do not overlap at the start: left and right"),
                    HasSubstr("0.0002 of one in the other")));
  EXPECT_THAT(refused({"contact.patch=1.5"}),
              AllOf(HasSubstr("patches smaller than the ball, whose radius is 1 (contact.patch"),
                    HasSubstr("contact.forces, or the speed at the start)"),
                    HasSubstr("1.5 between left and right")));
  EXPECT_THAT(refused({"contact.model=\"gap\"", "bodies.1.position=[2.5,0,0]"}),
              AllOf(HasSubstr("contact.patch only with the model \"hertz\" or walls of it"),
                    HasSubstr("another model")));
  for (const char* key : {"distance=1e-3", "self=true", "close_start=\"reduce\""})
    EXPECT_THAT(refused({std::string("contact.") + key}),
                HasSubstr("only with the models \"gap\" and \"barrier\""));
  EXPECT_THAT(refused({"contact.forces=[2.0,1.0]"}),
              AllOf(HasSubstr("two positive numbers"), HasSubstr("2 before 1")));
  EXPECT_THAT(refused({"contact.forces=[1.0]"}), HasSubstr("two positive numbers, the smaller first"));
  EXPECT_THAT(refused({"contact.forces=[0.0,1.0]"}), HasSubstr("contact.forces[0]"));
  EXPECT_THAT(refused({"bodies.0.contacts=[]"}), HasSubstr("an array of vectors that are not zero"));
  EXPECT_THAT(refused({"bodies.0.contacts=[[0,0,0]]"}), HasSubstr("[0, 0, 0]"));
}

}  // namespace
}  // namespace terrace::key_effects_hertz_test
