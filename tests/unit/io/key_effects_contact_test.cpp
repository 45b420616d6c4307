// Keys of [contact], [[walls]], [localization], [integrator] and [layout]: what each changes in the system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/terraces/near_pairs.hpp"
#include "support/key_effects.hpp"

namespace terrace::key_effects_contact_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string gap = "[contact]\nmodel = \"gap\"\nstiffness = 8\ndistance = 0.1\n";
const std::string barrier = "[contact]\nmodel = \"barrier\"\nstiffness = 8\ndistance = 0.1\n";
const std::string faces = "[contact]\nmodel = \"face-intersection\"\nstiffness = 8\n";

constexpr BodyPair both = {0, 1};

/// The shift that brings the right block, which starts two away, to `distance` from the left one. Where they
/// are to overlap it goes also a little aside, as the sides of blocks in line do not cross.
Vector3 to_distance(double distance) {
  return distance > 0 ? Vector3{distance - 2, 0, 0} : Vector3{distance - 2, 0.13, 0.21};
}

/// The pairs whose bodies are near each other at the start, by the names of their subdomains.
std::vector<std::string> pairs_awake(SmallSystem& system) {
  LivingSubdomains subdomains(system.lagrangian);
  NearPairs near(subdomains, system.lagrangian.contact_pairs.get());
  near.start(system.state.lines, 0);
  std::vector<std::string> names;
  for (const Subdomain& subdomain : system.lagrangian.subdomains)
    if (!subdomain.asleep && (subdomain.contact || subdomain.impenetrable)) names.push_back(subdomain.name);
  return names;
}

TEST_F(KeyEffect, ContactModelDecidesTheEnergyOfADistance) {
  // At half the activation distance: ψ = ½ (1 − ½)² of the gap, −(1 − ½)² ln ½ of the barrier.
  const auto energy = [&](const std::string& contact, double distance) {
    return contact_energy(*system({}, contact), both, to_distance(distance));
  };
  EXPECT_GT(energy(gap, 0.05), 0);
  EXPECT_NEAR(energy(barrier, 0.05) / energy(gap, 0.05), 2 * std::log(2.0), 1e-12);
  EXPECT_EQ(energy(faces, 0.05), 0) << "feels nothing before the faces meet";
  EXPECT_GT(energy(faces, -0.05), 0);
  EXPECT_EQ(system({}, "[contact]\nmodel = \"none\"\n")->lagrangian.contact_pairs, nullptr);
  EXPECT_EQ(system({})->lagrangian.contact_pairs, nullptr) << "no section, no contact";
  const auto rigid = system({"bodies.1.position=[1.001,0,0]"}, "[contact]\nmodel = \"rigid\"\n");
  EXPECT_THAT(pairs_awake(*rigid), ElementsAre("left/right"));
  EXPECT_TRUE(rigid->lagrangian.subdomains.back().impenetrable);
}

TEST_F(KeyEffect, ContactStiffnessMultipliesTheEnergy) {
  for (const auto& [contact, distance] : {std::pair{gap, 0.05}, {barrier, 0.05}, {faces, -0.05}}) {
    const double once = contact_energy(*system({}, contact), both, to_distance(distance));
    const auto stiffer = system({"contact.stiffness=24"}, contact);
    EXPECT_NEAR(contact_energy(*stiffer, both, to_distance(distance)), 3 * once, 1e-12 * once) << contact;
    const double stiffness = contact == faces ? 0 : 24;  // the face penalty is no smooth contact
    EXPECT_EQ(stiffer->lagrangian.contact_pairs->parameters(both).stiffness, stiffness);
  }
}

TEST_F(KeyEffect, ContactDistanceIsWhereTheEnergyBegins) {
  for (const double distance : {0.1, 0.2}) {
    const auto made = system({"contact.distance=" + std::to_string(distance)}, gap);
    EXPECT_EQ(contact_energy(*made, both, to_distance(1.001 * distance)), 0) << distance;
    EXPECT_GT(contact_energy(*made, both, to_distance(0.999 * distance)), 0) << distance;
  }
}

TEST_F(KeyEffect, ContactEnergyStepIsThatOfPairsAndWallsOnTerracesOfTheirOwn) {
  const std::string near_wall =
      "[[walls]]\nname = \"floor\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\nstiffness = 1\n";
  for (const auto& [setting, step] :
       {std::pair{std::string("contact.energy_step=7e-5"), 7e-5}, {std::string("time.end=1"), 1e-3}}) {
    const auto made = system({setting, "bodies.1.position=[1.001,0,0]"}, faces + near_wall);
    EXPECT_THAT(pairs_awake(*made), ElementsAre("left/floor", "right/floor", "left/right"));
    for (const Subdomain& subdomain : made->lagrangian.subdomains)
      EXPECT_EQ(subdomain.energy_step, subdomain.contact ? step : 1e-3) << subdomain.name;
  }
}

// Four blocks in a row, a thousandth apart: each is near its neighbours.
const std::vector<std::string> row = {
    "bodies.0.repeat={count=2,offset=[1.001,0,0]}",
    "bodies.1={name='right',material='stiff',shape='lattice',extent=[1,1,1],cells=[1,1,1],"
    "position=[2.002,0,0],repeat={count=2,offset=[1.001,0,0]}}"};

TEST_F(KeyEffect, ContactPairsNameWhichBodiesMayTouch) {
  const auto awake = [&](const std::string& pairs) {
    Settings settings = row;
    if (!pairs.empty()) settings.push_back("contact.pairs=" + pairs);
    return pairs_awake(*system(settings, faces));
  };
  EXPECT_THAT(awake(""), ElementsAre("left-1/left-2", "left-2/right-1", "right-1/right-2"));
  EXPECT_THAT(awake("[['left-2','right-1']]"), ElementsAre("left-2/right-1"));
  EXPECT_THAT(awake("[['right-1','left-2']]"), ElementsAre("left-2/right-1")) << "in either order";
  EXPECT_THAT(awake("[['left','right']]"), ElementsAre("left-2/right-1")) << "all bodies of the entries";
  EXPECT_THAT(awake("[['left','left'],['right-2','right-1']]"),
              ElementsAre("left-1/left-2", "right-1/right-2"));
  EXPECT_THAT(awake("[['left-1','right-2']]"), IsEmpty()) << "they are not near each other";
  Settings joined = row;
  joined.insert(joined.end(), {"contact.pairs=[['left-2','right-1']]", "localization.kind=global"});
  int contacts = 0;
  const auto joined_system = system(joined, faces);
  for (const Term& term : joined_system->localization.terms)
    contacts += term.kind == Term::Kind::contact ? 1 : 0;
  EXPECT_EQ(contacts, 1) << "also where pairs join the subdomains of bodies";
}

TEST_F(KeyEffect, SelfContactIsOfEveryBodyOrOfThoseNamedTwice) {
  EXPECT_THAT(pairs_awake(*system({}, gap)), IsEmpty());
  EXPECT_THAT(pairs_awake(*system({"contact.self=true"}, gap)), ElementsAre("left/left", "right/right"));
  EXPECT_THAT(pairs_awake(*system({"contact.pairs=[['right','right']]"}, gap)), ElementsAre("right/right"));
}

TEST_F(KeyEffect, CloseStartRefusesOrHalvesTheDistance) {
  const Settings near = {"bodies.1.position=[1.05,0,0]"};
  const auto told = AllOf(HasSubstr("bodies left and right only 0.05 apart at ("),
                          HasSubstr("bodies that start farther apart than the activation distance 0.1 of"),
                          HasSubstr("contact.close_start = \"reduce\""));
  EXPECT_THAT(refusal(near, gap), told);
  EXPECT_THAT(refusal(near, gap + "close_start = \"refuse\"\n"), told);
  const auto reduced = system(near, gap + "close_start = \"reduce\"\n");
  EXPECT_NEAR(reduced->lagrangian.contact_pairs->activation(both), 0.025, 1e-15);
  EXPECT_EQ(system({}, gap + "close_start = \"reduce\"\n")->lagrangian.contact_pairs->activation(both), 0.1)
      << "only where needed";
}

TEST_F(KeyEffect, CloseStartIsForBarrierWallsToo) {
  const std::string wall =
      "[[walls]]\nname = \"floor\"\npoint = [0, 0, -0.55]\nnormal = [0, 0, 1]\nmodel = \"barrier\"\n"
      "stiffness = 8\ndistance = 0.1\n";
  EXPECT_THAT(
      refusal({}, wall),
      AllOf(HasSubstr(
                "wall floor: expected bodies that start farther from it than its activation distance 0.1"),
            HasSubstr("body left only 0.05 away")));
  // Also without contact between bodies.
  const auto reduced = system({}, wall + "[contact]\nmodel = \"none\"\nclose_start = \"reduce\"\n");
  EXPECT_EQ(wall_energy(*reduced, 0, {0, 0, -0.024}), 0);
  EXPECT_GT(wall_energy(*reduced, 0, {0, 0, -0.026}), 0) << "d is half the distance";
}

// Of a lattice of one cell five nodes, four corners and the centre of the face, are in the lowest plane.
TEST_F(KeyEffect, AWallPushesByItsPenaltyTheNodesBehindItsPlane) {
  const auto energy = [&](const Settings& settings, const Vector3& shift) {
    return wall_energy(*system(settings,
                               "[[walls]]\nname = \"floor\"\npoint = [7, 7, -0.75]\n"
                               "normal = [0, 0, 2]\nstiffness = 8\n"),
                       0, shift);
  };
  // Both blocks' lowest nodes are 0.25 above.
  EXPECT_EQ(energy({}, {0, 0, -0.25}), 0);
  EXPECT_NEAR(energy({}, {0, 0, -0.35}), 2 * 5 * 0.5 * 8 * 0.01, 1e-12);
  EXPECT_NEAR(energy({"walls.0.stiffness=24"}, {0, 0, -0.35}), 2 * 5 * 0.5 * 24 * 0.01, 1e-12);
  EXPECT_NEAR(energy({"walls.0.point=[0,0,-0.7]"}, {0, 0, -0.35}), 2 * 5 * 0.5 * 8 * 0.0225, 1e-12);
  EXPECT_EQ(energy({"walls.0.point=[0,0,0.75]", "walls.0.normal=[0,0,-5]"}, {0, 0, -0.35}), 0);
  EXPECT_NEAR(energy({"walls.0.point=[0,0,0.75]", "walls.0.normal=[0,0,-5]"}, {0, 0, 0.35}),
              2 * 5 * 0.5 * 8 * 0.01, 1e-12);
  EXPECT_NEAR(energy({"walls.0.point=[3.75,0,0]", "walls.0.normal=[-1,0,0]"}, {0.35, 0, 0}),
              5 * 0.5 * 8 * 0.01, 1e-12)
      << "the right block alone";
  EXPECT_EQ(energy({"walls.0.model=penalty"}, {0, 0, -0.35}), energy({}, {0, 0, -0.35})) << "the default";
}

// A node has a third of the area of the triangles around it, each of ¼: six of them at a corner, which has ½,
// and four at the centre of a face, which has ⅓.
TEST_F(KeyEffect, ABarrierWallPushesBeforeItsPlaneFromItsDistanceOn) {
  const auto energy = [&](const Settings& settings, double height) {
    return wall_energy(*system(settings,
                               "[[walls]]\nname = \"floor\"\npoint = [0, 0, -0.75]\n"
                               "normal = [0, 0, 1]\nmodel = \"barrier\"\nstiffness = 8\n"
                               "distance = 0.1\n"),
                       0, {0, 0, height - 0.25});
  };
  const double areas = 2 * (4 * 0.5 + 1.0 / 3);
  EXPECT_EQ(energy({}, 0.1), 0);
  EXPECT_NEAR(energy({}, 0.05), 8 * areas * 0.25 * std::log(2), 1e-12);
  EXPECT_NEAR(energy({"walls.0.stiffness=24"}, 0.05), 24 * areas * 0.25 * std::log(2), 1e-12);
  EXPECT_NEAR(energy({"walls.0.distance=0.2"}, 0.1), 8 * areas * 0.25 * std::log(2), 1e-12);
}

TEST_F(KeyEffect, AWallHasItsNameAndOneSideUnlessToldOtherwise) {
  const std::string between =
      "[[walls]]\nname = \"screen\"\npoint = [1.5, 0, 0]\nnormal = [1, 0, 0]\nstiffness = 8\n";
  EXPECT_THAT(refusal({}, between),
              AllOf(HasSubstr("body left on the side of wall screen its normal points to"),
                    HasSubstr("2 behind the wall")));
  EXPECT_THAT(refusal({}, between + "two_sided = false\n"), HasSubstr("wall screen"));
  const auto made = system({}, between + "two_sided = true\n");
  EXPECT_THAT(made->lagrangian.reaction_names, ElementsAre("screen"));
  EXPECT_EQ(made->localization.subdomains.back().name, "right and more") << "with its contact";
  // Each block pushed through by a tenth of its way: the left one's right face, the right one's left face.
  EXPECT_NEAR(wall_energy(*made, 0, {1.1, 0, 0}), 5 * 0.5 * 8 * 0.01, 1e-12);
  EXPECT_NEAR(wall_energy(*made, 0, {-1.1, 0, 0}), 5 * 0.5 * 8 * 0.01, 1e-12);
  EXPECT_THAT(
      refusal({"bodies.0.position=[1.2,0,5]"}, between + "two_sided = true\n"),
      AllOf(HasSubstr("body left on one side of the two-sided wall screen"), HasSubstr("behind the wall")))
      << "a body across the plane";
}

TEST_F(KeyEffect, AWallIsSwitchedOff) {
  const std::string walls =
      "[[walls]]\nname = \"far\"\npoint = [-9, 0, 0]\nnormal = [1, 0, 0]\nstiffness = 8\n"
      "[[walls]]\nname = \"screen\"\npoint = [1.5, 0, 0]\nnormal = [1, 0, 0]\nstiffness = 8\n";
  EXPECT_THAT(refusal({}, walls + "active = true\n"), HasSubstr("wall screen"));
  EXPECT_THAT(system({}, walls + "active = false\n")->lagrangian.reaction_names, ElementsAre("far"));
}

TEST_F(KeyEffect, LocalizationDividesTheBodies) {
  const auto count = [&](const Settings& settings) {
    return system(settings)->localization.subdomains.size();
  };
  EXPECT_EQ(count({}), 2U) << "one per body";
  EXPECT_EQ(count({"localization.kind=bodies"}), 2U);
  EXPECT_EQ(count({"localization.kind=global"}), 1U);
  EXPECT_EQ(count({"localization.kind=metis", "localization.parts=3"}), 6U);
  EXPECT_EQ(count({"localization.kind=metis", "localization.parts=5"}), 10U);
}

TEST_F(KeyEffect, LocalizationOfContactIsOwnTouchingOrWithBodies) {
  const auto chosen = [&](const std::string& choice, const std::string& contact) -> std::string {
    const auto made =
        system(choice.empty() ? Settings{} : Settings{"localization.contact=" + choice}, contact);
    if (!made->localization.pairs_apart) {
      EXPECT_EQ(made->localization.subdomains.size(), 1U) << "the pair joins what it loads";
      return "with-bodies";
    }
    EXPECT_EQ(made->lagrangian.touching_bodies_share, made->localization.touching_share);
    return made->localization.touching_share ? "touching" : "own";
  };
  for (const std::string& contact : {gap, barrier, faces})
    for (const std::string choice : {"own", "touching", "with-bodies"})
      EXPECT_EQ(chosen(choice, contact), choice);
  for (const std::string choice : {"", "auto"}) {
    EXPECT_EQ(chosen(choice, gap), "touching");
    EXPECT_EQ(chosen(choice, barrier), "touching");
    EXPECT_EQ(chosen(choice, barrier + "energy_step = 1e-4\n"), "own") << "which needs a terrace of its own";
    EXPECT_EQ(chosen(choice, faces), "own");
  }
  EXPECT_THAT(refusal({"localization.contact=touching", "contact.energy_step=1e-4"}, gap),
              HasSubstr("no contact.energy_step with localization.contact = \"touching\""));
}

// The left block, mass 2, at speed 3 has 9 J; the right one, mass 7, at speed 1 has 3.5 J. A fraction is of
// both, the default of the body that has most, divided by its number of parts.
TEST_F(KeyEffect, EnergyStepIsAbsoluteAFractionOrADefault) {
  const auto steps = [&](const std::string& integrator, const Settings& more = {}) {
    Settings settings = {"bodies.0.velocity=[0,0,3]", "bodies.1.velocity=[0,0,1]",
                         "integrator=" + integrator};
    settings.insert(settings.end(), more.begin(), more.end());
    std::vector<double> all;
    const auto made = system(settings);
    for (const Subdomain& subdomain : made->lagrangian.subdomains) all.push_back(subdomain.energy_step);
    return all;
  };
  const std::string method = "{method='energy-stepping'";
  EXPECT_THAT(steps(method + ",energy_step=0.03}"), ElementsAre(0.03, 0.03));
  EXPECT_THAT(steps(method + ",energy_step_fraction=0.01}"),
              testing::Each(testing::DoubleNear(0.125, 1e-12)));
  EXPECT_THAT(steps(method + "}"), testing::Each(testing::DoubleNear(9 / 10000.6180339887498949, 1e-15)));
  EXPECT_THAT(steps(method + "}", {"localization.kind=metis", "localization.parts=2"}),
              testing::Each(testing::DoubleNear(4.5 / 10000.6180339887498949, 1e-15)));
}

TEST_F(KeyEffect, LayoutPutsWholeSubdomainsOrSlicesOnRanks) {
  const auto ranks_of_left = [&](const std::string& kind) {
    const Deck deck = read(two_blocks, kind.empty() ? Settings{} : Settings{"layout.kind=" + kind});
    const Model whole = build_model(deck);
    const Division division = divide(deck, whole, 2);
    std::vector<int> count(2, 0);
    for (std::int32_t e = 0; e < whole.bodies[0].tetrahedron_count; ++e)
      ++count[static_cast<std::size_t>(division.layout.rank_of_tetrahedron[static_cast<std::size_t>(e)])];
    return count;
  };
  EXPECT_THAT(ranks_of_left("own"), testing::Contains(24)) << "all of a body on one rank";
  for (const std::string kind : {"slice", "auto", ""}) EXPECT_THAT(ranks_of_left(kind), ElementsAre(12, 12));
}

}  // namespace
}  // namespace terrace::key_effects_contact_test
