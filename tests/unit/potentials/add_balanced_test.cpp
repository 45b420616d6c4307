// add_balanced adds forces that sum to zero to the bit, each near its term up to a few quanta of the grid.
#include "potentials/add_balanced.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "numerics/infinity.hpp"

namespace terrace::add_balanced_test {
namespace {

TEST(AddBalanced, SumsToZeroToTheBitHoweverTheTermsAreRounded) {
  constexpr unsigned seed = 11;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 200; ++round) {
    std::array<Vector3, 4> terms{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        terms[i][k] = uniform(random);
        terms[3][k] -= terms[i][k];
      }
    const Grid grid = Grid::holding(4, round % 2 == 0 ? 16 : 0x1p40);
    std::vector<Vector3> gradient(6, Vector3{0.5, 0, -0.25});
    const double largest = add_balanced(grid, terms, std::array<std::size_t, 4>{4, 0, 5, 2}, gradient);
    Vector3 sum{};
    for (const Vector3& n : gradient) sum += n;
    EXPECT_EQ(sum, (Vector3{3, 0, -1.5})) << "seed " << seed << ", round " << round;
    EXPECT_EQ(gradient[1], (Vector3{0.5, 0, -0.25})) << "no node of the term";
    for (const auto& [node, term] : {std::pair{4, 0}, std::pair{0, 1}, std::pair{5, 2}, std::pair{2, 3}})
      for (std::size_t k = 0; k < 3; ++k) {
        const double start = k == 0 ? 0.5 : k == 1 ? 0.0 : -0.25;
        EXPECT_NEAR(gradient[static_cast<std::size_t>(node)][k] - start,
                    terms[static_cast<std::size_t>(term)][k], 2.5 * grid.quantum);
        EXPECT_LE(std::abs(terms[static_cast<std::size_t>(term)][k]), largest + 2 * grid.quantum);
      }
  }
}

// The caller fits its grid to the largest component returned: it includes the force on the last node, which
// may be larger than all others.
TEST(AddBalanced, TellsOfTheLastNodeToo) {
  const Grid grid = Grid::holding(4, 4);
  std::vector<Vector3> gradient(3);
  EXPECT_EQ(add_balanced(grid, std::array<Vector3, 3>{{{1, 0, 0}, {1, 0, 0}, {-2, 0, 0}}},
                         std::array<std::size_t, 3>{0, 1, 2}, gradient),
            2);
  EXPECT_EQ(add_balanced(grid, std::array<Vector3, 3>{{{0, -3, 0}, {0, 1, 0}, {0, 2, 0}}},
                         std::array<std::size_t, 3>{0, 1, 2}, gradient),
            3);
}

TEST(AddBalanced, TellsOfWhatIsNoNumberWhereverItIs) {
  const double none = std::nan("");
  for (std::size_t place = 0; place < 2; ++place)
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<Vector3, 3> terms{{{1, -2, 1}, {3, 2, 4}, {}}};
      terms[place][k] = none;
      std::vector<Vector3> gradient(3);
      EXPECT_TRUE(
          std::isnan(add_balanced(Grid::holding(4, 8), terms, std::array<std::size_t, 3>{0, 1, 2}, gradient)))
          << place << k;
    }
  EXPECT_TRUE(std::isnan(larger(none, 1)) && std::isnan(larger(1, none)));
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, -infinity), 2);
}

}  // namespace
}  // namespace terrace::add_balanced_test
