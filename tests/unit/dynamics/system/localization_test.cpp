// Which potentials share a terrace, for every choice of a deck.
#include "dynamics/system/localization.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::localization_test {
namespace {

ContactEntry face_contact(double energy_step) {
  ContactEntry contact;
  contact.model = ContactModel::face_intersection;
  contact.stiffness = 1;
  contact.energy_step = energy_step;
  return contact;
}

constexpr double step = 1e-5, contact_step = 3e-6;

Localization divide(const Deck& deck, LocalizationKind kind, int parts, ContactLocalization contact) {
  return localize(build_model(deck), {kind, parts, contact}, deck.contact, step);
}

std::size_t count(const Localization& localization, Term::Kind kind) {
  std::size_t number = 0;
  for (const Term& term : localization.terms) number += term.kind == kind ? 1 : 0;
  return number;
}

struct Choice {
  LocalizationKind kind;
  int parts;
  ContactLocalization contact;
  bool pairs, wall;
  std::size_t subdomains;
};

// Three bodies: 3 pairs in contact, 3 bodies that may meet the wall. Pairs apart become subdomains when they
// are near each other (NearPairs).
constexpr auto own = ContactLocalization::own, with_bodies = ContactLocalization::with_bodies,
               touching = ContactLocalization::touching;
constexpr Choice choices[] = {
    {LocalizationKind::global, 1, own, false, false, 1},
    {LocalizationKind::global, 1, own, true, true, 1},
    {LocalizationKind::global, 1, with_bodies, true, true, 1},
    {LocalizationKind::bodies, 1, own, false, false, 3},
    {LocalizationKind::bodies, 1, own, true, false, 3},
    {LocalizationKind::bodies, 1, own, false, true, 3 + 3},
    {LocalizationKind::bodies, 1, own, true, true, 3 + 3},
    {LocalizationKind::bodies, 1, with_bodies, false, true, 3},
    {LocalizationKind::bodies, 1, with_bodies, true, true, 1},
    {LocalizationKind::bodies, 1, touching, true, false, 3},
    {LocalizationKind::bodies, 1, touching, true, true, 3},
    {LocalizationKind::global, 1, touching, true, true, 1},
    {LocalizationKind::metis, 4, own, false, false, 12},
    {LocalizationKind::metis, 4, own, true, false, 12},
    {LocalizationKind::metis, 4, own, true, true, 12 + 3},
    // Every quarter of so small a cube reaches the surface.
    {LocalizationKind::metis, 4, with_bodies, false, true, 3},
    {LocalizationKind::metis, 4, with_bodies, true, false, 1},
};

TEST(Localization, MakesTheSubdomainsThatTheDeckAsksFor) {
  for (const Choice& choice : choices) {
    Deck deck = three_cubes(2, choice.wall);
    if (choice.pairs) deck.contact = face_contact(choice.contact == touching ? 0 : contact_step);
    const Localization found = divide(deck, choice.kind, choice.parts, choice.contact);
    SCOPED_TRACE(std::to_string(&choice - choices));
    EXPECT_EQ(found.subdomains.size(), choice.subdomains);
    EXPECT_EQ(count(found, Term::Kind::elastic), 3u * static_cast<std::size_t>(choice.parts));
    const bool apart = choice.contact != with_bodies && choice.kind != LocalizationKind::global;
    EXPECT_EQ(found.pairs_apart, apart);
    EXPECT_EQ(count(found, Term::Kind::contact), choice.pairs && !apart ? 3u : 0u);
    EXPECT_EQ(count(found, Term::Kind::wall), choice.wall ? 3u : 0u);
    std::set<std::int32_t> used;
    for (const Term& term : found.terms) used.insert(term.subdomain);
    EXPECT_EQ(used.size(), found.subdomains.size()) << "no subdomain without potentials";
    EXPECT_EQ(*used.rbegin() + 1, static_cast<std::int32_t>(found.subdomains.size()));
    std::set<std::string> names;
    for (const SubdomainPlan& plan : found.subdomains) names.insert(plan.name);
    EXPECT_EQ(names.size(), found.subdomains.size()) << "names tell subdomains apart";
  }
}

TEST(Localization, WhereForcesAreSmoothWhatTouchesSharesATerraceUnlessToldOtherwise) {
  const ContactLocalization automatic = ContactLocalization::automatic;
  Deck deck = three_cubes(1, true);
  EXPECT_EQ(divide(deck, LocalizationKind::bodies, 1, automatic).subdomains.size(), 3u) << "walls alone";
  deck.contact = face_contact(0);
  EXPECT_EQ(divide(deck, LocalizationKind::bodies, 1, automatic).subdomains.size(), 6u);
  deck.contact.model = ContactModel::barrier;
  EXPECT_TRUE(divide(deck, LocalizationKind::bodies, 1, automatic).touching_share);
}

TEST(Localization, WallSubdomainsTakeTheContactEnergyStepAndElasticOnesKeepTheirs) {
  Deck deck = three_cubes(1, true);
  deck.contact = face_contact(contact_step);
  EXPECT_THROW(divide(deck, LocalizationKind::bodies, 1, touching), Error)
      << "touching bodies share a terrace, which has one step";
  EXPECT_FALSE(divide(deck, LocalizationKind::bodies, 1, ContactLocalization::automatic).touching_share);
  const Localization separate = divide(deck, LocalizationKind::bodies, 1, own);
  EXPECT_EQ(separate.contact_energy_step, contact_step);
  for (const Term& term : separate.terms) {
    const SubdomainPlan& plan = separate.subdomains[static_cast<std::size_t>(term.subdomain)];
    EXPECT_EQ(plan.wall, term.kind == Term::Kind::wall);
    EXPECT_EQ(plan.energy_step, term.kind == Term::Kind::wall ? contact_step : step);
  }
  const Localization joined = divide(deck, LocalizationKind::bodies, 1, with_bodies);
  EXPECT_EQ(joined.subdomains.front().energy_step, step);
  EXPECT_TRUE(joined.subdomains.front().contact);
}

TEST(Localization, ContactJoinsOnlyThePartsThatReachTheSurface) {
  BodyEntry cube = cube_entry("cube", 4);
  Deck deck = soft_deck({cube});
  deck.walls = {{"floor", {0, 0, -2}, {0, 0, 1}, 1}};
  const Model model = build_model(deck);
  const Localization found = localize(model, {LocalizationKind::metis, 64, with_bodies}, {}, step);
  // The surface of the cube is where a coordinate is ± ½.
  std::vector<bool> reaches(64, false);
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e)
    for (const std::int32_t node : model.tetrahedra[e])
      for (const double x : model.positions[static_cast<std::size_t>(node)])
        if (std::abs(std::abs(x) - 0.5) < 1e-12)
          reaches[static_cast<std::size_t>(found.term_of_tetrahedron[e])] = true;
  const std::int32_t of_wall = found.terms.back().subdomain;
  std::size_t inner = 0;
  for (std::size_t part = 0; part < 64; ++part) {
    EXPECT_EQ(found.terms[part].subdomain == of_wall, reaches[part]);
    inner += reaches[part] ? 0 : 1;
  }
  EXPECT_GT(inner, 0u) << "the test needs parts inside";
  EXPECT_EQ(found.subdomains.size(), inner + 1);
}

TEST(Localization, PairsThatAreThereFromTheStartAreLimited) {
  Deck deck = soft_deck({});
  for (int b = 0; b < 201; ++b)
    deck.bodies.push_back(cube_entry("cube-" + std::to_string(b), 1, {3.0 * b, 0, 0}));
  deck.contact = face_contact(0);
  const Model model = build_model(deck);
  const LocalizationEntry global{LocalizationKind::global, 1, own}, apart{LocalizationKind::bodies, 1, own};
  EXPECT_THAT([&] { (void)localize(model, global, deck.contact, step); },
              testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("at most 20000 pairs"),
                                                           testing::HasSubstr("of 201 bodies"))));
  EXPECT_NO_THROW((void)localize(model, apart, deck.contact, step));
  deck.contact.pairs = {{"cube-0", "cube-1"}};
  EXPECT_NO_THROW((void)localize(model, global, deck.contact, step)) << "one pair of them";
}

TEST(Localization, ASmallBodyIsCutIntoAsManyPartsAsItHasTetrahedra) {
  Deck deck = soft_deck({});
  deck.bodies = {cube_entry("large", 2, {0, 0, 0}), cube_entry("small", 1, {3, 0, 0})};
  const Model model = build_model(deck);
  const LocalizationEntry choice{LocalizationKind::metis, 30, own};
  ASSERT_GT(model.bodies[0].tetrahedron_count, choice.parts);
  ASSERT_EQ(model.bodies[1].tetrahedron_count, 24);
  EXPECT_EQ(parts_of(model.bodies[0], choice), 30);
  EXPECT_EQ(parts_of(model.bodies[1], choice), 24);
  const Localization found = localize(model, choice, {}, step);
  EXPECT_EQ(found.subdomains.size(), 54u);
  std::set<std::int32_t> used(found.term_of_tetrahedron.begin(), found.term_of_tetrahedron.end());
  EXPECT_EQ(used.size(), 54u) << "none without a tetrahedron";
}

TEST(Localization, TermsOfTetrahedraBelongToTheirBody) {
  const Deck deck = three_cubes(2, false);
  const Model model = build_model(deck);
  const Localization found = localize(model, {LocalizationKind::metis, 5, own}, {}, step);
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    const Term& term = found.terms[static_cast<std::size_t>(found.term_of_tetrahedron[e])];
    ASSERT_EQ(term.kind, Term::Kind::elastic);
    ASSERT_EQ(term.body, model.body_of_tetrahedron[e]);
  }
}

}  // namespace
}  // namespace terrace::localization_test
