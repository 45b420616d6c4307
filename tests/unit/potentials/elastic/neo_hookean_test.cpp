// Neo-Hookean tetrahedra: gradient, line restriction, certificate, exact sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "potentials/elastic/stable_step.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"
#include "support/followed.hpp"

namespace terrace::neo_hookean_test {
namespace {

const Material soft{"soft", 1200.0, 5.0e4, 3.0e4};

/// A box of n³ cells, six tetrahedra each, with nodes moved at random so that no two elements are alike; five
/// local nodes before it belong to no element.
struct Box {
  static constexpr std::size_t foreign = 5;
  std::vector<Vector3> positions;
  std::vector<Tetrahedron> tetrahedra;
  std::mt19937 random{20110501};

  explicit Box(int n, double edge = 0.1) : positions(foreign, Vector3{9, 9, 9}) {
    const auto node = [&](int i, int j, int k) {
      return static_cast<int>(foreign) + (i * (n + 1) + j) * (n + 1) + k;
    };
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        for (int k = 0; k <= n; ++k)
          positions.push_back(edge * (Vector3{double(i), double(j), double(k)} + 0.1 * vector()));
    const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          for (int p = 0; p < 6; ++p) {
            int corner[3] = {i, j, k};
            Tetrahedron t{node(i, j, k), 0, 0, 0};
            for (std::size_t a = 0; a < 3; ++a) {
              ++corner[paths[p][a]];
              t[a + 1] = node(corner[0], corner[1], corner[2]);
            }
            if (p >= 3) std::swap(t[1], t[2]);
            tetrahedra.push_back(t);
          }
  }

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  Vector3 vector() { return {number(), number(), number()}; }

  /// Lines with random displacements, velocities and times; components of displacements are at most
  /// `displacement`, those of velocities at most `velocity`.
  std::vector<NodeLine> lines(double displacement, double velocity) {
    std::vector<NodeLine> lines(positions.size());
    for (NodeLine& line : lines) line = {displacement * vector(), velocity * vector(), 0.01 * number(), 1.0};
    return lines;
  }
  [[nodiscard]] Followed<NeoHookeanBlock> block() const { return {positions, tetrahedra, soft}; }
};

LineGrids ample_grids() {
  return {DoubleGrid::holding(1e4, 1e4),
          Grid::holding(1e3, 1e3),
          Grid::holding(1e9, 1e4),
          Grid::holding(1e12, 1e4),
          {},
          {}};
}
const Grid force_grid = Grid::holding(1e4, 1e4);

/// A second, plain implementation of the energy in long double: the textbook formula in ln det F and tr FᵀF.
long double plain_energy(const Box& box, const std::vector<NodeLine>& lines, double instant) {
  using Real = long double;
  const auto determinant = [](const Real(&m)[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  Real total = 0;
  for (const Tetrahedron& t : box.tetrahedra) {
    Real big[3][3], small[3][3];  // columns: edges of the reference and of the current element
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        const auto p = static_cast<std::size_t>(t[a + 1]), o = static_cast<std::size_t>(t[0]);
        const auto u = [&](std::size_t n) {
          return lines[n].displacement[i] + (Real(instant) - lines[n].time) * Real(lines[n].velocity[i]);
        };
        big[i][a] = Real(box.positions[p][i]) - box.positions[o][i];
        small[i][a] = big[i][a] + u(p) - u(o);
      }
    // tr FᵀF: the rows of F, with F big = small, by Cramer's rule.
    const Real volume = determinant(big) / 6, j = determinant(small) / determinant(big);
    Real squares = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        Real replaced[3][3];  // bigᵀ fᵢ = smallᵢ
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t k = 0; k < 3; ++k) replaced[r][k] = r == c ? small[i][k] : big[r][k];
        const Real f = determinant(replaced) / determinant(big);
        squares += f * f;
      }
    const Real log = std::log(j);
    total += volume * (Real(soft.lame_lambda) / 2 * log * log - Real(soft.lame_mu) * log +
                       Real(soft.lame_mu) / 2 * (squares - 3));
  }
  return total;
}

double energy_at(Followed<NeoHookeanBlock>& block, const std::vector<NodeLine>& lines, double instant) {
  LineSample sum;
  block.set_line(lines, instant);
  block.sample(0, ample_grids(), sum);
  EXPECT_EQ(sum.infinite, 0);
  return sum.value.value();
}

std::vector<Vector3> gradient_of(Followed<NeoHookeanBlock>& block, const std::vector<NodeLine>& lines,
                                 double instant, const Grid& grid = force_grid) {
  std::vector<Vector3> gradient(lines.size());
  const double largest = block.add_gradient(lines, instant, grid, gradient);
  EXPECT_LE(largest, grid.bound);
  return gradient;
}

bool same_bits(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vector3)) == 0;
}
bool same_bits(const LineSample& a, const LineSample& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(NeoHookean, EnergyIsThatOfAPlainEvaluationAtEveryStrain) {
  Box box(3);
  Followed<NeoHookeanBlock> block = box.block();
  for (const double strain : {1e-7, 1e-5, 1e-3, 0.05, 0.15}) {
    const auto lines = box.lines(0.1 * strain, 0.1 * strain);
    const auto exact = static_cast<double>(plain_energy(box, lines, 0.3));
    // The long double reference itself loses about 1e-19 / strain.
    EXPECT_NEAR(energy_at(block, lines, 0.3) / exact, 1, 2e-13 + 1e-18 / (strain * strain)) << strain;
  }
}

TEST(NeoHookean, GradientIsTheDerivativeOfTheEnergy) {
  Box box(2);
  Followed<NeoHookeanBlock> block = box.block();
  for (int state = 0; state < 5; ++state) {
    auto lines = box.lines(0.015, 0.01);
    const auto gradient = gradient_of(block, lines, 0.2);
    for (std::size_t a = Box::foreign; a < lines.size(); ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        const double step = 1e-6, kept = lines[a].displacement[i];
        lines[a].displacement[i] = kept + step;
        const long double above = plain_energy(box, lines, 0.2);
        lines[a].displacement[i] = kept - step;
        const long double below = plain_energy(box, lines, 0.2);
        lines[a].displacement[i] = kept;
        EXPECT_NEAR(gradient[a][i], static_cast<double>((above - below) / (2 * step)),
                    1e-4);  // forces are of order 100
      }
    for (std::size_t a = 0; a < Box::foreign; ++a) EXPECT_EQ(gradient[a], (Vector3{}));
  }
}

TEST(NeoHookean, SampleGivesTheEnergyAndItsDerivativesAlongTheLine) {
  Box box(2);
  Followed<NeoHookeanBlock> block = box.block();
  for (int state = 0; state < 20; ++state) {
    const auto lines = box.lines(0.01, 0.5);
    block.set_line(lines, 0.001);
    for (const double s : {0.0, 0.003, 0.012}) {
      LineSample sum;
      block.sample(s, ample_grids(), sum);
      ASSERT_EQ(sum.infinite, 0);
      // Exact shifts of s would need an instant in long double, so the times of the lines are shifted
      // instead.
      const long double step = 1e-4L;
      const auto at = [&](long double shift) {
        auto moved = lines;
        for (NodeLine& line : moved) line.time -= static_cast<double>(shift);
        return plain_energy(box, moved, 0.001 + s);
      };
      const long double above = at(step), here = at(0), below = at(-step);
      EXPECT_NEAR(sum.value.value() / static_cast<double>(here), 1, 1e-12);
      const double scale = std::abs(sum.slope) + std::abs(sum.curvature) * 0.01;
      EXPECT_NEAR(sum.slope, static_cast<double>((above - below) / (2 * step)), 1e-3 * scale);
      EXPECT_NEAR(sum.curvature, static_cast<double>((above - 2 * here + below) / (step * step)),
                  1e-2 * scale / 0.01);
    }
  }
}

TEST(NeoHookean, SlopeAlongTheLineIsGradientTimesVelocity) {
  Box box(3);
  Followed<NeoHookeanBlock> block = box.block();
  for (const double strain : {1e-6, 1e-2, 0.1}) {
    const auto lines = box.lines(0.1 * strain, 0.3);
    block.set_line(lines, 0.0);
    const double s = 0.05 * strain;
    LineSample sum;
    block.sample(s, ample_grids(), sum);
    const auto gradient = gradient_of(block, lines, s, Grid::holding(1e3, 1e2));
    double power = 0, scale = 0;
    for (std::size_t a = 0; a < lines.size(); ++a) {
      power += dot(gradient[a], lines[a].velocity);
      scale += norm(gradient[a]) * norm(lines[a].velocity);
    }
    EXPECT_NEAR(sum.slope, power, 1e-8 * scale);  // the quanta of the two grids
  }
}

TEST(NeoHookean, CertificateBoundsTheTaylorRemainder) {
  Box box(2);
  Followed<NeoHookeanBlock> block = box.block();
  int certified = 0;
  for (int state = 0; state < 300; ++state) {
    const auto lines = box.lines(0.01, 1.0);
    block.set_line(lines, 0.0);
    const double from = 0.01 * std::abs(box.number());
    const double length = 0.03 * std::pow(10, -2 * std::abs(box.number()));
    LineBound bound;
    block.bound(from, from + length, ample_grids(), bound);
    if (bound.invalid > 0) continue;
    ++certified;
    EXPECT_EQ(bound.below, 0);
    EXPECT_EQ(bound.above, 0);
    LineSample start;
    block.sample(from, ample_grids(), start);
    for (int i = 1; i <= 20; ++i) {
      const double s = length * i / 20;
      LineSample sum;
      block.sample(from + s, ample_grids(), sum);
      const double taylor = start.value.value() + s * start.slope + s * s / 2 * start.curvature;
      const double remainder = std::abs(sum.value.value() - taylor);
      ASSERT_LE(remainder, bound.third * s * s * s / 6 + 1e-12 * std::abs(start.value.value())) << state;
    }
  }
  EXPECT_GT(certified, 100);
}

TEST(NeoHookean, CertificateIsRefusedWhenAnElementMayInvert) {
  Box box(1);
  Followed<NeoHookeanBlock> block = box.block();
  const auto lines = box.lines(0.0, 1.0);
  block.set_line(lines, 0.0);
  LineBound bound;
  block.bound(0.0, 10.0, ample_grids(), bound);
  EXPECT_GT(bound.invalid, 0);
}

TEST(NeoHookean, SumsAreTheSameBitsForEveryOrderAndDivisionOfTheElements) {
  Box box(3);
  const auto lines = box.lines(0.015, 0.2);
  Followed<NeoHookeanBlock> block = box.block();
  const auto gradient = gradient_of(block, lines, 0.01);
  LineSample sample;
  LineBound bound;
  block.set_line(lines, 0.01);
  block.sample(0.004, ample_grids(), sample);
  block.bound(0.0, 1e-3, ample_grids(), bound);
  ASSERT_EQ(bound.invalid, 0);
  ASSERT_GT(bound.third, 0);

  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Tetrahedron> shuffled = box.tetrahedra;
    std::shuffle(shuffled.begin(), shuffled.end(), box.random);
    const auto cut = shuffled.begin() + static_cast<std::ptrdiff_t>(box.random() % (shuffled.size() + 1));
    std::vector<Vector3> sum(lines.size());
    LineSample sample_sum;
    LineBound bound_sum;
    for (const auto& part : {std::vector(shuffled.begin(), cut), std::vector(cut, shuffled.end())}) {
      Followed<NeoHookeanBlock> share(box.positions, part, soft);
      share.add_gradient(lines, 0.01, force_grid, sum);
      share.set_line(lines, 0.01);
      share.sample(0.004, ample_grids(), sample_sum);
      share.bound(0.0, 1e-3, ample_grids(), bound_sum);
    }
    EXPECT_TRUE(same_bits(gradient, sum));
    EXPECT_TRUE(same_bits(sample, sample_sum));
    EXPECT_EQ(bound.third, bound_sum.third);
    EXPECT_EQ(bound.largest_third, bound_sum.largest_third);
  }
}

TEST(NeoHookean, ForcesAddUpToExactlyZero) {
  Box box(4);
  Followed<NeoHookeanBlock> block = box.block();
  for (const double amplitude : {1e-6, 0.015}) {
    Vector3 sum{};
    for (const Vector3& force : gradient_of(block, box.lines(amplitude, 0.0), 0.0)) sum += force;
    EXPECT_EQ(sum, (Vector3{}));
  }
}

TEST(NeoHookean, LargestForceIsThatBeforeRounding) {
  Box box(1);
  Followed<NeoHookeanBlock> block = box.block();
  const auto lines = box.lines(0.01, 0.0);
  std::vector<Vector3> ignored(lines.size());
  const double fine = block.add_gradient(lines, 0.0, force_grid, ignored);
  const double none = block.add_gradient(lines, 0.0, Grid{}, ignored);
  EXPECT_GT(none, 0);
  EXPECT_NEAR(fine / none, 1, 1e-10);
}

TEST(NeoHookean, RigidMotionCostsNoEnergyAndLoadsNoNode) {
  Box box(2);
  Followed<NeoHookeanBlock> block = box.block();
  std::vector<NodeLine> lines(box.positions.size());
  const double c = std::cos(2.0), s = std::sin(2.0);
  for (std::size_t a = 0; a < lines.size(); ++a) {
    const Vector3& x = box.positions[a];
    const Vector3 turned{c * x[0] - s * x[1] + 3, s * x[0] + c * x[1] - 2, x[2] + 1};
    lines[a] = {turned - x, {}, 0, 1};
  }
  // Scales: μ edge³ = 30 J, μ edge² = 300 N; displacements of 3 m against edges of 0.1 m cost one digit and a
  // half.
  EXPECT_LT(std::abs(energy_at(block, lines, 0)), 30 * 1e-12);
  for (const Vector3& force : gradient_of(block, lines, 0)) EXPECT_LT(norm(force), 300 * 1e-12);
}

TEST(NeoHookean, UpdatedLineIsTheSameBitsAsANewOne) {
  Box box(4);
  auto lines = box.lines(0.01, 0.3);
  Followed<NeoHookeanBlock> updated = box.block(), fresh = box.block();
  updated.set_line(lines, 0.02);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint8_t> changed(lines.size(), 0);
    for (int i = 0; i < 1 + 3 * round; ++i) {
      const std::size_t a = box.random() % lines.size();
      lines[a] = {0.01 * box.vector(), 0.3 * box.vector(), 0.025, 1.0};  // its time is after the origin
      changed[a] = 1;
    }
    updated.update_line(lines, 0.02, changed);
    fresh.set_line(lines, 0.02);
    for (const double s : {0.005, 0.008}) {
      LineSample one, other;
      updated.sample(s, ample_grids(), one);
      fresh.sample(s, ample_grids(), other);
      EXPECT_TRUE(same_bits(one, other));
    }
  }
}

TEST(NeoHookean, InvertedElementIsNamedAndCountsAsInfiniteEnergy) {
  const std::vector<Vector3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  Followed<NeoHookeanBlock> block(positions, std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}}, soft,
                                  ElementNames{{70, 71}, "anvil", 30});
  std::vector<NodeLine> lines(5, NodeLine{{}, {}, 0, 1});
  lines[4].velocity = {-1, -1, -1};  // through the plane x + y + z = 1 at time 2/3
  std::vector<Vector3> gradient(5);
  EXPECT_NO_THROW(block.add_gradient(lines, 0.6, force_grid, gradient));
  const auto before = gradient;
  try {
    block.add_gradient(lines, 0.75, force_grid, gradient);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::run);
    EXPECT_NE(std::string(error.what()).find("body anvil, element 41 at time"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("0.75"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(same_bits(before, gradient));
  block.set_line(lines, 0.0);
  LineSample sum;
  block.sample(0.75, ample_grids(), sum);
  EXPECT_EQ(sum.infinite, 1);
  EXPECT_EQ(sum.value.value(), 0);  // the other element is at rest
  EXPECT_TRUE(std::isfinite(sum.largest_value));
}

TEST(NeoHookean, NotANumberAndInfinityAreNeverSwallowed) {
  Box box(2);
  for (const double bad : {std::nan(""), infinity}) {
    Followed<NeoHookeanBlock> block = box.block();
    auto lines = box.lines(0.001, 0.1);
    lines[Box::foreign + 13].displacement[1] = bad;
    std::vector<Vector3> gradient(lines.size());
    EXPECT_THROW(block.add_gradient(lines, 0.0, force_grid, gradient), Error);
    block.set_line(lines, 0.0);
    LineSample sum;
    block.sample(0.001, ample_grids(), sum);
    EXPECT_TRUE(std::isnan(sum.value.value()) || sum.infinite > 0);
    LineBound bound;
    block.bound(0.0, 1e-4, ample_grids(), bound);
    EXPECT_GT(bound.invalid, 0);
  }
}

TEST(NeoHookean, StressAndVolumeOfAStretchedCube) {
  Box box(2);
  Followed<NeoHookeanBlock> block = box.block();
  std::vector<NodeLine> lines(box.positions.size());
  const Vector3 stretch{1.3, 0.9, 0.8};
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t i = 0; i < 3; ++i) lines[a].displacement[i] = (stretch[i] - 1) * box.positions[a][i];
  const double j = stretch[0] * stretch[1] * stretch[2];
  double total = 0;
  for (const ElementState& state : block.source.element_states({lines, 0})) {
    EXPECT_NEAR(state.jacobian, j, 1e-13);
    for (std::size_t i = 0; i < 3; ++i) {
      const double sigma =
          (soft.lame_mu * (stretch[i] * stretch[i] - 1) + soft.lame_lambda * std::log(j)) / j;
      EXPECT_NEAR(state.cauchy[i], sigma, 1e-8);
      EXPECT_NEAR(state.cauchy[3 + i], 0, 1e-8);
    }
    total += state.energy;
  }
  EXPECT_NEAR(total / energy_at(block, lines, 0), 1, 1e-13);
}

TEST(NeoHookean, BadElementsAndMaterialsAreRefused) {
  const std::vector<Vector3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROW(NeoHookeanBlock(positions, {{0, 2, 1, 3}}, soft), Error);
  EXPECT_THROW(NeoHookeanBlock(positions, {{0, 1, 2, 4}}, soft), Error);
  EXPECT_THROW(NeoHookeanBlock(positions, {{0, 1, 2, 3}}, Material{"m", 1, 1, -1}), Error);
  Followed<NeoHookeanBlock> empty(positions, std::vector<Tetrahedron>{}, soft);
  EXPECT_TRUE(empty.nodes().empty());
  std::vector<NodeLine> lines(4, NodeLine{{}, {}, 0, 1});
  std::vector<Vector3> gradient(4);
  EXPECT_EQ(empty.add_gradient(lines, 0, force_grid, gradient), 0);
}

/// The largest displacement after 400 steps of explicit Newmark from random ones of 1e-9, as a multiple of
/// these; 1000 as soon as a node has moved by 1e-6.
double growth(const Box& box, double step) {
  Followed<NeoHookeanBlock> block = box.block();
  std::vector<double> mass(box.positions.size(), 0);
  for (const Tetrahedron& t : box.tetrahedra) {
    const auto at = [&](std::size_t a) { return box.positions[static_cast<std::size_t>(t[a])]; };
    const double volume = dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0))) / 6;
    for (const int node : t) mass[static_cast<std::size_t>(node)] += soft.density * volume / 4;
  }
  Box noise = box;
  auto lines = noise.lines(1e-9, 0.0);
  const Grid fine = Grid::holding(1e-2, 1e4);
  for (int n = 0; n < 400; ++n) {
    std::vector<Vector3> gradient(lines.size());
    for (NodeLine& line : lines) line.time = 0;
    block.add_gradient(lines, 0, fine, gradient);
    for (std::size_t a = Box::foreign; a < lines.size(); ++a) {
      lines[a].velocity += (-step / mass[a]) * gradient[a];
      lines[a].displacement += step * lines[a].velocity;
      if (norm(lines[a].displacement) > 1e-6) return 1e3;
    }
  }
  double largest = 0;
  for (std::size_t a = Box::foreign; a < lines.size(); ++a)
    largest = std::max(largest, norm(lines[a].displacement));
  return largest / 1e-9;
}

TEST(StableStep, NewmarkIsBoundedAtItAndUnboundedAtThreeTimesIt) {
  const Box box(2);
  const double step = element_stable_step(box.positions, box.tetrahedra, soft);
  EXPECT_LT(growth(box, step), 100);
  EXPECT_EQ(growth(box, 3 * step), 1e3);
}

TEST(StableStep, OfTheCornerTetrahedronIsThatOfItsLargestEigenvalue) {
  // λ = 0, unit corner tetrahedron: ω² = 4/ρ · largest eigenvalue of 2 μ Σ B Bᵀ. With Σ_a ∇N_a ⊗ ∇N_a = I + 1
  // 1ᵀ the dilatation mode (1, 1, 1, 0, 0, 0)/√3 couples to (0, 0, 0, 1, 1, 1)/√3: [[2, √2], [√2, 3]], whose
  // largest is 4.
  const std::vector<Vector3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Tetrahedron> one{{0, 1, 2, 3}};
  const double mu = 3.0, density = 5.0;
  const double exact = 2 / std::sqrt(4 / density * 2 * mu * 4);
  const double step = element_stable_step(positions, one, Material{"m", density, 0.0, mu});
  EXPECT_LE(step, exact * (1 + 1e-12));
  EXPECT_GE(step, exact / 1.01);
}

TEST(StableStep, IsProportionalToLength) {
  const Box box(2, 0.1), small(2, 0.1e-6);
  const double ratio = element_stable_step(box.positions, box.tetrahedra, soft) /
                       element_stable_step(small.positions, small.tetrahedra, soft);
  EXPECT_NEAR(ratio, 1e6, 1e-4);
}

}  // namespace
}  // namespace terrace::neo_hookean_test
