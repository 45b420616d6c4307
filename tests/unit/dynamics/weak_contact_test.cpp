// When a gap is said to be too soft, by hand.
#include "dynamics/weak_contact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace terrace {
namespace {

using testing::HasSubstr;

/// Boundaries of mass 3 and 6 per area, reduced 2, and of the areas 4 and 10.
ContactBody with(double layer, double area) {
  ContactBody body;
  body.layer = layer;
  body.area = area;
  return body;
}
const ContactBody small = with(3, 4), large = with(6, 10);

std::optional<std::string> weakness_of(double stiffness, double speed, double energy_step,
                                       ContactModel model = ContactModel::gap) {
  ContactParameters parameters;
  parameters.activation = 0.01;
  parameters.stiffness = stiffness;
  return weakness("a and b", small, large, speed, model, parameters, energy_step);
}

// Half of 2 · 0.1² is brought, half of the stiffness is held, per area.
TEST(WeakContact, StopsNotEvenTheBoundary) {
  EXPECT_FALSE(weakness_of(0.0201, 0.1, 0));
  const auto weak = weakness_of(0.0199, 0.1, 0);
  ASSERT_TRUE(weak);
  EXPECT_THAT(*weak, HasSubstr("contact of a and b: the stiffness 0.0199"));
  EXPECT_THAT(*weak, HasSubstr("from 0.02 on"));
  EXPECT_FALSE(weakness_of(0.0199, 0.1, 0, ContactModel::barrier)) << "it lets nothing through";
}

// A stiffness of 1 on the smaller area of 4 holds 2.
TEST(WeakContact, IsNotFeltByATerraceAsHighAsAllOfIt) {
  EXPECT_FALSE(weakness_of(1, 0.1, 1.99));
  const auto weak = weakness_of(1, 0.1, 2.01);
  ASSERT_TRUE(weak);
  EXPECT_THAT(*weak, HasSubstr("holds 2, less than its energy step 2.01"));
}

}  // namespace
}  // namespace terrace
