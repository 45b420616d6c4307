// Every small system: derivatives against central differences, discrete gradients, scaling of time, and
// invariants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hamiltonian/bead_chain.hpp"
#include "hamiltonian/first_order_form.hpp"
#include "hamiltonian/make_methods.hpp"
#include "hamiltonian/systems.hpp"
#include "hamiltonian/time_scalings.hpp"

namespace terrace {

static void PrintTo(const SystemEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

class SmallSystemOf : public testing::TestWithParam<SystemEntry> {
 protected:
  std::unique_ptr<HamiltonianSystem> system_ = make_system(GetParam());
  std::mt19937 random_{7};

  /// A random state near the start. The beads of a chain are pressed together, with small shifts. The balls
  /// of the billiard touch walls; with this seed no two of them touch each other in the first four states.
  DenseState somewhere() {
    DenseState state = system_->initial;
    const double size = system_->kind == "bead-chain" ? 1e-6 : system_->kind == "billiard" ? 0.06 : 0.1;
    std::uniform_real_distribution<double> shift(-size, size);
    for (double& q : state.q) q += shift(random_);
    for (double& p : state.p) p += shift(random_) * (system_->kind == "bead-chain" ? 1e3 : 1);
    state.time = 0.3;
    if (system_->kind == "bead-chain")  // all pressed together
      for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] -= 4e-6 * static_cast<double>(i);
    return state;
  }
  [[nodiscard]] double step() const { return system_->kind == "bead-chain" ? 1e-10 : 1e-6; }
};

TEST_P(SmallSystemOf, AKindHasTheRateOfItsEnergy) {
  // The rate of a rigid body is no canonical one, and that of a dissipative system does not follow from its
  // energy. AKindKeepsItsEnergyAndItsInvariants tests the former.
  if (system_->inertia || system_->dissipative()) return;
  const DenseState state = somewhere();
  const Values f = rate(*system_, joined(state), state.time);
  const std::size_t n = state.q.size();
  for (std::size_t i = 0; i < n; ++i)
    for (const bool of_p : {true, false}) {
      const double delta = step() * (of_p && system_->kind == "bead-chain" ? 1e3 : 1);
      DenseState above = state, below = state;
      (of_p ? above.p : above.q)[i] += delta;
      (of_p ? below.p : below.q)[i] -= delta;
      const double slope = (system_->energy(above) - system_->energy(below)) / (2 * delta);
      const double of_rate = of_p ? f[i] : -f[n + i];
      EXPECT_NEAR(slope, of_rate, 2e-5 * (1 + std::abs(of_rate))) << i << of_p;
    }
}

TEST_P(SmallSystemOf, AKindHasTheDerivativeOfItsRate) {
  const DenseState state = somewhere();
  const Values z = joined(state);
  Matrix derivative(z.size());
  set_rate_derivative(*system_, z, state.time, derivative);
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double delta = step();
    Values above = z, below = z;
    above[j] += delta;
    below[j] -= delta;
    const Values high = rate(*system_, above, state.time), low = rate(*system_, below, state.time);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double slope = (high[i] - low[i]) / (2 * delta);
      EXPECT_NEAR(slope, derivative(i, j), 1e-4 * (1 + std::abs(slope))) << i << ", " << j;
    }
  }
}

TEST_P(SmallSystemOf, AKindHasDiscreteGradients) {
  for (const auto& force : system_->forces) {
    const DenseState one = somewhere(), other = somewhere();
    const std::size_t n = one.q.size();
    Values gradient(n, 0.0);
    force->add_discrete_gradient(one.q, other.q, 0.3, gradient);
    const double change = force->potential(other.q, 0.3) - force->potential(one.q, 0.3);
    EXPECT_NEAR(dot(gradient, plus(other.q, -1, one.q)), change, 1e-12 * (1 + std::abs(change)))
        << force->name();
    Matrix derivative(n);
    force->add_discrete_hessian(one.q, other.q, 0.3, derivative);
    for (std::size_t j = 0; j < n; ++j) {
      const double delta = step();
      Values above(n, 0.0), below(n, 0.0), moved = other.q;
      moved[j] += delta;
      force->add_discrete_gradient(one.q, moved, 0.3, above);
      moved[j] -= 2 * delta;
      force->add_discrete_gradient(one.q, moved, 0.3, below);
      for (std::size_t i = 0; i < n; ++i) {
        const double slope = (above[i] - below[i]) / (2 * delta);
        EXPECT_NEAR(slope, derivative(i, j), 1e-4 * (1 + std::abs(slope))) << force->name();
      }
    }
  }
}

TEST_P(SmallSystemOf, AKindHasTheDerivativesOfItsScaling) {
  if (system_->scaling == nullptr) return;
  const Values q = somewhere().q;
  const Values gradient = system_->scaling->gradient(q);
  Matrix hessian(q.size());
  system_->scaling->add_hessian(q, 2, hessian);
  EXPECT_GT(system_->scaling->value(q), 0);
  for (std::size_t j = 0; j < q.size(); ++j) {
    Values above = q, below = q;
    above[j] += 1e-7;
    below[j] -= 1e-7;
    EXPECT_NEAR((system_->scaling->value(above) - system_->scaling->value(below)) / 2e-7, gradient[j],
                1e-5 * (1 + std::abs(gradient[j])));
    const Values high = system_->scaling->gradient(above), low = system_->scaling->gradient(below);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double slope = 2 * (high[i] - low[i]) / 2e-7;
      EXPECT_NEAR(hessian(i, j), slope, 1e-4 * (1 + std::abs(slope)));
    }
  }
}

// The integrator is the classical Runge-Kutta method, which conserves none of the invariants by construction.
TEST_P(SmallSystemOf, AKindKeepsItsEnergyAndItsInvariants) {
  if (system_->constraint != nullptr || system_->time_dependent() || system_->dissipative()) return;
  MethodSettings settings;
  settings.time_step = system_->kind == "bead-chain" ? 1e-7 : 5e-5;
  settings.variant = "classical";
  const MadeMethod method = make_runge_kutta(*system_, settings);
  DenseState state = system_->initial;
  const double energy = system_->energy(state);
  for (int i = 0; i < 6000; ++i) method->step(state);
  EXPECT_NEAR(system_->energy(state), energy, 1e-5 * (1e-4 + std::abs(energy)));
  for (const Invariant& invariant : system_->invariants)
    EXPECT_NEAR(invariant.value(state), invariant.value(system_->initial), 1e-9) << invariant.name;
  double moved = 0;
  for (std::size_t i = 0; i < state.q.size(); ++i) moved += std::abs(state.q[i] - system_->initial.q[i]);
  EXPECT_GT(moved, 0);
}

INSTANTIATE_TEST_SUITE_P(Registry, SmallSystemOf, testing::ValuesIn(systems()), [](const auto& tested) {
  std::string name(tested.param.name);
  std::erase(name, '-');
  return name;
});

// The test of all systems is far from the places where this scaling bends.
TEST(WallScaling, HasItsSecondDerivativeWhereItBends) {
  const WallScaling scaling(1, 50, 0.1);
  for (const double q : {-0.2, -0.03, 0.0, 0.04, 0.3}) {
    Matrix hessian(1);
    scaling.add_hessian(Values{q}, 1, hessian);
    const double slope =
        (scaling.gradient(Values{q + 1e-6})[0] - scaling.gradient(Values{q - 1e-6})[0]) / 2e-6;
    EXPECT_NEAR(hessian(0, 0), slope, 1e-6 * (1 + std::abs(slope))) << q;
  }
}

TEST(RestitutionFactor, SolvesItsEquation) {
  for (const double e : {0.05, 0.5, 0.9, 0.975, 0.9999}) {
    const double x = restitution_factor(e);
    EXPECT_GT(x, 0) << e;
    EXPECT_LT(x, 1 / e) << e;
    EXPECT_NEAR(std::log((1 + x) / (1 - x * e)) / (x * (1 + e)), 1, 1e-9) << e;
  }
  EXPECT_EQ(restitution_factor(1), 0);
  EXPECT_NEAR(restitution_factor(0.9999), 1.5e-4, 1e-6);  // 3/2 (1 − e²)/(1 + e³)
}

// Two beads collide and keep the share 1 − loss of their relative velocity.
TEST(HertzContacts, GiveTheirRestitution) {
  for (const double loss : {0.0, 0.0370, 0.2}) {
    auto system = make_system(*find_system("bead-chain"), {{"beads", 2}, {"loss", loss}, {"speed", 1}});
    MethodSettings settings;
    settings.time_step = 2e-8;
    const MadeMethod method = make_implicit_midpoint(*system, settings);
    DenseState state = system->initial;
    const double before = state.p[0];
    for (int i = 0; i < 4000; ++i) {
      method->step(state);
      system->step_done(state);
    }
    EXPECT_NEAR((state.p[1] - state.p[0]) / before, 1 - loss, 2e-3 * (loss > 0 ? 1 : 0.01)) << loss;
  }
}

// A drag by the discrete Laplacian of the velocities takes energy. The Laplacian is ±4 at the two inner
// beads; their mass is 2.
TEST(LaplacianDrag, TakesEnergy) {
  const LaplacianDrag drag("drag", 2, -5.58, 1.81);
  Values force(4, 0.0);
  const Values v = {1, -1, 1, -1};
  drag.add_force(Values(4, 0.0), v, 0, force);
  EXPECT_LT(dot(force, v), 0);
  EXPECT_NEAR(force[1], 2 * 5.58 * std::pow(4, 1.81), 1e-9);
  EXPECT_EQ(force[2], -force[1]);
  EXPECT_EQ(force[0], 0) << "the ends have none, and nothing is given back to them";
  EXPECT_EQ(force[3], 0);
  Values of_other_sign(4, 0.0);
  LaplacianDrag("drag", 2, 5.58, 1.81).add_force(Values(4, 0.0), v, 0, of_other_sign);
  EXPECT_EQ(of_other_sign, force) << "the sign of the prefactor does not count";
}

}  // namespace
}  // namespace terrace
