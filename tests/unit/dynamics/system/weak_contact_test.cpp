// The limits below which a gap or a barrier is said to be too soft, by hand.
#include "dynamics/system/weak_contact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace terrace::weak_contact_test {
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

// Per area the boundaries bring ½ · 2 · 0.1², with their reduced mass 2, and a closed gap holds κ/2.
TEST(WeakContact, StopsNotEvenTheBoundary) {
  EXPECT_FALSE(weakness(small, large, 0.1, 0.0201, 0));
  const Weakness weak = weakness(small, large, 0.1, 0.0199, 0);
  EXPECT_TRUE(weak);
  EXPECT_THAT(weak.text(), HasSubstr("the stiffness 0.0199 does not even hold up"));
  EXPECT_THAT(weak.text(), HasSubstr("from 0.02 on"));
}

// On the smaller of the two areas, 4, a stiffness of 1 holds ½ · 1 · 4 = 2.
TEST(WeakContact, IsNotFeltByATerraceAsHighAsAllOfIt) {
  EXPECT_FALSE(weakness(small, large, 0.1, 1, 1.99));
  const Weakness weak = weakness(small, large, 0.1, 1, 2.01);
  EXPECT_TRUE(weak);
  EXPECT_THAT(weak.text(), HasSubstr("holds 2, less than its energy step 2.01"));
}

TEST(WeakContact, IsABarrierThatIsSetFarBelowWhatTheImpactAsksFor) {
  EXPECT_EQ(soft_barrier(0.0011, 1), "");
  EXPECT_NE(
      soft_barrier(0.0009, 1).find("the stiffness 0.0009 of the barrier is far less than what the impact "
                                   "asks for, 1: "),
      std::string::npos);
}

}  // namespace
}  // namespace terrace::weak_contact_test
