// ShownContact: the energy that is measured is that of all contact, with potentials of near pairs only.
#include "dynamics/windows/shown_contact.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/small_system.hpp"

namespace terrace::shown_contact_test {
namespace {

double energy_of(std::span<const std::unique_ptr<Potential>> potentials, const SmallSystem& system) {
  double sum = 0;
  for (const auto& potential : potentials) {
    const std::vector<double> terms = potential->energies({system.state.lines, system.state.time});
    sum += std::accumulate(terms.begin(), terms.end(), 0.0);
  }
  return sum;
}

std::vector<Box> surfaces_of(const SmallSystem& system) {
  std::vector<Box> surfaces;
  for (std::int32_t body = 0; body < system.lagrangian.contact_pairs->bodies(); ++body) {
    surfaces.emplace_back();
    for (const std::int32_t node : system.lagrangian.contact_pairs->surface_nodes(body))
      surfaces.back().include(system.position(static_cast<std::size_t>(node)));
  }
  return surfaces;
}

TEST(ShownContact, HasTheEnergyOfAllPairsAndPotentialsOfNearOnesAlone) {
  // Three cubes in a row, the outer ones on their way to the middle one.
  Deck deck = three_cubes(1, false, 0.03);
  deck.contact.model = ContactModel::gap;
  deck.contact.stiffness = 1;
  deck.contact.distance = 0.02;
  deck.bodies[0].velocity = {1, 0, 0};
  deck.bodies[2].velocity = {-2, 0, 0};
  SmallSystem system(deck, {LocalizationKind::bodies, 1, ContactLocalization::touching});
  Lagrangian& share = system.lagrangian;  // and the whole
  ShownContact contact(share, share);
  const auto shown = [&] { return contact.potentials(); };
  const auto find_at = [&](double time) {
    system.state.time = time;
    contact.show(contact.near_pairs(surfaces_of(system)));
    std::vector<std::unique_ptr<Potential>> all;
    for (const BodyPair& pair : {BodyPair{0, 1}, BodyPair{0, 2}, BodyPair{1, 2}})
      all.push_back(share.contact_pairs->make(pair, share.reference));
    EXPECT_EQ(energy_of(shown(), system), energy_of(all, system)) << time;
    return shown().size();
  };
  EXPECT_EQ(find_at(0), 0);
  EXPECT_EQ(find_at(0.008), 1) << "the last is near the second";
  const Potential* last_pair = shown()[0].get();
  EXPECT_EQ(find_at(0.014), 2) << "not the first and the last";
  EXPECT_GT(energy_of(shown(), system), 0);
  EXPECT_EQ(shown()[1].get(), last_pair) << "made again";
  share.rank_of_body[0] = 1;
  contact.show(contact.near_pairs(surfaces_of(system)));
  ASSERT_EQ(shown().size(), 1) << "another rank's";
  EXPECT_EQ(shown()[0].get(), last_pair);
  share.rank_of_body[0] = 0;
  EXPECT_EQ(find_at(0.001), 0);
}

}  // namespace
}  // namespace terrace::shown_contact_test
