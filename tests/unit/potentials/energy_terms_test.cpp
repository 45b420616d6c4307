// EnergyTerms, which keep lists of near pairs from one call to the next, give the energies that a potential
// without memory gives.
#include "potentials/energy_terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "potentials/contact/surface_contact.hpp"
#include "support/small_system.hpp"

namespace terrace::energy_terms_test {
namespace {

std::vector<double> sorted(std::vector<double> energies) {
  std::sort(energies.begin(), energies.end());
  return energies;
}

// Two cubes approach, slide along each other, part and approach again. The first cube is also in contact with
// itself: its far sides meet as it is flattened.
TEST(EnergyTerms, OfSmoothContactAreThoseOfEachConfigurationAlone) {
  Deck deck = soft_deck({cube_entry("a", 2), cube_entry("b", 2, {1.2, 0.1, 0.05})});
  SmallSystem cubes(deck);
  const Model& model = cubes.model;
  const auto contact = [&](std::size_t first, std::size_t second) {
    return SurfaceContact(model.positions, model.bodies[first].boundary, model.bodies[second].boundary,
                          ContactProfile(ContactProfile::Kind::gap, 0.15), 1.0, "test");
  };
  const SurfaceContact pair = contact(0, 1), self = contact(0, 0);
  const auto of_pair = pair.energy_terms(), of_self = self.energy_terms();
  std::mt19937_64 random(5);
  std::size_t felt_of_pair = 0, felt_of_self = 0, apart = 0;
  const std::size_t of_first = static_cast<std::size_t>(model.bodies[0].node_count);
  for (int step = 0; step < 400; ++step) {
    const double time = 0.02 * step;
    std::vector<Vector3> displacements(model.positions.size());
    for (std::size_t a = 0; a < displacements.size(); ++a) {
      const double noise = 1e-4 * static_cast<double>(random() % 1000) / 1000;
      displacements[a] = a < of_first ? Vector3{0, 0, -0.45 * (1 - std::cos(time)) * model.positions[a][2]}
                                      : Vector3{0.3 * std::sin(3 * time) - 0.1, 0.2 * time + noise, noise};
    }
    const Displacements there{std::span<const Vector3>(displacements)};
    const std::vector<double> energies = pair.energies(there);
    felt_of_pair += energies.size();
    if (energies.empty()) ++apart;
    ASSERT_EQ(sorted(of_pair->at(there)), sorted(energies)) << step;
    ASSERT_EQ(sorted(of_self->at(there)), sorted(self.energies(there))) << step;
    felt_of_self += self.energies(there).size();
  }
  EXPECT_GT(felt_of_pair, 1000);
  EXPECT_GT(felt_of_self, 100);
  EXPECT_GT(apart, 20);
}

}  // namespace
}  // namespace terrace::energy_terms_test
