// Certificates of single elements, pairs and nodes: they hold on the whole interval, they are near the truth,
// and no term of them can be left out.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "potentials/contact/plane_contact.hpp"
#include "potentials/contact/surface_contact.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"
#include "potentials/kernels/contact_pair.hpp"
#include "support/followed.hpp"

namespace terrace::certificates_test {
namespace {

using Real = long double;
using Matrix = std::array<std::array<Real, 3>, 3>;
using Random = std::mt19937_64;

constexpr Matrix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Matrix plus(const Matrix& a, Real factor, const Matrix& b) {
  Matrix sum = a;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) sum[i][k] += factor * b[i][k];
  return sum;
}

Real determinant(const Matrix& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

LineGrids fine_grids(double largest) {
  const Grid grid = Grid::holding(largest, 8);
  return {DoubleGrid::holding(largest, 8), grid, grid, grid, grid, grid, grid, grid};
}

/// One tetrahedron of volume 1/6 with F = start + s · rate.
struct Element {
  Matrix start, rate;
  Material material;

  [[nodiscard]] LineBound bound(double duration, const LineGrids& grids) const {
    const std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Followed<NeoHookeanBlock> block(corners, std::vector<Tetrahedron>{{0, 1, 2, 3}}, material);
    std::vector<NodeLine> lines(4, NodeLine{{}, {}, 0, 1});
    for (std::size_t a = 1; a < 4; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        lines[a].displacement[i] = static_cast<double>(start[i][a - 1] - identity[i][a - 1]);
        lines[a].velocity[i] = static_cast<double>(rate[i][a - 1]);
      }
    block.set_line(lines, 0);
    LineBound sum;
    block.bound(0, duration, grids, sum);
    return sum;
  }
  [[nodiscard]] Real jacobian(Real s) const { return determinant(plus(start, s, rate)); }
  /// V‴ = (g‴ J′³ + 3 g″ J′ J″ + g′ J‴)/6 with g = λ/2 ln²J − μ ln J, as tr FᵀF is quadratic in s. The
  /// coefficients of the cubic J(s) are found from four of its values.
  [[nodiscard]] Real third(Real s) const {
    const Real j[4] = {jacobian(0), jacobian(1), jacobian(-1), jacobian(2)};
    const Real even = (j[1] + j[2]) / 2 - j[0], odd = (j[1] - j[2]) / 2;
    const Real cube = (j[3] - j[0] - 4 * even - 2 * odd) / 6, single = odd - cube;
    const Real j0 = j[0] + s * (single + s * (even + s * cube)), j1 = single + s * (2 * even + 3 * s * cube),
               j2 = 2 * even + 6 * s * cube, j3 = 6 * cube;
    const Real lambda = material.lame_lambda, mu = material.lame_mu, log = std::log(j0);
    const Real g1 = (lambda * log - mu) / j0, g2 = (lambda * (1 - log) + mu) / (j0 * j0),
               g3 = -(lambda * (3 - 2 * log) + 2 * mu) / (j0 * j0 * j0);
    return (g3 * j1 * j1 * j1 + 3 * g2 * j1 * j2 + g1 * j3) / 6;
  }
  [[nodiscard]] Real largest_third(Real duration, int samples = 50) const {
    Real largest = 0;
    for (int i = 0; i <= samples; ++i) largest = std::max(largest, std::abs(third(duration * i / samples)));
    return largest;
  }
  /// λ/2 ln²J − μ ln J + μ/2 (tr FᵀF − 3), times the volume.
  [[nodiscard]] Real value(Real s) const {
    const Matrix f = plus(start, s, rate);
    Real squares = 0;
    for (const auto& row : f)
      for (const Real x : row) squares += x * x;
    const Real log = std::log(determinant(f)), mu = material.lame_mu;
    return (material.lame_lambda / 2 * log * log - mu * log + mu / 2 * (squares - 3)) / 6;
  }
};

Matrix random_matrix(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Matrix m{};
  for (auto& row : m)
    for (Real& x : row) x = uniform(random);
  return m;
}

TEST(ElementCertificate, BoundsTheThirdDerivativeOnTheWholeInterval) {
  constexpr unsigned seed = 1;
  Random random(seed);
  std::uniform_real_distribution<double> exponent(-5, 0), share(0, 1);
  double logarithms = 0;
  int certified = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double size = std::pow(10, exponent(random));
    const Element element{plus(identity, 1, random_matrix(random, 0.3)),
                          random_matrix(random, size),
                          {"", 1,
                           trial % 3 == 0   ? 1e-3
                           : trial % 3 == 1 ? 1.0
                                            : -0.5,
                           trial % 3 == 0 ? 1.0 : 0.8}};
    if (!(element.jacobian(0) > 0.1)) continue;
    const double duration = 0.3 * std::pow(10, exponent(random) / 2) / size;
    const LineBound bound = element.bound(duration, fine_grids(1e9 * std::pow(size, 3)));
    if (bound.invalid > 0) continue;
    ++certified;
    const Real largest = element.largest_third(duration);
    ASSERT_GE(bound.third, largest) << "seed " << seed << " trial " << trial;
    logarithms += std::log(static_cast<double>(bound.third / largest));
    // The formula of `third` itself, against differences of `value`.
    const Real s = duration * share(random), step = 1e-3L * duration;
    const Real difference = (element.value(s + 2 * step) - 2 * element.value(s + step) +
                             2 * element.value(s - step) - element.value(s - 2 * step)) /
                            (2 * step * step * step);
    const auto error = static_cast<double>(std::abs(difference - element.third(s)) / largest);
    ASSERT_LE(error, 1e-2 + static_cast<double>(1e-17L / (step * step * step * largest))) << trial;
  }
  EXPECT_GT(certified, 1000);
  EXPECT_LT(std::exp(logarithms / certified), 6) << "mean ratio of the certificate to the truth";
}

/// An element in which one term of V‴ dominates at s = 0: that with J′³ (`which` = 0), J′ J″ (1) or J‴ (2).
Element one_term(int which, Real start, double lambda, double mu) {
  const Real c = std::cbrt(start);
  const Matrix stretch = {{{c, 0, 0}, {0, c, 0}, {0, 0, c}}};
  Matrix rate{};
  if (which == 0) rate[0][0] = 1;
  if (which == 1) rate[0][0] = 1, rate[1][1] = -1 + 1e-3L;
  if (which == 2) rate[0][1] = rate[1][2] = rate[2][0] = 1;
  return {stretch, rate, {"", 1, lambda, mu}};
}

// On a short interval the bound is nearly V‴ itself, term by term: a term left out would be noticed, and so
// would a coarse estimate.
TEST(ElementCertificate, EveryTermIsNecessaryAndNearlyAsSmallAsItCanBe) {
  for (int which = 0; which < 3; ++which)
    for (const double start : {1.0, 1.2, 0.8})
      for (const bool of_lambda : {true, false}) {
        if (which == 2 && of_lambda && start == 1.0) continue;  // ln J = 0
        const Element element = one_term(which, start, of_lambda ? 1 : 0, of_lambda ? 1e-9 : 1);
        const double duration = 1e-7;
        const LineBound bound = element.bound(duration, fine_grids(100));
        ASSERT_EQ(bound.invalid, 0);
        const auto truth = static_cast<double>(element.largest_third(duration));
        SCOPED_TRACE("term " + std::to_string(which) + " from J = " + std::to_string(start) +
                     (of_lambda ? ", λ" : ", μ"));
        ASSERT_GT(truth, 0);
        EXPECT_GE(bound.third, truth);
        // 3 + 2 |ln J| stands for 3 − 2 ln J, λ (1 + |ln J|) for λ (1 − ln J), |J − 1| for |ln J|.
        const double coarse = of_lambda ? (which == 0 ? 1.35 : 1.5) : 1;
        EXPECT_LE(bound.third, 1.002 * coarse * truth);
      }
}

// J′ or J″ vanish at the start and grow within the interval: without their growth the bound would be 0.
TEST(ElementCertificate, KnowsThatJacobiansChangeOnTheWay) {
  for (const double duration : {1e-3, 0.03, 0.2}) {
    const LineGrids grids = fine_grids(100);
    // J = 1 − s²: J′ grows from 0. J = 1 + s³: J″ and J′ grow from 0.
    Element square = one_term(1, 1, 1, 1e-9);
    square.rate[1][1] = -1;
    for (const Element& element : {square, one_term(2, 1, 1, 1e-9)}) {
      const LineBound bound = element.bound(duration, grids);
      ASSERT_EQ(bound.invalid, 0) << duration;
      const auto truth = static_cast<double>(element.largest_third(duration));
      EXPECT_GE(bound.third, truth) << duration;
      EXPECT_LE(bound.third, 4 * truth) << duration;
    }
    // Into compression V‴ grows with 1 / J³.
    Element pressed = one_term(0, 1, 0, 1);
    pressed.rate[0][0] = -1;
    const LineBound bound = pressed.bound(duration, grids);
    const auto truth = static_cast<double>(pressed.largest_third(duration));
    EXPECT_GE(bound.third, truth) << duration;
    EXPECT_LE(bound.third, 1.002 * truth) << duration;
  }
}

TEST(ElementCertificate, IsRefusedExactlyWhereJacobianMayHalve) {
  Element pressed = one_term(0, 1, 0, 1);
  pressed.rate[0][0] = -1;
  EXPECT_EQ(pressed.bound(0.499, fine_grids(100)).invalid, 0);
  const LineBound refused = pressed.bound(0.501, fine_grids(100));
  EXPECT_EQ(refused.invalid, 1);
  EXPECT_EQ(refused.third, 0);
}

// P8: rounding may only raise a certificate, also where a term is far below the quantum of the grid.
TEST(ElementCertificate, IsRoundedOutwards) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Element element = one_term(trial % 3, 1.1, 1, 1);
    const double duration = 1e-4, quantum_exponent = -20 + 2 * (trial % 60);
    LineGrids grids = fine_grids(1);
    const double exact = element.bound(duration, grids).third;
    grids.third = Grid::holding(std::ldexp(1.0, 52) * std::pow(2, quantum_exponent), 1);
    const LineBound bound = element.bound(duration, grids);
    ASSERT_GE(bound.third, exact - 1e-12) << "quantum " << grids.third.quantum;
    ASSERT_LE(bound.third, exact + 2 * grids.third.quantum);
  }
}

TEST(ElementCertificate, OfAnElementAtRestIsZero) {
  LineGrids grids = fine_grids(1);
  grids.third = Grid::holding(1e20, 1);
  EXPECT_EQ((Element{identity, {}, {"", 1, 1, 1}}.bound(1, grids).third), 0);
}

/// One node at the distance `gap` from the wall z = 0, which moves away from it with `speed`.
struct WallNode {
  double gap, speed;
  ContactProfile profile;
  static constexpr double stiffness = 7;

  [[nodiscard]] LineBound bound(double from, double to, const LineGrids& grids) const {
    const std::vector<Vector3> x{{0, 0, gap}};
    Followed<PlaneContact> contact(x, std::vector{0}, std::vector{1.0}, Plane{{0, 0, 0}, {0, 0, 1}}, profile,
                                   stiffness, "wall");
    const std::vector<NodeLine> lines{{{}, {0.3, -2, speed}, 0, 1}};
    contact.set_line(lines, 0);
    LineBound sum;
    contact.bound(from, to, grids, sum);
    return sum;
  }
  /// V″ of ψ by the definition in contact_profile.hpp.
  [[nodiscard]] double curvature(double s) const {
    const double d = gap + s * speed, a = profile.activation();
    double second = 0;
    if (profile.kind() == ContactProfile::Kind::penalty) second = d < 0 ? 1 : 0;
    if (profile.kind() == ContactProfile::Kind::barrier && d < a) {
      const double x = d / a;  // (−(1 − x)² ln x)″ = −2 ln x + (1 − x)(1 + 3 x) / x²
      second = (-2 * std::log(x) + (1 - x) * (1 + 3 * x) / (x * x)) / (a * a);
    }
    return stiffness * speed * speed * second;
  }
};

TEST(WallCertificate, IsTheRangeOfTheCurvatureOfANode) {
  const ContactProfile penalty(ContactProfile::Kind::penalty, 0), barrier(ContactProfile::Kind::barrier, 0.5);
  const std::vector<std::pair<WallNode, double>> cases = {
      {{0.1, -1, penalty}, 0.2},  {{-0.1, 1, penalty}, 0.2},   {{0.1, -1, penalty}, 0.05},
      {{0.6, -1, barrier}, 0.3},  {{0.4, -0.5, barrier}, 0.2}, {{0.2, 0.7, barrier}, 0.1},
      {{0.4, 0.7, barrier}, 0.3}, {{0.1, -1, barrier}, 0.05}};
  for (const auto& [node, duration] : cases)
    for (const double from : {0.0, 0.02}) {
      const LineGrids grids = fine_grids(1e6);
      const LineBound bound = node.bound(from, from + duration, grids);
      ASSERT_EQ(bound.invalid, 0);
      double above = 0, below = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double change = node.curvature(from + duration * i / 1000) - node.curvature(from);
        above = std::max(above, change);
        below = std::max(below, -change);
      }
      SCOPED_TRACE("gap " + std::to_string(node.gap) + " from " + std::to_string(from));
      EXPECT_EQ(bound.third + bound.rise + bound.fall, 0);
      EXPECT_GE(bound.above, above);
      EXPECT_LE(bound.above, above + 3 * grids.above.quantum);
      EXPECT_GE(bound.below, below);
      EXPECT_LE(bound.below, below + 3 * grids.below.quantum);
      EXPECT_EQ(bound.contact_terms, above > 0 || below > 0 ? 1 : 0);
      EXPECT_GE(bound.largest_above, above);
      EXPECT_GE(bound.largest_below, below);
    }
}

TEST(WallCertificate, IsRoundedOutwards) {
  const ContactProfile barrier(ContactProfile::Kind::barrier, 0.5);
  for (const double speed : {-1e-9, 1e-9}) {
    const WallNode node{0.2, speed, barrier};
    LineGrids grids = fine_grids(1);
    grids.above = grids.below = Grid::holding(1e20, 1);
    grids.curvature = Grid::holding(1e-20, 1);
    const LineBound bound = node.bound(0, 1e7, grids);
    ASSERT_GT(std::abs(node.curvature(1e7) - node.curvature(0)), 0);
    EXPECT_GT(bound.above, 0);
    EXPECT_GT(bound.below, 0);
  }
}

/// A vertex and a triangle in the plane z = 0, or two edges across each other.
struct MovingPair {
  ContactPair pair;
  ContactProfile profile;
  PairNodes x, v;

  [[nodiscard]] PairNodes at(double s) const {
    PairNodes y = x;
    for (std::size_t i = 0; i < 4; ++i) y[i] += s * v[i];
    return y;
  }
  [[nodiscard]] PairSample sample(double s) const { return sample_pair(pair, profile, at(s), v); }
  [[nodiscard]] PairBound bound(double duration) const {
    return bound_pair(pair, profile, x, v, sample(0), closing_speed(pair.kind, v), duration);
  }
  /// Whether V stays within the certificate when its terms are multiplied by these factors.
  [[nodiscard]] bool holds(double duration, double rise = 1, double fall = 1, double below = 1,
                           double above = 1) const {
    const PairSample here = sample(0);
    const PairBound bound = this->bound(duration);
    EXPECT_FALSE(bound.invalid);
    for (int i = 1; i <= 400; ++i) {
      const double s = duration * i / 400, later = sample(s).value;
      const double change = later - here.value - s * here.slope - 0.5 * s * s * here.curvature;
      const double rounding = 1e-12 * (later + here.value + s * std::abs(here.slope) + 1e-9);
      if (change > rise * bound.rise * s + 0.5 * above * bound.above * s * s + rounding) return false;
      if (-change > fall * bound.fall * s + 0.5 * below * bound.below * s * s + rounding) return false;
    }
    return true;
  }
};

/// A vertex above the middle of a large triangle, `distance` away, with the velocity `away`.
MovingPair above_face(double distance, double away, ContactProfile::Kind profile) {
  return {{PairKind::vertex_triangle, 2, 0},
          {profile, 1},
          {{{0, 0, distance}, {-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}},
          {{{0, 0, away}, {}, {}, {}}}};
}

TEST(PairCertificate, EveryTermIsNecessary) {
  const auto barrier = ContactProfile::Kind::barrier, gap = ContactProfile::Kind::gap;
  // Towards the face, from the activation distance: V″ jumps up, and of a barrier it grows.
  for (const auto profile : {barrier, gap}) {
    const MovingPair coming = above_face(1.1, -1, profile);
    EXPECT_TRUE(coming.holds(0.5));
    EXPECT_FALSE(coming.holds(0.5, 1, 1, 1, profile == gap ? 0.6 : 0)) << "above";
  }
  const MovingPair pressed = above_face(0.5, -1, barrier);
  EXPECT_TRUE(pressed.holds(0.2));
  EXPECT_FALSE(pressed.holds(0.2, 1, 1, 1, 0)) << "above";
  // Away from it: V″ falls.
  for (const auto profile : {barrier, gap}) {
    const MovingPair leaving = above_face(0.9, 1, profile);
    EXPECT_TRUE(leaving.holds(0.4));
    EXPECT_FALSE(leaving.holds(0.4, 1, 1, 0, 1)) << "below";
  }
  // Through it: V′ jumps down at the face, and V ends at 0 behind it.
  const MovingPair through = above_face(0.1, -1, gap);
  EXPECT_TRUE(through.holds(2));
  EXPECT_TRUE(through.holds(10));
  EXPECT_FALSE(through.holds(2, 1, 0, 1, 1)) << "fall";
  EXPECT_FALSE(through.holds(2, 1, 0.5, 1, 1)) << "fall";
  EXPECT_FALSE(through.holds(10, 1, 1, 0, 1)) << "below";
  EXPECT_FALSE(through.holds(10, 1, 1, 0.5, 1)) << "below";
  // From beyond the activation distance right through.
  const MovingPair far = above_face(1.01, -1, gap);
  EXPECT_TRUE(far.holds(2.1));
  EXPECT_FALSE(far.holds(2.1, 0, 1, 1, 1)) << "rise";
  EXPECT_FALSE(far.holds(2.1, 0.45, 1, 1, 1)) << "rise";
}

// The vertex moves along the normal, d″ = 0. The bound may exceed the change of V″ by a bending of d.
TEST(PairCertificate, IsSharpWhereAVertexMovesStraightTowardsAFace) {
  for (const double distance : {0.3, 0.6, 0.9})
    for (const double away : {-1.0, 1.0}) {
      const MovingPair moving = above_face(distance, away, ContactProfile::Kind::barrier);
      const double duration = 0.02 * distance;
      const PairBound bound = moving.bound(duration);
      const double change = moving.sample(duration).curvature - moving.sample(0).curvature;
      EXPECT_GE(away < 0 ? bound.above : bound.below, std::abs(change));
      // V″ = k ψ″ d′², d″ = 0; the bound lets d bend by L²/d.
      const double nearest = distance - duration;
      const double bending = -2 * moving.profile.at(nearest).first / nearest;
      EXPECT_LE(bound.above + bound.below, 2.2 * std::abs(change) + 1.3 * bending) << distance << ' ' << away;
    }
}

// P8 for whole surfaces: two triangles that hardly move, or fast; terms are far below the coarse quanta.
TEST(SurfaceCertificate, IsRoundedOutwards) {
  const std::vector<Vector3> x = {{0, 0, 0},        {1, 0, 0},        {0, 1, 0},
                                  {0.2, 0.2, 0.05}, {0.9, 0.3, 0.06}, {0.1, 0.8, 0.07}};
  for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
    for (const double speed : {-1e-9, 1e-9, -1.0}) {
      Followed<SurfaceContact> contact(x, std::vector<Triangle>{{0, 1, 2}}, std::vector<Triangle>{{3, 4, 5}},
                                       ContactProfile(kind, 0.1), 1, "test");
      std::vector<NodeLine> lines(6, NodeLine{{}, {}, 0, 1});
      for (std::size_t a = 3; a < 6; ++a) lines[a].velocity = {0, 0, speed};
      contact.set_line(lines, 0);
      // At −1 a gap's faces pass through each other: V′ jumps.
      const double duration = speed == -1 ? (kind == ContactProfile::Kind::gap ? 0.1 : 0.01) : 1e6;
      LineGrids fine = fine_grids(1e3), coarse = fine;
      fine.curvature = coarse.curvature = Grid::holding(1e-30, 8);
      coarse.above = coarse.below = coarse.rise = coarse.fall = Grid::holding(1e30, 8);
      LineBound exact, rounded;
      contact.bound(0, duration, fine, exact);
      contact.bound(0, duration, coarse, rounded);
      ASSERT_EQ(rounded.invalid, 0);
      EXPECT_GE(rounded.above, exact.above);
      EXPECT_GE(rounded.below, exact.below);
      EXPECT_GE(rounded.rise, exact.rise);
      EXPECT_GE(rounded.fall, exact.fall);
      EXPECT_GT(rounded.above + rounded.below, 0);
      if (speed == -1 && kind == ContactProfile::Kind::gap) {
        EXPECT_GT(exact.rise, 0);
        EXPECT_GT(exact.fall, 0);
      }
    }
}

PairNodes random_nodes(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  PairNodes nodes;
  for (Vector3& x : nodes) x = {uniform(random), uniform(random), uniform(random)};
  return nodes;
}

struct PairCase {
  PairKind kind;
  ContactProfile::Kind profile;
  bool parallel;
};

class PairCertificates : public testing::TestWithParam<PairCase> {};
INSTANTIATE_TEST_SUITE_P(
    Kinds, PairCertificates,
    testing::Values(PairCase{PairKind::vertex_triangle, ContactProfile::Kind::barrier, false},
                    PairCase{PairKind::vertex_triangle, ContactProfile::Kind::gap, false},
                    PairCase{PairKind::edge_edge, ContactProfile::Kind::barrier, false},
                    PairCase{PairKind::edge_edge, ContactProfile::Kind::gap, false},
                    PairCase{PairKind::edge_edge, ContactProfile::Kind::barrier, true},
                    PairCase{PairKind::edge_edge, ContactProfile::Kind::gap, true}));

// V″ stays in [V″(0) − below, V″(0) + above] where V′ does not jump. That is a sharper test than one of V.
TEST_P(PairCertificates, BoundTheCurvatureOnTheWholeInterval) {
  constexpr unsigned seed = 77;
  Random random(seed);
  std::uniform_real_distribution<double> exponent(-3, 0), share(0.1, 0.9);
  const auto [kind, profile, parallel] = GetParam();
  int certified = 0;
  double logarithms = 0;
  int compared = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    MovingPair moving{{kind, 2, kind == PairKind::edge_edge ? 0.05 : 0.0},
                      {profile, 0.5},
                      random_nodes(random, 1),
                      random_nodes(random, 1)};
    PairNodes& x = moving.x;
    const Vector3 offset = 0.3 * random_nodes(random, 1)[0];
    if (kind == PairKind::vertex_triangle) {
      const double b = share(random), c = (1 - b) * share(random);
      x[0] = (1 - b - c) * x[1] + b * x[2] + c * x[3] + offset;
    } else {
      if (parallel) x[3] = x[2] + (x[1] - x[0]) + 0.1 * random_nodes(random, 1)[0];
      const Vector3 shift = 0.5 * (x[2] + x[3]) + offset - share(random) * x[0] - share(random) * x[1];
      x[0] += shift;
      x[1] += shift;
    }
    // A third moves straight towards or away from each other without turning; a third slowly.
    const bool turns = trial % 3 != 0;
    if (trial % 3 == 1)
      for (Vector3& v : moving.v) v = 0.05 * v;
    if (!turns) {
      const Vector3 along = (trial % 2 == 0 ? 1 : -1) * closest_points(kind, x).difference;
      moving.v = {along, kind == PairKind::edge_edge ? along : Vector3{}, {}, {}};
    }
    const PairSample here = moving.sample(0);
    if (here.distance > 0.6 || here.distance < 0.02) continue;
    const double duration = std::pow(10, exponent(random));
    const PairBound bound = moving.bound(duration);
    if (bound.invalid || bound.rise > 0) continue;
    ++certified;
    double above = 0, below = 0;
    for (int i = 0; i <= 30; ++i) {
      const double change = moving.sample(duration * i / 30).curvature - here.curvature;
      above = std::max(above, change);
      below = std::max(below, -change);
    }
    const double rounding = 1e-9 * (std::abs(here.curvature) + above + below);
    ASSERT_LE(above, bound.above + rounding) << "seed " << seed << " trial " << trial;
    ASSERT_LE(below, bound.below + rounding) << "seed " << seed << " trial " << trial;
    const double way = duration * closing_speed(kind, moving.v);
    if (turns || way < 0.02 * here.distance || way > 0.1 * here.distance) continue;
    if (!(above + below > 0.01 * std::abs(here.curvature))) continue;
    logarithms += std::log((bound.above + bound.below) / (above + below));
    ++compared;
  }
  EXPECT_GT(certified, 400) << "seed " << seed;
  if (profile == ContactProfile::Kind::gap) return;  // V″ is all but constant
  EXPECT_GT(compared, 50) << "seed " << seed;
  const double mean = std::exp(logarithms / compared);
  std::printf("%d certified, %d compared, mean ratio to the truth %.2f\n", certified, compared, mean);
  EXPECT_LT(mean, parallel ? 100 : 15) << "the certificate is never near the truth";
}

}  // namespace
}  // namespace terrace::certificates_test
