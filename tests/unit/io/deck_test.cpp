// Valid decks: every key arrives where it belongs.
#include "io/deck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/deck_fixture.hpp"

namespace terrace::deck_test {
namespace {

using testing::HasSubstr;

TEST_F(DeckTest, ReadsTheValuesOfAValidDeck) {
  const Deck deck = read(valid_deck);
  EXPECT_EQ(deck.title, "Two balls");
  EXPECT_EQ(deck.text, valid_deck);
  EXPECT_EQ(deck.end_time, 0.04);
  EXPECT_EQ(deck.maximum_events, 0);
  ASSERT_EQ(deck.materials.size(), 1U);
  EXPECT_EQ(deck.materials[0].name, "gel");
  EXPECT_EQ(deck.materials[0].density, 1059);  // an integer in the deck
  EXPECT_EQ(deck.materials[0].lame_mu, 1.34e4);
  ASSERT_EQ(deck.bodies.size(), 2U);
  EXPECT_THAT(deck.bodies[0].where, HasSubstr("deck.toml:8"));
  EXPECT_EQ(deck.bodies[0].velocity, (Vector3{4, 0, 0}));
  EXPECT_EQ(deck.bodies[0].count, 1);
  EXPECT_EQ(std::get<BallShape>(deck.bodies[0].shape).radius, 0.025);
  EXPECT_EQ(std::get<BlockShape>(deck.bodies[1].shape).size, 0.02);
  EXPECT_EQ(deck.bodies[1].position, (Vector3{1, 0, 0}));
  ASSERT_EQ(deck.walls.size(), 1U);
  EXPECT_EQ(deck.walls[0].normal, (Vector3{0, 0, 1}));  // normalised
  EXPECT_EQ(deck.contact.model, ContactModel::face_intersection);
  EXPECT_EQ(deck.contact.stiffness, 1e4);
  EXPECT_EQ(deck.localization.kind, LocalizationKind::bodies);
  EXPECT_EQ(deck.localization.contact, ContactLocalization::automatic);
  EXPECT_EQ(deck.integrator.method->name, "energy-stepping");
  EXPECT_EQ(deck.integrator.energy_step, 5e-5);
  EXPECT_EQ(deck.layout, LayoutKind::automatic);
  EXPECT_EQ(deck.output.directory, "results/deck");
}

TEST_F(DeckTest, TheLowestValueThatIsAllowedIsAccepted) {
  EXPECT_EQ(read(valid_deck, {"output.history_interval=0"}).output.history_interval, 0);
}

TEST_F(DeckTest, BracketsAndDotsInCommentsAndTextAreNoTables) {
  const std::string brackets(300, '['), dots(300, '.');
  for (const std::string& title : {"\"Two balls\"  # it's " + brackets, "\"Two balls\"#" + brackets,
                                   '"' + brackets + "\\\"" + dots + '"', '\'' + dots + brackets + '\'',
                                   "\"\"\"\n\"" + brackets + "\n\"\"\"", "'''\n'" + brackets + "\n'''"})
    EXPECT_NO_THROW(read(changed("\"Two balls\"", title))) << title;
  for (const std::string title : {"'a # b'", "\"\"\"a\"\"\"", "\"a\"  # '"}) {
    try {
      read(changed("\"Two balls\"", title + "\nmore = " + brackets));
      FAIL() << title;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("deck.toml:2: expected tables and arrays at most 200 deep"));
    }
  }
}

TEST_F(DeckTest, ReadsEveryOptionalKey) {
  std::ofstream(directory_ / "part.step") << "any content: read when meshing";
  const Deck deck = read(R"(
[time]
end = 1
events = 1000
[materials.steel]
density = 7780.0
youngs_modulus = 213e9
poissons_ratio = 0.3
[[bodies]]
name = "chain"
material = "steel"
shape = "lattice"
extent = [1, 2, 3]
cells = [4, 5, 6]
rotation = {axis = [0, 2, 0], angle = -30}
spin = [1, 2, 3]
repeat = {count = 7, offset = [0, 5, 0]}
[[bodies]]
name = "part"
material = "steel"
shape = "file"
file = "part.step"
group = "gear"
size = 0.1
scale = 1e-3
[[bodies]]
name = "ball"
material = "steel"
shape = "ball"
radius = 1
size = 0.5
refine = [{point = [1, 0, 0], size = 0.1, radius = 0.3}, {point = [0, 1, 0], size = 0.2, radius = 0.4}]
[contact]
model = "none"
[localization]
kind = "metis"
parts = 8
contact = "with-bodies"
[integrator]
method = "newmark"
time_step = 1e-9
[layout]
kind = "slice"
[output]
directory = "somewhere"
overwrite = true
field_interval = -1
history_interval = 1e-3
surface_only = true
single_precision = true
restart_interval = 0
restart_time = 2.5e-3
)");
  EXPECT_EQ(deck.title, "deck");
  EXPECT_EQ(deck.maximum_events, 1000);
  const Material& steel = deck.materials[0];
  // E = μ (3λ + 2μ) / (λ + μ), ν = λ / (2 (λ + μ))
  EXPECT_NEAR(
      steel.lame_mu * (3 * steel.lame_lambda + 2 * steel.lame_mu) / (steel.lame_lambda + steel.lame_mu),
      213e9, 1e-3);
  EXPECT_NEAR(steel.lame_lambda / (2 * (steel.lame_lambda + steel.lame_mu)), 0.3, 1e-15);
  EXPECT_EQ(std::get<LatticeShape>(deck.bodies[0].shape).cells, (std::array<int, 3>{4, 5, 6}));
  EXPECT_EQ(deck.bodies[0].rotation_axis, (Vector3{0, 2, 0}));
  EXPECT_EQ(deck.bodies[0].rotation_angle, -30);
  EXPECT_EQ(deck.bodies[0].spin, (Vector3{1, 2, 3}));
  EXPECT_EQ(deck.bodies[0].count, 7);
  EXPECT_EQ(deck.bodies[0].offset, (Vector3{0, 5, 0}));
  const auto& file = std::get<FileShape>(deck.bodies[1].shape);
  EXPECT_TRUE(std::filesystem::equivalent(file.path, directory_ / "part.step"));  // found beside the deck
  EXPECT_EQ(file.group, "gear");
  EXPECT_EQ(file.scale, 1e-3);
  const auto& refinements = std::get<BallShape>(deck.bodies[2].shape).refinements;
  ASSERT_EQ(refinements.size(), 2U);
  EXPECT_EQ(refinements[1].point, (Vector3{0, 1, 0}));
  EXPECT_EQ(refinements[1].radius, 0.4);
  EXPECT_EQ(deck.contact.model, ContactModel::none);
  EXPECT_EQ(deck.localization.parts, 8);
  EXPECT_EQ(deck.localization.contact, ContactLocalization::with_bodies);
  EXPECT_EQ(deck.integrator.method->name, "newmark");
  EXPECT_EQ(deck.integrator.settings.time_step, 1e-9);
  EXPECT_EQ(deck.layout, LayoutKind::slice);
  EXPECT_EQ(deck.output.directory, "somewhere");
  EXPECT_TRUE(deck.output.overwrite && deck.output.surface_only && deck.output.single_precision);
  EXPECT_EQ(deck.output.restart_interval, 0);
  EXPECT_EQ(deck.output.restart_time, 2.5e-3);
  EXPECT_EQ(deck.output.field_interval, -1);
}

TEST_F(DeckTest, AWallsNormalIsNormalisedWhateverItsLength) {
  for (const char* scale : {"1e-200", "1e200", "3"}) {
    const Deck deck = read(changed("normal = [0, 0, 2]", std::string("normal = [0, -") + scale + ", 0]"));
    EXPECT_EQ(deck.walls[0].normal, (Vector3{0, -1, 0})) << scale;
  }
}

#ifdef TERRACE_SOURCE_DIR
TEST(Inputs, EveryDeckInTheInputsDirectoryIsValid) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(TERRACE_SOURCE_DIR) / "inputs")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    EXPECT_NO_THROW(read_deck(entry.path().string(), {})) << entry.path();
  }
  EXPECT_GE(count, 7);
}
#endif

}  // namespace
}  // namespace terrace::deck_test
