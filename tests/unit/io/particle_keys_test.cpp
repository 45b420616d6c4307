// What each key of [[particles]] and [[potentials]] does, and what the reader says of those that are wrong.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "app/preparation.hpp"
#include "dynamics/system/particle_system.hpp"
#include "support/deck_fixture.hpp"

namespace terrace::particle_keys_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Settings = std::vector<std::string>;

const char* const two_atoms = R"([time]
end = 1
[[particles]]
name = "a"
mass = 2
positions = [[0, 0], [3, 4]]
velocities = [[1, 0], [0, 2]]
[integrator]
method = "energy-stepping"
energy_step = 1e-3
)";

const char* const third_atom = "[[particles]]\nname = \"b\"\nmass = 5\npositions = [[6, 8]]\n";

class ParticleKeys : public DeckTest {
 protected:
  [[nodiscard]] Model model(const std::string& more = "", const Settings& settings = {}) const {
    return build_model(read(two_atoms + more, settings));
  }
  /// V of the particles under one potential.
  [[nodiscard]] double energy(const std::string& keys, const Settings& settings = {}) const {
    return survey_particles(model(third_atom + potential(keys), settings)).potential;
  }
  static std::string potential(const std::string& keys) {
    return "[[potentials]]\nname = \"force\"\n" + keys + "\n";
  }
  [[nodiscard]] std::string broken(const std::string& more, const Settings& settings = {}) const {
    return message(two_atoms + more, settings);
  }
  [[nodiscard]] std::string broken_potential(const std::string& keys) const {
    return broken(third_atom + potential(keys));
  }
};

TEST_F(ParticleKeys, ListsGiveNamesMassesPositionsAndVelocities) {
  const Model made = model(third_atom);
  EXPECT_EQ(made.particles.dimension, 2);
  EXPECT_THAT(made.masses, ElementsAre(2, 2, 5));
  EXPECT_THAT(made.positions, ElementsAre(Vector3{0, 0, 0}, Vector3{3, 4, 0}, Vector3{6, 8, 0}));
  EXPECT_THAT(made.velocities, ElementsAre(Vector3{1, 0, 0}, Vector3{0, 2, 0}, Vector3{0, 0, 0}));
  ASSERT_EQ(made.bodies.size(), 2U);
  EXPECT_EQ(made.bodies[1].name, "b");
  EXPECT_EQ(made.bodies[1].first_node, 2);
  EXPECT_THAT(model("", {"particles.0.mass=[3, 7]"}).masses, ElementsAre(3, 7));
}

TEST_F(ParticleKeys, AFileGivesTheSameAsLists) {
  std::ofstream(directory_ / "atoms.csv") << "mass, vy, x,y\n2,0.5,1,2\n\n 3,-1e-1,4, 5\n";
  const Model made = build_model(read(R"([time]
end = 1
[[particles]]
name = "a"
file = "atoms.csv"
[integrator]
method = "newmark"
)"));
  EXPECT_EQ(made.particles.dimension, 2);
  EXPECT_THAT(made.masses, ElementsAre(2, 3));
  EXPECT_THAT(made.positions, ElementsAre(Vector3{1, 2, 0}, Vector3{4, 5, 0}));
  EXPECT_THAT(made.velocities, ElementsAre(Vector3{0, 0.5, 0}, Vector3{0, -0.1, 0}));
}

TEST_F(ParticleKeys, AFileMayHaveAByteOrderMarkAndPlusSigns) {
  std::ofstream(directory_ / "atoms.csv") << "\xEF\xBB\xBFx,y\n+0.5,+.25\n-1,+2e+1\n";
  const Model made = build_model(
      read("[time]\nend = 1\n[[particles]]\nname = \"a\"\nfile = \"atoms.csv\"\nmass = 1\n[integrator]\n"
           "method = \"newmark\"\n"));
  EXPECT_THAT(made.positions, ElementsAre(Vector3{0.5, 0.25, 0}, Vector3{-1, 20, 0}));
}

TEST_F(ParticleKeys, AFileThatIsWrongIsToldByItsLine) {
  const auto of_file = [&](const std::string& text, const std::string& more = "mass = 1\n") {
    std::ofstream(directory_ / "atoms.csv") << text;
    return message("[time]\nend = 1\n[[particles]]\nname = \"a\"\nfile = \"atoms.csv\"\n" + more +
                   "[integrator]\nmethod = \"newmark\"\n");
  };
  EXPECT_THAT(of_file("x,y\n1,2\n1\n"),
              HasSubstr("atoms.csv:3: expected 2 values, one for each column, found 1"));
  EXPECT_THAT(of_file("x,y\n1,2\n1,two\n"),
              HasSubstr("atoms.csv:3: expected a finite number in the column y"));
  for (const std::string cell : {"+", "+-1", "++1", "+inf", "-+1"})
    EXPECT_THAT(of_file("x,y\n1," + cell + "\n"), HasSubstr("in the column y, found \"" + cell + "\""));
  EXPECT_THAT(of_file("x,q\n1,2\n"),
              HasSubstr("names of columns, each once, of x, y, z, vx, vy, vz, mass, found \"q\""));
  EXPECT_THAT(of_file("x,x\n1,2\n"), HasSubstr("\"x\" twice"));
  EXPECT_THAT(
      of_file("x,z\n1,2\n"),
      AllOf(HasSubstr("the columns x, or x and y, or x, y and z, and velocities of the same components only"),
            HasSubstr("no \"y\"")));
  EXPECT_THAT(of_file("x,vy\n1,2\n"), HasSubstr("also \"vy\""));
  EXPECT_THAT(of_file("x\n"), HasSubstr("a row for every particle"));
  EXPECT_THAT(of_file("x,mass\n1,0\n", ""), HasSubstr("a number > 0 in the column mass, found \"0\""));
  EXPECT_THAT(of_file("x,mass\n1,2\n"), HasSubstr("masses in the file or in the deck, found both"));
  EXPECT_THAT(of_file("x\n1\n", "mass = 1\npositions = [[1]]\n"), HasSubstr("either particles[0].file or"));
  EXPECT_THAT(message("[time]\nend = 1\n[[particles]]\nname = \"a\"\nfile = \"none.csv\"\n"),
              HasSubstr("deck.toml:5: expected particles[0].file to name a table of particles, relative to "
                        "the deck, found \"none.csv\", no file"));
}

TEST_F(ParticleKeys, ParticlesThatAreWrongAreToldByTheirLine) {
  EXPECT_THAT(broken("", {"particles.0.mass=0"}), HasSubstr("particles[0].mass to be a number > 0, found 0"));
  EXPECT_THAT(broken("", {"particles.0.mass=[1, -1]"}), HasSubstr("to be numbers > 0, found -1"));
  EXPECT_THAT(broken("", {"particles.0.mass=[1]"}), HasSubstr("an array of 2 numbers"));
  EXPECT_THAT(broken("", {"particles.0.positions=[[1, 2], [3]]"}),
              HasSubstr("positions[1] to be an array of 2"));
  EXPECT_THAT(broken("", {"particles.0.positions=[[1, 2, 3, 4]]"}), HasSubstr("array of 1 to 3 numbers"));
  EXPECT_THAT(broken("", {"particles.0.positions=[]"}),
              HasSubstr(" to be an array of arrays of 1 to 3 numbers"));
  EXPECT_THAT(broken("", {"particles.0.velocities=[[1, 2, 3]]"}),
              HasSubstr("velocities[0] to be an array of 2"));
  EXPECT_THAT(broken("", {"particles.0.velocities=[[1, 2]]"}),
              HasSubstr("to have as many rows as there are positions, 2"));
  EXPECT_THAT(broken("[[particles]]\nname = \"c\"\nmass = 1\npositions = [[1, 2, 3]]\n"),
              HasSubstr("deck.toml:14: expected positions of 2 coordinates, as of a, found 3"));
  EXPECT_THAT(broken("[[particles]]\nname = \"a\"\nmass = 1\npositions = [[1, 2]]\n"),
              HasSubstr("a name not used before, found \"a\", already used at"));
  EXPECT_THAT(broken("[[particles]]\nname = \"gravity\"\nmass = 1\npositions = [[7, 2]]\n"),
              HasSubstr("a name for every group of particles that nothing else has, found \"gravity\""));
  EXPECT_THAT(broken("[[potentials]]\nname = \"s\"\nkind = \"spring\"\nstiffness = 1\nlength = 0\n"
                     "pairs = [[1, 2], [2, 1]]\n"),
              HasSubstr("pairs that are named once, found [2, 1] again"));
  EXPECT_THAT(broken("", {"integrator={method=\"semi-explicit\"}"}),
              AllOf(HasSubstr("expected an integrator.method that moves particles: \"energy-stepping\", "),
                    HasSubstr(", found \"semi-explicit\"")));
  EXPECT_THAT(broken("", {"particles=[]"}), HasSubstr("at least one table [[particles]]"));
  EXPECT_THAT(broken("[contact]\nmodel = \"none\"\n"), HasSubstr("[[particles]] or meshes, not both"));
  EXPECT_THAT(message(valid_deck, {"potentials=[]"}), HasSubstr("[[potentials]] only beside [[particles]]"));
  EXPECT_THAT(broken("[gravity]\nacceleration = [0, 0, -1]\n"),
              HasSubstr("0 in the components beyond the particles' 2, found [0, 0, -1]"));
  EXPECT_THAT(broken("[localization]\nkind = \"metis\"\n"), HasSubstr("\"clusters\", \"pairs\""));
  EXPECT_THAT(broken("[localization]\nparts = 3\n"), HasSubstr("only with localization.kind = \"clusters\""));
}

// r = 5 between the first two and the last two, 10 between the first and the last.
TEST_F(ParticleKeys, EnergiesOfPairsAreThoseOfTheReference) {
  const auto lj = [](double depth, double diameter, double r) {
    const double six = std::pow(diameter / r, 6);
    return 4 * depth * (six * six - six);
  };
  EXPECT_NEAR(energy("kind = \"lennard-jones\"\ndepth = 3\ndiameter = 4"), 2 * lj(3, 4, 5) + lj(3, 4, 10),
              1e-12);
  EXPECT_NEAR(energy("kind = \"lennard-jones\"\ndepth = 3\ndiameter = 4\ncutoff = 4.5"), 0, 1e-300);
  EXPECT_NEAR(energy("kind = \"gravity\"\nconstant = 2"), -2 * (4.0 / 5 + 10.0 / 5 + 10.0 / 10), 1e-12);
  EXPECT_NEAR(energy("kind = \"spring\"\nstiffness = 3\nlength = 4"), 1.5 * (1 + 1 + 36), 1e-12);
  EXPECT_NEAR(energy("kind = \"hertz\"\nstiffness = 3\nlength = 9"), 2 * 0.4 * 3 * std::pow(4, 2.5), 1e-12);
  EXPECT_NEAR(energy("kind = \"pair-expression\"\nenergy = \"r^2/2 - 1/r + exp(-r)\""),
              2 * (12.5 - 0.2 + std::exp(-5)) + 50 - 0.1 + std::exp(-10), 1e-12);
}

TEST_F(ParticleKeys, PairsAreBetweenBodiesOrListed) {
  const std::string spring = "kind = \"spring\"\nstiffness = 2\nlength = 0\n";
  EXPECT_NEAR(energy(spring + "between = [\"a\", \"a\"]"), 25, 1e-12);
  EXPECT_NEAR(energy(spring + "between = [\"b\", \"a\"]"), 25 + 100, 1e-12);
  EXPECT_NEAR(energy(spring + "pairs = [[1, 3]]"), 100, 1e-12);
  EXPECT_NEAR(energy(spring + "pairs = [[3, 2], [1, 2]]"), 50, 1e-12);
}

TEST_F(ParticleKeys, PotentialsAreSwitchedOff) {
  const std::string spring = "kind = \"spring\"\nstiffness = 2\nlength = 0\nbetween = [\"a\", \"a\"]\n",
                    field = "[[potentials]]\nname = \"field\"\nkind = \"harmonic\"\nstiffness = 2\n";
  EXPECT_NEAR(energy(spring + field + "active = true"), 25 + 125, 1e-12);
  EXPECT_NEAR(energy(spring + field + "active = false"), 25, 1e-12);
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 0\nactive = false"),
              HasSubstr("constant to be a number > 0"));
}

TEST_F(ParticleKeys, EnergiesOfFieldsAreThoseOfTheReference) {
  EXPECT_NEAR(energy("kind = \"central\"\nstrength = 2\ncentre = [0, 1]"),
              -2 * (2 / 1.0 + 2 / std::sqrt(18) + 5 / std::sqrt(85)), 1e-12);
  EXPECT_NEAR(energy("kind = \"harmonic\"\nstiffness = 2"), 25 + 100, 1e-12);
  EXPECT_NEAR(energy("kind = \"harmonic\"\nstiffness = [2, 4]\ncentre = [1, 0]"),
              (1 + 4 + 25) + 2 * (16 + 64), 1e-12);
  EXPECT_NEAR(energy("kind = \"polynomial\"\ncoefficients = [1, 0, -2]"), 3 - 2 * (9 + 36), 1e-12);
  EXPECT_NEAR(energy("kind = \"polynomial\"\ncoefficients = [0, 1]\ndirection = [0, 2]\ncentre = [0, 1]"),
              2 * (-1 + 3 + 7), 1e-12);
  EXPECT_NEAR(energy("kind = \"circle\"\nstiffness = 2\nradius = 4"), 1 + 36, 1e-12);
  EXPECT_NEAR(
      energy("kind = \"circle\"\nstiffness = 2\nradius = 6\nside = \"outside\"\ncentre = [3, 4]\non = \"b\""),
      1, 1e-12);
  EXPECT_NEAR(energy("kind = \"expression\"\nenergy = \"x*y - sqrt(y + 1)*cos(Pi*x/3)\"\non = \"a\""),
              -1 + 12 + std::sqrt(5.0), 1e-12);
  // Of (0, 0) and (3, 4): signs at the beginning and in brackets, powers before products, quotients from the
  // left.
  EXPECT_NEAR(energy("kind = \"expression\"\nenergy = \"-y^2 + 2*(-x) - y/2/4\"\non = \"a\""), -16 - 6 - 0.5,
              1e-12);
  EXPECT_NEAR(energy("kind = \"expression\"\nenergy = \"3*(y + 1)^(-2) + 1\"\non = \"a\""),
              3 + 1 + 3.0 / 25 + 1, 1e-12);
}

TEST_F(ParticleKeys, PotentialsThatAreWrongAreToldByTheirLine) {
  EXPECT_THAT(broken_potential("kind = \"lennard\""), HasSubstr("potentials[0].kind to be one of"));
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 0"), HasSubstr("constant to be a number > 0"));
  EXPECT_THAT(broken_potential("kind = \"polynomial\"\ncoefficients = [0, 1]\ndirection = [0, 0.0]"),
              HasSubstr("direction along which the field changes, found 0"));
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 1\non = \"a\""),
              HasSubstr("unknown key \"on\""));
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 1\nbetween = [\"a\"]"),
              HasSubstr("array of 2 names"));
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 1\nbetween = [\"a\", \"c\"]"),
              HasSubstr(" of names of particles: \"a\", \"b\", found \"c\""));
  EXPECT_THAT(broken_potential("kind = \"gravity\"\nconstant = 1\nbetween = [\"a\", 1]"),
              HasSubstr("1 in it"));
  EXPECT_THAT(
      broken_potential("kind = \"lennard-jones\"\ndepth = 1\ndiameter = 1\ncutoff = 11"),
      HasSubstr("deck.toml:20: expected potentials[0].cutoff to be at most the diagonal of the particles' "
                "box, 10; leave it out to cut nothing off, found 11"));
  EXPECT_THAT(
      broken_potential("kind = \"lennard-jones\"\ndepth = 1\ndiameter = 1\ncutoff = 1.1"),
      HasSubstr("to be at least 1.1225 diameters, 1.1225, from where the particles attract each other"));
  const std::string spring = "kind = \"spring\"\nstiffness = 2\nlength = 0\n";
  EXPECT_THAT(broken_potential(spring + "pairs = [[1, 4]]"),
              HasSubstr(" of two different numbers of particles, from 1 to 3, found [1, 4]"));
  EXPECT_THAT(broken_potential(spring + "pairs = [[2, 2]]"), HasSubstr("found [2, 2]"));
  EXPECT_THAT(broken_potential(spring + "pairs = [[1, 2]]\nbetween = [\"a\", \"b\"]"),
              HasSubstr("either potentials[0].between or pairs, found both"));
  EXPECT_THAT(
      broken(potential("kind = \"gravity\"\nconstant = 1") + potential("kind = \"gravity\"\nconstant = 1")),
      HasSubstr("a name not used before, found \"force\""));
  EXPECT_THAT(broken("[[walls]]\nname = \"a\"\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\nstiffness = 1\n"),
              HasSubstr("a name for every wall that nothing else has"));
  EXPECT_THAT(
      broken("[[walls]]\nname = \"w\"\npoint = [0, -1, 0]\nnormal = [0, 1, 0]\nmodel = \"barrier\"\n"),
      HasSubstr("stiffness [J] and distance of barrier walls"));
  EXPECT_THAT(broken("[[walls]]\nname = \"w\"\npoint = [0, -1, 0]\nnormal = [0, 1, 0]\nmodel = \"hertz\"\n"),
              AllOf(HasSubstr("walls.model = \"penalty\" or \"barrier\" for particles"),
                    HasSubstr("\"hertz\" of w")));
  EXPECT_THAT(broken("[layout]\nkind = \"slice\"\n"),
              HasSubstr("[[particles]] or meshes, not both, found \"layout\", which is of meshes"));
  EXPECT_THAT(broken("[output]\nsurface_only = true\n"),
              HasSubstr("no output.surface_only of [[particles]], which have no surface"));
}

// Energy-stepping reflects at walls (steps of infinite height) of half-spaces and balls, and has no other
// steps; discontinuous-potential has all of them, other methods have none.
TEST_F(ParticleKeys, WallsReflectWhereTheMethodCan) {
  const std::string region = "parts = [{shape = \"ball\", point = [90, 0], radius = 0.5}]\n",
                    wall = potential("kind = \"step\"\nwall = true\n" + region),
                    step = potential("kind = \"step\"\nheight = 2\n" + region);
  EXPECT_EQ(read(two_atoms + wall).interactions.size(), 1U);
  EXPECT_THAT(broken(step),
              HasSubstr("expected integrator.method = \"discontinuous-potential\" for potentials of kind = "
                        "\"step\", found \"energy-stepping\", which needs gradients"));
  const std::string formula = potential(
      "kind = \"step\"\nwall = true\nparts = [{shape = \"formula\", function = \"x^2 + 2*y^2 - 1e6\"}]\n");
  EXPECT_THAT(broken(formula), HasSubstr("walls of half-spaces and balls with integrator.method = "
                                         "\"energy-stepping\", found one of a formula"));
  const Settings tao_and_jin = {"integrator={method=\"discontinuous-potential\", time_step=0.1}"};
  const Deck deck = read(two_atoms + formula, tao_and_jin);
  EXPECT_NEAR(deck.interactions[0].region.signed_distance({1001, 0, 0}), (1001 * 1001 - 1e6) / 2002, 1e-12);
  const auto broken_part = [&](const std::string& keys) {
    return broken(potential("kind = \"step\"\nheight = 1\nparts = [{" + keys + "}]\n"), tao_and_jin);
  };
  // The function of a step needs a value where a particle starts, to tell on which side it is: also of a step
  // that is no wall.
  for (const std::string height : {"wall = true", "height = 2"}) {
    const std::string logarithm = potential("kind = \"step\"\n" + height +
                                            "\nparts = [{shape = \"formula\", function = \"-log(x)\"}]\n");
    try {
      static_cast<void>(build_model(read(two_atoms + logarithm, tao_and_jin)));
      FAIL() << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      EXPECT_THAT(
          error.what(),
          HasSubstr("deck.toml:11: expected a where the functions of force have a value and a gradient, "
                    "found number 1 at (0, 0, 0), where one has none"));
    }
  }
  EXPECT_THAT(broken_part("shape = \"formula\", function = \"x + w\""),
              HasSubstr("parts[0].function to be a formula of x, y"));
  EXPECT_THAT(broken_part("shape = \"formula\", function = \"x\", radius = 1"),
              HasSubstr("no radius of a formula"));
  EXPECT_THAT(broken_part("shape = \"ball\", point = [0, 0], radius = 1, function = \"x\""),
              HasSubstr("a function with shape = \"formula\" alone"));
  EXPECT_THAT(broken(wall, {"integrator={method=\"newmark\", time_step=0.1}"}),
              AllOf(HasSubstr("\"energy-stepping\" or \"discontinuous-potential\" for walls"),
                    HasSubstr("found \"newmark\"")));
}

TEST_F(ParticleKeys, MistakesInFormulasAreToldByTheirPlace) {
  const auto of = [&](const std::string& formula) {
    return broken_potential("kind = \"expression\"\nenergy = \"" + formula + "\"");
  };
  EXPECT_THAT(of("x + q"), HasSubstr("a formula of x, y with + - * / ^ ( )"));
  EXPECT_THAT(of("x + q"), HasSubstr("found \"q\" at character 5 of \"x + q\""));
  EXPECT_THAT(of("x + z"), HasSubstr("\"z\" at character 5")) << "two dimensions";
  EXPECT_THAT(of("x ! y"), HasSubstr("one of + - * / ^ ), found \"!\" at character 3"));
  EXPECT_THAT(of("x + y)"),
              HasSubstr("no closing bracket without an opening one, found \")\" at character 6"));
  EXPECT_THAT(of("x -"), HasSubstr("a number, a variable or a bracket, found the end at character 4"));
  EXPECT_THAT(of("sqrt x"), HasSubstr("an opening bracket after sqrt, found \"x\" at character 6"));
  EXPECT_THAT(of("1.e+"), HasSubstr("at character 3"));
  EXPECT_THAT(of("x + * y"), HasSubstr("at character 5"));
  EXPECT_THAT(of("(x + y"), HasSubstr("a closing bracket, found the end at character 7"));
  EXPECT_THAT(of("x^y"), HasSubstr("powers with constant exponents"));
  EXPECT_THAT(of("x^100"), HasSubstr("exponents up to 64"));
  for (const char* absurd :
       {"(2*x)^1000000000", "(3*x*y)^(-999999999999)", "(2*x)^(64*64*64*64*64*4)", "(2*x)^\\n1000000000",
        "(2*x)^(1000000000\\n)"})  // which GiNaC would multiply out
    EXPECT_THAT(of(absurd), HasSubstr("exponents up to 64")) << absurd;
  EXPECT_THAT(of("2^x"), HasSubstr("no power of a number: its value, found \"^\" after one at character 2"));
  EXPECT_THAT(of("9^9^9"), HasSubstr("at character 2"));
  EXPECT_THAT(of("x + 0*(9)^(4000000000)"), HasSubstr("no power of a number: its value"))
      << "would take for ever";
  EXPECT_THAT(of("x^-2 + 1"),
              HasSubstr("brackets around a sign after + - * / ^, found \"-\" at character 3"));
  EXPECT_THAT(of("2*-x + 3"), HasSubstr("at character 3"));
  EXPECT_THAT(of("--x"), HasSubstr("at character 2"));
  EXPECT_THAT(of("sqrt(-1) + x"), HasSubstr("real numbers"));
  EXPECT_THAT(of("sin(x, y)"), HasSubstr("found \",\" at character 6"));
}

TEST_F(ParticleKeys, WhatNoModelCanBeIsRefused) {
  const auto refusal = [&](const std::string& more, const Settings& settings = {}) -> std::string {
    try {
      static_cast<void>(model(more, settings));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(refusal("", {"particles.0.velocities=[[1e200, 0], [0, 0]]"}),
              AllOf(HasSubstr("mass, position and kinetic energy of a within the range of a double"),
                    HasSubstr(", position (0, 0, 0), velocity (1e+200, 0, 0) of number 1")));
  EXPECT_THAT(
      refusal("[[walls]]\nname = \"w\"\npoint = [0, 1, 0]\nnormal = [0, 1, 0]\nstiffness = 1\n"),
      HasSubstr("a on the side of wall w its normal points to, found a particle at (0, 0, 0), 1 behind"));
  EXPECT_THAT(refusal("[[walls]]\nname = \"w\"\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\nmodel = \"barrier\"\n"
                      "two_sided = true\nstiffness = 1\ndistance = 0.1\n"),
              HasSubstr("a on one side of the two-sided wall w, found a particle at (0, 0, 0), "));
  EXPECT_THAT(
      refusal(potential("kind = \"step\"\nwall = true\nparts = [{shape = \"ball\", point = [0, 0], "
                        "radius = 0.5}]")),
      HasSubstr("deck.toml:11: expected a outside of the region of force, which is a wall, found number "
                "1 at (0, 0, 0), in it"));
}

// This is told at the start of a run, when all places are known.
TEST_F(ParticleKeys, ParticlesAtOnePlaceAreRefusedWithTheirNames) {
  const std::string at_one_place = "particles.0.positions=[[1, 2], [1, 2]]",
                    apart = "particles.0.positions=[[1, 2], [2, 2]]";
  const auto refusal = [&](const std::string& keys, const std::string& places) -> std::string {
    try {
      static_cast<void>(survey_particles(model(potential(keys), {places})));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(refusal("kind = \"gravity\"\nconstant = 1", at_one_place),
              HasSubstr("deck.toml:11: expected particles apart from each other for force, found a.1 and a.2 "
                        "both at (1, 2, 0)"));
  EXPECT_THAT(
      refusal("kind = \"central\"\nstrength = 1\ncentre = [1, 2]", at_one_place),
      HasSubstr(
          "particles where force has an energy and a force, found a.1 at (1, 2, 0), where it has none"));
  EXPECT_EQ(refusal("kind = \"spring\"\nstiffness = 1\nlength = 0", at_one_place), "no error");
  EXPECT_EQ(refusal("kind = \"pair-expression\"\nenergy = \"exp(-r^2)\"", at_one_place), "no error");
  EXPECT_THAT(refusal("kind = \"pair-expression\"\nenergy = \"exp(-r)\"", at_one_place),
              HasSubstr("found a.1 and a.2 both at (1, 2, 0)"));
  EXPECT_THAT(
      refusal("kind = \"pair-expression\"\nenergy = \"sqrt(r - 2)\"", apart),
      HasSubstr("deck.toml:11: expected particles where force has an energy and a force, found a.1 and "
                "a.2 at a distance of 1, where it has none"));
  EXPECT_EQ(refusal("kind = \"pair-expression\"\nenergy = \"sqrt(r)\"", apart), "no error");
}

// Normals whose squares a double does not hold are normals too.
TEST_F(ParticleKeys, NormalsOfHalfSpacesHaveAnyLength) {
  for (const std::string length : {"1e-170", "1e160", "3"}) {
    const Deck deck = read(two_atoms + potential("kind = \"step\"\nheight = 1\nparts = [{shape = "
                                                 "\"half-space\", point = [0, 0], normal = [0, -" +
                                                 length + "]}]\n"),
                           {"integrator={method=\"discontinuous-potential\", time_step=0.1}"});
    EXPECT_EQ(deck.interactions[0].region.pieces[0][0].normal, (Vector3{0, -1, 0})) << length;
  }
}

TEST_F(ParticleKeys, LocalizationDividesParticles) {
  const Model made = model(third_atom + potential("kind = \"gravity\"\nconstant = 1") +
                           "[[potentials]]\nname = \"well\"\nkind = \"harmonic\"\nstiffness = 1\n");
  const auto names = [&](LocalizationKind kind, int parts = 1) {
    return localize_particles(made, {.kind = kind, .parts = parts}).subdomains;
  };
  EXPECT_THAT(names(LocalizationKind::global), ElementsAre("particles"));
  EXPECT_THAT(names(LocalizationKind::bodies), ElementsAre("a", "a/b", "b"));
  EXPECT_THAT(names(LocalizationKind::pairs), ElementsAre("a.1/a.2", "a.1/b", "a.2/b", "a.1", "a.2", "b"));
  EXPECT_THAT(names(LocalizationKind::clusters, 2),
              ElementsAre("cluster-1/cluster-2", "cluster-2", "cluster-1"));
  try {
    static_cast<void>(names(LocalizationKind::clusters, 4));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("at most as many clusters as there are particles, 3, found 4"));
  }
}

TEST_F(ParticleKeys, EnergyStepIsAHundredthOfTheEnergyByDefault) {
  const Deck deck = read(two_atoms + potential("kind = \"harmonic\"\nstiffness = 2"),
                         {"integrator={method=\"energy-stepping\"}"});
  EXPECT_NEAR(energy_step(deck, build_model(deck)), (1 + 4 + 25) / 100.6180339887498949, 1e-12);
}

}  // namespace
}  // namespace terrace::particle_keys_test
