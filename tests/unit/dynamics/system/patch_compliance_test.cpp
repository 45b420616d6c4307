// How far a mesh yields under the load of a patch, against closed forms.
#include "dynamics/system/patch_compliance.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/boundary.hpp"
#include "support/key_effects.hpp"

namespace terrace::patch_compliance_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using PatchCompliance = KeyEffect;

// A bar of length L without lateral contraction, pushed with F at one end and free at the other, accelerates.
// Its strain is F/(EA) (1 − x/L), so that the pushed end is FL/(3EA) nearer to the centre of mass.
TEST_F(PatchCompliance, OfABarPushedAtItsEndIsAThirdOfItsLength) {
  const Model bar = model({"materials.soft.lame_lambda=0", "bodies.0.extent=[4,0.5,0.5]",
                           "bodies.0.cells=[16,2,2]", "bodies.0.position=[-2,7,1]"});
  const Body& body = bar.bodies[0];
  SpherePatch end;
  end.nodes = surface_nodes(body.boundary);
  std::vector<Triangle> triangles;
  for (const Triangle& triangle : body.boundary) {
    const auto is_at_end = [&](std::int32_t node) { return at(bar.positions, node)[0] > -1e-9; };
    if (is_at_end(triangle[0]) && is_at_end(triangle[1]) && is_at_end(triangle[2]))
      triangles.push_back(triangle);
  }
  const std::vector<std::int32_t> nodes = surface_nodes(triangles);
  const std::vector<double> areas = node_areas(triangles, nodes, bar.positions);
  end.load.assign(end.nodes.size(), 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    end.load[static_cast<std::size_t>(std::lower_bound(end.nodes.begin(), end.nodes.end(), nodes[i]) -
                                      end.nodes.begin())] = areas[i] / 0.25;
  const double youngs_modulus = 2 * 5;
  EXPECT_NEAR(patch_compliance(bar, body, end, {-1, 0, 0}), 4 / (3 * youngs_modulus * 0.25), 0.01);
}

/// A ball of radius 1, E/(1 − ν²) = 10.666…, with elements of this size at a contact point in the direction
/// of x.
std::string ball(double size) {
  return fmt::format(R"([time]
end = 1
[materials.stiff]
density = 7
youngs_modulus = 10
poissons_ratio = 0.25
[[bodies]]
name = "ball"
material = "stiff"
shape = "ball"
radius = 1
size = 0.3
refine = [{{ point = [1, 0, 0], size = {}, slope = 0.3, core = 0.1 }}]
[integrator]
method = "newmark"
)",
                     size);
}

TEST_F(PatchCompliance, OfABallIsNearlyThatOfAHalfSpaceAndGrowsWithRefinement) {
  const double half_space = 0.6 / (10 / (1 - 0.0625) * 0.1);
  double before = 0.7 * half_space;
  for (const double size : {0.05, 0.033, 0.02}) {
    const Model model = build_model(read(ball(size)));
    const SpherePatch patch =
        sphere_patch(model.positions, model.bodies[0].boundary, {{}, 1}, {1, 0, 0}, 0.1);
    const double found = patch_compliance(model, model.bodies[0], patch, {1, 0, 0});
    EXPECT_GT(found, before) << size;
    EXPECT_LT(found / half_space, 0.9) << "meshes are too stiff, and a ball is no half-space: " << size;
    before = found;
  }
  EXPECT_GT(before / half_space, 0.8);
}

TEST_F(PatchCompliance, IsOfTheBodyWhereverItIsAndHoweverTurned) {
  const std::string text = ball(0.05);
  const Model plain = build_model(read(text));
  const Model moved =
      build_model(read(text, {"bodies.0.position=[3,-2,5]", "bodies.0.rotation={axis=[0,0,1],angle=90.0}"}));
  const SpherePatch here = sphere_patch(plain.positions, plain.bodies[0].boundary, {{}, 1}, {1, 0, 0}, 0.1);
  const SpherePatch there =
      sphere_patch(moved.positions, moved.bodies[0].boundary, {{3, -2, 5}, 1}, {0, 1, 0}, 0.1);
  const double found = patch_compliance(plain, plain.bodies[0], here, {1, 0, 0});
  EXPECT_NEAR(patch_compliance(moved, moved.bodies[0], there, {0, 1, 0}) / found, 1, 1e-6);
}

// A mesh that is also fine at a place beside the contact has its centre of mass off the axis of the load,
// which then turns the body. That is no yielding, and would be a large one: the springs that hold the ball
// are a million times softer than its elasticity.
TEST_F(PatchCompliance, TurningIsNoYielding) {
  std::string text = ball(0.05);
  const std::string one = "refine = [{ point = [1, 0, 0]";
  ASSERT_NE(text.find(one), std::string::npos);
  text.replace(text.find(one), one.size(),
               "refine = [{ point = [0, 1, 0], size = 0.05, slope = 0.3 }, { point = [1, 0, 0]");
  const auto yield = [&](const Model& model) {
    const SpherePatch patch =
        sphere_patch(model.positions, model.bodies[0].boundary, {{}, 1}, {1, 0, 0}, 0.1);
    return patch_compliance(model, model.bodies[0], patch, {1, 0, 0});
  };
  EXPECT_NEAR(yield(build_model(read(text, {"bodies.0.size=0.5"}))) / yield(build_model(read(ball(0.05)))), 1,
              0.05);
}

TEST_F(PatchCompliance, SaysWhereItFindsNone) {
  const Model model = build_model(read(ball(0.05)));
  const SpherePatch patch = sphere_patch(model.positions, model.bodies[0].boundary, {{}, 1}, {1, 0, 0}, 0.1);
  try {
    static_cast<void>(patch_compliance(model, model.bodies[0], patch, {1, 0, 0}, 3));
    FAIL() << "three steps are enough?";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("body ball"), HasSubstr("a mesh whose stiffness under a load can be found"),
                      HasSubstr("no convergence in 3 steps of conjugate gradients")));
  }
}

}  // namespace
}  // namespace terrace::patch_compliance_test
