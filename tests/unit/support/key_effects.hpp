// Shared by the tests of what keys of a deck do: a small deck, the system it gives, and energies in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/system/contact_pairs.hpp"
#include "support/deck_fixture.hpp"
#include "support/small_system.hpp"

namespace terrace {

/// Two resting lattices, two apart along x, in two materials.
inline const char* const two_blocks = R"([time]
end = 1
[materials.soft]
density = 2
lame_lambda = 3
lame_mu = 5
[materials.stiff]
density = 7
youngs_modulus = 10
poissons_ratio = 0.25
[[bodies]]
name = "left"
material = "soft"
shape = "lattice"
extent = [1, 1, 1]
cells = [1, 1, 1]
[[bodies]]
name = "right"
material = "stiff"
shape = "lattice"
extent = [1, 1, 1]
cells = [1, 1, 1]
position = [3, 0, 0]
[integrator]
method = "energy-stepping"
energy_step = 1e-3
)";

/// Reads decks as DeckTest does, and makes the model and the system that a run would.
class KeyEffect : public DeckTest {
 protected:
  using Settings = std::vector<std::string>;

  [[nodiscard]] Model model(const Settings& settings, const std::string& more = "") const {
    return build_model(read(two_blocks + more, settings));
  }
  /// On one rank. `more` follows the deck, for example a section [contact].
  [[nodiscard]] std::unique_ptr<SmallSystem> system(const Settings& settings,
                                                    const std::string& more = "") const {
    const Deck deck = read(two_blocks + more, settings);
    const Model whole = build_model(deck);
    return std::make_unique<SmallSystem>(whole, deck.contact, deck.localization, energy_step(deck, whole));
  }
  /// The message of the Error(input) that making the system must throw.
  [[nodiscard]] std::string refusal(const Settings& settings, const std::string& more = "") const {
    try {
      static_cast<void>(system(settings, more));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 2);
      return error.what();
    }
    return "accepted";
  }
};

/// The energy of a potential where every node at x is displaced by `displacement(x)`.
template <class Displacement>
double energy_of(const Potential& potential, const Lagrangian& system, Displacement displacement) {
  std::vector<Vector3> displacements;
  for (const Vector3& x : system.reference) displacements.push_back(displacement(x));
  return potential.value(Displacements(displacements));
}

/// The energy of the contact of two bodies when all nodes with x > 1.5 have moved by `shift`.
inline double contact_energy(const SmallSystem& system, const BodyPair& pair, const Vector3& shift) {
  const auto potential = system.lagrangian.contact_pairs->make(pair, system.lagrangian.reference);
  return energy_of(*potential, system.lagrangian,
                   [&](const Vector3& x) { return x[0] > 1.5 ? shift : Vector3{}; });
}

/// The energy of wall number `wall` when all nodes have moved by `shift`.
inline double wall_energy(const SmallSystem& system, int wall, const Vector3& shift) {
  double energy = 0;
  for (const Subdomain& subdomain : system.lagrangian.subdomains)
    for (std::size_t p = 0; p < subdomain.potentials.size(); ++p)
      if (subdomain.reaction_of_potential[p] == wall)
        energy +=
            energy_of(*subdomain.potentials[p], system.lagrangian, [&](const Vector3&) { return shift; });
  return energy;
}

}  // namespace terrace
