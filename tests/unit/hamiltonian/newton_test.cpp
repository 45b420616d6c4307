// Newton's method where noise in the residual keeps it from its tolerance: what it accepts and what it
// advises.
#include "hamiltonian/newton.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace terrace::newton_test {
namespace {

/// x² = 4 with an error of `size` in the residual, whose sign changes at every evaluation.
NewtonProblem noisy(double size) {
  const auto residual = [size, sign = 1.0](const Values& x, Values& defect) mutable {
    sign = -sign;
    defect[0] = x[0] * x[0] - 4 + sign * size;
  };
  return {residual, [](const Values& x, Matrix& tangent) { tangent(0, 0) = 2 * x[0]; }};
}

TEST(NewtonSolver, AdvisesSmallerStepsOnlyWhereTheyHelp) {
  NewtonSolver newton(1);
  Values near{3}, far{3};
  ASSERT_FALSE(newton.try_solve(near, noisy(1e-6)));
  EXPECT_EQ(newton.no_solution(0).expected(), "Newton's method to converge");
  EXPECT_THAT(newton.no_solution(0).found(), testing::HasSubstr("rounding"));
  ASSERT_FALSE(newton.try_solve(far, noisy(1e-2)));
  EXPECT_THAT(newton.no_solution(0).expected(), testing::HasSubstr("take a smaller step"));
  EXPECT_EQ(far, Values{3});
}

TEST(NewtonSolver, TakesWhatIsAsNearAsItsNoise) {
  NewtonSolver newton(1);
  Values unknowns{3};
  NewtonProblem problem = noisy(1e-6);
  problem.noise = [] { return 3e-6; };
  ASSERT_TRUE(newton.try_solve(unknowns, problem));
  EXPECT_NEAR(unknowns[0], 2, 1e-6);
}

}  // namespace
}  // namespace terrace::newton_test
