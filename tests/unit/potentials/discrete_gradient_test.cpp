// Discrete gradients: the work they do, their balance and their tangents; and the elastic laws as functions
// of the Green strain E, on which they rest.
#include "potentials/discrete_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/elastic/elastic_laws.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/strain_laws.hpp"
#include "potentials/gravity.hpp"
#include "potentials/mean_slope.hpp"

namespace terrace::discrete_gradient_test {
namespace {

constexpr unsigned seed = 20;
const Material laws[] = {{"neo-Hookean", 1, 3, 2},
                         {"Mooney-Rivlin", 1, 3, 2, MaterialLaw::mooney_rivlin, 0.5},
                         {"St. Venant-Kirchhoff", 1, 3, 2, MaterialLaw::st_venant_kirchhoff}};

Tensor3 random_tensor(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Tensor3 tensor{};
  for (Vector3& row : tensor) row = {uniform(random), uniform(random), uniform(random)};
  return tensor;
}

TEST(StrainLaws, AreTheElasticLawsByTheStrainAlone) {
  std::mt19937_64 random(seed);
  for (const Material& material : laws)
    for (int trial = 0; trial < 20; ++trial) {
      const Tensor3 g = random_tensor(random, 0.2), d = random_tensor(random, 1);
      const Tensor3 f = plus_identity(g, 1), e = green_strain(g);
      const StrainLaw law(material);
      const Tensor3 stress = law.stress(e);
      // dP = dF S + F dS
      const Tensor3 change =
          combined(1, product(d, stress), 1, product(f, law.stress_change(e, symmetric_product(f, d))));
      const Tensor3 expected = stress_change(material, g, d);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(norm(change[i] - expected[i]), 1e-12) << material.name;
    }
}

TEST(StrainLaws, KnowTheExcessOfWorkOverThatOfTheMiddleAndItsSlope) {
  std::mt19937_64 random(seed);
  for (const Material& material : laws)
    for (int trial = 0; trial < 20; ++trial) {
      const Tensor3 from = random_tensor(random, 0.2), to = random_tensor(random, 0.2);
      const auto excess = [&](const Tensor3& last) {
        const Tensor3 e = green_strain(from), mean = combined(0.5, e, 0.5, last);
        return StrainLaw(material).excess(mean, combined(1, last, -1, e));
      };
      const Tensor3 e = green_strain(from), last = green_strain(to);
      const double work =
          contract(StrainLaw(material).stress(combined(0.5, e, 0.5, last)), combined(1, last, -1, e));
      EXPECT_NEAR(excess(last).value, energy_density(material, to) - energy_density(material, from) - work,
                  1e-14)
          << material.name;
      const Tensor3 any = random_tensor(random, 1), d = combined(0.5, any, 0.5, transposed(any));
      constexpr double step = 1e-5;
      EXPECT_NEAR(
          contract(excess(last).slope, d),
          (excess(combined(1, last, step, d)).value - excess(combined(1, last, -step, d)).value) / (2 * step),
          1e-8)
          << material.name;
    }
}

// Against values computed with 120 digits. A difference of two values of W, which was used before, has no
// correct digit in the first two cases.
TEST(StrainLaws, HaveAllDigitsWhereStrainsAndTheirChangesAreSmall) {
  const Tensor3 strain{{{0.3, -0.2, 0.1}, {-0.2, -0.25, 0.15}, {0.1, 0.15, 0.2}}},
      change{{{0.2, 0.1, -0.3}, {0.1, -0.25, 0.05}, {-0.3, 0.05, 0.4}}},
      d{{{1, -0.5, 0.25}, {-0.5, 0.5, -1}, {0.25, -1, 0.75}}};
  struct Known {
    double size, of_change, stress, excess, slope;
  };
  const std::vector<Known> known[] = {
      {{0x1p-24, 0x1p-44, 1.1622904813712902e-7, -4.8131362804526831e-41, -4.8169738660333818e-27},
       {0x1p-17, 0x1p-27, 1.487716901544877e-5, -1.0838122726045571e-25, -8.2754658003209993e-17},
       {0x1p-10, 0x1p-10, 0.0019018356779349365, -2.4377463073977644e-10, -1.4204004138295586e-6},
       {0x1p-1, 0x1p-1, 0.46688495748492316, -0.022824594415266463, -0.36027768925683792}},
      {{0x1p-24, 0x1p-44, 1.1622904961150511e-7, -4.5900526109978604e-41, -4.2020410935429137e-27},
       {0x1p-17, 0x1p-27, 1.4877193171454116e-5, -1.0335799155170731e-25, -7.2190368788733541e-17},
       {0x1p-10, 0x1p-10, 0.0019022310884002713, -2.3250989090115206e-10, -1.2394498999666253e-6},
       {0x1p-1, 0x1p-1, 0.54181085332888681, -0.022208433266708387, -0.35051997289432054}}};
  for (std::size_t law = 0; law < 2; ++law)
    for (const Known& exact : known[law]) {
      const Tensor3 e = combined(exact.size, strain, 0, strain);
      EXPECT_NEAR(StrainLaw(laws[law]).stress(e)[0][0] / exact.stress, 1, 2e-15) << exact.size;
      const auto [excess, slope] =
          StrainLaw(laws[law]).excess(e, combined(exact.of_change, change, 0, change));
      EXPECT_NEAR(excess / exact.excess, 1, 1e-13) << exact.size;
      EXPECT_NEAR(contract(slope, d) / exact.slope, 1, 1e-13) << exact.size;
    }
}

TEST(MeanSlope, IsTheDifferenceQuotientWithAllItsDigits) {
  const ContactProfile barrier(ContactProfile::Kind::barrier, 1);
  // From 0.3 to 0.3 + 1e-9 the quotient of the values loses nine digits; the slope at the middle loses none.
  const MeanSlope near = mean_slope(barrier, 0.3, 0.3 + 1e-9, true);
  EXPECT_NEAR(near.value, barrier.at(0.3 + 5e-10).first, 1e-14);
  EXPECT_NEAR(near.change, 0.5 * barrier.at(0.3).second, 1e-7);
  // Just below a ratio of 1.05, up to which Gauss' rule is used, the rule and the quotient agree.
  const double to = 0.3 * 1.0499;
  const MeanSlope rule = mean_slope(barrier, 0.3, to, true), quotient = mean_slope(barrier, 0.3, to, false);
  EXPECT_NEAR(rule.value, quotient.value, 1e-13);
  EXPECT_NEAR(rule.change, quotient.change, 1e-11);
  const MeanSlope still = mean_slope(barrier, 0.3, 0.3, true);
  EXPECT_EQ(still.value, barrier.at(0.3).first);
  EXPECT_EQ(still.change, 0.5 * barrier.at(0.3).second);
}

/// Two tetrahedra between two displacements, `from` and `to`; `elastic` and `wall` give potentials that act
/// on their nodes.
struct Pair {
  std::vector<Vector3> reference = {{0, 0, 0}, {1, 0.1, 0}, {0, 1, 0.1}, {0.1, 0, 1}, {0.9, 1, 1.1}}, from,
                       to, direction;
  Pair(std::mt19937_64& random, double size) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const Vector3& x : reference) {
      const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
      // Turned by a large angle as well, which must not change the forces but for their direction.
      const Vector3 turned{0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1], x[2]};
      from.push_back(turned - x + 0.1 * vector());
      to.push_back(from.back() + size * vector());
      direction.push_back(vector());
    }
  }
  [[nodiscard]] std::unique_ptr<Potential> elastic(const Material& material) const {
    return make_elastic(reference, {{0, 1, 2, 3}, {4, 2, 1, 3}}, material, {});
  }
  [[nodiscard]] std::unique_ptr<Potential> wall(ContactProfile::Kind kind) const {
    return std::make_unique<PlaneContact>(
        reference, std::vector<std::int32_t>{0, 1, 2, 3, 4}, std::vector<double>(5, 1.0),
        Plane{{0, 0, -0.5}, {0.3, 0.1, 1}},
        ContactProfile(kind, kind == ContactProfile::Kind::penalty ? 0 : 0.9), 2.0, "wall");
  }
};

std::vector<std::unique_ptr<Potential>> potentials_of(const Pair& pair) {
  std::vector<std::unique_ptr<Potential>> all;
  for (const Material& material : laws) all.push_back(pair.elastic(material));
  all.push_back(pair.wall(ContactProfile::Kind::barrier));
  all.push_back(pair.wall(ContactProfile::Kind::gap));
  all.push_back(pair.wall(ContactProfile::Kind::penalty));
  all.push_back(std::make_unique<Gravity>(std::vector<std::int32_t>{0, 1, 2, 3, 4},
                                          std::vector<double>{1, 2, 3, 4, 5}, Vector3{0.1, 0.2, -1}));
  return all;
}

std::vector<Vector3> gradient_between(const Potential& potential, const std::vector<Vector3>& from,
                                      const std::vector<Vector3>& to) {
  const Grid grid = Grid::holding(100, 1);
  std::vector<Vector3> gradient(from.size(), Vector3{});
  potential.discrete_gradient()->add(Displacements(from), Displacements(to), grid, gradient);
  return gradient;
}

TEST(DiscreteGradient, DoesTheWorkThatVGainsOverShortAndLongWays) {
  std::mt19937_64 random(seed);
  for (const double size : {0.15, 1e-2, 1e-4, 1e-6, 1e-9})
    for (int trial = 0; trial < 10; ++trial) {
      const Pair pair(random, size);
      for (const auto& potential : potentials_of(pair)) {
        const std::vector<Vector3> gradient = gradient_between(*potential, pair.from, pair.to);
        double work = 0, largest = 0;
        for (std::size_t a = 0; a < 5; ++a) {
          work += dot(gradient[a], pair.to[a] - pair.from[a]);
          largest = std::max(largest, norm(gradient[a]));
        }
        const double gain =
            potential->value(Displacements(pair.to)) - potential->value(Displacements(pair.from));
        EXPECT_NEAR(work, gain, 2e-14 * (1 + largest)) << size;
      }
    }
}

TEST(DiscreteGradient, OfABodyBalancesInSumAndInMomentAboutTheMiddle) {
  std::mt19937_64 random(seed);
  for (const Material& material : laws)
    for (int trial = 0; trial < 10; ++trial) {
      const Pair pair(random, 0.15);
      std::vector<Vector3> gradient(5, Vector3{});  // forces are of the order of 1
      const auto elastic = pair.elastic(material);
      elastic->discrete_gradient()->add(Displacements(pair.from), Displacements(pair.to), Grid::holding(8, 1),
                                        gradient);
      Vector3 sum{}, moment{};
      for (std::size_t a = 0; a < 5; ++a) {
        sum += gradient[a];
        moment += cross(pair.reference[a] + 0.5 * (pair.from[a] + pair.to[a]), gradient[a]);
      }
      EXPECT_EQ(sum, Vector3{}) << "to the bit";
      EXPECT_LE(norm(moment), 1e-13);
    }
}

TEST(DiscreteGradient, IsOfSecondOrderAboutTheMiddle) {
  std::mt19937_64 random(seed);
  const Grid grid = Grid::holding(100, 1);
  Pair pair(random, 0.1);
  for (const auto& potential : potentials_of(pair)) {
    const auto error = [&](double share) {
      std::vector<Vector3> first = pair.from, last = pair.from, middle(5, Vector3{});
      for (std::size_t a = 0; a < 5; ++a) {
        const Vector3 way = pair.to[a] - pair.from[a];
        first[a] += (0.5 - 0.5 * share) * way;
        last[a] += (0.5 + 0.5 * share) * way;
      }
      const std::vector<Vector3> mean = gradient_between(*potential, first, last);
      for (std::size_t a = 0; a < 5; ++a) first[a] = 0.5 * (first[a] + last[a]);
      potential->add_gradient(Displacements(first), grid, middle);
      double size = 0;
      for (std::size_t a = 0; a < 5; ++a) size = std::max(size, norm(mean[a] - middle[a]));
      return size;
    };
    EXPECT_LE(error(0.25), 0.3 * error(0.5) + 1e-12);
  }
}

TEST(DiscreteGradient, ChangesAsItSays) {
  std::mt19937_64 random(seed);
  for (const double size : {0.15, 1e-3}) {
    const Pair pair(random, size);
    for (const auto& potential : potentials_of(pair)) {
      const auto discrete = potential->discrete_gradient();
      std::vector<Vector3> change(5, Vector3{});
      discrete->linearize(Displacements(pair.from), Displacements(pair.to));
      discrete->add_change(pair.direction, change);
      constexpr double step = 1e-5;
      std::vector<Vector3> up = pair.to, down = pair.to;
      for (std::size_t a = 0; a < 5; ++a) {
        up[a] += step * pair.direction[a];
        down[a] += -step * pair.direction[a];
      }
      up = gradient_between(*potential, pair.from, up);
      down = gradient_between(*potential, pair.from, down);
      for (std::size_t a = 0; a < 5; ++a)
        EXPECT_LE(norm(change[a] - (1 / (2 * step)) * (up[a] - down[a])), 1e-6 * (1 + norm(change[a])))
            << size;
    }
  }
}

TEST(DiscreteGradient, ThrowsWhereVHasNoValue) {
  std::mt19937_64 random(seed);
  Pair pair(random, 0.01);
  pair.to[0] += Vector3{2, 2, 2};  // through the face of the other three
  try {
    gradient_between(*pair.elastic(laws[0]), pair.from, pair.to);
    FAIL() << "an element is inverted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("element 0: expected J = det F > 0, found J = -"),
              std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(gradient_between(*pair.elastic(laws[2]), pair.from, pair.to));
  pair.to[0] += Vector3{0, 0, -9};
  try {
    gradient_between(*pair.wall(ContactProfile::Kind::barrier), pair.from, pair.to);
    FAIL() << "a node is behind the barrier";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "wall: expected nodes on their side of the barrier, found one behind it");
  }
}

}  // namespace
}  // namespace terrace::discrete_gradient_test
