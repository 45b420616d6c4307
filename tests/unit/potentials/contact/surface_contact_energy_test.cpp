// V of smooth contact in closed form, where a single pair is within reach. A vertex above a face has V = κ/3
// A/3 ψ(d), with A the area of the triangles around it. Two crossing edges have V = κ/3 A ψ(d), with A the
// area of the edge pair.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "potentials/contact/surface_contact.hpp"
#include "support/followed.hpp"

namespace terrace::surface_contact_energy_test {
namespace {

constexpr double stiffness = 7, reach = 0.2, distance = 0.05;

double energy(const std::vector<Vector3>& positions, const std::vector<Triangle>& first,
              const std::vector<Triangle>& second, ContactProfile::Kind kind, const PairShare& share = {}) {
  Followed<SurfaceContact> contact(positions, first, second, ContactProfile(kind, reach), stiffness, "test",
                                   share);
  const std::vector<NodeLine> lines(positions.size(), NodeLine{{0, 0, 0}, {0, 0, 0}, 0, 1});
  contact.set_line(lines, 0);
  LineGrids grids;
  grids.value = DoubleGrid::holding(1000, 1e6);
  LineSample sample;
  contact.sample(0, grids, sample);
  return sample.value.value();
}

double profile(ContactProfile::Kind kind) {
  const double x = distance / reach;
  return kind == ContactProfile::Kind::gap ? 0.5 * (1 - x) * (1 - x) : -(1 - x) * (1 - x) * std::log(x);
}

class SurfaceContactEnergyOf : public testing::TestWithParam<ContactProfile::Kind> {};
INSTANTIATE_TEST_SUITE_P(Kind, SurfaceContactEnergyOf,
                         testing::Values(ContactProfile::Kind::gap, ContactProfile::Kind::barrier));

TEST_P(SurfaceContactEnergyOf, AVertexAboveAFaceIsInClosedForm) {
  // A tetrahedron stands on its tip above the middle of a large triangle, as first and as second surface.
  const std::vector<Vector3> positions = {{0, 0, distance}, {1, 0, 2},    {-0.5, 0.8, 2}, {-0.5, -0.8, 2},
                                          {-30, -20, 0},    {30, -20, 0}, {0, 40, 0}};
  const std::vector<Triangle> tetrahedron = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}, face = {{4, 5, 6}};
  double around = 0;
  for (const Triangle& triangle : {tetrahedron[0], tetrahedron[1], tetrahedron[2]}) {
    const Vector3 a = positions[static_cast<std::size_t>(triangle[1])] - positions[0],
                  b = positions[static_cast<std::size_t>(triangle[2])] - positions[0];
    around += 0.5 * norm(cross(a, b));
  }
  const double expected = stiffness / 3 * around / 3 * profile(GetParam());
  EXPECT_NEAR(energy(positions, tetrahedron, face, GetParam()), expected, 1e-13);
  EXPECT_NEAR(energy(positions, face, tetrahedron, GetParam()), expected, 1e-13);
}

TEST_P(SurfaceContactEnergyOf, TwoCrossingEdgesAreInClosedForm) {
  // Two roofs, back to back: ridges of length 4 and 6 along x and y, with sides of height 3 and 2.
  const std::vector<Vector3> positions = {{-2, 0, distance}, {2, 0, distance}, {0, 5, 3},  {0, -5, 3},
                                          {0, -3, 0},        {0, 3, 0},        {5, 0, -2}, {-5, 0, -2}};
  const std::vector<Triangle> upper = {{0, 1, 2}, {1, 0, 3}}, lower = {{4, 5, 6}, {5, 4, 7}};
  // An edge has a third of the area of the two triangles beside it. The area of the pair is
  // π/2 (A/l)₁ (A/l)₂ (Buffon's needles).
  const double height = std::hypot(5, 3 - distance), depth = std::hypot(5, 2);
  const double first = 2 * (0.5 * 4 * height) / 3, second = 2 * (0.5 * 6 * depth) / 3;
  const double area = 0.5 * std::numbers::pi * (first / 4) * (second / 6);
  EXPECT_NEAR(energy(positions, upper, lower, GetParam()), stiffness / 3 * area * profile(GetParam()), 1e-12);
}

}  // namespace
}  // namespace terrace::surface_contact_energy_test
