// Candidate pairs against a brute-force twin over random configurations.
#include "potentials/contact/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace terrace::broad_phase_test {
namespace {

struct Soup {
  std::vector<Vector3> positions;
  std::vector<Triangle> first, second;  ///< each numbers its own nodes
  std::size_t first_nodes;

  /// Triangles of very different sizes, as on graded meshes.
  Soup(std::size_t count, double overlap, std::mt19937_64& random) : first_nodes(3 * count) {
    std::uniform_real_distribution<double> unit(0, 1);
    for (std::size_t i = 0; i < 2 * count; ++i) {
      const double size = std::pow(10.0, -2 + 1.5 * unit(random));
      const Vector3 centre{unit(random) + (i < count ? 0 : 1 - overlap), unit(random), unit(random)};
      const auto base = static_cast<std::int32_t>(3 * (i < count ? i : i - count));
      for (int k = 0; k < 3; ++k)
        positions.push_back(centre + size * Vector3{unit(random), unit(random), unit(random)});
      (i < count ? first : second).push_back({base, base + 1, base + 2});
    }
  }

  [[nodiscard]] Box box(const Triangle& triangle, std::size_t offset) const {
    Box result;
    for (const std::int32_t node : triangle)
      result.include(positions[offset + static_cast<std::size_t>(node)]);
    return result;
  }

  [[nodiscard]] std::vector<BroadPhase::Pair> all_within(double distance) const {
    std::vector<BroadPhase::Pair> pairs;
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (std::size_t j = 0; j < second.size(); ++j) {
        if (box(first[i], 0).overlaps(box(second[j], first_nodes), distance)) {
          pairs.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
        }
      }
    }
    return pairs;
  }
};

TEST(BroadPhase, ListsThePairsOfTheBruteForceTwin) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const Soup soup(10 + 3 * seed, 0.02 * seed, random);
    const double skin = 0.05;
    BroadPhase broad_phase(soup.first, soup.second, soup.first_nodes, skin);
    broad_phase.build(soup.positions);
    const auto expected = soup.all_within(skin);
    const auto found = broad_phase.candidates();
    EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << "seed " << seed;
  }
}

// Coordinates are multiples of 1/8, so that many boxes begin at the same coordinate, as on lattices.
TEST(BroadPhase, ListsPairsOfBoxesThatBeginTogetherOnce) {
  std::mt19937_64 random(9);
  Soup soup(200, 0.5, random);
  for (Vector3& node : soup.positions)
    for (double& component : node) component = std::round(8 * component) / 8;
  BroadPhase broad_phase(soup.first, soup.second, soup.first_nodes, 0.125);
  broad_phase.build(soup.positions);
  const auto expected = soup.all_within(0.125);
  const auto found = broad_phase.candidates();
  EXPECT_GT(expected.size(), 100U);
  EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()))
      << found.size() << " for " << expected.size();
}

TEST(BroadPhase, MissesNoOverlapUntilItAsksForANewList) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Soup soup(100, 0.5, random);
  BroadPhase broad_phase(soup.first, soup.second, soup.first_nodes, 0.05);
  for (int step = 0; step < 200; ++step) {
    for (Vector3& node : soup.positions)
      node += 0.002 * Vector3{normal(random), normal(random), normal(random)};
    broad_phase.cover(soup.positions, 0.05);
    const auto found = broad_phase.candidates();
    for (const auto& pair : soup.all_within(0)) {
      ASSERT_TRUE(std::binary_search(found.begin(), found.end(), pair)) << "step " << step;
    }
  }
  EXPECT_GT(broad_phase.builds(), 1U);
  EXPECT_LT(broad_phase.builds(), 100U);
}

TEST(BroadPhase, MotionSharedByBothSurfacesCostsNoBuild) {
  std::mt19937_64 random(8);
  Soup soup(50, 0.5, random);
  BroadPhase broad_phase(soup.first, soup.second, soup.first_nodes, 0.05);
  for (int step = 0; step < 100; ++step) {
    for (Vector3& node : soup.positions) node += Vector3{1, -2, 0.5};
    broad_phase.cover(soup.positions, 0.025);
  }
  EXPECT_EQ(broad_phase.builds(), 1U);
  for (std::size_t i = 0; i < soup.first_nodes; ++i) soup.positions[i] += Vector3{0.03, 0, 0};
  EXPECT_NEAR(broad_phase.drift(soup.positions), 0.03, 1e-12);
  EXPECT_EQ(broad_phase.cover(soup.positions, 0.025), 0);
  EXPECT_EQ(broad_phase.builds(), 2U);
}

TEST(RelativeMotion, CountsNeitherASharedMotionNorTheTimeBeforeItsStart) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}, {5, 5, 5}};
  RelativeMotion motion(2);
  EXPECT_TRUE(std::isinf(motion.drift(x)));
  motion.start_at(x);
  std::vector<Vector3> y = x;
  for (Vector3& point : y) point += Vector3{3, 2, 1};
  EXPECT_EQ(motion.drift(y), 0);
  y[1][1] -= 0.25;  // the first set's second node alone
  EXPECT_EQ(motion.drift(y), 0.25);
  y[2][1] += 0.5;
  EXPECT_EQ(motion.drift(y), 0.75);
}

}  // namespace
}  // namespace terrace::broad_phase_test
