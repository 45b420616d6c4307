// Properties of integrators of small systems that the registry's table does not contain: orders of
// compositions and variants, identities between methods, laws of step lengths, regions of stability, and
// errors.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <stdexcept>

#include "hamiltonian/compositions.hpp"
#include "hamiltonian/force_terms.hpp"
#include "hamiltonian/newton.hpp"
#include "support/method_audit.hpp"

namespace terrace::method_structure_test {
namespace {

using namespace testing_of_methods;  // NOLINT

double order_of(const std::string& method, const std::function<void(Problem&)>& change) {
  const MethodEntry& entry = *find_method(method);
  Problem problem = problem_of(entry);
  change(problem);
  return measured_order(entry, problem);
}

double defect_of(const std::string& method, const std::function<void(Problem&)>& change) {
  const MethodEntry& entry = *find_method(method);
  Problem problem = problem_of(entry);
  change(problem);
  return symplectic_defect(entry, problem);
}

TEST(Compositions, HaveTheirOrderOnEveryMethodThatTakesThem) {
  for (const std::string method : {"verlet", "forced-splitting", "implicit-midpoint", "rattle"})
    for (const auto& [order, step] : {std::pair{4, 0.08}, {6, 0.2}, {8, 0.4}}) {
      if (order == 8 && method == "rattle") continue;  // its reference is of order 6
      EXPECT_NEAR(order_of(method,
                           [&, of = order, h = step](Problem& problem) {
                             problem.settings.order = of;
                             problem.settings.time_step = h;
                             problem.end = 3.2;
                           }),
                  order, order == 8 ? 0.5 : 0.25)
          << method << ", " << order;
    }
  EXPECT_NEAR(order_of("time-transformed-splitting",
                       [](Problem& problem) {
                         problem.settings.order = 4;
                         problem.settings.step_parameter = 0.05;
                       }),
              4, 0.15);
}

TEST(Compositions, HaveCoefficientsThatAddUpAndAreSymmetric) {
  for (const int order : composition_orders()) {
    const auto coefficients = symmetric_composition(order);
    double sum = 0, cubes = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      sum += coefficients[i];
      cubes += coefficients[i] * coefficients[i] * coefficients[i];
      EXPECT_EQ(coefficients[i], coefficients[coefficients.size() - 1 - i]);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    if (order > 2) {
      EXPECT_NEAR(cubes, 0, 1e-14) << order;
    }
  }
}

TEST(AdaptiveVariational, HasItsOrderByItsWeightsAndIsSymplecticWithAll) {
  struct Case {
    const char* variant;
    double alpha, beta, order;
    ScalingKind scaling;
  };
  for (const Case& of : {Case{"midpoint", 0.5, 0, 2, ScalingKind::potential},
                         {"midpoint", 0.5, 1, 2, ScalingKind::system},
                         {"midpoint", 0.3, 0.5, 1, ScalingKind::system},
                         {"symmetric", 0.2, 0.4, 2, ScalingKind::system},
                         {"symmetric", 0, 0, 2, ScalingKind::potential},
                         {"explicit", 0, 0, 1, ScalingKind::potential},
                         {"explicit", 0, 0, 1, ScalingKind::system}}) {
    const auto set = [&](Problem& problem) {
      problem.settings.variant = of.variant;
      problem.settings.weight = of.alpha;
      problem.settings.scaling_weight = of.beta;
      problem.settings.scaling = of.scaling;
      problem.settings.step_parameter = 0.01;
    };
    EXPECT_NEAR(order_of("adaptive-variational", set), of.order, 0.15) << of.variant << of.alpha << of.beta;
    EXPECT_LT(defect_of("adaptive-variational", set), 1e-7) << of.variant << of.alpha << of.beta;
  }
}

TEST(Variational, IsOfSecondOrderInItsMiddleAloneAndSymplecticEverywhere) {
  for (const double weight : {0.0, 0.3, 0.5, 1.0}) {
    const auto set = [&](Problem& problem) { problem.settings.weight = weight; };
    EXPECT_NEAR(order_of("variational", set), weight == 0.5 ? 2 : 1, 0.15) << weight;
    EXPECT_LT(defect_of("variational", set), 1e-7) << weight;
  }
  const auto on_sphere = [](Problem& problem) {
    problem.system = "cartesian-pendulum";
    problem.parameters = {{"dimension", 3}};
    problem.coordinates = {0.6, 0, -0.8};
    problem.momenta = {0.4, 0.5, 0.3};
  };
  EXPECT_NEAR(order_of("variational", on_sphere), 2, 0.15);
  EXPECT_LT(defect_of("variational", on_sphere), 1e-7);
}

TEST(ImplicitMidpoint, IsSymplecticWhereTheEnergyDoesNotSeparate) {
  const auto product = [](Problem& problem) {
    problem.system = "product-oscillator";
    problem.parameters = {};
  };
  EXPECT_LT(defect_of("implicit-midpoint", product), 1e-7);
  auto system = make_system(*find_system("rigid-body"));
  MethodSettings settings;
  settings.time_step = 0.1;
  const MadeMethod method = make_implicit_midpoint(*system, settings);
  DenseState state = system->initial;
  const double energy = system->energy(state);
  for (int i = 0; i < 1000; ++i) method->step(state);
  // Both invariants of a rigid body are quadratic.
  EXPECT_NEAR(system->energy(state), energy, 1e-12);
  EXPECT_NEAR(system->invariants[0].value(state), 0.5, 1e-12);
}

// A method that evaluates a time-dependent load at a wrong time loses an order.
TEST(Loads, KeepTheOrderOfEveryMethodThatTakesThem) {
  for (const MethodEntry& entry : methods()) {
    Problem problem = problem_of(entry);
    if (problem.system != "kepler" || entry.needs.autonomous) continue;
    problem.system = "rotor";
    problem.parameters = {{"frequency", 3}, {"imbalance", 1}};
    EXPECT_NEAR(measured_order(entry, problem), entry.claims.order, 0.2) << entry.name;
  }
}

TEST(Theta, IsNotSymplecticBeyondItsMiddle) {
  EXPECT_GT(defect_of("theta", [](Problem& problem) { problem.settings.weight = 0.6; }), 1e-3);
}

TEST(SemiExplicit, IsOfSecondOrderInTheMiddleOfBoth) {
  const auto set = [](double alpha, double beta) {
    return [=](Problem& problem) {
      problem.settings.explicit_weight = alpha;
      problem.settings.implicit_weight = beta;
    };
  };
  EXPECT_NEAR(order_of("semi-explicit", set(0.5, 0.5)), 2, 0.15);
  EXPECT_NEAR(order_of("semi-explicit", set(0.5, 0.8)), 1, 0.15);
}

// If the force of the explicit part is constant, the method with both weights ½ is the midpoint rule.
TEST(SemiExplicit, IsTheMidpointRuleForAConstantForce) {
  auto system = make_system(*find_system("stiff-pendulum")),
       same = make_system(*find_system("stiff-pendulum"));
  MethodSettings settings;
  settings.time_step = 0.01;
  settings.implicit_weight = 0.5;
  const MadeMethod semi = make_semi_explicit(*system, settings),
                   midpoint = make_implicit_midpoint(*same, settings);
  DenseState one = system->initial, other = one;
  for (int i = 0; i < 100; ++i) {
    semi->step(one);
    midpoint->step(other);
    ASSERT_LT(distance(one, other), 1e-9) << i;
  }
}

/// The largest eigenvalue of one step of the semi-explicit method on q̈ = −k q − c q̇ (explicit) − K q
/// (implicit).
double growth(double hc, double h2k, double h2k_implicit, double alpha, double beta) {
  auto system = make_system(*find_system("two-oscillators"));
  system->initial.q = {0};
  system->initial.p = {0};
  system->masses = {1};
  system->forces.clear();
  Matrix k(1), c(1), stiff(1);
  k(0, 0) = h2k;
  c(0, 0) = hc;
  stiff(0, 0) = h2k_implicit;
  system->forces.push_back(std::make_unique<SpringTerm>("k", k, false));
  system->forces.push_back(std::make_unique<DamperTerm>("c", c, false));
  system->forces.push_back(std::make_unique<SpringTerm>("K", stiff, true));
  MethodSettings settings;
  settings.time_step = 1;
  settings.explicit_weight = alpha;
  settings.implicit_weight = beta;
  const MadeMethod method = make_semi_explicit(*system, settings);
  const auto column = [&](double q, double p) {
    DenseState state{0, {q}, {p}};
    method->step(state);
    return state;
  };
  const DenseState of_q = column(1, 0), of_p = column(0, 1);
  const double trace = of_q.q[0] + of_p.p[0], determinant = of_q.q[0] * of_p.p[0] - of_p.q[0] * of_q.p[0];
  const std::complex<double> root = std::sqrt(std::complex<double>(trace * trace - 4 * determinant));
  return std::max(std::abs(0.5 * (trace + root)), std::abs(0.5 * (trace - root)));
}

// Theorems 3 and 6 of Modin's paper V, at grid points off the borders of the region of stability.
TEST(SemiExplicit, IsStableWhereTheTheoremSays) {
  for (const double alpha : {0.3, 0.5})
    for (double hc = 0.05; hc < 2.5; hc += 0.2)
      for (double h2k = 0.06; h2k < 5; h2k += 0.2) {
        const bool stable = hc <= 2 - alpha * h2k && hc >= (0.5 - alpha) * h2k;
        EXPECT_EQ(growth(hc, h2k, 0, alpha, 0.8) <= 1 + 1e-9, stable) << alpha << ": " << hc << ", " << h2k;
        if (!stable) continue;
        for (const double stiff : {1.0, 1e4, 1e8}) EXPECT_LE(growth(hc, h2k, stiff, alpha, 0.5), 1 + 1e-6);
      }
}

// Kane, Marsden and Ortiz's step keeps h S^{1/3}, S = vᵀ∇²V v + ∇VᵀM⁻¹∇V, and on a quadratic potential h
// itself.
TEST(SymplecticEnergyMomentum, HasStepsByTheLawOfTheirEnergy) {
  auto system = make_system(*find_system("double-well"));
  MethodSettings settings;
  settings.time_step = 0.1;
  const MadeMethod method = make_symplectic_energy_momentum(*system, settings);
  DenseState state = system->initial;
  double least = 1e9, most = 0;
  for (int i = 0; i < 1000; ++i) {
    const double q0 = state.q[0], t0 = state.time;
    method->step(state);
    const double q = 0.5 * (q0 + state.q[0]), h = state.time - t0, v = (state.q[0] - q0) / h;
    const double slope = 2 * q * q * q - q, s = v * v * (6 * q * q - 1) + slope * slope;
    least = std::min(least, h * std::cbrt(s));
    most = std::max(most, h * std::cbrt(s));
  }
  EXPECT_LT(most / least - 1, 2e-4);
  EXPECT_EQ(method->record().unsolved, 0);
}

TEST(SymplecticEnergyMomentum, HasEqualStepsOnAQuadraticPotential) {
  auto system = make_system(*find_system("two-oscillators"), {{"damping", 0}, {"stiff", 20}});
  MethodSettings settings;
  settings.time_step = 0.1;
  const MadeMethod method = make_symplectic_energy_momentum(*system, settings);
  DenseState state = system->initial;
  for (int i = 0; i < 200; ++i) {
    const double before = state.time;
    method->step(state);
    EXPECT_NEAR(state.time - before, 0.1, 1e-9) << i;
  }
}

// On a separatrix some steps have no solution. They are counted and change the energy by little.
TEST(SymplecticEnergyMomentum, CountsStepsWithoutSolution) {
  auto system = make_system(*find_system("double-well"));
  system->initial.q = {1};
  MethodSettings settings;
  settings.time_step = 0.1;
  const MadeMethod method = make_symplectic_energy_momentum(*system, settings);
  DenseState state = system->initial;
  for (int i = 0; i < 1000; ++i) method->step(state);
  EXPECT_GT(method->record().unsolved, 0);
  EXPECT_LT(method->record().largest.at("discrete_energy_drift"), 1e-3);
}

// In free flight steps of any length keep the energy, so that Newton's tangent is singular: the last length
// is kept.
TEST(SymplecticEnergyMomentum, FliesFreelyWithTheLastStep) {
  auto system = make_system(*find_system("bead-chain"), {{"beads", 2}});
  MethodSettings settings;
  settings.time_step = 1e-7;
  const MadeMethod method = make_symplectic_energy_momentum(*system, settings);
  DenseState state = system->initial;
  const double energy = system->energy(state);
  double before = 0, step = 0;
  while (state.time < 2e-4) {
    before = state.time;
    method->step(state);
    const double last = step;
    step = state.time - before;
    if (before > 1e-4) {
      EXPECT_NEAR(step, last, 1e-9 * last) << state.time;  // apart since 4e-5
    }
  }
  EXPECT_LE(method->record().unsolved, 5);
  EXPECT_NEAR(system->energy(state), energy, 1e-5 * energy);
}

TEST(NewtonSolver, SaysThatATangentIsSingular) {
  NewtonSolver newton(2);
  const auto residual = [](const Values& x, Values& defect) { defect = {x[0] + x[1] - 1, x[0] + x[1] - 2}; };
  const auto singular = [](const Values&, Matrix& matrix) {
    for (std::size_t i = 0; i < 2; ++i) matrix(i, 0) = matrix(i, 1) = 1;
  };
  Values unknowns = {3, 4};
  EXPECT_FALSE(newton.try_solve(unknowns, {residual, singular}));
  EXPECT_EQ(unknowns, (Values{3, 4}));
  EXPECT_EQ(newton.reason(), "a singular tangent (DIVERGED_LINEAR_SOLVE)");
  // The solver solves the next problem all the same.
  const auto regular_residual = [](const Values& x, Values& defect) { defect = {x[0] - 1, x[1] - 2}; };
  const auto unit = [](const Values&, Matrix& matrix) {
    matrix.clear();
    matrix(0, 0) = matrix(1, 1) = 1;
  };
  EXPECT_TRUE(newton.try_solve(unknowns, {regular_residual, unit}));
  EXPECT_EQ(unknowns, (Values{1, 2}));
}

// An exception of the problem passes through the solver with its type.
TEST(NewtonSolver, ThrowsWhatAProblemThrows) {
  NewtonSolver newton(1);
  const auto residual = [](const Values& x, Values& defect) { defect = {x[0] - 1}; };
  const auto unit = [](const Values&, Matrix& matrix) { matrix(0, 0) = 1; };
  const auto out_of_range = [](const Values&, auto&) { throw std::out_of_range("of the problem"); };
  Values unknowns = {3};
  EXPECT_THROW(static_cast<void>(newton.try_solve(unknowns, {out_of_range, unit})), std::out_of_range);
  EXPECT_THROW(newton.solve(unknowns, {residual, out_of_range}, 0), std::out_of_range);
  EXPECT_EQ(unknowns, (Values{3}));
}

/// A force whose evaluation throws.
class NarrowForce final : public ForceTerm {
 public:
  NarrowForce() : ForceTerm("narrow", false) {}
  void add_gradient(View /*q*/, double /*time*/, Values& /*gradient*/) const override {
    throw std::out_of_range("of the force");
  }
};

TEST(PetscTimeStepping, ThrowsWhatAForceThrows) {
  for (const std::string name : {"runge-kutta", "implicit-euler", "bdf"}) {
    auto system = make_system(*find_system("kepler"));
    MethodSettings settings = problem_of(*find_method(name)).settings;
    settings.time_step = 0.01;
    const MadeMethod method = find_method(name)->make(*system, settings);
    DenseState state = system->initial;
    method->step(state);
    system->forces.push_back(std::make_unique<NarrowForce>());
    EXPECT_THROW(method->step(state), std::out_of_range) << name;
  }
}

// With Nambu's extension step lengths follow the rate of the motion. Order and reversibility are those of
// equal steps.
TEST(RigidBodySplittings, AreAdaptive) {
  for (const std::string name : {"rigid-body-rotations", "rigid-body-shears"}) {
    const MethodEntry& entry = *find_method(name);
    Problem problem = problem_of(entry);
    problem.settings.time_step = 0;
    problem.settings.step_parameter = 0.02;
    EXPECT_NEAR(measured_order(entry, problem), 2, 0.15) << name;
    EXPECT_LT(reversal_defect(entry, problem), 1e-9) << name;
    auto system = make(problem);
    const MadeMethod method = entry.make(*system, problem.settings);
    DenseState state = system->initial;
    double least = 1e9, most = 0;
    while (state.time < 20) {
      const double before = state.time;
      method->step(state);
      least = std::min(least, state.time - before);
      most = std::max(most, state.time - before);
    }
    EXPECT_GT(most, 4 * least) << name;
    EXPECT_LT(method->record().largest.at("extension_drift"), 0.01) << name;
  }
}

TEST(StepDensity, BeginsWithItsStepParameterIfAsked) {
  auto system = make_system(*find_system("kepler"));
  MethodSettings settings;
  settings.step_parameter = 0.01;
  settings.scaling_exponent = -1.5;
  settings.unit_density = true;
  const MadeMethod method = make_step_density(*system, settings);
  DenseState state = system->initial;
  method->step(state);
  EXPECT_NEAR(state.time, 0.01, 1e-5);
}

}  // namespace
}  // namespace terrace::method_structure_test
