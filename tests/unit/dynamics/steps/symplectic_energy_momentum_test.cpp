// Symplectic energy-momentum integration of a mesh where no step has the energy to conserve, and the
// equations of a whole step are not solved.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dynamics/integrators.hpp"
#include "support/small_system.hpp"

namespace terrace::symplectic_energy_momentum_test {
namespace {

// A block falls on an edge, in steps so long that the equations of the second are solved only in parts, which
// have no common discrete energy: the nodes' energy takes its place. A warning tells by how much that is off.
TEST(SymplecticEnergyMomentumInParts, TellsWhatAHalvedStepMissed) {
  Deck deck = soft_deck({cube_entry("block", 1, {0, 0, 0.022})});
  constexpr double young = 3.9e4, poisson = 0.45;
  deck.materials = {
      {"gel", 1059, young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))}};
  BodyEntry& block = deck.bodies[0];
  block.shape = LatticeShape{{0.04, 0.03, 0.02}, {3, 2, 2}};
  block.rotation_axis = {0, 1, 0};
  block.rotation_angle = 30;
  block.velocity = {0.5, 0, -2};
  const Vector3 normal{0.1, 0, 1};
  deck.walls = {{"floor", {0, 0, 0}, (1 / norm(normal)) * normal, 2e3}};
  SmallSystem system(deck);
  IntegratorSettings settings;
  settings.time_step = 0.005;
  const auto integrator =
      find_integrator("symplectic-energy-momentum")->make(settings, system.lagrangian, system.state);
  const double kept = system.record(*integrator).energy;
  for (int step = 0; step < 2; ++step) integrator->advance(system.state, 1);
  const StepRecord steps = *integrator->step_record();
  ASSERT_GT(steps.halved_steps, 0);
  ASSERT_EQ(steps.unsolved_steps, 1);
  const SystemRecord end = system.record(*integrator);
  EXPECT_NEAR(end.energy, end.kinetic + end.potential, 1e-12 * end.energy);
  EXPECT_GT(end.energy, 1.5 * kept) << "an explosion, which is told";
  std::vector<Warning> warnings;
  integrator->describe_trouble(warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].text.find(fmt::format("changed the energy by up to {:.3g};", end.energy - kept)),
            std::string::npos)
      << warnings[0].text;
}

}  // namespace
}  // namespace terrace::symplectic_energy_momentum_test
