// Integer impulses: the multiplier keeps the digits of a double, and momenta that cancel cancel to the bit.
#include "dynamics/state/exact_momentum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "dynamics/state/state.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "support/small_system.hpp"

namespace terrace::exact_momentum_test {
namespace {

TEST(IntegerMomentum, IsTheDoubleThatTheCompilersOwnConversionGives) {
  std::mt19937_64 random(5);
  const auto expect_same = [](Integer128 integer) {
    for (const Integer128 signed_integer : {integer, -integer})
      ASSERT_EQ(to_double(signed_integer), static_cast<double>(signed_integer))
          << static_cast<std::int64_t>(signed_integer >> 64) << " 2^64 + "
          << static_cast<std::uint64_t>(signed_integer);
  };
  for (int length = 0; length < 127; ++length) {
    const Integer128 power = Integer128{1} << length;
    for (const Integer128 near : {-2, -1, 0, 1, 2}) expect_same(power + near);
    for (int i = 0; i < 2000; ++i) {
      const Integer128 any = (static_cast<Integer128>(random()) << 63) ^ static_cast<Integer128>(random());
      expect_same(power | (any & (power - 1)));
      // Half-way between two doubles: exactly, and off by one.
      if (length < 60) continue;
      const Integer128 half = power | ((any & 0xff) << (length - 52)) | (Integer128{1} << (length - 53));
      for (const Integer128 below : {-1, 0, 1}) expect_same(half + below);
    }
  }
  expect_same((Integer128{1} << 126) - 1 + (Integer128{1} << 126));
  EXPECT_EQ(to_double(-(Integer128{1} << 126) * 2), -std::ldexp(1.0, 127));
}

TEST(IntegerMultiplier, IsTheNearestIntegerOf53Digits) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  for (int i = 0; i < 100000; ++i) {
    const double ratio = std::ldexp(mantissa(random), static_cast<int>(random() % 118) - 5);
    const IntegerMultiplier factor = IntegerMultiplier::nearest(ratio);
    ASSERT_LE(std::abs(factor.mantissa), std::int64_t{1} << 53);
    ASSERT_GE(factor.exponent, 0);
    if (std::abs(ratio) >= std::ldexp(1.0, 52))
      ASSERT_EQ(factor.value(), ratio) << "already an integer of 53 digits";
    else
      ASSERT_LE(std::abs(factor.value() - ratio), 0.5);
  }
  EXPECT_EQ(IntegerMultiplier::nearest(0.4).times(1000), 0);
  EXPECT_EQ(IntegerMultiplier::nearest(-0.6).times(1000), -1000);
  EXPECT_EQ(IntegerMultiplier::nearest(std::ldexp(1.0, 53)).value(), std::ldexp(1.0, 53));
}

TEST(IntegerMultiplier, ProductsAreExact) {
  // Remainders by two primes tell every integer below their product from its neighbours.
  constexpr std::int64_t primes[] = {2147483647, 2305843009213693951};
  const auto remainder = [](Integer128 x, std::int64_t prime) {
    return static_cast<std::int64_t>(((x % prime) + prime) % prime);
  };
  std::mt19937_64 random(22);
  for (int i = 0; i < 20000; ++i) {
    const auto multiple = static_cast<std::int64_t>(random()) >> (13 + random() % 40);
    const int exponent = static_cast<int>(random() % 20);
    const double ratio = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random()) >> 11), exponent);
    const IntegerMultiplier factor = IntegerMultiplier::nearest(ratio);
    for (const std::int64_t prime : primes) {
      Integer128 expected = remainder(static_cast<Integer128>(ratio), prime);  // |ratio| < 2^73: exact
      expected = (expected * remainder(multiple, prime)) % prime;
      ASSERT_TRUE(remainder(factor.times(multiple), prime) == expected);
    }
  }
}

TEST(IntegerMultiplier, ImpulsesOfForcesInEquilibriumAddToNothing) {
  std::mt19937_64 random(23);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::int64_t> forces;
    std::int64_t rest = 0;
    for (int a = 0; a < 50; ++a) {
      forces.push_back(static_cast<std::int64_t>(random()) >> (18 + random() % 30));
      rest -= forces.back();
    }
    forces.push_back(rest);
    const IntegerMultiplier factor =
        IntegerMultiplier::nearest(std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -20));
    Integer128 total = 0;
    for (const std::int64_t force : forces) total += factor.times(force);
    ASSERT_TRUE(total == 0);
  }
}

TEST(MomentumQuantum, GivesTheLargestMomentum110Digits) {
  for (const double largest : {3e-250, 1e-9, 1.0, 1.5, 2.0, 4e200}) {
    const double quantum = momentum_quantum(largest);
    EXPECT_EQ(std::ldexp(1.0, std::ilogb(quantum)), quantum);
    EXPECT_LE(largest / quantum, std::ldexp(1.0, 110));
    EXPECT_GE(largest / quantum, std::ldexp(1.0, 109));
  }
}

TEST(State, KeepsItsTotalMomentumUnderImpulsesInEquilibriumAndRefusesWhatItsIntegersCannotHold) {
  Lagrangian three;
  three.masses = {1.0, 0.3, 7.0};
  State state(three, 1.0);
  state.set_velocities(std::vector<Vector3>{{0.1, 0.2, 0.3}, {-0.4, 0.5, 0.1}, {0.01, 0, -0.02}});
  const auto total = [&] {
    IntegerMomentum sum{};
    for (const IntegerMomentum& momentum : state.momenta)
      for (std::size_t d = 0; d < 3; ++d) sum[d] += momentum[d];
    return sum;
  };
  const IntegerMomentum before = total();
  const double grid = std::ldexp(1.0, -45);
  std::vector<std::int32_t> nodes = {0, 1, 2};
  std::vector<std::uint8_t> changed(3);
  std::mt19937_64 random(24);
  std::vector<Vector3> force(3);
  for (int event = 0; event < 1000; ++event) {
    for (std::size_t d = 0; d < 3; ++d) {
      const double a = grid * static_cast<double>(random() % 100000),
                   b = grid * static_cast<double>(random() % 77777);
      force[0][d] = a;
      force[1][d] = -b;
      force[2][d] = b - a;
    }
    const IntegerMultiplier factor =
        IntegerMultiplier::nearest((0.1 - 0.01 * static_cast<double>(random() % 21)) * grid / state.quantum);
    state.apply_impulse(0.01 * event, factor, grid, force, nodes, changed, {});
    ASSERT_TRUE(total() == before);
  }
  force = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 0}};
  EXPECT_THROW(state.apply_impulse(10, IntegerMultiplier::nearest(1e5 * grid / state.quantum), grid, force,
                                   nodes, changed, {}),
               Error);
}

// Pushes of 2^120 quanta, each by itself far below the limit: momenta from −2^122 to less than 2^122 are
// allowed.
TEST(State, MomentaBeyondTheirRangeAreRefused) {
  for (const double sign : {1.0, -1.0})
    for (std::size_t d = 0; d < 3; ++d) {
      SmallSystem cube(spinning_cube(1));
      std::fill(cube.state.momenta.begin(), cube.state.momenta.end(), IntegerMomentum{});
      const std::vector<std::int32_t> nodes = {0};
      std::vector<std::uint8_t> changed(cube.state.lines.size());
      std::vector<Vector3> force(cube.state.lines.size());
      force[0][d] = sign;
      const auto push = [&] {
        cube.state.apply_impulse(0, IntegerMultiplier::nearest(0x1p120), 1, force, nodes, changed, {});
      };
      for (int k = 0; k < 3; ++k) EXPECT_NO_THROW(push()) << k;
      EXPECT_TRUE(cube.state.momenta[0][d] == static_cast<Integer128>(sign) * 3 * (Integer128{1} << 120));
      if (sign < 0) {
        EXPECT_NO_THROW(push()) << "-2^122 is the last";
      }
      EXPECT_THROW(push(), Error) << d;
    }
}

// A factor that no integer holds must not become a smaller one by a shift that is too long.
TEST(State, ImpulsesBeyondAllIntegersAreRefused) {
  for (const double factor : {0x1p130, 0x1p300, 0x1p1000, infinity}) {
    SmallSystem cube(spinning_cube(1));
    std::vector<std::uint8_t> changed(cube.state.lines.size());
    std::vector<Vector3> force(cube.state.lines.size());
    const auto push = [&] {
      cube.state.apply_impulse(0, IntegerMultiplier::nearest(factor), 1, force, std::vector<std::int32_t>{0},
                               changed, {});
    };
    EXPECT_NO_THROW(push()) << "no force";
    force[0][1] = 1;
    EXPECT_THROW(push(), Error) << factor;
  }
}

TEST(State, ANodeIsStoredToTheLastBit) {
  SmallSystem cube(spinning_cube(1));
  constexpr Integer128 one = 1;
  const IntegerMomentum momentum = {-1, (one << 100) + 7, -(one << 70) - (one << 3)};
  cube.state.momenta[3] = momentum;
  cube.state.lines[3] = {{0.1, -0.2, 1e-300}, {-0.0, 3, 1e300}, 0.7, cube.state.lines[3].inverse_mass};
  const NodeLine line = cube.state.lines[3];
  const NodeRow row = cube.state.row(3);
  cube.state.momenta[3] = {};
  cube.state.lines[3].displacement = cube.state.lines[3].velocity = {};
  cube.state.lines[3].time = 0;
  cube.state.set_row(3, row);
  EXPECT_TRUE(cube.state.momenta[3] == momentum);
  EXPECT_EQ(cube.state.lines[3].displacement, line.displacement);
  EXPECT_EQ(cube.state.lines[3].velocity, line.velocity);
  EXPECT_TRUE(std::signbit(cube.state.lines[3].velocity[0]));
  EXPECT_EQ(cube.state.lines[3].time, line.time);
}

}  // namespace
}  // namespace terrace::exact_momentum_test
