// Every potential of particles: derivatives against differences of the energy, samples and certificates on
// lines against the energies, the balance of forces, neighbour lists against all pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "io/parse_formula.hpp"
#include "potentials/particles/pair_laws.hpp"
#include "potentials/particles/particle_potential.hpp"
#include "support/small_particles.hpp"

namespace terrace::particle_potentials_test {
namespace {

using Random = std::mt19937_64;

struct Example {
  const char* name;
  Interaction interaction;
  double spacing = 1.1;  ///< of the cubic grid that the particles are near
};

std::ostream& operator<<(std::ostream& stream, const Example& example) { return stream << example.name; }

Interaction interaction(InteractionKind kind, double strength, double length) {
  Interaction of;
  of.name = of.where = "potential";
  of.kind = kind;
  of.strength = strength;
  of.length = length;
  return of;
}

Interaction polynomial() {
  Interaction of = interaction(InteractionKind::polynomial, 0, 0);
  of.coefficients = {0.5, -1, 0.25, 2, -0.125};
  of.direction = {0.8, 0.6, -0.3};
  of.centre = {0.1, -0.2, 0.4};
  return of;
}

Interaction circle(bool inside, double radius) {
  Interaction of = interaction(InteractionKind::circle, 3, radius);
  of.centre = {0.2, 0.1, 0.3};
  of.inside = inside;
  return of;
}

Interaction central() {
  Interaction of = interaction(InteractionKind::central, 2, 0);
  of.centre = {5, 5, 5};
  return of;
}

Interaction formula_of_distance(const std::string& text) {
  Interaction of = interaction(InteractionKind::pair_expression, 0, 0);
  of.formula = parse_formula(text, {"r"});
  return of;
}

std::vector<Example> examples() {
  return {{"lennard_jones", lennard_jones(1.5, 1)},
          {"lennard_jones_with_cutoff", lennard_jones(1.5, 1, 1.7)},
          {"gravity", interaction(InteractionKind::gravity, 2, 0)},
          {"spring", interaction(InteractionKind::spring, 3, 0.9)},
          {"spring_without_length", interaction(InteractionKind::spring, 3, 0)},
          {"hertz", interaction(InteractionKind::hertz, 3, 1.2)},
          {"formula", formula_of_distance("r^2/2 + exp(-r)/r")},
          {"formula_of_even_powers", formula_of_distance("exp(-r^2) + 0.1*r^4 - 0.2/r^2")},
          {"central", central()},
          {"harmonic", harmonic({1, 2, 3}, {0.1, 0.2, -0.3})},
          {"polynomial", polynomial()},
          {"circle_inside", circle(true, 1)},
          {"circle_outside", circle(false, 1.6)}};
}

/// Eight particles near the corners of a cube.
class ParticlePotentialOf : public testing::TestWithParam<Example> {
 protected:
  static constexpr std::size_t count = 8;
  void make(std::uint64_t seed) {
    random_.seed(seed);
    reference_.clear();
    masses_.clear();
    nodes_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const double h = GetParam().spacing;
      reference_.push_back(Vector3{h * static_cast<double>(i % 2), h * static_cast<double>(i / 2 % 2),
                                   h * static_cast<double>(i / 4)} +
                           0.15 * any());
      masses_.push_back(1 + 0.25 * static_cast<double>(i));
      nodes_.push_back(static_cast<std::int32_t>(i));
    }
    const ParticleTable table{reference_, masses_};
    potential_ = GetParam().interaction.of_pairs()
                     ? make_pair_potential(GetParam().interaction, table, nodes_, {nodes_, {}, {}})
                     : make_field(GetParam().interaction, table, nodes_);
  }
  Vector3 any() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    return {uniform(random_), uniform(random_), uniform(random_)};
  }
  std::vector<Vector3> displacements(double size) {
    std::vector<Vector3> u(count);
    for (Vector3& x : u) x = size * any();
    return u;
  }
  [[nodiscard]] double value(const std::vector<Vector3>& u) const {
    return potential_->value(Displacements{std::span(u)});
  }
  [[nodiscard]] std::vector<Vector3> gradient(const std::vector<Vector3>& u) const {
    std::vector<Vector3> result(count, Vector3{});
    potential_->add_gradient(Displacements{std::span(u)}, fine(), result);
    return result;
  }
  static Grid fine() { return Grid::holding(0x1p14, 64); }
  static LineGrids fine_grids() {
    const Grid grid = fine();
    return {DoubleGrid::holding(0x1p14, 64), grid, grid, grid, grid, grid, grid, grid};
  }

  Random random_;
  std::vector<Vector3> reference_;
  std::vector<double> masses_;
  std::vector<std::int32_t> nodes_;
  std::unique_ptr<ParticlePotential> potential_;
};

TEST_P(ParticlePotentialOf, GradientIsTheDifferenceOfEnergies) {
  make(1);
  std::vector<Vector3> u = displacements(0.05);
  const std::vector<Vector3> forces = gradient(u);
  constexpr double h = 1e-5;
  double size = 0;
  for (const Vector3& force : forces) size = std::max(size, norm(force));
  EXPECT_GT(size, 1e-3) << "nothing acts";
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t d = 0; d < 3; ++d) {
      const double before = u[a][d];
      u[a][d] = before + h;
      const double above = value(u);
      u[a][d] = before - h;
      const double below = value(u);
      u[a][d] = before;
      EXPECT_NEAR(forces[a][d], (above - below) / (2 * h), 1e-7 * size) << a << d;
    }
}

TEST_P(ParticlePotentialOf, HessianIsTheDifferenceOfGradients) {
  make(2);
  const std::vector<Vector3> u = displacements(0.05), direction = displacements(1);
  std::vector<Vector3> product(count, Vector3{}), above = u, below = u;
  ASSERT_TRUE(potential_->has_hessian());
  potential_->add_hessian_times(Displacements{std::span(u)}, direction, product);
  constexpr double h = 1e-5;
  double size = 0;
  for (std::size_t a = 0; a < count; ++a) {
    above[a] += h * direction[a];
    below[a] -= h * direction[a];
    size = std::max(size, norm(product[a]));
  }
  const std::vector<Vector3> after = gradient(above), before = gradient(below);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(product[a][d], (after[a][d] - before[a][d]) / (2 * h), 1e-6 * size + fine().quantum / h)
          << a << d;
}

// Stable steps follow from this bound: twice the stiffness of a particle is at least the sum of the norms of
// its blocks H_ab of the Hessian, wherever the particles are. `met` estimates that sum from below, by
// sampled directions. So the test finds a stiffness that is too small, not one that is too large.
TEST_P(ParticlePotentialOf, StiffnessBoundsTheHessian) {
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    make(seed);
    const std::vector<Vector3> u = displacements(0.05);
    std::vector<double> stiffness(count, 0);
    potential_->add_stiffness(Displacements{std::span(u)}, stiffness);
    // Of each particle a: Σ_b max |H_ab w| over sampled w with |w| = 1.
    std::vector<double> met(count, 0);
    for (std::size_t b = 0; b < count; ++b) {
      std::vector<double> largest(count, 0);
      for (int sample = 0; sample < 50; ++sample) {
        std::vector<Vector3> direction(count, Vector3{}), product(count, Vector3{});
        direction[b] = any();
        direction[b] = (1 / norm(direction[b])) * direction[b];
        potential_->add_hessian_times(Displacements{std::span(u)}, direction, product);
        for (std::size_t a = 0; a < count; ++a) largest[a] = std::max(largest[a], norm(product[a]));
      }
      for (std::size_t a = 0; a < count; ++a) met[a] += largest[a];
    }
    for (std::size_t a = 0; a < count; ++a)
      EXPECT_GE(2 * stiffness[a] * (1 + 1e-9), met[a]) << "seed " << seed << ", particle " << a;
  }
}

TEST_P(ParticlePotentialOf, EnergyIsNotBelowTheInfimum) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    make(seed);
    EXPECT_GE(value(displacements(0.3)), potential_->infimum());
  }
}

// P2, P3: forces of pairs, rounded to a grid, add up to zero to the bit, their moments to zero up to
// rounding.
TEST_P(ParticlePotentialOf, ForcesOfPairsBalance) {
  if (!GetParam().interaction.of_pairs()) GTEST_SKIP();
  make(3);
  const std::vector<Vector3> u = displacements(0.05);
  Vector3 sum{}, moment{};
  double size = 0;
  const std::vector<Vector3> forces = gradient(u);
  for (std::size_t a = 0; a < count; ++a) {
    sum += forces[a];
    const Vector3 of_one = cross(reference_[a] + u[a], forces[a]);
    moment += of_one;
    size += norm(of_one);
  }
  EXPECT_EQ(sum, Vector3{});
  EXPECT_LT(norm(moment), 1e-12 * size + 100 * fine().quantum);
}

// V, V′, V″ along lines against the energy and its differences; and P8: the certificate on [from, to] bounds
// how far V deviates from its Taylor polynomial, at 200 samples. An interval counts as useful if the bound at
// its end is below 50 times the largest deviation.
TEST_P(ParticlePotentialOf, CertificateHoldsOnTheWholeInterval) {
  int valid = 0, useful = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    make(seed);
    std::vector<NodeLine> lines(count, NodeLine{{}, {}, 0, 1});
    for (NodeLine& line : lines) {
      line.displacement = 0.1 * any();
      line.velocity = any();
    }
    const std::unique_ptr<PotentialOnLine> followed = potential_->on_line();
    followed->set_line(lines, 0);
    const double from = 0.01 * static_cast<double>(seed % 7),
                 to = from + std::ldexp(0.4, -static_cast<int>(seed % 6));
    const LineGrids grids = fine_grids();
    LineBound bound;
    followed->bound(from, to, grids, bound);
    LineSample first;
    followed->sample(from, grids, first);
    if (bound.invalid > 0 || first.infinite > 0) continue;
    ++valid;
    const double v0 = first.value.value();
    double widest = 0, reached = 0;
    for (int i = 0; i <= 200; ++i) {
      const double s = (to - from) * i / 200;
      LineSample sample;
      followed->sample(from + s, grids, sample);
      const double change = sample.value.value() - (v0 + s * (first.slope + 0.5 * s * first.curvature));
      const double cube = bound.third * s * s * s / 6,
                   slack = 1e-11 * (1 + std::abs(v0)) + 1e-13 * std::abs(sample.value.value());
      EXPECT_LE(change, bound.rise * s + 0.5 * bound.above * s * s + cube + slack) << seed << " " << s;
      EXPECT_GE(change, -(bound.fall * s + 0.5 * bound.below * s * s + cube + slack)) << seed << " " << s;
      std::vector<Vector3> u(count);
      for (std::size_t a = 0; a < count; ++a) u[a] = lines[a].displacement_at(from + s);
      const double there = value(u);
      EXPECT_NEAR(sample.value.value(), there, slack + 1e-13 * std::abs(there)) << seed << " " << s;
      widest = cube + 0.5 * s * s * std::max(bound.above, bound.below);
      reached = std::max(reached, std::abs(change));
    }
    if (widest < 50 * reached + 1e-9) ++useful;
    constexpr double h = 1e-5;
    LineSample after, before;
    followed->sample(from + h, grids, after);
    followed->sample(from - h, grids, before);
    const double size = 1 + std::abs(first.slope) + std::abs(first.curvature);
    EXPECT_NEAR(first.slope, (after.value.value() - before.value.value()) / (2 * h), 1e-5 * size) << seed;
    if (bound.above < 1e-6) {  // V″ does not jump within the interval
      EXPECT_NEAR(first.curvature, (after.slope - before.slope) / (2 * h), 1e-4 * size) << seed;
    }
  }
  EXPECT_GT(valid, 80) << "too many intervals are refused";
  EXPECT_GT(useful, valid / 3) << "bounds are far from the truth";
}

// Samples, bounds and an update of the line depend on the line alone, to the bit: neighbour lists that were
// made for other instants or for an earlier line leave no trace.
TEST_P(ParticlePotentialOf, NothingOfThePastShowsOnALine) {
  make(5);
  std::vector<NodeLine> lines(count, NodeLine{{}, {}, 0, 1});
  for (NodeLine& line : lines) line.velocity = any();
  const std::unique_ptr<PotentialOnLine> travelled = potential_->on_line(), fresh = potential_->on_line();
  travelled->set_line(lines, 0);
  const LineGrids grids = fine_grids();
  LineSample ignored;
  for (const double s : {0.9, 0.1, 3.0, 0.5}) travelled->sample(s, grids, ignored);
  std::vector<std::uint8_t> changed(count, 0);
  changed[2] = changed[5] = 1;
  lines[2].velocity = any();
  lines[5].velocity = any();
  travelled->update_line(lines, 0, changed);
  fresh->set_line(lines, 0);
  for (const double s : {0.2, 0.0, 0.7}) {
    LineSample one, other;
    LineBound of_one, of_other;
    travelled->bound(s, s + 0.05, grids, of_one);
    fresh->bound(s, s + 0.05, grids, of_other);
    travelled->sample(s, grids, one);
    fresh->sample(s, grids, other);
    EXPECT_EQ(one.value.value(), other.value.value());
    EXPECT_EQ(one.slope, other.slope);
    EXPECT_EQ(one.curvature, other.curvature);
    EXPECT_EQ(of_one.third, of_other.third);
    EXPECT_EQ(of_one.above, of_other.above);
    EXPECT_EQ(of_one.invalid, of_other.invalid);
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, ParticlePotentialOf, testing::ValuesIn(examples()),
                         [](const auto& all) { return std::string(all.param.name); });

// By hand, with ε = 3 and σ = 2, the law being a function of q = r²: the least energy is −ε at r = 2^{1/6} σ.
// With a cut-off, value and slope at the cut-off are taken off the law, and it is 0 beyond.
TEST(LennardJones, HasItsLeastEnergyAndEndsAtItsCutoff) {
  for (const double cutoff : {0.0, 2.5}) {
    const LennardJones law(3, 2, cutoff * 2);
    const double least = 4 * std::cbrt(2.0);
    const double shift = cutoff > 0 ? 4 * 3 * (std::pow(2.5, -12) - std::pow(2.5, -6)) : 0;
    const double slope = cutoff > 0 ? 4 * 3 * (-6 * std::pow(2.5, -14) + 3 * std::pow(2.5, -8)) / 4 : 0;
    EXPECT_NEAR(law.at(least).value, -3 - shift - slope * (least - 25), 1e-12);
    if (cutoff == 0) {
      EXPECT_NEAR(law.at(least).first, 0, 1e-13);
    }
  }
  const LennardJones law(3, 2, 5);
  EXPECT_EQ(law.at(25).value, 0);
  EXPECT_EQ(law.at(25).first, 0);
  EXPECT_NEAR(law.at(25 * (1 - 1e-9)).value, 0, 1e-15);
  EXPECT_NEAR(law.at(25 * (1 - 1e-9)).first, 0, 1e-10);
}

// A formula of r that is known to be smooth at r = 0, because only even powers of r occur in it, has finite
// derivatives and ranges there. All other formulas count as diverging at r = 0.
TEST(PairFormula, IsSmoothWhereParticlesMeetIfItHasEvenPowersAlone) {
  const auto law = [](const std::string& text) { return PairFormula(parse_formula(text, {"r"})); };
  for (const char* text :
       {"r^2", "exp(-r^2)", "sqrt(1 + r^2)", "log(2 + r^4)*cos(r^2)", "(1 + r^2)^(-3/2)", "3"})
    EXPECT_FALSE(law(text).diverges()) << text;
  for (const char* text : {"r", "1 - r", "r^3", "exp(-r)", "1/r^2", "sqrt(r^2)", "log(r^2)", "exp(-1/r^2)",
                           "r*exp(-r^2)", "r^2*r", "cos(r) + r^2", "sqrt(r^2 - 1)"})
    EXPECT_TRUE(law(text).diverges()) << text;

  const PairFormula bell = law("exp(-r^2) + 0.1*r^6");
  Random random(11);
  std::uniform_real_distribution<double> any(0, 2);
  for (int trial = 0; trial < 200; ++trial) {
    const double low = trial % 3 == 0 ? 0 : any(random),
                 high = low + any(random) * (trial % 2 == 0 ? 1 : 1e-3);
    const PairRanges ranges = bell.over({low, high});
    EXPECT_TRUE(ranges.first.is_finite() && ranges.second.is_finite() && ranges.third.is_finite());
    for (int i = 0; i <= 20; ++i) {
      const double q = std::min(low + (high - low) * i / 20, high), e = std::exp(-q);
      const PairValues values = bell.at(q);
      EXPECT_NEAR(values.value, e + 0.1 * q * q * q, 1e-14 * (1 + q * q * q));
      EXPECT_NEAR(values.first, -e + 0.3 * q * q, 1e-14 * (1 + q * q));
      EXPECT_NEAR(values.second, e + 0.6 * q, 1e-14 * (1 + q));
      const auto holds = [](const Interval& range, double value) {
        const double slack = 1e-14 * (1 + std::abs(value));
        return range.low <= value + slack && value - slack <= range.high;
      };
      EXPECT_TRUE(holds(ranges.first, values.first) && holds(ranges.second, values.second) &&
                  holds(ranges.third, 0.6 - e))
          << low << " " << high << " " << q;
    }
  }
}

// Two particles fly head-on through each other: the certificate covers the instant at which r = 0.
TEST(PairFormula, OfEvenPowersHasACertificateThroughTheOtherParticle) {
  const std::vector<Vector3> places = {{-1, 0, 0}, {1.1, 0, 0}};
  const std::vector<double> masses = {1, 1};
  const Interaction bell = formula_of_distance("exp(-r^2)");
  const auto potential = make_pair_potential(bell, {places, masses}, {0, 1}, {{0, 1}, {}, {}});
  const auto followed = potential->on_line();
  const std::vector<NodeLine> lines = {{{}, {3, 0, 0}, 0, 1}, {{}, {-2.7, 0, 0}, 0, 1}};
  followed->set_line(lines, 0);
  const Grid grid = Grid::holding(0x1p14, 64);
  const LineGrids grids{DoubleGrid::holding(0x1p14, 64), grid, grid, grid, grid, grid, grid, grid};
  const double from = 0.35, to = 0.39;  // they meet at 2.1/5.7 = 0.368
  LineBound bound;
  LineSample first;
  followed->bound(from, to, grids, bound);
  followed->sample(from, grids, first);
  ASSERT_EQ(bound.invalid, 0);
  for (int i = 0; i <= 400; ++i) {
    const double s = (to - from) * i / 400, r = 2.1 - 5.7 * (from + s);
    const double line = first.value.value() + s * (first.slope + 0.5 * s * first.curvature);
    EXPECT_LE(std::exp(-r * r) - line, 0.5 * bound.above * s * s + bound.third * s * s * s / 6 + 1e-12);
    EXPECT_GE(std::exp(-r * r) - line, -(0.5 * bound.below * s * s + bound.third * s * s * s / 6 + 1e-12));
  }
}

// Pairs found by cells against a look at all pairs, within one set and between two.
TEST(PairsWithin, AreAllThatAreNear) {
  Random random(7);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (const double reach : {0.3, 1.0, 20.0})
    for (const bool between : {false, true}) {
      std::vector<Vector3> x(200);
      PairSet set;
      for (std::int32_t i = 0; i < 200; ++i) {
        x[static_cast<std::size_t>(i)] = {uniform(random), uniform(random), 0.1 * uniform(random)};
        (between && i % 3 == 0 ? set.second : set.first).push_back(i);
      }
      std::vector<PairOfPlaces> expected, found = pairs_within(set, x, reach);
      for (const std::int32_t i : set.first)
        for (const std::int32_t j : between ? set.second : set.first)
          if ((between || i < j) &&
              norm(x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)]) <= reach)
            expected.push_back({i, j});
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(found, expected) << reach;
      EXPECT_EQ(pairs_within(set, x, no_reach).size(), static_cast<std::size_t>(set.count()));
    }
}

}  // namespace
}  // namespace terrace::particle_potentials_test
