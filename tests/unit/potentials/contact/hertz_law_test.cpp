// The law between patches: its penetration and the compliance of the meshes together give Hertz's approach;
// force and stiffness are derivatives of the energy.
#include "potentials/contact/hertz_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "numerics/infinity.hpp"

namespace terrace::hertz_law_test {
namespace {

constexpr double modulus = 1.13e11, radius = 2.4e-3, patch = 2.2e-4;

/// Parameter: the compliance of the two meshes in units of that of half-spaces, 0.6/(E* b).
class HertzLawOf : public testing::TestWithParam<double> {
 protected:
  [[nodiscard]] double compliance() const { return GetParam() * 0.6 / (modulus * patch); }
  [[nodiscard]] HertzLaw law() const { return {modulus, radius, patch, compliance()}; }
};
INSTANTIATE_TEST_SUITE_P(Yield, HertzLawOf, testing::Values(0.5, 0.8, 1.0, 1.1));

TEST_P(HertzLawOf, WithTheMeshesTheApproachIsHertzs) {
  const double of_hertz = 4.0 / 3 * modulus * std::sqrt(radius);
  for (const double share : {1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.999}) {
    const double penetration = share * law().largest_penetration();
    const double force = law().at(penetration).first;
    EXPECT_NEAR((penetration + compliance() * force) / std::pow(force / of_hertz, 2.0 / 3), 1, 1e-12)
        << share;
  }
}

TEST_P(HertzLawOf, ForceAndStiffnessAreDerivatives) {
  // Beyond the range the tangent goes on.
  for (const double share : {1e-3, 0.02, 0.3, 0.7, 0.99, 1.01, 1.5, 10.0}) {
    const double here = share * law().largest_penetration(), step = 1e-5 * here;
    const HertzLaw::Values before = law().at(here - step), now = law().at(here),
                           after = law().at(here + step);
    EXPECT_NEAR(now.first, (after.value - before.value) / (2 * step), 1e-7 * now.first) << share;
    EXPECT_NEAR(now.second, (after.first - before.first) / (2 * step), 1e-7 * now.second) << share;
    EXPECT_GE(after.second, now.second) << share;
    EXPECT_GE(now.second, before.second) << share;
  }
  EXPECT_NEAR(law().at(2 * law().largest_penetration()).second, law().largest_stiffness(),
              1e-14 * law().largest_stiffness());
  EXPECT_NEAR(law().at(law().largest_penetration()).first, law().largest_force(),
              1e-12 * law().largest_force());
}

TEST_P(HertzLawOf, WidthIsOfTheContactsRadiusAndOneWhereTheLawEnds) {
  EXPECT_NEAR(law().width(law().largest_penetration()), 1, 1e-14);
  const double penetration = 0.2 * law().largest_penetration(), force = law().at(penetration).first;
  const double of_contact = std::cbrt(0.75 * force * radius / modulus);
  EXPECT_NEAR(law().width(penetration), of_contact / (law().widest() * patch), 1e-14);
  EXPECT_GT(law().width(1.1 * law().largest_penetration()), 1);
  EXPECT_GT(law().widest(), 0.5) << "patches are twice as wide as the contact they are chosen for";
  EXPECT_LE(law().widest(), 0.9);
}

TEST(HertzLaw, NothingIsFeltApart) {
  const HertzLaw law(modulus, radius, patch, 0.6 / (modulus * patch));
  for (const double penetration : {-1.0, -1e-300, 0.0}) {
    EXPECT_EQ(law.at(penetration).value, 0);
    EXPECT_EQ(law.at(penetration).first, 0);
    EXPECT_EQ(law.at(penetration).second, 0);
  }
}

TEST(HertzLaw, RelativeValuesOfOneRigidAreTheOthers) {
  EXPECT_EQ(relative(3, infinity), 3);
  EXPECT_EQ(relative(4, 4), 2);
}

}  // namespace
}  // namespace terrace::hertz_law_test
