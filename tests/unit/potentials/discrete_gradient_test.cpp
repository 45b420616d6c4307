// Discrete gradients: the work they do, their balance, their tangents; and the laws as functions of strain.
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
      const auto [energy, stress] = law.at(e);
      EXPECT_NEAR(energy, energy_density(material, g), 1e-14) << material.name;
      // dP = dF S + F dS
      const Tensor3 change =
          combined(1, product(d, stress), 1, product(f, law.stress_change(e, symmetric_product(f, d))));
      const Tensor3 expected = stress_change(material, g, d);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(norm(change[i] - expected[i]), 1e-12) << material.name;
    }
}

TEST(MeanSlope, IsTheDifferenceQuotientWithAllItsDigits) {
  const ContactProfile barrier(ContactProfile::Kind::barrier, 1);
  // 0.3 to 0.3 + 1e-9: the quotient of the values has lost nine digits; the slope at the middle has not.
  const MeanSlope near = mean_slope(barrier, 0.3, 0.3 + 1e-9, true);
  EXPECT_NEAR(near.value, barrier.at(0.3 + 5e-10).first, 1e-14);
  EXPECT_NEAR(near.change, 0.5 * barrier.at(0.3).second, 1e-7);
  // Where the rule begins it has the quotient's digits.
  const double to = 0.3 * 1.0499;
  const MeanSlope rule = mean_slope(barrier, 0.3, to, true), quotient = mean_slope(barrier, 0.3, to, false);
  EXPECT_NEAR(rule.value, quotient.value, 1e-13);
  EXPECT_NEAR(rule.change, quotient.change, 1e-11);
  const MeanSlope still = mean_slope(barrier, 0.3, 0.3, true);
  EXPECT_EQ(still.value, barrier.at(0.3).first);
  EXPECT_EQ(still.change, 0.5 * barrier.at(0.3).second);
}

/// Two tetrahedra and what acts on their nodes, between two places.
struct Pair {
  std::vector<Vector3> reference = {{0, 0, 0}, {1, 0.1, 0}, {0, 1, 0.1}, {0.1, 0, 1}, {0.9, 1, 1.1}}, from,
                       to, direction;
  Pair(std::mt19937_64& random, double size) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const Vector3& x : reference) {
      const auto vector = [&] { return Vector3{uniform(random), uniform(random), uniform(random)}; };
      // Turned as well: forces must not feel it.
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
