// Broken decks: each is refused with its place, what was expected and what was found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/deck_fixture.hpp"

namespace terrace::deck_broken_test {
namespace {

using testing::HasSubstr;

struct Broken {
  std::string from, to;                ///< the change that breaks the valid deck
  std::vector<std::string> fragments;  ///< of the message: place, what was expected, what was found
};

const std::vector<Broken>& broken_decks() {
  static const std::vector<Broken> decks = {
      // unknown keys and sections
      {"title =",
       "titel =",
       {"deck.toml:1:", "\"title\"", "unknown key \"titel\"", "did you mean \"title\""}},
      {"[contact]", "[kontact]", {"deck.toml:22:", "\"contact\"", "unknown key \"kontact\""}},
      {"energy_step =",
       "energy_stp =",
       {"deck.toml:34:", "\"time_step\"", "unknown key \"energy_stp\"", "did you mean \"energy_step\""}},
      {"end = 0.04",
       "end = 0.04\nstart = 0",
       {"deck.toml:4:", "\"end\", \"events\"", "unknown key \"start\""}},
      {"radius = 0.025",
       "radius = 0.025\nextent = [1, 1, 1]",
       {"deck.toml:13:", "bodies[0]", "\"refine\"", "unknown key \"extent\""}},
      {"lame_mu = 1.34e4",
       "lame_mu = 1.34e4\ncolour = \"red\"",
       {"deck.toml:8:", "materials.gel", "\"density\"", "unknown key \"colour\""}},
      {"[localization]", "[layout]\nranks = 3\n[localization]", {"deck.toml:31:", "\"kind\"", "\"ranks\""}},
      {"[localization]",
       "[output]\nfield_intervall = 3\n[localization]",
       {"deck.toml:31:", "did you mean \"field_interval\"", "\"surface_only\""}},
      {"size = 0.008",
       "size = 0.008\nrefine = [{point = [0, 0, 0], size = 1e-3, radus = 1e-3}]",
       {"deck.toml:14:", "bodies[0].refine[0]", "\"radus\"", "did you mean \"radius\""}},
      // missing keys
      {"[time]\nend = 0.04\n", "", {"deck.toml", "the key time", "no such key"}},
      {"end = 0.04\n", "", {"deck.toml:2:", "time.end", "a number > 0", "no such key"}},
      {"density = 1059\n", "", {"deck.toml:4:", "materials.gel.density", "no such key"}},
      {"lame_mu = 1.34e4\n", "", {"deck.toml:4:", "materials.gel.lame_mu", "no such key"}},
      {"name = \"left\"\n", "", {"deck.toml:8:", "bodies[0].name", "no such key"}},
      {"shape = \"ball\"\n", "", {"deck.toml:8:", "bodies[0].shape", "\"lattice\"", "no such key"}},
      {"radius = 0.025\n", "", {"deck.toml:8:", "bodies[0].radius", "no such key"}},
      {"stiffness = 1e4\n", "", {"deck.toml:22:", "contact.stiffness", "a number > 0", "no such key"}},
      {"stiffness = 1e3\n", "", {"deck.toml:25:", "walls[0].stiffness", "no such key"}},
      {"method = \"energy-stepping\"\n",
       "",
       {"deck.toml:32:", "integrator.method", "\"newmark\"", "no such key"}},
      {"kind = \"bodies\"", "kind = \"metis\"", {"deck.toml:30:", "localization.parts", "no such key"}},
      // wrong types
      {"end = 0.04",
       "end = \"soon\"",
       {"deck.toml:3:", "time.end to be a number > 0", "the string \"soon\""}},
      {"velocity = [4, 0, 0]",
       "velocity = 4",
       {"deck.toml:14:", "bodies[0].velocity", "three numbers", "found 4"}},
      {"velocity = [4, 0, 0]",
       "velocity = [4, 0]",
       {"deck.toml:14:", "three numbers", "an array of 2 elements"}},
      {"velocity = [4, 0, 0]",
       "velocity = [4, true, 0]",
       {"deck.toml:14:", "bodies[0].velocity[1]", "a finite number", "the boolean true"}},
      {"title = \"Two balls\"", "title = 7", {"deck.toml:1:", "title to be a string", "found 7"}},
      {"end = 0.04",
       "end = 0.04\nevents = 1.5",
       {"deck.toml:4:", "time.events to be an integer", "found the real number 1.5"}},
      {"[[walls]]", "[walls]", {"deck.toml:25:", "walls to be an array of tables", "[[walls]]", "a table"}},
      {"[materials.gel]", "[materials]", {"deck.toml:5:", "materials.density to be a table", "found 1059"}},
      {"[localization]",
       "[output]\noverwrite = \"yes\"\n[localization]",
       {"deck.toml:31:", "output.overwrite to be true or false", "the string \"yes\""}},
      {"[localization]",
       "[output]\ndirectory = \"\"\n[localization]",
       {"deck.toml:31:", "output.directory to be a string that is not empty"}},
      {"end = 0.04", "end = 1979-05-27", {"deck.toml:3:", "time.end", "a date or time"}},
      {"size = 0.008",
       "size = 0.008\nrefine = [3]",
       {"deck.toml:14:", "bodies[0].refine to be an array of tables", "found 3 in it"}},
      {"shape = \"block\"\nextent = [0.1, 0.1, 0.1]\nsize = 0.02",
       "shape = \"lattice\"\nextent = [1, 1, 1]\ncells = 2",
       {"deck.toml:20:", "bodies[1].cells to be an array of three integers from 1 to 10000", "found 2"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\npairs = []",
       {"deck.toml:24:", "contact.pairs to be an array of pairs of names", "found an array of 0 elements"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\npairs = [[\"left\"]]",
       {"deck.toml:24:", "an array of pairs of names", "found an array of 1 elements in it"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\npairs = [[\"left\", 3]]",
       {"deck.toml:24:", "an array of pairs of names", "found 3 in it"}},
      // values out of range
      {"end = 0.04", "end = 0", {"deck.toml:3:", "time.end to be a number > 0", "found 0"}},
      {"end = 0.04", "end = inf", {"deck.toml:3:", "time.end", "found inf"}},
      {"end = 0.04",
       "end = 99999999999999999999",
       {"deck.toml:3:", "time.end to be an integer of less than 64 bits", "found one that is larger"}},
      {"end = 0.04",
       "end = 1e400",
       {"deck.toml:3:", "time.end to be a finite number", "found one that is larger than any"}},
      {"velocity = [4, 0, 0]",
       "velocity = [4, 0, -1e400]",
       {"deck.toml:14:", "bodies[0].velocity[2] to be a finite number", "found one that is larger than any"}},
      {"end = 0.04",
       "end = 0.04\nevents = -99999999999999999999",
       {"deck.toml:4:", "time.events to be an integer of less than 64 bits", "found one that is larger"}},
      {"end = 0.04", "end = 0.04\nevents = -1", {"deck.toml:4:", "an integer >= 0", "found -1"}},
      {"velocity = [4, 0, 0]",
       "velocity = [nan, 0, 0]",
       {"deck.toml:14:", "bodies[0].velocity[0]", "found nan"}},
      {"density = 1059", "density = -1", {"deck.toml:5:", "materials.gel.density", "found -1"}},
      {"lame_mu = 1.34e4", "lame_mu = 0.0", {"deck.toml:7:", "lame_mu to be a number > 0", "found 0"}},
      {"lame_lambda = 12.04e4", "lame_lambda = -1e4", {"deck.toml:6:", "-2/3 lame_mu", "found -10000"}},
      {"lame_lambda = 12.04e4\nlame_mu = 1.34e4",
       "youngs_modulus = 1e4\npoissons_ratio = 0.5",
       {"deck.toml:7:", "between -1 and 0.5", "found 0.5"}},
      {"lame_mu = 1.34e4",
       "lame_mu = 1.34e4\nyoungs_modulus = 1e4",
       {"deck.toml:8:", "either lame_lambda and lame_mu or youngs_modulus and poissons_ratio",
        "found keys of both"}},
      {"lame_lambda = 12.04e4\nlame_mu = 1.34e4\n",
       "",
       {"deck.toml:4:", "either lame_lambda", "none of them"}},
      {"radius = 0.025", "radius = -0.025", {"deck.toml:12:", "bodies[0].radius", "found -0.025"}},
      {"extent = [0.1, 0.1, 0.1]",
       "extent = [0.1, 0, 0.1]",
       {"deck.toml:19:", "bodies[1].extent[1]", "a number > 0", "found 0"}},
      {"shape = \"block\"\nextent = [0.1, 0.1, 0.1]\nsize = 0.02",
       "shape = \"lattice\"\nextent = [1, 1, 1]\ncells = [2, 0, 2]",
       {"deck.toml:20:", "three integers", "found 0 at place 1"}},
      {"normal = [0, 0, 2]",
       "normal = [0, 0, 0]",
       {"deck.toml:28:", "walls[0].normal", "not zero", "[0, 0, 0]"}},
      {"stiffness = 1e3", "stiffness = 0", {"deck.toml:29:", "walls[0].stiffness", "found 0"}},
      {"stiffness = 1e4", "stiffness = -1", {"deck.toml:24:", "contact.stiffness", "found -1"}},
      {"stiffness = 1e4",
       "stiffness = 1\nenergy_step = 0",
       {"deck.toml:25:", "contact.energy_step", "found 0"}},
      {"energy_step = 5e-5",
       "energy_step = -5e-5",
       {"deck.toml:34:", "integrator.energy_step", "found -5e-05"}},
      {"energy_step = 5e-5",
       "energy_step_fraction = 0",
       {"deck.toml:34:", "energy_step_fraction", "found 0"}},
      {"size = 0.008",
       "size = 0.008\nrotation = {axis = [0, 0, 0], angle = 30}",
       {"deck.toml:14:", "bodies[0].rotation.axis to be a vector that is not zero", "[0, 0, 0]"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 0, offset = [1, 0, 0]}",
       {"deck.toml:14:", "bodies[0].repeat.count", "found 0"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 2, offset = [0, 0, 0]}",
       {"deck.toml:14:", "bodies[0].repeat.offset", "not zero"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 2, counts = [1, 1, 2], spacing = [1, 1, 1]}",
       {"deck.toml:14:", "expected either count and offset or counts and spacing, found both"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 2, offset = [0, 1, 0], spacing = [1, 1, 1]}",
       {"deck.toml:14:", "expected either count and offset or counts and spacing, found both"}},
      {"size = 0.008",
       "size = 0.008\nrefine = [{point = [0, 0, 0], size = 0.008, slope = 0.4}]",
       {"deck.toml:14:", "expected a size below the body's, 0.008, to which elements grow by the slope",
        "found 0.008"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {counts = [1000, 1000, 2], spacing = [1, 1, 1]}",
       {"deck.toml:14:", "expected at most 1000000 bodies, found 2000000"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 2, offset = [1, 0, 0], random_speed = -1}",
       {"deck.toml:14:", "bodies[0].repeat.random_speed to be a number >= 0", "found -1"}},
      {"size = 0.008",
       "size = 0.008\nrepeat = {count = 2, offset = [1, 0, 0], seed = -1}",
       {"deck.toml:14:", "bodies[0].repeat.seed to be an integer >= 0", "found -1"}},
      // names
      {"material = \"gel\"",
       "material = \"gell\"",
       {"deck.toml:10:", "bodies[0].material to be one of \"gel\"", "found \"gell\"",
        "did you mean \"gel\""}},
      {"name = \"right\"",
       "name = \"left\"",
       {"deck.toml:16:", "not used before", "\"left\", already used at", "deck.toml:9"}},
      {"name = \"floor\"",
       "name = \"left\"",
       {"deck.toml:26:", "not used before", "\"left\"", "deck.toml:8"}},
      {"name = \"floor\"", "name = \"a,b\"", {"deck.toml:26:", "without commas", "\"a,b\""}},
      {"[localization]",
       "[[walls]]\nname = \"floor\"\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\nstiffness = 1\n[localization]",
       {"deck.toml:31:", "walls[1].name", "not used before", "deck.toml:26"}},
      {"[[bodies]]", "[materials.gel]\n[[bodies]]", {"deck.toml:", "valid TOML", "already exists"}},
      // choices
      {"shape = \"ball\"",
       "shape = \"bal\"",
       {"deck.toml:11:", "\"ball\", \"block\", \"lattice\", \"file\"", "\"bal\"", "did you mean \"ball\""}},
      {"model = \"face-intersection\"",
       "model = \"rigid\"",
       {"deck.toml:24:", "no contact.stiffness with contact.model = \"rigid\""}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\ndistance = 1e-3",
       {"deck.toml:24:", "contact.distance only with the models \"gap\" and \"barrier\""}},
      {"model = \"face-intersection\"\nstiffness = 1e4",
       "model = \"rigid\"\nenergy_step = 1",
       {"deck.toml:24:", "no contact.energy_step with contact.model = \"rigid\"", "found one"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\nself = true",
       {"deck.toml:24:", "contact.self only with the models \"gap\" and \"barrier\"", "another model"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\nclose_start = \"reduce\"",
       {"deck.toml:24:",
        "contact.close_start only with the models \"gap\" and \"barrier\" or with barrier walls",
        "another model"}},
      {"model = \"face-intersection\"",
       "model = \"face-intersection\"\npairs = [[\"left\", \"left\"]]",
       {"deck.toml:24:", "a body with itself only with the models \"gap\" and \"barrier\"",
        "found \"left\" twice"}},
      {"stiffness = 1e3",
       "stiffness = 1e3\ndistance = 1",
       {"deck.toml:30:", "walls[0].distance only with the model \"barrier\"", "found a penalty"}},
      {"stiffness = 1e3",
       "stiffness = 1e3\nmodel = \"spring\"",
       {"deck.toml:30:", "walls[0].model to be one of \"penalty\", \"barrier\"", "found \"spring\""}},
      {"model = \"face-intersection\"",
       "model = \"barrier\"\ndistance = 0",
       {"deck.toml:24:", "contact.distance", "found 0"}},
      {"model = \"face-intersection\"",
       "model = \"barrier\"\npairs = [[\"left\", \"ritgh\"]]",
       {"deck.toml:24:", "contact.pairs of names of bodies: \"left\", \"right\", found", "\"ritgh\""}},
      {"model = \"face-intersection\"",
       "model = \"gap\"\npairs = [\"left\", \"right\"]",
       {"deck.toml:24:", "an array of pairs of names"}},
      {"model = \"face-intersection\"",
       "model = \"gap\"\nclose_start = \"ignore\"",
       {"deck.toml:24:", "\"refuse\", \"reduce\"", "\"ignore\""}},
      {"model = \"face-intersection\"",
       "model = \"sticky\"",
       {"deck.toml:23:", "contact.model", "\"sticky\""}},
      {"kind = \"bodies\"",
       "kind = \"body\"",
       {"deck.toml:31:", "\"global\", \"bodies\", \"metis\"", "\"body\""}},
      {"kind = \"bodies\"",
       "kind = \"bodies\"\ncontact = \"with\"",
       {"deck.toml:32:", "\"own\", \"with-bodies\", \"touching\", \"auto\""}},
      {"method = \"energy-stepping\"",
       "method = \"modin\"",
       {"deck.toml:33:", "\"energy-stepping\", \"clocked-energy-stepping\", \"newmark\"", "found \"modin\""}},
      {"model = \"face-intersection\"\nstiffness = 1e4",
       "model = \"hertz\"\nstiffness = 1e4",
       {"deck.toml:24:", "no contact.stiffness with contact.model = \"hertz\"", "found one"}},
      {"method = \"energy-stepping\"",
       "method = \"energystepping\"",
       {"deck.toml:33:", "integrator.method", "did you mean \"energy-stepping\""}},
      {"[localization]",
       "[layout]\nkind = \"cut\"\n[localization]",
       {"deck.toml:31:", "\"own\", \"slice\", \"windows\", \"auto\"", "\"cut\""}},
      // combinations
      {"energy_step = 5e-5",
       "energy_step = 5e-5\nenergy_step_fraction = 1e-3",
       {"deck.toml:35:", "integrator.energy_step or integrator.energy_step_fraction, not both", "both"}},
      {"energy_step = 5e-5",
       "energy_step = 5e-5\ntime_step = 1e-3",
       {"deck.toml:35:", "integrator.time_step", "a key of the method \"energy-stepping\"",
        "\"energy_step\", \"energy_step_fraction\"", "one of another method"}},
      {"method = \"energy-stepping\"\nenergy_step = 5e-5",
       "method = \"newmark\"\ntime_step = 1e-3\ntime_step_factor = 0.5",
       {"deck.toml:35:", "integrator.time_step or integrator.time_step_factor, not both"}},
      {"method = \"energy-stepping\"\nenergy_step = 5e-5",
       "method = \"newmark\"\nenergy_step = 5e-5",
       {"deck.toml:34:", "integrator.energy_step", "a key of the method \"newmark\""}},
      {"kind = \"bodies\"",
       "kind = \"bodies\"\nparts = 4",
       {"deck.toml:32:", "localization.parts only with", "metis", "another kind"}},
      {"kind = \"bodies\"",
       "kind = \"metis\"\nparts = 0",
       {"deck.toml:32:", "localization.parts", "found 0"}},
      // files and syntax
      {"shape = \"ball\"\nradius = 0.025\nsize = 0.008",
       "shape = \"file\"\nfile = \"gear.msh\"",
       {"deck.toml:12:", "bodies[0].file", "to name a mesh or geometry file, relative to the deck",
        "found \"gear.msh\", ", "gear.msh: no such file"}},
      {"shape = \"ball\"\nradius = 0.025\nsize = 0.008",
       "shape = \"file\"\nfile = \".\"",
       {"deck.toml:12:", "bodies[0].file", "a directory"}},
      {"shape = \"ball\"\nradius = 0.025\nsize = 0.008",
       "shape = \"file\"\nfile = \"/dev/null\"",
       {"deck.toml:12:", "bodies[0].file", "/dev/null: no regular file"}},
      {"density = 1059", "density = 10 59", {"deck.toml:5:", "valid TOML", "density = 10 59"}},
      {"density = 1059",
       "density = 1059\n[materials.\"a\\u0001\"]",
       {"materials", "names of materials without control characters"}},
      {"end = 0.04", "end = ", {"deck.toml:3:", "valid TOML"}},
      {"end = 0.04", "end = 0.04\nend = 0.05", {"deck.toml:", "valid TOML", "already exists"}},
      {"[time]", "[time", {"deck.toml:2:", "valid TOML"}},
  };
  return decks;
}

TEST_F(DeckTest, EveryBrokenDeckIsRefusedWithPlaceExpectationAndFinding) {
  for (const Broken& broken : broken_decks()) {
    SCOPED_TRACE("\"" + broken.from + "\" -> \"" + broken.to + "\"");
    const std::string text = message(changed(broken.from, broken.to));
    for (const std::string& fragment : broken.fragments) EXPECT_THAT(text, HasSubstr(fragment));
  }
}

TEST_F(DeckTest, ARepeatedBodysNumberedNameIsTaken) {
  const std::string text = changed("name = \"right\"", "name = \"left-2\"");
  EXPECT_NO_THROW(read(text));
  EXPECT_THAT(message(text, {"bodies.0.repeat={count = 2, offset = [1, 0, 0]}"}),
              HasSubstr("name not used before, found \"left-2\""));
}

// The name of a repeated entry stands for all of its bodies.
TEST_F(DeckTest, ARepeatedBodysOwnNameIsTaken) {
  const std::string repeat = "bodies.0.repeat={count = 2, offset = [1, 0, 0]}";
  const std::string support = "[[supports]]\nname = \"left\"\nbody = \"right\"\nsurface = true\n";
  EXPECT_THAT(message(changed("name = \"floor\"", "name = \"left\""), {repeat}),
              HasSubstr("walls[0].name to be a name not used before, found \"left\", already used at"));
  EXPECT_THAT(message(valid_deck + support, {repeat}),
              HasSubstr("supports[0].name to be a name of no other body, wall or support, found \"left\""));
}

TEST_F(DeckTest, ExactReflectionsAreForEnergySteppingOnly) {
  const std::string text = changed("model = \"face-intersection\"\nstiffness = 1e4", "model = \"rigid\"");
  EXPECT_NO_THROW(read(text));
  EXPECT_THAT(message(text, {"integrator.method=newmark"}),
              HasSubstr("deck.toml:22: expected contact.model = \"rigid\" with integrator.method = "
                        "\"energy-stepping\", found the method \"newmark\", which cannot reflect"));
}

TEST_F(DeckTest, AClockNeedsPotentialsWithCertificates) {
  EXPECT_THAT(message(valid_deck, {"integrator.method=clocked-energy-stepping"}),
              HasSubstr("expected contact.model = \"barrier\", \"gap\", \"hertz\" or \"none\" with "
                        "integrator.method = "
                        "\"clocked-energy-stepping\", found "
                        "\"face-intersection\", for which no certificate guards a step"));
}

TEST_F(DeckTest, KeysOfSeveralMethodsAreListedOnce) {
  const std::string text = message(valid_deck, {"integrator.timestep=1"});
  EXPECT_THAT(text, HasSubstr("the unknown key \"timestep\" (did you mean \"time_step\"?)"));
  const std::size_t first = text.find("\"time_step\"");
  EXPECT_EQ(text.find("\"time_step\"", first + 1), text.rfind("\"time_step\"")) << text;
}

TEST_F(DeckTest, OnlySomeOfManyNamesAreListed) {
  const std::string text = message(valid_deck, {"bodies.0.repeat={count = 30, offset = [1, 0, 0]}",
                                                "contact.pairs=[[\"left-31\", \"right\"]]"});
  EXPECT_THAT(text, HasSubstr("\"left-19\", …, found \"left-31\" (did you mean \"left-"));
}

TEST_F(DeckTest, ACopyOfABodyMayNotTouchItself) {
  EXPECT_THAT(
      message(valid_deck, {"bodies.0.repeat={count = 3, offset = [1, 0, 0]}",
                           "contact.pairs=[[\"left-1\", \"left-1\"]]"}),
      HasSubstr("a body with itself only with the models \"gap\" and \"barrier\", found \"left-1\" twice"));
}

TEST_F(DeckTest, AMissingDeckADirectoryAndAnEmptyFileAreInputErrors) {
  try {
    read_deck((directory_ / "absent.toml").string(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 2);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("absent.toml"), HasSubstr("no such file")));
  }
  try {
    read_deck(directory_.string(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 2);
    EXPECT_THAT(error.what(), HasSubstr("a directory"));
  }
  EXPECT_THAT(message(""), HasSubstr("time"));
}

TEST_F(DeckTest, WhatIsNotUtf8IsToldByItsLine) {
  EXPECT_THAT(message(changed("\"left\"", "\"caf\xe9\"")),
              HasSubstr("deck.toml:9: expected valid UTF-8, found the byte 0xe9"));
  EXPECT_THAT(message(std::string(valid_deck) + "# \xff"), HasSubstr("deck.toml:35: expected valid UTF-8"));
  EXPECT_EQ(read(changed("\"left\"", "\"café\"")).bodies[0].name, "café");
}

// A link to itself stands for a file in a directory that may not be searched, as nothing keeps a test that
// root runs from searching one.
TEST_F(DeckTest, WhatKeepsFromLookingForAFileIsTold) {
  std::filesystem::create_symlink("loop.msh", directory_ / "loop.msh");
  try {
    read_deck((directory_ / "loop.msh").string(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 2);
    EXPECT_THAT(error.what(),
                HasSubstr("loop.msh: expected a readable input deck (a TOML file), found Too many"));
  }
  EXPECT_THAT(message(changed("shape = \"ball\"\nradius = 0.025\nsize = 0.008",
                              "shape = \"file\"\nfile = \"loop.msh\"")),
              testing::AllOf(HasSubstr("found \"loop.msh\", "), HasSubstr("loop.msh: Too many")));
}

TEST_F(DeckTest, ADeckWithoutBodiesOrMaterialsIsRefused) {
  const std::string text = "[time]\nend = 1\n[integrator]\nmethod = \"newmark\"\n";
  EXPECT_THAT(message(text), HasSubstr("the key materials, a table, found no such key"));
  EXPECT_THAT(message(text + "[materials]\n"),
              HasSubstr("deck.toml:5: expected at least one table [materials.NAME], found none"));
  EXPECT_THAT(message(text + "[materials.a]\ndensity = 1\nlame_lambda = 1\nlame_mu = 1\n"),
              HasSubstr("expected at least one table [[bodies]], found none"));
}

}  // namespace
}  // namespace terrace::deck_broken_test
