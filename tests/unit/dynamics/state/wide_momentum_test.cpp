// Sums beyond 128 bits: the momentum that walls, supports and gravity receive for as long as a run lasts.
#include "dynamics/state/wide_momentum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamics/state/momenta_of_all.hpp"
#include "dynamics/steps/newmark.hpp"
#include "parallel/archive.hpp"
#include "support/small_system.hpp"

namespace terrace::wide_momentum_test {
namespace {

constexpr Integer128 one = 1;

TEST(WideInteger, HoldsWhat128BitsDoNotAndComesBack) {
  for (const Integer128 step : {(one << 122) - 12345, -(one << 122) + 678}) {
    WideInteger sum;
    for (int k = 1; k <= 1000; ++k) {
      sum += step;
      const double expected = k * to_double(step);  // exact up to the rounding of the product
      ASSERT_NEAR(sum.value() / expected, 1, 3e-16) << k;
    }
    EXPECT_NE(sum, WideInteger(sum.narrow())) << "the sum should have left 128 bits";
    for (int k = 0; k < 1000; ++k) sum += -step;
    EXPECT_EQ(sum, WideInteger());
  }
}

TEST(WideInteger, IsTheNumberItIsMadeOf) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 1000; ++k) {
    const int shift = static_cast<int>(random() % 127);
    const Integer128 value =
        (static_cast<Integer128>(static_cast<std::int64_t>(random())) * (one << 62)) >> shift;
    const Integer128 more = static_cast<std::int64_t>(random());
    EXPECT_TRUE(WideInteger(value).narrow() == value);
    EXPECT_EQ(WideInteger(value).value(), to_double(value));
    EXPECT_EQ(-WideInteger(value), WideInteger(-value));
    WideInteger sum = value;
    sum += more;
    EXPECT_EQ(sum, WideInteger(value + more));
  }
}

// 2^130 + 2^77 lies half-way between two doubles: a digit far behind decides to which it is rounded.
TEST(WideInteger, IsRoundedOnce) {
  const auto of = [](int exponent) {
    WideInteger power = one << (exponent - 10);
    for (int k = 0; k < 10; ++k) power += WideInteger(power);
    return power;
  };
  for (const int sign : {1, -1}) {
    WideInteger half_way = of(130);
    half_way += of(77);
    WideInteger above = half_way;
    above += one;
    EXPECT_EQ((sign > 0 ? half_way : -half_way).value(), sign * 0x1p130) << "to the even one";
    EXPECT_EQ((sign > 0 ? above : -above).value(), sign * (0x1p130 + 0x1p78));
  }
}

TEST(WideInteger, OfADoubleIsThatDouble) {
  std::mt19937_64 random(9);
  for (int k = 0; k < 1000; ++k) {
    const int exponent = static_cast<int>(random() % 189) - 52;
    const double digits = static_cast<double>(static_cast<std::int64_t>(random()) >> 11);
    const double value = std::nearbyint(std::ldexp(digits, exponent - 1));
    if (!(std::abs(value) < 0x1p190)) continue;
    EXPECT_EQ(WideInteger::nearest(value).value(), value);
    if (std::abs(value) < 0x1p100) {
      EXPECT_EQ(WideInteger::nearest(value), WideInteger(static_cast<Integer128>(value)));
    }
  }
  EXPECT_EQ(WideInteger::nearest(0x1p190), WideInteger()) << "beyond all";
  EXPECT_EQ(WideInteger::nearest(2.5), WideInteger(2)) << "to the even one";
  WideInteger large = WideInteger::nearest(0x1p189);
  large += WideInteger::nearest(-0x1p189);
  EXPECT_EQ(large, WideInteger());
}

TEST(OnRanksWideMomentum, IsAddedUp) {
  Communicator world(MPI_COMM_WORLD);
  std::vector<WideMomentum> momenta(2);
  // Of both signs, with carries from word to word; beyond 128 bits on four ranks and more.
  const Integer128 large = (one << 126) - 1;
  momenta[0] = {WideInteger(large), WideInteger(-large), WideInteger(-1)};
  momenta[1] = {WideInteger(world.rank() == 0 ? large : -large), {}, WideInteger(0xffffffffLL)};
  std::vector<WideMomentum> expected(2);
  for (int rank = 0; rank < world.size(); ++rank) {
    add_momentum(expected[0], momenta[0]);
    expected[1][0] += rank == 0 ? large : -large;
    expected[1][2] += WideInteger(0xffffffffLL);
  }
  add_up_momenta(world, momenta);
  EXPECT_EQ(momenta, expected);
}

TEST(WideMomentum, IsReadAsItWasWritten) {
  const WideMomentum written = {-(one << 100), one << 126, -1};
  ByteWriter writer;
  writer(written);
  const std::vector<std::byte> bytes = writer.take();
  WideMomentum read{};
  ByteReader reader(bytes);
  reader(read);
  EXPECT_EQ(read, written);
}

// Unlike nodal momenta, the momentum that a support receives has no bound: the nodes that it holds do not
// move.
TEST(State, SupportsReceiveMoreThanNodesMayHave) {
  Deck deck = soft_deck({cube_entry("cube", 1)});
  SupportEntry entry;
  entry.name = "hand";
  entry.body.name = "cube";
  entry.nodes = SupportEntry::Nodes::box;
  entry.box = {Vector3{-9, -9, -9}, Vector3{9, 9, 9}};
  deck.supports = {entry};
  SmallSystem cube(deck);
  std::vector<std::uint8_t> changed(cube.state.lines.size());
  std::vector<Vector3> force(cube.state.lines.size());
  force[0] = {1, 0, -1};
  const auto push = [&](std::span<const std::uint8_t> books) {
    cube.state.apply_impulse(0, IntegerMultiplier::nearest(0x1p120), 1, force, std::vector<std::int32_t>{0},
                             changed, books);
  };
  for (int k = 0; k < 300; ++k) push(cube.lagrangian.owned);
  EXPECT_EQ(cube.state.ledger[0][0].value(), 300 * 0x1p120);
  EXPECT_EQ(cube.state.ledger[0][1].value(), 0);
  EXPECT_EQ(cube.state.ledger[0][2].value(), -300 * 0x1p120);
  push({});
  EXPECT_EQ(cube.state.ledger[0][0].value(), 300 * 0x1p120) << "another rank's to book";
  for (int k = 0; k < 100; ++k)
    cube.state.add_to_ledger(0, IntegerMultiplier::nearest(0x1p120), 1, {0, 7, 0});
  EXPECT_EQ(cube.state.ledger[0][1].value(), -700 * 0x1p120);
}

}  // namespace
}  // namespace terrace::wide_momentum_test
