#include "numerics/jet.hpp"

#include <gtest/gtest.h>

namespace terrace {
namespace {

// a = 2 + 3s + 5s² at s = 0, by hand: of 1/a the derivatives are −3/4, −(10/4 − 18/8) = −1/4 and 99/8.
TEST(Jet, ReciprocalHasItsDerivativesAlsoWherePowersOfItVanish) {
  for (const double scale : {1.0, 1e-90, 1e90}) {
    const Jet<double> of = reciprocal(scale * Jet<double>{2, 3, 10, 0});
    EXPECT_DOUBLE_EQ(of.value * scale, 0.5);
    EXPECT_DOUBLE_EQ(of.first * scale, -0.75);
    EXPECT_DOUBLE_EQ(of.second * scale, -0.25);
    EXPECT_DOUBLE_EQ(of.third * scale, 12.375) << scale;
  }
}

}  // namespace
}  // namespace terrace
