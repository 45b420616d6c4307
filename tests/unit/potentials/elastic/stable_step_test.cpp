// The stable step of deformed elements against the largest eigenvalue of their tangent stiffness, found by
// power iteration on differences of the gradient.
#include "potentials/elastic/stable_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <utility>

#include "numerics/infinity.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"
#include "support/followed.hpp"

namespace terrace::stable_step_test {
namespace {

const std::vector<Tetrahedron> one{{0, 1, 2, 3}};
const std::vector<Vector3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Vector3> regular{{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};

using Vector12 = std::array<double, 12>;

/// Gradient of one element's energy at displaced positions.
Vector12 gradient(Followed<NeoHookeanBlock>& block, const std::vector<Vector3>& reference,
                  const std::vector<Vector3>& positions) {
  std::vector<NodeLine> lines(4);
  for (std::size_t a = 0; a < 4; ++a) lines[a] = {positions[a] - reference[a], {}, 0, 1};
  std::vector<Vector3> values(4, Vector3{});
  block.add_gradient(lines, 0, Grid::holding(1e3, 16), values);
  Vector12 result;
  for (std::size_t i = 0; i < 12; ++i) result[i] = values[i / 3][i % 3];
  return result;
}

/// 2/ω of the largest frequency ω, by power iteration on central differences. It approaches ω from below, so
/// that the step is never shorter than the true one.
double exact_step(const std::vector<Vector3>& reference, const std::vector<Vector3>& positions,
                  const Material& material) {
  Followed<NeoHookeanBlock> block(reference, one, material);
  const double volume =
      dot(cross(reference[1] - reference[0], reference[2] - reference[0]), reference[3] - reference[0]) / 6;
  Vector12 mode;
  std::mt19937 random{7};
  for (double& x : mode) x = std::uniform_real_distribution<double>(-1, 1)(random);
  double size = 0;
  for (int iteration = 0; iteration < 300; ++iteration) {
    double norm_of_mode = 0;
    for (const double x : mode) norm_of_mode += x * x;
    norm_of_mode = std::sqrt(norm_of_mode);
    constexpr double epsilon = 1e-5;
    std::vector<Vector3> ahead = positions, behind = positions;
    for (std::size_t i = 0; i < 12; ++i) {
      ahead[i / 3][i % 3] += epsilon * mode[i] / norm_of_mode;
      behind[i / 3][i % 3] -= epsilon * mode[i] / norm_of_mode;
    }
    const Vector12 up = gradient(block, reference, ahead), down = gradient(block, reference, behind);
    size = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      mode[i] = (up[i] - down[i]) / (2 * epsilon);
      size += mode[i] * mode[i];
    }
    size = std::sqrt(size);
  }
  return 2 / std::sqrt(size / (material.density * volume / 4));
}

// element_stable_step passes over elements that cannot have the shortest step. In any order of the elements
// the result is the shortest step of all single elements, to the bit. The elements are flat ones, needles and
// regular ones; λ is from negative to far above μ.
TEST(ElementStableStep, IsTheShortestOfAllElementsInAnyOrder) {
  std::mt19937 random{13};
  std::uniform_real_distribution<double> coordinate(-1, 1);
  for (const auto& [lambda, mu] : {std::pair{1.2, 0.7}, {-0.4, 0.7}, {0.0, 1.0}, {900.0, 1.0}}) {
    const Material material{"m", 3.0, lambda, mu};
    std::vector<Vector3> positions;
    std::vector<Tetrahedron> tetrahedra;
    double shortest = infinity;
    while (tetrahedra.size() < 300) {
      const auto first = static_cast<std::int32_t>(positions.size());
      const Vector3 stretch{0.2 + std::abs(coordinate(random)), 0.2 + std::abs(coordinate(random)), 1};
      for (int a = 0; a < 4; ++a)
        positions.push_back({stretch[0] * coordinate(random), stretch[1] * coordinate(random),
                             stretch[2] * coordinate(random)});
      tetrahedra.push_back({first, first + 1, first + 2, first + 3});
      shortest = std::min(shortest, element_stable_step(positions, std::span(tetrahedra).last(1), material));
    }
    for (int order = 0; order < 20; ++order) {
      EXPECT_EQ(element_stable_step(positions, tetrahedra, material), shortest) << lambda << " " << order;
      std::shuffle(tetrahedra.begin(), tetrahedra.end(), random);
    }
  }
}

TEST(DeformedStableStep, IsExactForTheRegularTetrahedronAtRest) {
  const Material gel{"gel", 1.5, 9.0, 2.0};
  EXPECT_NEAR(deformed_stable_step(regular, regular, one, gel) / exact_step(regular, regular, gel), 1, 1e-6);
}

TEST(DeformedStableStep, IsSafeAndNotFarTooSmallHoweverTheElementIsDeformed) {
  std::mt19937 random{11};
  std::uniform_real_distribution<double> number(-1, 1);
  double least = 1;
  for (const auto& [lambda, mu] : {std::pair{1.0, 1.0}, std::pair{9.0, 1.0}, std::pair{0.0, 1.0}}) {
    const Material material{"m", 1.5, lambda, mu};
    for (const auto& reference : {corner, regular})
      for (const double size : {0.0, 0.1, 0.3}) {
        for (int sample = 0; sample < 20; ++sample) {
          std::vector<Vector3> positions = reference;
          for (Vector3& x : positions)
            for (double& component : x) component += size * number(random);
          const double step = deformed_stable_step(reference, positions, one, material);
          if (step == 0) continue;  // inverted
          const double exact = exact_step(reference, positions, material);
          EXPECT_LE(step, exact * (1 + 1e-6));
          least = std::min(least, step / exact);
        }
      }
  }
  std::printf("safe step over the exact one, at the least: %.3f\n", least);
  EXPECT_GT(least, 0.6);
}

TEST(DeformedStableStep, ShrinksWithASqueezedElementAndIsZeroForAnInvertedOne) {
  const Material gel{"gel", 1.5, 9.0, 2.0};
  double before = deformed_stable_step(corner, corner, one, gel);
  for (const double height : {0.5, 0.25, 0.125}) {
    std::vector<Vector3> squeezed = corner;
    squeezed[3][2] = height;
    const double step = deformed_stable_step(corner, squeezed, one, gel);
    EXPECT_LT(step, 0.65 * before) << height;
    before = step;
  }
  std::vector<Vector3> inverted = corner;
  inverted[3][2] = -0.1;
  EXPECT_EQ(deformed_stable_step(corner, inverted, one, gel), 0);
}

TEST(DeformedStableStep, DoesNotKnowOfTranslationAndIsProportionalToLength) {
  const Material gel{"gel", 1.5, 9.0, 2.0};
  std::vector<Vector3> far = corner, small = corner;
  for (Vector3& x : far) x += Vector3{3, -4, 5};
  for (Vector3& x : small) x = 1e-6 * x;
  const double step = deformed_stable_step(corner, corner, one, gel);
  EXPECT_NEAR(deformed_stable_step(corner, far, one, gel), step, 1e-12 * step);
  EXPECT_NEAR(deformed_stable_step(small, small, one, gel), 1e-6 * step, 1e-18 * step);
}

// At rest, of an element alone: that of its own largest frequency, whatever its shape and Poisson's ratio.
TEST(StableStep, OfOneElementAtRestIsThatOfItsLargestFrequency) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-0.25, 0.25);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<Vector3> x = corner;
    for (Vector3& node : x) node += Vector3{uniform(random), uniform(random), uniform(random)};
    for (const double ratio : {-0.4, 0.0, 1.0, 9.0, 100.0}) {
      const Material material{"m", 5, 3 * ratio, 3};
      const double exact = exact_step(x, x, material), step = element_stable_step(x, one, material);
      EXPECT_LE(step, exact * (1 + 1e-6)) << sample << " " << ratio;
      EXPECT_GE(step, exact / 1.02) << sample << " " << ratio;
    }
  }
}

}  // namespace
}  // namespace terrace::stable_step_test
