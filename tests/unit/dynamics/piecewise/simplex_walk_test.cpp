// The walk of force-stepping over simplices: against Algorithm 4 of the thesis with its matrices, and the
// properties that its chapter 3 proves.
#include "dynamics/piecewise/simplex_walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/infinity.hpp"
#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "support/small_potentials.hpp"

namespace terrace::simplex_walk_test {
namespace {

using Values = std::vector<double>;

std::vector<GridLine> grid_of(std::size_t count, double spacing, bool mirrored = false) {
  std::vector<GridLine> grid;
  for (std::size_t i = 0; i < count; ++i) {
    const double shift = mirrored ? 0 : 0.618 * static_cast<double>(i + 1);
    const double of_its_own = spacing * (1 + 0.1 * static_cast<double>(i));
    grid.push_back({1 / (1 + 0.2 * static_cast<double>(i)), of_its_own,
                    of_its_own * (shift - std::floor(shift)), mirrored});
  }
  return grid;
}

double energy_of(const SimplexWalk& walk, const std::vector<GridLine>& grid) {
  double sum = walk.potential(walk.time());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const double rate = walk.rate(i, walk.time());
    sum += 0.5 * rate * rate / grid[i].inverse_mass;
  }
  return sum;
}

Values values(const SimplexWalk& walk, double time, std::size_t count) {
  Values all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(walk.value(i, time));
  return all;
}
Values rates(const SimplexWalk& walk, double time, std::size_t count) {
  Values all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(walk.rate(i, time));
  return all;
}

/// The eccentric orbit of the thesis (3.78).
struct Orbit {
  explicit Orbit(double eccentricity, double spacing)
      : walk({{1, spacing, 0, false}, {1, spacing, 0, false}}, potential) {
    walk.start(Values{1 - eccentricity, 0}, Values{0, std::sqrt((1 + eccentricity) / (1 - eccentricity))}, 0);
  }
  [[nodiscard]] double energy() const { return energy_of(walk, {{}, {}}); }
  FunctionOfCoordinates potential = kepler();
  SimplexWalk walk;
};

/// Algorithm 4 as in the thesis: keeps the vertices and the inverse of their matrix, by the update (3.25).
class WithMatrices {
 public:
  WithMatrices(const std::vector<GridLine>& grid, const FunctionOfCoordinates& potential, Values q, Values v)
      : grid_(grid), potential_(potential), q_(std::move(q)), v_(std::move(v)), d_(grid.size()) {
    Values z(d_);
    for (std::size_t i = 0; i < d_; ++i) z[i] = (q_[i] - grid_[i].origin) / grid_[i].spacing;
    std::vector<std::size_t> order(d_);
    for (std::size_t i = 0; i < d_; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return z[i] - std::floor(z[i]) > z[j] - std::floor(z[j]);
    });
    Values vertex(d_);
    for (std::size_t i = 0; i < d_; ++i) vertex[i] = std::floor(z[i]);
    vertices_.push_back(vertex);
    for (const std::size_t i : order) {
      vertex[i] += 1;
      vertices_.push_back(vertex);
    }
    invert(order);
    for (const Values& one : vertices_) energies_.push_back(energy_at(one));
  }
  /// Goes on to the next face (Proposition 3.3.1, Algorithm 4) and returns the time that this takes.
  double step() {
    const Values a = acceleration();
    double best = infinity;
    std::size_t exit = 0;
    for (std::size_t r = 0; r <= d_; ++r) {
      double mu1 = inverse_[r][d_], mu2 = 0, mu3 = 0;
      for (std::size_t i = 0; i < d_; ++i) {
        mu1 += inverse_[r][i] * (q_[i] - grid_[i].origin) / grid_[i].spacing;
        mu2 += inverse_[r][i] * v_[i] / grid_[i].spacing;
        mu3 += inverse_[r][i] * 0.5 * a[i] / grid_[i].spacing;
      }
      for (const double root : roots(mu1, mu2, mu3))
        if (root > (static_cast<std::ptrdiff_t>(r) == entered_ ? 1e-9 : 0) && root < best)
          best = root, exit = r;
    }
    for (std::size_t i = 0; i < d_; ++i) {
      q_[i] += best * (v_[i] + 0.5 * best * a[i]);
      v_[i] += best * a[i];
    }
    replace(exit);
    return best;
  }
  /// Acceleration of the free fall in the present simplex.
  [[nodiscard]] Values acceleration() const {
    Values a(d_);
    for (std::size_t i = 0; i < d_; ++i) {
      double slope = 0;
      for (std::size_t r = 0; r <= d_; ++r) slope += energies_[r] * inverse_[r][i];
      a[i] = -slope / grid_[i].spacing * grid_[i].inverse_mass;
    }
    return a;
  }
  [[nodiscard]] const Values& q() const { return q_; }

 private:
  static std::vector<double> roots(double c, double b, double a) {
    if (std::abs(a) < 1e-300) return b == 0 ? Values{} : Values{-c / b};
    const double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return {};
    const double half = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    return {half / a, c / half};
  }
  /// In the first simplex the barycentric coordinates μ are differences of successive coordinates.
  void invert(const std::vector<std::size_t>& order) {
    inverse_.assign(d_ + 1, Values(d_ + 1, 0));
    for (std::size_t k = 0; k <= d_; ++k) {
      if (k > 0) inverse_[k][order[k - 1]] += 1, inverse_[k][d_] -= vertices_[0][order[k - 1]];
      if (k < d_) inverse_[k][order[k]] -= 1, inverse_[k][d_] += vertices_[0][order[k]];
      if (k == 0) inverse_[k][d_] += 1;
    }
  }
  void replace(std::size_t s) {
    const Values &next = vertices_[(s + 1) % (d_ + 1)], &before = vertices_[(s + d_) % (d_ + 1)];
    Values u(d_ + 1, 0);
    for (std::size_t i = 0; i < d_; ++i) u[i] = next[i] + before[i] - 2 * vertices_[s][i];
    for (std::size_t i = 0; i < d_; ++i) vertices_[s][i] += u[i];
    Values zu(d_ + 1, 0);
    for (std::size_t r = 0; r <= d_; ++r)
      for (std::size_t i = 0; i <= d_; ++i) zu[r] += inverse_[r][i] * u[i];
    const Values row = inverse_[s];
    for (std::size_t r = 0; r <= d_; ++r)
      for (std::size_t i = 0; i <= d_; ++i) inverse_[r][i] -= zu[r] * row[i] / (1 + zu[s]);
    energies_[s] = energy_at(vertices_[s]);
    entered_ = static_cast<std::ptrdiff_t>(s);
  }
  [[nodiscard]] double energy_at(const Values& z) const {
    Values x(d_);
    for (std::size_t i = 0; i < d_; ++i) x[i] = grid_[i].origin + grid_[i].spacing * z[i];
    return potential_(x);
  }

  std::vector<GridLine> grid_;
  const FunctionOfCoordinates& potential_;
  Values q_, v_;
  std::size_t d_;
  std::vector<Values> vertices_, inverse_;
  Values energies_;
  std::ptrdiff_t entered_ = -1;
};

TEST(SimplexWalk, IsAlgorithm4WithoutItsMatrices) {
  constexpr std::size_t d = 5;
  FunctionOfCoordinates potential = chain(d);
  const std::vector<GridLine> grid = grid_of(d, 0.05);
  const Values q = {0.1, -0.23, 0.31, 0.02, -0.17}, v = {0.5, 0.2, -0.4, 0.3, 0.1};
  SimplexWalk walk(grid, potential);
  walk.start(q, v, 0);
  WithMatrices twin(grid, potential, q, v);
  double time = 0;
  for (int n = 0; n < 600; ++n) {
    walk.cross();
    time += twin.step();
    ASSERT_NEAR(walk.time(), time, 1e-9) << "step " << n;
    const Values a = twin.acceleration();
    for (std::size_t i = 0; i < d; ++i) {
      ASSERT_NEAR(walk.value(i, walk.time()), twin.q()[i], 1e-9) << "step " << n;
      ASSERT_NEAR(walk.acceleration(i), a[i], 1e-9) << "step " << n;
    }
  }
}

TEST(SimplexWalk, AsksForOneNewValueOfVInEachStep) {
  FunctionOfCoordinates potential = chain(7);
  SimplexWalk walk(grid_of(7, 0.05), potential);
  walk.start(Values(7, 0.1), Values{1, -1, 0.5, 0.2, -0.7, 0.3, 0}, 0);
  const int at_start = potential.evaluations();
  EXPECT_EQ(at_start, 8);
  for (int n = 0; n < 500; ++n) walk.cross();
  EXPECT_EQ(potential.evaluations() - at_start, 500);
}

// After any number of crossings each vertex differs from the one before in one coordinate, the stored V of a
// vertex is V there, and the point is between the vertices.
TEST(SimplexWalk, KnowsTheSimplexItIsIn) {
  for (const bool mirrored : {false, true}) {
    constexpr std::size_t d = 6;
    FunctionOfCoordinates potential = chain(d);
    const std::vector<GridLine> grid = grid_of(d, 0.04, mirrored);
    SimplexWalk walk(grid, potential);
    walk.start(Values{0.01, -0.02, 0.1, 0.13, -0.11, 0.07}, Values{0.6, 0.5, -0.3, 0.4, -0.2, 0.1}, 0);
    for (int n = 0; n < 3000; ++n) {
      walk.cross();
      if (n % 100 != 0) continue;
      const double middle = 0.5 * (walk.time() + walk.next());
      for (std::size_t k = 0; k <= d; ++k) {
        Values vertex(d);
        int moved = 0;
        for (std::size_t i = 0; i < d; ++i) {
          vertex[i] = walk.vertex(k, i);
          moved += k > 0 && vertex[i] != walk.vertex(k - 1, i) ? 1 : 0;
        }
        EXPECT_EQ(moved, k > 0 ? 1 : 0);
        EXPECT_EQ(walk.vertex_value(k), potential(vertex));
      }
      for (std::size_t i = 0; i < d; ++i) {
        const auto [low, high] = std::minmax({walk.vertex(0, i), walk.vertex(d, i)});
        EXPECT_NEAR(high - low, grid[i].spacing, 1e-14);
        EXPECT_GE(walk.value(i, middle), low);
        EXPECT_LE(walk.value(i, middle), high);
      }
    }
  }
}

TEST(SimplexWalk, KeepsTheEnergyOverAMillionSteps) {
  Orbit orbit(0.5, 0.022);
  const double start = orbit.energy();
  double worst = 0;
  for (int n = 0; n < 1000000; ++n) {
    orbit.walk.cross();
    if (n % 97 == 0) worst = larger(worst, std::abs(orbit.energy() / start - 1));
  }
  std::printf("largest relative change of the energy: %.1e\n", worst);
  EXPECT_LE(worst, 1e-12);
}

// Published: 0.0125 and 0.000175 (thesis 3.6.1).
TEST(SimplexWalk, HasThePublishedAverageStepsOfTheEccentricOrbits) {
  const auto average = [](double eccentricity, double spacing, double end) {
    Orbit orbit(eccentricity, spacing);
    while (orbit.walk.next() <= end) orbit.walk.cross();
    return end / static_cast<double>(orbit.walk.crossings());
  };
  EXPECT_NEAR(average(0.85, 0.022, 64 * M_PI), 0.0125, 0.05 * 0.0125);
  EXPECT_NEAR(average(0.99, 0.000247, 16 * M_PI), 0.000175, 0.05 * 0.000175);
}

TEST(SimplexWalk, ReturnsWhereItCameFromWhenTimeIsTurned) {
  for (const bool mirrored : {false, true}) {
    constexpr std::size_t d = 4;
    FunctionOfCoordinates potential = chain(d);
    const Values q = {0.11, -0.07, 0.2, 0.05}, v = {0.3, 0.4, -0.2, 0.1};
    const double duration = 5;
    SimplexWalk there(grid_of(d, 0.05, mirrored), potential);
    there.start(q, v, 0);
    while (there.next() <= duration) there.cross();
    Values back = rates(there, duration, d);
    for (double& rate : back) rate = -rate;
    SimplexWalk again(grid_of(d, 0.05, mirrored), potential);
    again.start(values(there, duration, d), back, 0);
    while (again.next() <= duration) again.cross();
    EXPECT_GT(again.crossings(), 200);
    EXPECT_EQ(again.crossings(), there.crossings());
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(again.value(i, duration), q[i], 1e-9);
      EXPECT_NEAR(again.rate(i, duration), -v[i], 1e-9);
    }
  }
}

/// (q, p) after `duration`.
Values flow(const Values& start, double duration, bool mirrored) {
  const std::size_t d = start.size() / 2;
  FunctionOfCoordinates potential = chain(d);
  const std::vector<GridLine> grid = grid_of(d, 0.1, mirrored);
  SimplexWalk walk(grid, potential);
  Values q(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(d)), v;
  for (std::size_t i = 0; i < d; ++i) v.push_back(start[d + i] * grid[i].inverse_mass);
  walk.start(q, v, 0);
  while (walk.next() <= duration) walk.cross();
  Values end = values(walk, duration, d);
  for (std::size_t i = 0; i < d; ++i) end.push_back(walk.rate(i, duration) / grid[i].inverse_mass);
  return end;
}

// JᵀΩJ = Ω for the derivative J of the flow, by central differences so small that faces are met in the same
// order.
TEST(SimplexWalk, IsSymplectic) {
  for (const bool mirrored : {false, true}) {
    constexpr std::size_t d = 3;
    const Values start = {0.13, -0.06, 0.21, 0.4, -0.3, 0.2};
    constexpr double duration = 1.3, difference = 1e-7;
    std::vector<Values> columns;
    for (std::size_t k = 0; k < 2 * d; ++k) {
      Values above = start, below = start;
      above[k] += difference;
      below[k] -= difference;
      Values column = flow(above, duration, mirrored);
      const Values other = flow(below, duration, mirrored);
      for (std::size_t i = 0; i < 2 * d; ++i) column[i] = (column[i] - other[i]) / (2 * difference);
      columns.push_back(column);
    }
    double largest = 0;
    for (std::size_t j = 0; j < 2 * d; ++j)
      for (std::size_t k = 0; k < 2 * d; ++k) {
        double form = 0;
        for (std::size_t i = 0; i < d; ++i)
          form += columns[j][i] * columns[k][d + i] - columns[j][d + i] * columns[k][i];
        const double exact = k == j + d ? 1 : j == k + d ? -1 : 0;
        largest = larger(largest, std::abs(form - exact));
      }
    EXPECT_LE(largest, 1e-7);
    EXPECT_GT(std::abs(columns[0][0] - 1), 1e-3) << "the flow is not the identity";
  }
}

// With V even in each coordinate the mirrored start gives the mirrored motion on the mirrored triangulation,
// and another one on the plain triangulation.
TEST(SimplexWalk, KeepsParityWhereTheTriangulationHasIt) {
  FunctionOfCoordinates potential(2, [](const Values& x) { return x[0] * x[0] + 0.3 * x[1] * x[1]; });
  const auto last = [&](bool mirrored, double sign) {
    SimplexWalk walk({{1, 0.05, 0, mirrored}, {1, 0.05, 0, mirrored}}, potential);
    walk.start(Values{0.31, sign * 0.12}, Values{0.2, sign * 0.7}, 0);
    for (int n = 0; n < 500; ++n) walk.cross();
    return Values{walk.value(0, walk.time()), sign * walk.value(1, walk.time()), walk.time()};
  };
  EXPECT_EQ(last(true, 1), last(true, -1));
  EXPECT_NE(last(false, 1), last(false, -1));
}

// The interpolation of V is off by O(h²). The test asks for less of the motion: 4 times the accuracy for a
// grid 8 times as fine.
TEST(SimplexWalk, ConvergesToTheExactMotion) {
  const auto error = [](double spacing) {
    FunctionOfCoordinates potential(2, [](const Values& x) { return 0.5 * (x[0] * x[0] + 4 * x[1] * x[1]); });
    double worst = 0;
    constexpr int shifts = 8;  // the error of one grid depends on where its planes are
    for (int n = 0; n < shifts; ++n) {
      SimplexWalk walk({{1, spacing, 0.1 * n * spacing, false}, {1, spacing, 0.07 * n * spacing, false}},
                       potential);
      walk.start(Values{1, 0.3}, Values{0.1, 0.5}, 0);
      while (walk.next() <= 3) walk.cross();
      const double exact = std::cos(3) + 0.1 * std::sin(3);
      worst += std::abs(walk.value(0, 3) - exact) / shifts;
    }
    return worst;
  };
  const double coarse = error(0.08), fine = error(0.01);
  EXPECT_GT(coarse / fine, 8 / 2.0);
  EXPECT_LT(fine, 0.01);
}

TEST(SimplexWalk, SaysSoWhereItStaysOnAnEdgeOfTheGrid) {
  FunctionOfCoordinates potential(2, [](const Values& x) { return (x[0] - x[1]) * (x[0] - x[1]); });
  SimplexWalk walk({{1, 0.1, 0, false}, {1, 0.1, 0, false}}, potential);
  walk.start(Values{0, 0}, Values{1, 1}, 0);  // along an edge of the triangulation, in a valley of V_h
  try {
    for (int n = 0; n < 1000; ++n) walk.cross();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr(
                    "a motion across the faces of the grid, found one that stays on an edge of it: set "
                    "integrator.grid_offset, so that not all coordinates begin on planes of the grid"));
  }
}

}  // namespace
}  // namespace terrace::simplex_walk_test
