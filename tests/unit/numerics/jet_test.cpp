#include "numerics/jet.hpp"

#include <gtest/gtest.h>

namespace terrace {
namespace {

// a = 2 + 3s + 5s² at s = 0: (1/a)″ = 2a′²/a³ − a″/a² = 18/8 − 10/4, (1/a)‴ = 6a′a″/a³ − 6a′³/a⁴ = 180/8 −
// 162/16.
TEST(Jet, ReciprocalHasItsDerivativesAlsoWherePowersOfItVanish) {
  for (const double scale : {1.0, 1e-90, 1e90}) {
    const Jet<double> of = reciprocal(scale * Jet<double>{2, 3, 10, 0});
    EXPECT_NEAR(of.value * scale, 0.5, 1e-14);
    EXPECT_NEAR(of.first * scale, -0.75, 1e-14);
    EXPECT_NEAR(of.second * scale, -0.25, 1e-14);
    EXPECT_NEAR(of.third * scale, 12.375, 1e-14) << scale;
  }
}

}  // namespace
}  // namespace terrace
