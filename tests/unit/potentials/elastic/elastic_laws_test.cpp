// The three elastic laws in one element: energy against textbook formulas in the invariants of C, gradient
// and Hessian against central differences, balance of forces, restriction to lines, certificates on dense
// samples, small strain, stable steps.
#include "potentials/elastic/elastic_laws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "parallel/error.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/stable_step.hpp"

namespace terrace::elastic_laws_test {
namespace {

using Real = long double;
using Random = std::mt19937_64;
using Matrix = std::array<std::array<Real, 3>, 3>;

const Material mooney{"mooney", 1200, 5.0e4, 3.0e4, MaterialLaw::mooney_rivlin, 0.9e4};
const Material venant{"venant", 1200, 5.0e4, 3.0e4, MaterialLaw::st_venant_kirchhoff};
const Material neo{"neo", 1200, 5.0e4, 3.0e4};

class LawOf : public testing::TestWithParam<Material> {};
INSTANTIATE_TEST_SUITE_P(Elastic, LawOf, testing::Values(mooney, venant, neo),
                         [](const auto& material) { return material.param.name; });

Real determinant(const Matrix& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// W by the textbook formulas in C = FᵀF and its invariants.
Real textbook(const Material& material, const Matrix& f) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t m = 0; m < 3; ++m) c[i][k] += f[m][i] * f[m][k];
  Real first = 0, squares = 0, strain = 0, trace = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    first += c[i][i];
    for (std::size_t k = 0; k < 3; ++k) {
      squares += c[i][k] * c[k][i];
      const Real e = (c[i][k] - (i == k ? 1 : 0)) / 2;
      strain += e * e;
      if (i == k) trace += e;
    }
  }
  const Real lambda = material.lame_lambda, mu = material.lame_mu, c01 = material.c01;
  if (material.law == MaterialLaw::st_venant_kirchhoff) return lambda / 2 * trace * trace + mu * strain;
  const Real second = (first * first - squares) / 2, log = std::log(determinant(f)), c10 = mu / 2 - c01;
  return c10 * (first - 3) + c01 * (second - 3) - (2 * c10 + 4 * c01) * log +
         (lambda - 4 * c01) / 2 * log * log;
}

const std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr Real volume = Real(1) / 6;

/// One tetrahedron whose F is I + start + s · rate.
struct Element {
  Matrix start, rate;

  static Element random(Random& random, double strain, double speed) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    Element element{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        element.start[i][k] = strain * uniform(random);
        element.rate[i][k] = speed * uniform(random);
      }
    return element;
  }
  [[nodiscard]] Matrix deformation(Real s) const {
    Matrix f = start;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) f[i][k] += s * rate[i][k] + (i == k ? 1 : 0);
    return f;
  }
  [[nodiscard]] Real energy(const Material& material, Real s) const {
    return volume * textbook(material, deformation(s));
  }
  [[nodiscard]] std::vector<NodeLine> lines() const {
    std::vector<NodeLine> all(4, NodeLine{{}, {}, 0, 1});
    for (std::size_t a = 1; a < 4; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        all[a].displacement[i] = static_cast<double>(start[i][a - 1]);
        all[a].velocity[i] = static_cast<double>(rate[i][a - 1]);
      }
    return all;
  }
};

LineGrids grids_for(double largest) {
  const Grid grid = Grid::holding(largest, 8);
  return {DoubleGrid::holding(largest, 8), grid, grid, grid, grid, grid, grid, grid};
}

std::unique_ptr<ElasticPotential> one_element(const Material& material) {
  return make_elastic(corners, {{0, 1, 2, 3}}, material, {});
}

double add_gradient(const Potential& potential, const Element& element, const Grid& grid,
                    std::vector<Vector3>& gradient) {
  const std::vector<NodeLine> lines = element.lines();
  return potential.add_gradient({lines, 0}, grid, gradient);
}
std::vector<ElementState> states(const ElasticPotential& block, const Element& element) {
  const std::vector<NodeLine> lines = element.lines();
  return block.element_states({lines, 0});
}

TEST_P(LawOf, WhatIsMeasuredIsTheTextbooksEnergyAndTheVarianceOfTheVelocities) {
  constexpr unsigned seed = 6;
  Random random(seed);
  const auto block = one_element(GetParam());
  const double mass = GetParam().density * static_cast<double>(volume);
  ElementMeasures measures;
  for (const double strain : {1e-5, 1e-2, 0.25})
    for (int trial = 0; trial < 100; ++trial) {
      const Element element = Element::random(random, strain, strain);
      const std::vector<NodeLine> lines = element.lines();
      const double time = 0.3, scale = 1e5 * strain * strain;
      block->measure(lines, time, measures);
      ASSERT_EQ(measures.energies.size(), 1u);
      ASSERT_EQ(measures.kinetic_of_differences.size(), 1u);
      EXPECT_NEAR(measures.energies[0], static_cast<double>(element.energy(GetParam(), time)),
                  1e-13 * scale + 1e-14);
      Vector3 mean{};
      double square = 0;
      for (const NodeLine& line : lines) {
        mean += 0.25 * line.velocity;
        square += 0.25 * dot(line.velocity, line.velocity);
      }
      EXPECT_NEAR(measures.kinetic_of_differences[0], 0.5 * mass * (square - dot(mean, mean)),
                  1e-14 * mass * square);
    }
}

TEST_P(LawOf, TheTurnThatIsTakenOffTheVelocitiesIsAboutTheCentreAtTheTime) {
  const auto block = one_element(GetParam());
  const Vector3 centre{3, -2, 5}, spin{1, 0.5, -2}, displacement{0.5, 0.25, -0.75};
  const double time = 0.5;
  std::vector<NodeLine> lines;
  for (const Vector3& corner : corners) {
    const Vector3 velocity = Vector3{7, 8, 9} + cross(spin, corner + displacement - centre);
    lines.push_back({displacement - time * velocity, velocity, 0, 1});
  }
  ElementMeasures measures;
  measures.centre = centre;
  measures.spin = spin;
  block->measure(lines, time, measures);
  EXPECT_NEAR(measures.kinetic_of_differences[0], 0, 1e-25);
  measures.spin = {};
  block->measure(lines, time, measures);
  EXPECT_GT(measures.kinetic_of_differences[0], 1e-3 * GetParam().density)
      << "another turn is another motion";
}

TEST_P(LawOf, AnInvertedElementHasNoEnergyToMeasureWhereTheLawHasNone) {
  const auto block = one_element(GetParam());
  std::vector<NodeLine> lines(4, NodeLine{{}, {}, 0, 1});
  lines[3].displacement = {0, 0, -4};
  ElementMeasures measures;
  block->measure(lines, 0, measures);
  EXPECT_EQ(std::isnan(measures.energies[0]), GetParam().law != MaterialLaw::st_venant_kirchhoff);
  EXPECT_NEAR(measures.kinetic_of_differences[0], 0, 0);
}

TEST_P(LawOf, EnergyAndItsDerivativesAlongALineAreThoseOfTheTextbook) {
  constexpr unsigned seed = 5;
  Random random(seed);
  const auto block = one_element(GetParam());
  const auto line = block->on_line();
  for (const double strain : {1e-5, 1e-2, 0.25})
    for (int trial = 0; trial < 100; ++trial) {
      const Element element = Element::random(random, strain, strain);
      line->set_line(element.lines(), 0);
      const double s = 0.3;
      LineSample sum;
      const double scale = 1e5 * strain * strain;
      line->sample(s, grids_for(10 * scale), sum);
      ASSERT_EQ(sum.infinite, 0);
      const Real step = 1e-4L;
      const auto value = [&](Real at) { return element.energy(GetParam(), at); };
      const Real slope = (value(s + step) - value(s - step)) / (2 * step),
                 curvature = (value(s + step) - 2 * value(s) + value(s - step)) / (step * step);
      EXPECT_NEAR(sum.value.value(), static_cast<double>(value(s)), 1e-13 * scale + 1e-14)
          << seed << " " << trial;
      // The textbook formulas lose digits at small strain, and the differences of them more.
      EXPECT_NEAR(sum.slope, static_cast<double>(slope), 1e-6 * scale + 1e-10) << trial;
      EXPECT_NEAR(sum.curvature, static_cast<double>(curvature), 1e-5 * scale + 1e-6) << trial;
    }
}

TEST_P(LawOf, ForcesAreDerivativesOfTheEnergyAndSumToZeroToTheBit) {
  Random random(6);
  const auto block = one_element(GetParam());
  const auto line = block->on_line();
  for (int trial = 0; trial < 50; ++trial) {
    const Element element = Element::random(random, 0.25, 0);
    std::vector<Vector3> gradient(4);
    add_gradient(*block, element, Grid::holding(1e5, 16), gradient);
    EXPECT_EQ(gradient[0] + gradient[1] + gradient[2] + gradient[3], Vector3{});
    for (std::size_t a = 1; a < 4; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        Element moved = element;
        moved.rate[i][a - 1] = 1;
        const Real step = 1e-5L;
        const Real slope = (moved.energy(GetParam(), step) - moved.energy(GetParam(), -step)) / (2 * step);
        EXPECT_NEAR(gradient[a][i], static_cast<double>(slope), 1e-4) << trial;
      }
  }
}

TEST_P(LawOf, StressesAreDerivativesOfTheEnergyAndTheirChangesOfThem) {
  Random random(7);
  const auto as_tensor = [](const Matrix& m) {
    Tensor3 t{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) t[i][k] = static_cast<double>(m[i][k]);
    return t;
  };
  for (int trial = 0; trial < 50; ++trial) {
    const Element element = Element::random(random, 0.25, 1);
    const Matrix f = element.deformation(0);
    const auto stress = [&](Real s, std::size_t i, std::size_t k) {  // P_ik by central differences of W
      Matrix ahead = element.deformation(s), behind = ahead;
      ahead[i][k] += 1e-5L;
      behind[i][k] -= 1e-5L;
      return (textbook(GetParam(), ahead) - textbook(GetParam(), behind)) / 2e-5L;
    };
    const MaterialState state = material_state(GetParam(), as_tensor(element.start));
    EXPECT_NEAR(state.jacobian, static_cast<double>(determinant(f)), 1e-14);
    EXPECT_NEAR(state.energy_density, static_cast<double>(textbook(GetParam(), f)), 1e-9);
    const Tensor3 change = stress_change(GetParam(), as_tensor(element.start), as_tensor(element.rate));
    constexpr std::size_t component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (std::size_t c = 0; c < 6; ++c) {
      Real cauchy = 0;
      for (std::size_t m = 0; m < 3; ++m)
        cauchy += stress(0, component[c][0], m) * f[component[c][1]][m] / determinant(f);
      EXPECT_NEAR(state.cauchy[c], static_cast<double>(cauchy), 1e-2) << c;
    }
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(change[i][k], static_cast<double>((stress(1e-4L, i, k) - stress(-1e-4L, i, k)) / 2e-4L),
                    1)
            << i << k;
  }
}

TEST_P(LawOf, TheHessianIsTheDerivativeOfTheForces) {
  Random random(11);
  const auto block = one_element(GetParam());
  for (int trial = 0; trial < 20; ++trial) {
    const Element element = Element::random(random, 0.2, 1);
    std::vector<Vector3> direction, product(4);
    for (const NodeLine& node : element.lines()) direction.push_back(node.velocity);
    const std::vector<NodeLine> lines = element.lines();
    block->add_hessian_times({lines, 0}, direction, product);
    const auto force = [&](double s) {
      std::vector<Vector3> gradient(4);
      block->add_gradient({lines, s}, Grid::holding(1e5, 16), gradient);
      return gradient;
    };
    const std::vector<Vector3> ahead = force(1e-5), behind = force(-1e-5);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t d = 0; d < 3; ++d)
        EXPECT_NEAR(product[a][d], (ahead[a][d] - behind[a][d]) / 2e-5, 1e-1) << trial;
  }
}

// V‴ by central differences in long double. They are exact for St. Venant-Kirchhoff, whose V is a polynomial
// of degree 4 in s; hence the narrow limit of its ratio of the certificate to the largest |V‴|.
TEST_P(LawOf, TheCertificateBoundsTheThirdDerivativeOnTheWholeIntervalAndIsNearTheTruth) {
  constexpr unsigned seed = 8;
  Random random(seed);
  std::uniform_real_distribution<double> exponent(-3, 0), share(0, 1);
  const auto block = one_element(GetParam());
  const auto line = block->on_line();
  double logarithms = 0;
  int certified = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Element element = Element::random(random, 0.25, 1);
    line->set_line(element.lines(), 0);
    const double from = trial % 2 == 0 ? 0 : 0.05 * share(random),
                 duration = 0.1 * std::pow(10, exponent(random));
    LineBound bound;
    line->bound(from, from + duration, grids_for(1e9), bound);
    if (bound.invalid > 0) continue;
    ++certified;
    Real largest = 0;
    for (int i = 0; i <= 50; ++i) {
      const Real s = from + Real(duration) * i / 50, step = 1e-3L;
      const auto value = [&](Real at) { return element.energy(GetParam(), at); };
      largest = std::max(largest, std::abs((value(s + 2 * step) - 2 * value(s + step) + 2 * value(s - step) -
                                            value(s - 2 * step)) /
                                           (2 * step * step * step)));
    }
    ASSERT_GE(bound.third * (1 + 1e-4), static_cast<double>(largest)) << seed << " trial " << trial;
    logarithms += std::log(bound.third / static_cast<double>(largest));
  }
  EXPECT_GT(certified, 700);
  const double ratio = std::exp(logarithms / certified);
  EXPECT_LT(ratio, GetParam().law == MaterialLaw::st_venant_kirchhoff ? 1.002 : 8);
}

TEST_P(LawOf, SmallStrainsHaveTheLameConstants) {
  Random random(9);
  const Element element = Element::random(random, 1e-6, 0);
  Real squares = 0, trace = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const Real e = (element.start[i][k] + element.start[k][i]) / 2;
      squares += e * e;
      if (i == k) trace += e;
    }
  const double expected = static_cast<double>(5.0e4L / 2 * trace * trace + 3.0e4L * squares);
  EXPECT_NEAR(states(*one_element(GetParam()), element)[0].energy * 6 / expected, 1, 1e-5);
}

// Against values computed with 120 digits.
TEST(ElasticLaws, EnergiesOfSmallStrainsHaveAllDigits) {
  const Tensor3 shape{{{0.9, -0.3, 0.2}, {0.4, -0.7, 0.1}, {-0.6, 0.5, 0.3}}};
  const auto relative_error = [&](const Material& material, double size, double exact) {
    return std::abs(energy_density(material, combined(size, shape, 0, shape)) / exact - 1);
  };
  const Material plain{"neo", 1, 3, 2}, rubber{"mooney", 1, 3, 2, MaterialLaw::mooney_rivlin, 0.5};
  EXPECT_LT(relative_error(plain, 0x1p-27, 2.0455859196754872e-16), 1e-15);
  EXPECT_LT(relative_error(plain, 0x1p-17, 2.1449488726099803e-10), 1e-15);
  EXPECT_LT(relative_error(plain, 0x1p-10, 3.513570585954591e-6), 1e-15);
  EXPECT_LT(relative_error(plain, 0.5, 0.85732314591607324), 1e-15);
  EXPECT_LT(relative_error(rubber, 0x1p-27, 2.0455859241353693e-16), 1e-15);
  EXPECT_LT(relative_error(rubber, 0x1p-17, 2.1449536613770093e-10), 1e-15);
  EXPECT_LT(relative_error(rubber, 0x1p-10, 3.5145749977591285e-6), 1e-15);
  EXPECT_LT(relative_error(rubber, 0.5, 1.0036507501708662), 1e-15);
}

// F = diag(a, 1, 1): W and the axial stress in closed form.
TEST_P(LawOf, ABarInUniaxialStrainHasItsClosedFormStressAndEnergy) {
  const double lambda = 5.0e4, mu = 3.0e4, c01 = GetParam().c01;
  for (const double a : {0.6, 0.9, 1.3, 2.0}) {
    Tensor3 g{};
    g[0][0] = a - 1;
    const MaterialState state = material_state(GetParam(), g);
    double energy = 0, stress = 0;  // dW/da is the axial Cauchy stress: the cross-section stays 1
    switch (GetParam().law) {
      case MaterialLaw::st_venant_kirchhoff:
        energy = (lambda + 2 * mu) / 8 * std::pow(a * a - 1, 2);
        stress = (lambda + 2 * mu) / 2 * a * (a * a - 1);
        break;
      case MaterialLaw::mooney_rivlin:  // I₁ − 3 = a² − 1, I₂ − 3 = 2 (a² − 1)
        energy = (mu / 2 + c01) * (a * a - 1) - (mu + 2 * c01) * std::log(a) +
                 (lambda / 2 - 2 * c01) * std::log(a) * std::log(a);
        stress = (mu + 2 * c01) * (a - 1 / a) + (lambda - 4 * c01) * std::log(a) / a;
        break;
      case MaterialLaw::neo_hookean:
        energy = mu / 2 * (a * a - 1) - mu * std::log(a) + lambda / 2 * std::log(a) * std::log(a);
        stress = mu * (a - 1 / a) + lambda * std::log(a) / a;
    }
    EXPECT_NEAR(state.energy_density, energy, 1e-10 * lambda);
    EXPECT_NEAR(state.cauchy[0], stress, 1e-10 * lambda);
  }
}

TEST(StVenantKirchhoff, AnInvertedElementHasAnEnergyAndForcesLikeAnyOther) {
  const auto block = one_element(venant);
  const auto line = block->on_line();
  Element through{};
  through.start[0][0] = -2;  // F = diag(−1, 1, 1): E = 0
  EXPECT_EQ(states(*block, through)[0].jacobian, -1);
  EXPECT_EQ(states(*block, through)[0].energy, 0);
  through.start[0][0] = -1.5;
  std::vector<Vector3> gradient(4);
  EXPECT_NO_THROW(add_gradient(*block, through, Grid::holding(1e5, 16), gradient));
  EXPECT_NEAR(gradient[1][0], (5.0e4 + 6.0e4) / 2 * -0.5 * (0.25 - 1) / 6, 1e-9);
  line->set_line(through.lines(), 0);
  LineSample sum;
  line->sample(0, grids_for(1e6), sum);
  EXPECT_EQ(sum.infinite, 0);
  EXPECT_NEAR(sum.value.value(), (5.0e4 + 6.0e4) / 8 * 0.75 * 0.75 / 6, 1e-9);
}

// One of two elements is so long that its stress is not finite, though its J is. The message must name this
// element, not the other one, whose J = −1 is allowed by the law.
TEST(StVenantKirchhoff, WhatIsTooLongIsNamedThoughNoJIsAtFault) {
  const std::vector<Vector3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                       {9, 0, 0}, {8, 0, 0}, {9, 1, 0}, {9, 0, 1}};
  const auto blocks = make_elastic(positions, {{4, 6, 5, 7}, {0, 1, 2, 3}}, venant, {{}, "bar", 0});
  std::vector<Vector3> displacements(8, Vector3{}), gradient(8);
  displacements[5] = {2, 0, 0};
  EXPECT_NO_THROW(blocks->add_gradient(Displacements(displacements), Grid::holding(1e5, 16), gradient));
  displacements[1] = {1e110, 0, 0};
  try {
    blocks->add_gradient(Displacements(displacements), Grid::holding(1e5, 16), gradient);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "body bar, element 1: expected strains that are numbers, and not too large, found J = 1e+110 and "
        "the energy density inf");
  }
}

TEST(MooneyRivlin, AnInvertedElementIsInfiniteAndConstantsOutOfRangeAreRefused) {
  const auto block = one_element(mooney);
  const auto line = block->on_line();
  Element through{};
  through.start[0][0] = -1.5;
  line->set_line(through.lines(), 0);
  LineSample sum;
  line->sample(0, grids_for(1e6), sum);
  EXPECT_EQ(sum.infinite, 1);
  std::vector<Vector3> gradient(4);
  EXPECT_THROW(add_gradient(*block, through, Grid::holding(1e5, 16), gradient), Error);
  for (const double c01 : {-1.0, 1.26e4}) {  // λ / 4 = 1.25e4
    Material broken = mooney;
    broken.c01 = c01;
    try {
      one_element(broken);
      ADD_FAILURE() << c01;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("0 ≤ 4 c₀₁ ≤ λ and 2 c₀₁ ≤ μ"));
    }
  }
}

// Two simple shears that leave J = 1, so fast that coefficients of the quartic V(s) overflow.
TEST_P(LawOf, ACertificateThatIsNoNumberIsNone) {
  if (GetParam().law == MaterialLaw::neo_hookean) GTEST_SKIP() << "its certificate is of J alone";
  const auto block = one_element(GetParam());
  const auto line = block->on_line();
  Element sheared{};
  sheared.rate[0][1] = sheared.rate[1][2] = 1e80;
  line->set_line(sheared.lines(), 0);
  LineBound bound;
  line->bound(0, 1e-90, grids_for(1e9), bound);
  EXPECT_EQ(bound.invalid, 1);
  EXPECT_EQ(bound.third, 0);
}

// The largest eigenvalue of the element's stiffness comes from power iteration on stress_change, which
// approaches it from below: the step computed from it is never shorter than the true one.
TEST_P(LawOf, TheStableStepOfADeformedElementIsSafe) {
  Random random(10);
  double least = 1;
  for (int trial = 0; trial < 60; ++trial) {
    const Element element = Element::random(random, trial < 20 ? 0 : 0.3, 0);
    std::vector<Vector3> positions = corners;
    Tensor3 g{};
    for (std::size_t a = 1; a < 4; ++a)
      for (std::size_t i = 0; i < 3; ++i)
        positions[a][i] += g[i][a - 1] = static_cast<double>(element.start[i][a - 1]);
    std::array<Vector3, 4> mode{};
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Vector3& of_node : mode) of_node = {uniform(random), uniform(random), uniform(random)};
    double size = 0;
    for (int iteration = 0; iteration < 400; ++iteration) {
      Tensor3 h{};
      for (std::size_t a = 1; a < 4; ++a)
        for (std::size_t i = 0; i < 3; ++i) h[i][a - 1] = mode[a][i] - mode[0][i];
      const Tensor3 dp = stress_change(GetParam(), g, h);
      std::array<Vector3, 4> force{};
      for (std::size_t a = 1; a < 4; ++a)
        for (std::size_t i = 0; i < 3; ++i) {
          force[a][i] = static_cast<double>(volume) * dp[i][a - 1];
          force[0][i] -= force[a][i];
        }
      size = 0;
      for (const Vector3& f : force) size += dot(f, f);
      size = std::sqrt(size);
      for (std::size_t a = 0; a < 4; ++a) mode[a] = (1 / size) * force[a];
    }
    const double true_step = 2 / std::sqrt(size / (GetParam().density * static_cast<double>(volume) / 4));
    const double step =
        deformed_stable_step(corners, positions, std::vector<Tetrahedron>{{0, 1, 2, 3}}, GetParam());
    EXPECT_LE(step, true_step * (1 + 1e-6)) << trial;
    least = std::min(least, step / true_step);
  }
  EXPECT_GT(least, 0.4);
}

}  // namespace
}  // namespace terrace::elastic_laws_test
