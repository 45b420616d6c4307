// The energy step that a deck gets: its own, a fraction, or the suggested one.
#include "app/preparation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::preparation_test {
namespace {

Deck two_moving_cubes() {
  Deck deck = soft_deck({cube_entry("slow", 1), cube_entry("fast", 1, {3, 0, 0})});
  deck.bodies[0].velocity = {1, 0, 0};
  deck.bodies[1].velocity = {-2, 0, 0};
  return deck;
}

// A cube's mass is 0.1: 0.05 and 0.2 J. The suggested step is a 10,000.618…th of the energy of the body that
// has most; a fraction is one of the energy of all.
TEST(EnergyStep, IsTheDecksOrAFractionOrSuggested) {
  Deck deck = two_moving_cubes();
  const Model model = build_model(deck);
  EXPECT_NEAR(energy_step(deck, model), 0.2 / 10000.6180339887498949, 1e-12) << "of the body that has most";
  EXPECT_EQ(energy_step(deck, model), suggested_energy_step(deck, model));
  deck.integrator.energy_step_fraction = 1e-3;
  EXPECT_NEAR(energy_step(deck, model), 1e-3 * 0.25, 1e-12) << "of all";
  deck.integrator.energy_step = 0.7;
  EXPECT_EQ(energy_step(deck, model), 0.7);
}

TEST(EnergyStep, SuggestsLessToThePartsOfABody) {
  Deck deck = two_moving_cubes();
  deck.localization = {LocalizationKind::metis, 4};
  EXPECT_NEAR(suggested_energy_step(deck, build_model(deck)), 0.2 / 10000.6180339887498949 / 4, 1e-12);
}

// A cube of mass 0.1, half a unit above a floor, gains m g d = 0.1 · 30 · 0.5 on its way there.
TEST(EnergyStep, KnowsWhatGravityAddsUntilAWall) {
  Deck deck = two_moving_cubes();
  deck.gravity = {0, 0, -30};
  deck.walls = {{"floor", {0, 0, -1}, {0, 0, 1}, 1}};
  const Model model = build_model(deck);
  EXPECT_NEAR(suggested_energy_step(deck, model), (0.2 + 1.5) / 10000.6180339887498949, 1e-12);
  deck.walls[0].normal = {1, 0, 0};
  deck.walls[0].point = {-9, 0, 0};
  EXPECT_NEAR(suggested_energy_step(deck, build_model(deck)), 0.2 / 10000.6180339887498949, 1e-12)
      << "none on the way";
}

TEST(EnergyStep, MustBeGivenWhereNothingMoves) {
  Deck deck = soft_deck({cube_entry("still", 1)});
  const Model model = build_model(deck);
  EXPECT_EQ(suggested_energy_step(deck, model), 0);
  Deck falling = deck;  // under energy-stepping it does not begin to fall by itself
  falling.gravity = {0, 0, -1};
  falling.walls = {{"floor", {0, 0, -1}, {0, 0, 1}, 1}};
  EXPECT_THROW(static_cast<void>(energy_step(falling, build_model(falling))), Error);
  for (const std::string found : {"none", "integrator.energy_step_fraction"}) {
    try {
      static_cast<void>(energy_step(deck, model));
      FAIL() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      EXPECT_THAT(
          error.what(),
          testing::HasSubstr("integrator.energy_step in joules: no body moves at the start, and a fraction "
                             "of no kinetic energy is none, found " +
                             found));
    }
    deck.integrator.energy_step_fraction = 1e-3;
  }
}

}  // namespace
}  // namespace terrace::preparation_test
