#include "potentials/kernels/point_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "potentials/kernels/packet_kernels.hpp"

namespace terrace::point_boxes_test {
namespace {

constexpr unsigned seed = 11;
constexpr std::size_t row = simd::row;

std::vector<Vector3> random_points(std::mt19937& random, std::size_t count) {
  std::normal_distribution<double> number;
  std::vector<Vector3> points(count);
  for (Vector3& point : points)
    for (double& component : point) component = number(random);
  return points;
}

Box one_by_one(std::span<const Vector3> points) {
  Box box;
  for (const Vector3& point : points) box.include(point);
  return box;
}

void expect_same(const Box& box, const Box& expected, std::size_t count) {
  EXPECT_EQ(box.low, expected.low) << count << " points";
  EXPECT_EQ(box.high, expected.high) << count << " points";
}

// Up to more points than three packets of any level hold, so that every number of points is left over for the
// last packet.
TEST(PointBoxes, AreThoseOfPointsOneByOne) {
  std::mt19937 random(seed);
  for (std::size_t count = 0; count < 50; ++count) {
    const std::vector<Vector3> points = random_points(random, count), others = random_points(random, count);
    const double time = 0.37;
    std::vector<Vector3> differences, moved;
    for (std::size_t i = 0; i < count; ++i) {
      differences.push_back(points[i] - others[i]);
      moved.push_back(points[i] + time * others[i]);
    }
    expect_same(box_about(points), one_by_one(points), count);
    expect_same(box_about_differences(points, others), one_by_one(differences), count);
    expect_same(box_about_moved(points, others, time), one_by_one(moved), count);
  }
}

// Each point in turn is the outermost one, in each direction, so that a point that is left out is noticed.
TEST(PointBoxes, HoldEachPoint) {
  constexpr std::size_t count = 27;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (const double far : {-2.0, 2.0}) {
        std::vector<Vector3> points(count);
        points[i][k] = far;
        const Box box = box_about(points);
        EXPECT_EQ(far < 0 ? box.low[k] : box.high[k], far) << i << " " << k;
      }
}

// Zeros of either sign are among the extreme coordinates. Rows have a fourth number, which the box ignores.
TEST(PointBoxes, OfEveryLevelHaveTheSameBits) {
  std::mt19937 random(seed);
  std::vector<Vector3> points = random_points(random, 45), others = random_points(random, 45);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i][1] = std::abs(points[i][1]);
    if (i % 3 != 0) points[i][1] = i % 2 == 0 ? 0.0 : -0.0;
  }
  alignas(64) std::array<double, 45 * row> rows{};
  for (std::size_t i = 0; i < points.size(); ++i)
    std::copy(points[i].begin(), points[i].end(), rows.begin() + static_cast<std::ptrdiff_t>(4 * i));
  const auto boxes_of = [&](const PacketKernels& kernels) {
    std::vector<std::uint64_t> bits;
    for (std::size_t count = 1; count <= 45; ++count)
      for (int kind = 0; kind < 4; ++kind) {
        BoxCorners box{{9, 9, 9}, {-9, -9, -9}};
        const double *first = points.front().data(), *second = others.front().data();
        if (kind == 0) kernels.box_of_points(first, count, box);
        if (kind == 1) kernels.box_of_differences(first, second, count, box);
        if (kind == 2) kernels.box_of_moved(first, second, 0.37, count, box);
        if (kind == 3) {
          EXPECT_TRUE(kernels.box_of_rows(rows.data(), count, box)) << kernels.level << " " << count;
          const Box expected = one_by_one(std::span(points).first(count));
          for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(box.low[k], expected.low[k]) << kernels.level << " " << count;
            EXPECT_EQ(box.high[k], expected.high[k]) << kernels.level << " " << count;
          }
        }
        for (const double corner : box.low) bits.push_back(std::bit_cast<std::uint64_t>(corner));
        for (const double corner : box.high) bits.push_back(std::bit_cast<std::uint64_t>(corner));
      }
    return bits;
  };
  const std::vector<std::uint64_t> plainest = boxes_of(*runnable_packet_kernels().front());
  for (const PacketKernels* kernels : runnable_packet_kernels())
    EXPECT_EQ(boxes_of(*kernels), plainest) << kernels->level;
}

// NaN or −∞ in any place of any row is reported, of fewer and of more rows than a packet holds.
TEST(PointBoxes, OfRowsTellOfWhatIsNotFinite) {
  for (const PacketKernels* kernels : runnable_packet_kernels())
    for (const std::size_t count : {1u, 3u, 9u, 21u})
      for (std::size_t i = 0; i < count * row; ++i)
        for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), -infinity}) {
          alignas(64) std::array<double, 21 * row> rows{};
          rows[i] = wrong;
          BoxCorners box{{1, 1, 1}, {-1, -1, -1}};
          EXPECT_FALSE(kernels->box_of_rows(rows.data(), count, box))
              << kernels->level << " " << count << " " << i;
        }
}

// Which of several zeros of different signs is met first depends on the level. So boxes hold no −0.
TEST(PointBoxes, HaveNoNegativeZero) {
  for (const std::size_t count : {1u, 40u})
    for (const PacketKernels* kernels : runnable_packet_kernels()) {
      const std::vector<Vector3> points(count, Vector3{-0.0, -0.0, -0.0});
      BoxCorners box{{1, 1, 1}, {-1, -1, -1}};
      kernels->box_of_points(points.front().data(), count, box);
      for (const double corner : {box.low[0], box.high[2]}) EXPECT_FALSE(std::signbit(corner)) << count;
    }
}

TEST(PointBoxes, PassOverWhatIsNoNumber) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t count : {3u, 40u}) {
    std::vector<Vector3> points(count, Vector3{1, 2, 3});
    points[count / 2] = {none, -1, none};
    const Box box = box_about(points);
    EXPECT_EQ(box.low, (Vector3{1, -1, 3})) << count;
    EXPECT_EQ(box.high, (Vector3{1, 2, 3})) << count;
  }
}

}  // namespace
}  // namespace terrace::point_boxes_test
