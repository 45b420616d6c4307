// Settings of the command line (--set): what they change, and how a bad one is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/deck_fixture.hpp"

namespace terrace::deck_settings_test {
namespace {

using testing::HasSubstr;

TEST_F(DeckTest, SettingsReplaceAndAddValues) {
  const Deck deck = read(valid_deck, {"integrator.energy_step=1e-5", "bodies.1.velocity=[1,0,-2]",
                                      "output.directory=foo/bar-2", "time.events=12", "title='a b'",
                                      "materials.gel.density=5", "layout.kind=own", "output.overwrite=true"});
  EXPECT_EQ(deck.integrator.energy_step, 1e-5);
  EXPECT_EQ(deck.bodies[1].velocity, (Vector3{1, 0, -2}));
  EXPECT_EQ(deck.bodies[0].velocity, (Vector3{4, 0, 0}));
  EXPECT_EQ(deck.output.directory, "foo/bar-2");
  EXPECT_TRUE(deck.output.overwrite);
  EXPECT_EQ(deck.maximum_events, 12);
  EXPECT_EQ(deck.title, "a b");
  EXPECT_EQ(deck.materials[0].density, 5);
  EXPECT_EQ(deck.layout, LayoutKind::own);
}

TEST_F(DeckTest, TheEchoedTextGivesTheSameDeckWithoutTheSettings) {
  const Deck with =
      read(valid_deck, {"integrator.energy_step=1.2345678901234567e-5", "bodies.1.spin=[0.1,0,3]"});
  const Deck again = read(with.text);
  EXPECT_EQ(again.integrator.energy_step, 1.2345678901234567e-5);
  EXPECT_EQ(again.bodies[1].spin, (Vector3{0.1, 0, 3}));
  EXPECT_EQ(again.bodies[0].name, "left");
  EXPECT_EQ(again.walls[0].name, "floor");
  EXPECT_EQ(again.materials[0].lame_lambda, 12.04e4);
}

// The echo does not wrap long texts: they would lose blanks, and be cut within a letter or an escape.
TEST_F(DeckTest, TheEchoedTextKeepsLongTexts) {
  std::string letters = "a";
  for (int i = 0; i < 100; ++i) letters += "é";
  const std::string formula = "0.5*x^2 + 0.1*x*y + 0.3*y^2 + 0.05*sin(3*x)*cos(2*y) + 0.01*x^3*y + 0.25*x^4";
  for (const std::string& text : {letters, formula, formula + " " + formula, std::string(200, '\\')}) {
    const Deck with = read(changed("\"Two balls\"", "'" + text + "'"), {"integrator.energy_step=1e-5"});
    EXPECT_EQ(with.title, text);
    EXPECT_EQ(read(with.text).title, text);
  }
}

// One deck serves to compare methods.
TEST_F(DeckTest, AnotherMethodOnTheCommandLineLeavesTheKeysOfTheFilesMethodBehind) {
  const Deck deck = read(valid_deck, {"integrator.method=newmark", "integrator.time_step=1e-6"});
  EXPECT_EQ(deck.integrator.method->name, "newmark");
  EXPECT_EQ(deck.integrator.settings.time_step, 1e-6);
  EXPECT_EQ(read(deck.text).integrator.settings.time_step, 1e-6) << "the echo is a valid deck";
  const std::string alone = changed("[contact]\nmodel = \"face-intersection\"\nstiffness = 1e4\n", "");
  EXPECT_EQ(read(alone, {"integrator.method=sem", "integrator.time_step=1e-6"}).integrator.method->name,
            "symplectic-energy-momentum");
  EXPECT_THAT(message(valid_deck, {"integrator.method=newmark", "integrator.energy_step=1e-6"}),
              HasSubstr("a key of the method \"newmark\""));
  EXPECT_THAT(message(valid_deck, {"integrator.time_step=1e-6"}), HasSubstr("a key of the method"));
}

// Energy-stepping alone does many events at once.
TEST_F(DeckTest, AnotherMethodOnTheCommandLineLeavesTheFilesExecutorBehind) {
  for (const std::string executor : {"concurrent", "validating"}) {
    const std::string with_executor =
        std::string(valid_deck) + "executor = \"" + executor + "\"\n[layout]\nkind = \"own\"\n";
    const std::vector<std::string> own = {"localization.contact=own"};
    EXPECT_NE(read(with_executor, own).integrator.executor, Executor::sequential);
    EXPECT_EQ(read(with_executor, {"integrator.method=newmark"}).integrator.executor, Executor::sequential);
    EXPECT_NE(read(with_executor, {own[0], "integrator.method=energy-stepping"}).integrator.executor,
              Executor::sequential);
    EXPECT_THAT(message(with_executor, {"integrator.method=newmark", "integrator.executor=" + executor}),
                HasSubstr("with integrator.method = \"energy-stepping\", found \"newmark\""));
  }
  const std::string checking = std::string(valid_deck) + "executor = \"checking\"\n";
  EXPECT_EQ(read(checking, {"integrator.method=newmark"}).integrator.executor, Executor::checking);
}

TEST_F(DeckTest, TheLayoutThatIsNotOwnIsNamedAsTheDeckHasIt) {
  const std::string expected = "integrator.executor = \"concurrent\" with layout.kind = \"own\", found ";
  EXPECT_THAT(message(valid_deck, {"integrator.executor=concurrent"}), HasSubstr(expected + "\"auto\""));
  EXPECT_THAT(message(valid_deck, {"integrator.executor=concurrent", "layout.kind=slice"}),
              HasSubstr(expected + "\"slice\""));
}

// contact.energy_step decides which bodies share a terrace, and would do so also for methods without
// terraces.
TEST_F(DeckTest, AnEnergyStepOfContactIsOfMethodsThatHaveEnergySteps) {
  const std::string with_step = changed("stiffness = 1e4\n", "stiffness = 1e4\nenergy_step = 1e-7\n");
  const std::vector<std::string> newmark = {"integrator.method=newmark", "integrator.time_step=1e-6"};
  EXPECT_EQ(read(with_step).contact.energy_step, 1e-7);
  EXPECT_EQ(read(with_step, newmark).contact.energy_step, 0) << "the file's, for the file's method";
  const std::string before_method = with_step.substr(0, with_step.find("method ="));
  EXPECT_THAT(message(before_method + "method = \"newmark\"\n"),
              HasSubstr("deck.toml:25: expected contact.energy_step only with integrator.method = "
                        "\"energy-stepping\", found \"newmark\""));
  EXPECT_THAT(message(valid_deck, {newmark[0], "contact.energy_step=1e-7"}),
              HasSubstr("--set contact.energy_step=1e-7: expected contact.energy_step only with"));
}

TEST_F(DeckTest, ABadSettingIsNamedAsItWasGiven) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"integrator.energy_stp=1e-5", "did you mean \"energy_step\""},
      {"integrator.energy_step=-1", "found -1"},
      {"integrator.energy_step=small", "the string \"small\""},
      {"integrator.energy_step=", "nothing after"},
      {"integrator.energy_step", "no \"=\""},
      {"=3", "the key \"\""},
      {"integrator..energy_step=3", "the key \"\""},
      {"bodies.2.velocity=[1,0,0]", "an index from 0 to 1"},
      {"bodies.left.velocity=[1,0,0]", "an index from 0 to 1"},
      {"time.end.value=3", "time.end to be a table or an array, found a single value there"},
      {"nonsense.key=3", "unknown key \"nonsense\""},
      {"bodies.0.velocity=[1,0", "a TOML value"},
      {"bodies.0=3", "bodies to be an array of tables, each begun by [[bodies]], found 3 in it"},
      {"integrator=3", "integrator to be a table"},
      {"output.directory=2024-11-27",
       "a string that is not empty, found a date or time; as a string: --set "
       "output.directory='\"2024-11-27\"'"},
      {"title=two\nlines", "a value on one line, found a line break"},
  };
  for (const auto& [setting, fragment] : cases) {
    const std::string text = message(valid_deck, {setting});
    EXPECT_THAT(text, HasSubstr("--set " + setting));
    EXPECT_THAT(text, HasSubstr(fragment)) << setting;
  }
}

TEST_F(DeckTest, BytesThatAreNoTextAreToldOfSettingsToo) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"time.end=0.5\r",
       "--set time.end=0.5\\x0d: expected a value without control characters, found the character 0x0d"},
      {"title=a\x7f"
       "b",
       "--set title=a\\x7fb: expected a value without control characters, found the character 0x7f"},
      {"title='caf\xe9'", "--set title='caf\\xe9': expected valid UTF-8, found the byte 0xe9"},
      {"ti\xfftle=a", "--set ti\\xfftle=a: expected valid UTF-8, found the byte 0xff"},
  };
  for (const auto& [setting, text] : cases) EXPECT_EQ(message(valid_deck, {setting}), text);
  EXPECT_EQ(read(valid_deck, {"title=a\tb"}).title, "a\tb");
  EXPECT_EQ(read(valid_deck, {"title=café"}).title, "café");
}

TEST_F(DeckTest, ABadElementThatWasSetIsNamedAsItWasGiven) {
  const std::string with_support =
      std::string(valid_deck) +
      "\n[[supports]]\nname = \"held\"\nbody = \"right\"\nbox = [[0, 0, 0], [1, 1, 1]]\n";
  EXPECT_THAT(
      message(with_support, {"supports.0.box.0=3"}),
      HasSubstr("--set supports.0.box.0=3: expected supports[0].box[0] to be an array of three numbers"));
  EXPECT_THAT(message(with_support, {"supports.0.box.1=[1,2]"}),
              HasSubstr("--set supports.0.box.1=[1,2]: expected supports[0].box[1] to be an array of three"));
}

TEST_F(DeckTest, AnEmptyArrayHasNoIndexToSet) {
  EXPECT_THAT(message(valid_deck, {"bodies.0.refine=[]", "bodies.0.refine.0.size=1"}),
              HasSubstr("--set bodies.0.refine.0.size=1: expected a key other than of bodies.0.refine, which "
                        "is empty, found \"0\""));
}

}  // namespace
}  // namespace terrace::deck_settings_test
