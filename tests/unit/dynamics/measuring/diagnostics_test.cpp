// The kinetic energy on the scale of single elements (element_scale_kinetic) is that of noise, and leaves out
// rigid motion and long waves.
#include "dynamics/measuring/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/steps/newmark.hpp"
#include "support/small_system.hpp"

namespace terrace::diagnostics_test {
namespace {

/// The body's record with the nodal velocities v(x).
template <class Velocity>
BodyRecord record_of(Velocity velocity, int cells = 6) {
  SmallSystem system(soft_deck({cube_entry("cube", cells)}));
  std::vector<Vector3> velocities;
  for (std::size_t a = 0; a < system.model.positions.size(); ++a)
    velocities.push_back(velocity(system.position(a)));
  system.state.set_velocities(velocities);
  const Newmark newmark(system.lagrangian, system.state, 0.01);
  return system.diagnostics.measure(system.state, newmark).bodies.front();
}

TEST(ElementScale, RigidTranslationHasNone) {
  const BodyRecord record = record_of([](const Vector3&) { return Vector3{3, -1, 2}; });
  EXPECT_LE(record.element_scale_kinetic, 1e-14 * record.kinetic);
}

TEST(ElementScale, ARigidTurnHasNoneHoweverCoarseTheMesh) {
  const Vector3 spin{3, -4, 12}, centre{100, -70, 40};
  const auto turn = [&](const Vector3& x) { return Vector3{3, -1, 2} + cross(spin, x - centre); };
  for (const int cells : {1, 6}) {
    const BodyRecord record = record_of(turn, cells);
    EXPECT_LE(record.element_scale_kinetic, 1e-20 * record.vibrational_kinetic) << cells;
  }
}

TEST(ElementScale, NoiseOfABodyThatTurnsIsThatOfOneThatDoesNot) {
  const auto scale = [](const Vector3& spin) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    return record_of([&](const Vector3& x) {
             return Vector3{normal(random), normal(random), normal(random)} + cross(spin, x);
           })
        .element_scale_kinetic;
  };
  const double at_rest = scale({});
  EXPECT_NEAR(scale({30, -40, 120}) / at_rest, 1, 1e-10);
}

TEST(ElementScale, NoiseIsAllOfIt) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const BodyRecord record = record_of([&](const Vector3&) {
    return Vector3{normal(random), normal(random), normal(random)};
  });
  EXPECT_NEAR(record.element_scale_kinetic / record.vibrational_kinetic, 1, 0.1);
}

TEST(ElementScale, LongWavesHaveLittleAndTheLessTheFinerTheMesh) {
  const auto wave = [](const Vector3& x) { return Vector3{std::sin(2 * std::acos(-1.0) * x[1]), 0, 0}; };
  const BodyRecord coarse = record_of(wave, 6), fine = record_of(wave, 12);
  const double of_coarse = coarse.element_scale_kinetic / coarse.vibrational_kinetic,
               of_fine = fine.element_scale_kinetic / fine.vibrational_kinetic;
  EXPECT_LT(of_coarse, 0.12) << "six cells, twelve layers of nodes, per wave";
  EXPECT_NEAR(of_coarse / of_fine, 4, 0.4) << "second order in the size of the elements";
}

}  // namespace
}  // namespace terrace::diagnostics_test
