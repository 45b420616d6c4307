// Windows of time are worth while for many bodies that are apart.
#include "dynamics/system/automatic_layout.hpp"

#include <gtest/gtest.h>

#include "support/small_system.hpp"

namespace terrace::automatic_layout_test {
namespace {

/// 64 cubes of one cell in a lattice, with this distance between them.
Deck lattice(double gap) {
  Deck deck = soft_deck({});
  for (int i = 0; i < 64; ++i)
    deck.bodies.push_back(cube_entry("cube-" + std::to_string(i), 1,
                                     {(i % 4) * (1 + gap), (i / 4 % 4) * (1 + gap), (i / 16) * (1 + gap)}));
  deck.contact.model = ContactModel::barrier;
  return deck;
}

bool with_windows(const Deck& deck, int ranks, ContactLocalization contact = ContactLocalization::touching) {
  const Model model = build_model(deck);
  return windows_are_worth_while(
      model, localize(model, {LocalizationKind::bodies, 1, contact}, deck.contact, 1e-5), ranks);
}

TEST(AutomaticLayout, ManyBodiesThatAreApartHaveWindows) {
  const Deck deck = lattice(0.5);
  for (const int ranks : {1, 2, 8}) EXPECT_TRUE(with_windows(deck, ranks)) << ranks;
  EXPECT_FALSE(with_windows(deck, 9)) << "seven bodies a rank";
  EXPECT_FALSE(with_windows(deck, 1, ContactLocalization::own)) << "contact has terraces of its own";
  Deck few = deck;
  few.bodies.resize(31);
  EXPECT_FALSE(with_windows(few, 1));
}

TEST(AutomaticLayout, BodiesThatAreNextToEachOtherHaveNone) { EXPECT_FALSE(with_windows(lattice(0.01), 1)); }

TEST(AutomaticLayout, OneThatIsMostOfTheWorkIsNoReasonForWindows) {
  Deck deck = lattice(0.5);
  deck.bodies.push_back(cube_entry("large", 2, {20, 0, 0}));  // 192 tetrahedra beside 1,536: 48 to 384
  EXPECT_TRUE(with_windows(deck, 4)) << "an eighth is 216";
  EXPECT_FALSE(with_windows(deck, 5)) << "a tenth is 172.8";
}

TEST(AutomaticLayout, WhatFallsComesToLieOnOneHeap) {
  Deck deck = lattice(0.5);
  deck.gravity = {0, 0, -10};
  EXPECT_FALSE(with_windows(deck, 1));
}

}  // namespace
}  // namespace terrace::automatic_layout_test
