// Difference quotients of functions of one variable: between near points, far points, and across a kink of
// the second derivative.
#include "hamiltonian/curve.hpp"

#include <gtest/gtest.h>

namespace terrace::curve_test {
namespace {

Derivatives pendulum(double q) { return {-std::cos(q), std::sin(q), std::cos(q)}; }
Derivatives wall(double q) {
  return q > 0 ? Derivatives{0.5 * q * q, q, 1} : Derivatives{5e3 * q * q, 1e4 * q, 1e4};
}

TEST(DifferenceQuotient, HasAllItsDigitsWhereFunctionsHardlyChange) {
  // −cos a + cos b = 2 sin (a + b)/2 sin (a − b)/2.
  for (const double middle : {1e-6, 1e-3, 0.1, 1.5})
    for (const double change : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 2.0}) {
      const double from = middle - 0.5 * change, to = middle + 0.5 * change;
      const DifferenceQuotient found = difference_quotient(pendulum, from, to);
      const double exact = std::sin(0.5 * (from + to)) * std::sin(0.5 * (to - from)) / (0.5 * (to - from));
      EXPECT_NEAR(found.value, exact, 1e-15 + 1e-14 * exact) << middle << ", " << change;
    }
  EXPECT_EQ(difference_quotient(pendulum, 0.0, 0.0).value, 0);
  EXPECT_NEAR(difference_quotient(pendulum, 1.0, 1.0).slope, 0.5 * std::cos(1.0), 1e-15);
}

TEST(DifferenceQuotient, IsTheQuotientAcrossAKink) {
  for (const double size : {1e-9, 1e-3, 1.0})
    for (const double share : {1e-3, 0.3, 0.9}) {
      const double from = -share * size, to = (1 - share) * size;
      const DifferenceQuotient found = difference_quotient(wall, from, to);
      const double gain = wall(to).value - wall(from).value;
      EXPECT_NEAR(found.value * (to - from), gain, 1e-14 * (wall(to).value + wall(from).value));
      EXPECT_NEAR(found.slope * (to - from), wall(to).first - found.value, 1e-9 * size * 1e4);
    }
}

}  // namespace
}  // namespace terrace::curve_test
