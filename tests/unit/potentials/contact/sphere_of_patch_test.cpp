// The sphere of a patch follows a rigid motion of the patch's nodes; and Hertz's law reports overlaps of
// spheres that it does not feel.
#include "potentials/contact/sphere_of_patch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "potentials/contact/hertz_law.hpp"

namespace terrace::sphere_of_patch_test {
namespace {

const Sphere sphere{{1, -2, 3}, 0.5};

/// Nodes about the point of the sphere in the direction of x, on no regular pattern.
std::vector<Vector3> cap() {
  std::vector<Vector3> nodes;
  for (int i = 0; i < 9; ++i) {
    const double tilt = 0.03 * i, about = 2.4 * i;
    nodes.push_back(sphere.centre + sphere.radius * Vector3{std::cos(tilt), std::sin(tilt) * std::cos(about),
                                                            std::sin(tilt) * std::sin(about)});
  }
  return nodes;
}

/// Half a turn about the diagonal of x and z, and a translation.
Vector3 moved(const Vector3& x) { return Vector3{x[2], -x[1], x[0]} + Vector3{7, 8, 9}; }

TEST(SphereOfPatch, GoesWhereThePatchIsTaken) {
  const std::vector<Vector3> nodes = cap();
  const SphereOfPatch of(nodes, {0, 1, 2, 3, 4, 5, 6, 7, 8}, sphere);
  std::vector<Vector3> displacements;
  for (const Vector3& x : nodes) displacements.push_back(moved(x) - x);
  const auto centre = of.centre(Displacements(displacements)),
             towards = of.towards_patch(Displacements(displacements));
  ASSERT_TRUE(centre && towards);
  EXPECT_LT(norm(*centre - moved(sphere.centre)), 1e-12);
  Vector3 middle{};
  for (const Vector3& x : nodes) middle += (1.0 / 9) * moved(x);
  const Vector3 out = middle - moved(sphere.centre);
  EXPECT_LT(norm(*towards - (1 / norm(out)) * out), 1e-12);
  EXPECT_EQ(of.radius(), sphere.radius);
}

// The nodes lie in pairs opposite each other: their mean is the centre, so no direction leads from one to the
// other.
TEST(SphereOfPatch, OfNodesAllAroundItsCentreGoesWithThem) {
  std::vector<Vector3> nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      nodes.push_back(sphere.centre);
      nodes.back()[axis] += side;
    }
  const SphereOfPatch of(nodes, {0, 1, 2, 3, 4, 5}, sphere);
  std::vector<Vector3> displacements;
  for (const Vector3& x : nodes) displacements.push_back(moved(x) - x);
  const auto centre = of.centre(Displacements(displacements));
  ASSERT_TRUE(centre);
  EXPECT_LT(norm(*centre - moved(sphere.centre)), 1e-12);
}

TEST(SphereOfPatch, IsNowhereWithoutAPlane) {
  const std::vector<Vector3> nodes = {{1.5, -2, 3}, {1.5, -1.9, 3}, {1.5, -1.8, 3}};
  const std::vector<Vector3> at_rest(3);
  EXPECT_FALSE(SphereOfPatch(nodes, {0, 1, 2}, sphere).centre(Displacements(at_rest)));
  EXPECT_FALSE(SphereOfPatch(nodes, {0, 1}, sphere).centre(Displacements(at_rest)));
  EXPECT_FALSE(SphereOfPatch(nodes, {0}, sphere).towards_patch(Displacements(at_rest)));
}

// A patch of radius b = 0.1 on a sphere of R = 0.5 is meant for overlaps up to b²/R = 0.02.
TEST(SphereOfPatch, DepthsAreUnfeltBeyondWhatThePatchIsMeantFor) {
  const HertzLaw law(50, 0.5, 0.1, 0.6 / (50 * 0.1));
  EXPECT_EQ(law.unfelt(0.019, -1), 0);
  EXPECT_NEAR(law.unfelt(0.021, -1), 0.021, 1e-15);
  EXPECT_EQ(law.unfelt(0.021, 0.002), 0);
  // A patch of almost the whole sphere is not meant for more than a tenth of it.
  const HertzLaw wide(50, 0.5, 0.4, 0.6 / (50 * 0.4));
  EXPECT_EQ(wide.unfelt(0.049, 0), 0);
  EXPECT_NEAR(wide.unfelt(0.06, 0.001), 0.059, 1e-15);
}

}  // namespace
}  // namespace terrace::sphere_of_patch_test
