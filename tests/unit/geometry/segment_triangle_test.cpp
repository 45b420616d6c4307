// Where segments pass through a triangle in the plane z = 1, against cases by hand.
#include "geometry/segment_triangle.hpp"

#include <gtest/gtest.h>

namespace terrace::segment_triangle_test {
namespace {

const std::array<Vector3, 3> triangle = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}};

TEST(SegmentTriangle, PiercesInsideAtTheShareOfTheHeights) {
  for (const bool turned : {false, true}) {
    auto t = triangle;
    if (turned) std::swap(t[1], t[2]);
    const auto point = piercing_point({1, 1, 0}, {2, 1, 4}, t, 0, 0);
    ASSERT_TRUE(point.has_value());
    EXPECT_EQ(*point, (Vector3{1.25, 1, 1}));
    EXPECT_TRUE(piercing_point({2, 1, 4}, {1, 1, 0}, t, 0, 0).has_value()) << "the other way round";
  }
}

TEST(SegmentTriangle, NotWhereItMissesOrEndsOnOneSide) {
  EXPECT_FALSE(piercing_point({1, 1, 2}, {1, 1, 3}, triangle, 0, 0)) << "above";
  EXPECT_FALSE(piercing_point({1, 1, 0}, {1, 1, 0.5}, triangle, 0, 0)) << "below";
  for (const Vector3& beside : {Vector3{-1, 1, 0}, Vector3{1, -1, 0}, Vector3{2.5, 2.5, 0}})
    EXPECT_FALSE(piercing_point(beside, beside + Vector3{0, 0, 2}, triangle, 0, 0));
}

TEST(SegmentTriangle, DepthIsALengthAndTheRimAShare) {
  const Vector3 below = {1, 1, 0.75}, above = {1, 1, 3};
  EXPECT_TRUE(piercing_point(below, above, triangle, 0.24, 0).has_value());
  EXPECT_FALSE(piercing_point(below, above, triangle, 0.26, 0).has_value());
  EXPECT_FALSE(piercing_point(above, below, triangle, 0.26, 0).has_value());
  // Barycentric coordinates ½, ¼, ¼.
  EXPECT_TRUE(piercing_point(below, above, triangle, 0, 0.24).has_value());
  EXPECT_FALSE(piercing_point(below, above, triangle, 0, 0.26).has_value());
}

TEST(SegmentTriangle, NothingGoesThroughATriangleWithoutArea) {
  EXPECT_FALSE(piercing_point({1, 0, 0}, {1, 0, 2}, {{{0, 0, 1}, {1, 0, 1}, {4, 0, 1}}}, 0, 0).has_value());
}

}  // namespace
}  // namespace terrace::segment_triangle_test
