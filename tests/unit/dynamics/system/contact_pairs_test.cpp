// Parameters of contact for pairs of bodies. Those of the pair that was asked for last are remembered.
#include "dynamics/system/contact_pairs.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "support/small_system.hpp"

namespace terrace::contact_pairs_test {
namespace {

// Each of three unlike bodies, however the first and the second body change from one question to the next.
TEST(ContactPairs, HaveTheParametersOfTheirOwnBodies) {
  const SmallSystem cubes(three_cubes(1, false, 2.0));
  std::vector<ContactBody> bodies = contact_bodies(cubes.model);
  bodies[1].edge *= 1e-3;  // so that its edges, not the impact, decide the activation distance
  bodies[1].layer *= 3;
  bodies[2].modulus *= 4;
  ContactEntry contact;
  contact.model = ContactModel::barrier;
  std::vector<std::int32_t> local(cubes.model.positions.size());
  std::iota(local.begin(), local.end(), 0);
  const ContactPairs pairs(cubes.model, bodies, contact, Localization{}, Layout{}, local);
  const std::vector<BodyPair> order = {{0, 1}, {0, 2}, {1, 2}, {0, 2}, {0, 1}, {0, 0}, {1, 1},
                                       {0, 1}, {1, 2}, {2, 2}, {1, 2}, {0, 0}, {0, 2}};
  for (const BodyPair& pair : order) {
    const ContactParameters expected = contact_parameters(
        bodies[index(pair.first)], bodies[index(pair.second)], impact_speed(cubes.model), contact);
    EXPECT_EQ(pairs.parameters(pair).activation, expected.activation) << pair.first << " " << pair.second;
    EXPECT_EQ(pairs.parameters(pair).stiffness, expected.stiffness) << pair.first << " " << pair.second;
  }
}

}  // namespace
}  // namespace terrace::contact_pairs_test
