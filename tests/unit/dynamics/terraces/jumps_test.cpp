// Events where V jumps: the kinetic energy pays the whole height; where it does not suffice the subdomain is
// reflected. A constraint does not act on bodies that separate already.
#include <gtest/gtest.h>

#include "dynamics/terraces/energy_stepping.hpp"
#include "numerics/infinity.hpp"
#include "support/scripted_potential.hpp"

namespace terrace::jumps_test {
namespace {

/// A turning cube and a V that jumps at s = 0.3, with a gradient at the first node, along its velocity.
struct Jumping : ScriptedSystem {
  /// V jumps from half an energy step to the middle of this level.
  explicit Jumping(double level) : ScriptedSystem(false) {
    subdomain().certified = false;
    potential.sizes[0] = 0.5 * step();
    potential.jumps_at = 0.3;
    potential.value_beyond = (level + 0.5) * step();
    potential.forces[0] = velocity();
  }
  double step() { return subdomain().energy_step; }
  const Vector3& velocity() { return system.state.lines[0].velocity; }
  double kinetic() {
    double sum = 0;
    for (std::size_t a = 0; a < system.state.lines.size(); ++a)
      sum += 0.5 * dot(system.state.lines[a].velocity, system.state.lines[a].velocity) *
             system.lagrangian.masses[a];
    return sum;
  }
};

TEST(Jumps, OfSeveralLevelsTakeTheirWholeHeightFromTheKineticEnergy) {
  for (const double levels : {1.0, 3.0, 20.0}) {
    Jumping jumping(levels);
    EnergyStepping integrator(jumping.system.lagrangian, jumping.system.state);
    const double before = jumping.kinetic();
    ASSERT_TRUE(integrator.advance(jumping.system.state, 1));
    EXPECT_NEAR(jumping.system.state.time, 0.3, 1e-12);
    EXPECT_EQ(integrator.reflections(), 0);
    EXPECT_EQ(integrator.subdomain_records()[0].level, levels);
    EXPECT_NEAR(before - jumping.kinetic(), levels * jumping.step(), 1e-13 * before);
    EXPECT_EQ(integrator.conserved_potential(), levels * jumping.step());
  }
}

TEST(Jumps, ThatAreTooHighReflect) {
  Jumping jumping(1e9);
  EnergyStepping integrator(jumping.system.lagrangian, jumping.system.state);
  const double before = jumping.kinetic();
  const Vector3 velocity = jumping.velocity();
  ASSERT_TRUE(integrator.advance(jumping.system.state, 1));
  EXPECT_EQ(integrator.reflections(), 1);
  EXPECT_EQ(integrator.subdomain_records()[0].level, 0);
  EXPECT_NEAR(norm(jumping.velocity() + velocity), 0, 1e-12) << "the gradient is along its velocity";
  EXPECT_NEAR(jumping.kinetic(), before, 1e-13 * before);
}

// The gradient of a constraint is that of the distance. By rounding, a pair that separates may be taken for
// one that closes. An impulse would then pull its bodies into each other.
TEST(Jumps, AConstraintActsOnlyOnWhatApproaches) {
  for (const double sign : {-1.0, 1.0}) {
    Jumping jumping(0);
    ScriptedConstraint constraint;
    constraint.meets_at = 0.3;
    constraint.direction = sign * jumping.velocity();
    Subdomain& subdomain = jumping.subdomain();
    subdomain.potentials.clear();
    subdomain.reaction_of_potential.clear();
    subdomain.impenetrable = subdomain.certified = true;
    subdomain.energy_step = infinity;
    subdomain.constraint = &constraint;
    EnergyStepping integrator(jumping.system.lagrangian, jumping.system.state);
    const Vector3 velocity = jumping.velocity();
    ASSERT_TRUE(integrator.advance(jumping.system.state, 1));
    EXPECT_NEAR(norm(jumping.velocity() - sign * velocity), 0, 1e-12)
        << (sign < 0 ? "closing" : "separating");
  }
}

}  // namespace
}  // namespace terrace::jumps_test
