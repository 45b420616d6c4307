// Sums of numbers rounded to grids: they have the same bits in every order, are exact, and do not overflow
// the digits that they have.
#include "parallel/exact_sum.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "dynamics/state/exact_momentum.hpp"

namespace terrace::exact_sum_test {
namespace {

std::vector<double> numbers_of_all_sizes(std::mt19937_64& random, int count) {
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-80, 3);
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(std::ldexp(mantissa(random), exponent(random)));
  return numbers;
}

TEST(Grid, SumsHaveTheSameBitsInEveryOrder) {
  std::mt19937_64 random(11);
  std::vector<double> numbers = numbers_of_all_sizes(random, 3000);
  const Grid grid = Grid::holding(8, 3000);
  const DoubleGrid grids = DoubleGrid::holding(8, 3000);
  const auto sums = [&] {
    double single = 0;
    ExactSum exact;
    for (const double x : numbers) {
      single += grid.round(x);
      exact.add(grids, x);
    }
    return std::array{std::bit_cast<std::uint64_t>(single), std::bit_cast<std::uint64_t>(exact.coarse),
                      std::bit_cast<std::uint64_t>(exact.fine)};
  };
  const auto first = sums();
  for (int trial = 0; trial < 200; ++trial) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    ASSERT_EQ(sums(), first);
  }
  std::sort(numbers.begin(), numbers.end());  // first all large negative numbers: the largest partial sums
  EXPECT_EQ(sums(), first);
}

TEST(Grid, PartialSumsOfAnyDivisionOverRanksAddToTheSameBits) {
  std::mt19937_64 random(12);
  const std::vector<double> numbers = numbers_of_all_sizes(random, 5000);
  const DoubleGrid grids = DoubleGrid::holding(8, 5000);
  ExactSum whole;
  for (const double x : numbers) whole.add(grids, x);
  for (std::size_t ranks = 1; ranks <= 16; ++ranks) {
    std::vector<ExactSum> parts(ranks);
    for (const double x : numbers) parts[random() % ranks].add(grids, x);
    ExactSum total;
    for (const ExactSum& part : parts) {
      total.coarse += part.coarse;
      total.fine += part.fine;
    }
    ASSERT_EQ(total.coarse, whole.coarse);
    ASSERT_EQ(total.fine, whole.fine);
  }
}

TEST(DoubleGrid, AddsDoublesOfSimilarSizeWithoutAnyError) {
  std::mt19937_64 random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const int count = 1 + static_cast<int>(random() % 5000);
    const double largest = std::ldexp(1.0, 62);
    const DoubleGrid grids = DoubleGrid::holding(largest, count);
    ExactSum sum;
    Integer128 exact = 0;
    for (int i = 0; i < count; ++i) {
      const auto x = static_cast<double>(static_cast<std::int64_t>(random()) / 2);
      sum.add(grids, x);
      exact += static_cast<Integer128>(x);
    }
    ASSERT_EQ(std::nearbyint(sum.fine), sum.fine);
    ASSERT_TRUE(static_cast<Integer128>(sum.coarse) + static_cast<Integer128>(sum.fine) == exact) << trial;
  }
}

TEST(DoubleGrid, IsMoreAccurateThanADoubleForNumbersOfAllSizes) {
  std::mt19937_64 random(14);
  const std::vector<double> numbers = numbers_of_all_sizes(random, 10000);
  const DoubleGrid grids = DoubleGrid::holding(8, 10000);
  ExactSum sum;
  Integer128 exact = 0;  // in units of 2^−100, which cuts off no more than 10⁴ · 2^−100
  for (const double x : numbers) {
    sum.add(grids, x);
    exact += static_cast<Integer128>(std::ldexp(x, 100));
  }
  const Integer128 found = static_cast<Integer128>(std::ldexp(sum.coarse, 100)) +
                           static_cast<Integer128>(std::ldexp(sum.fine, 100));
  const double error = std::ldexp(static_cast<double>(found - exact), -100);
  EXPECT_LE(std::abs(error), 10000 * 0.5 * grids.fine.quantum + 1e-26);
  EXPECT_LE(grids.fine.quantum * 10000, std::ldexp(8.0, -53))
      << "all errors together, against one ulp of a term";
}

TEST(Grid, HoldsTheAnnouncedNumberOfTermsOfTheLargestSize) {
  for (const double largest : {1e-200, 0.3, 1.0, 1.999999, 2.0, 7e150})
    for (const int terms : {1, 2, 3, 1000, 1024, 65537}) {
      const Grid grid = Grid::holding(largest, terms);
      EXPECT_GE(grid.bound, largest);
      double sum = 0;
      for (int i = 0; i < terms; ++i) {
        ASSERT_EQ(grid.round(grid.bound), grid.bound);
        ASSERT_EQ(grid.round(-grid.bound), -grid.bound);
        sum += grid.round(grid.bound - grid.quantum);
      }
      // Multiples of the quantum below 2^53 quanta: exact.
      EXPECT_LE(sum / grid.quantum, std::ldexp(1.0, 53));
      EXPECT_EQ(sum / grid.quantum, terms * (grid.bound / grid.quantum - 1));
    }
}

TEST(Grid, RoundsToTheNearestMultipleOfItsQuantum) {
  std::mt19937_64 random(15);
  std::uniform_real_distribution<double> number(-3, 3);
  const Grid grid = Grid::holding(3, 1e6);
  EXPECT_EQ(std::ldexp(1.0, std::ilogb(grid.quantum)), grid.quantum);
  for (int i = 0; i < 10000; ++i) {
    const double x = number(random), rounded = grid.round(x);
    ASSERT_LE(std::abs(rounded - x), 0.5 * grid.quantum);
    ASSERT_EQ(std::nearbyint(rounded / grid.quantum), rounded / grid.quantum);
  }
}

TEST(Grid, OfNothingHoldsNothing) {
  EXPECT_EQ(Grid{}.bound, 0);
  EXPECT_EQ(Grid::holding(0, 100).bound, 0);
}

}  // namespace
}  // namespace terrace::exact_sum_test
