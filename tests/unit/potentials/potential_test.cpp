// Potentials as functions of any displacements: they give the same numbers as along lines; their gradients
// and Hessians are derivatives.
#include "potentials/potential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "parallel/error.hpp"
#include "support/followed.hpp"

namespace terrace::potential_test {
namespace {

constexpr unsigned seed = 41;

/// Two tetrahedra above each other, the lower one just above the plane z = 0. The upper one starts lower by
/// `sink`. `potentials` gives the elastic block, walls by barrier and by penalty, and contact by barrier and
/// by gap.
struct Pile {
  std::vector<Vector3> reference = {{0, 0, 0.02},     {1, 0, 0.03},     {0, 1, 0.025},    {0.3, 0.3, 1},
                                    {0.2, 0.2, 1.03}, {1.2, 0.1, 1.04}, {0.1, 1.1, 1.05}, {0.4, 0.4, 2}};
  std::vector<Tetrahedron> tetrahedra = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  std::vector<Triangle> lower = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  std::vector<Triangle> upper = {{4, 6, 5}, {4, 5, 7}, {5, 6, 7}, {4, 7, 6}};
  std::vector<NodeLine> lines;
  std::vector<Vector3> displacements;  // of the lines at `instant`
  static constexpr double instant = 0.25;

  explicit Pile(double sink) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t a = 0; a < reference.size(); ++a) {
      NodeLine line{{}, {}, 0, 1};
      for (std::size_t d = 0; d < 3; ++d) {
        line.displacement[d] = 0.005 * uniform(random);
        line.velocity[d] = 0.01 * uniform(random);
      }
      if (a >= 4) line.displacement[2] -= sink;
      lines.push_back(line);
      displacements.push_back(line.displacement_at(instant));
    }
  }
  [[nodiscard]] std::vector<std::unique_ptr<Potential>> potentials() const {
    std::vector<std::unique_ptr<Potential>> all;
    all.push_back(std::make_unique<NeoHookeanBlock>(reference, tetrahedra, Material{"m", 1, 3, 2}));
    const std::vector<std::int32_t> nodes = {0, 1, 2};
    const std::vector<double> weights = {1, 2, 3};
    for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::penalty})
      all.push_back(std::make_unique<PlaneContact>(
          reference, nodes, weights,
          Plane{{0, 0, kind == ContactProfile::Kind::penalty ? 0.1 : 0}, {0, 0, 1}},
          ContactProfile(kind, 0.05), 5, "wall"));
    for (const auto kind : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
      all.push_back(
          std::make_unique<SurfaceContact>(reference, lower, upper, ContactProfile(kind, 0.2), 7, "pile"));
    return all;
  }
};

constexpr double sinks[] = {0.0, 0.01};

TEST(PotentialAnywhere, ValueIsThatAlongTheLine) {
  const Grid grid = Grid::holding(1e3, 1e4);
  const LineGrids grids{DoubleGrid::holding(1e3, 1e4), grid, grid, grid, grid, grid, grid, grid};
  for (const double sink : sinks) {
    const Pile pile(sink);
    for (const auto& potential : pile.potentials()) {
      const auto line = potential->on_line();
      line->set_line(pile.lines, 0.1);
      LineSample sample;
      line->sample(Pile::instant - 0.1, grids, sample);
      const double value = potential->value(Displacements(pile.displacements));
      EXPECT_GT(value, 0);
      EXPECT_NEAR(sample.value.value() / value, 1, 1e-12) << "seed " << seed;
    }
  }
}

TEST(PotentialAnywhere, GradientIsThatOnLinesAndTheDerivativeOfTheValue) {
  const Pile pile(0.01);
  const Grid grid = Grid::holding(1e3, 1e4);
  for (const auto& potential : pile.potentials()) {
    std::vector<Vector3> here(8, Vector3{}), on_line = here;
    potential->add_gradient(Displacements(pile.displacements), grid, here);
    potential->on_line()->add_gradient(pile.lines, Pile::instant, grid, on_line);
    EXPECT_EQ(here, on_line) << "to the bit";
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t d = 0; d < 3; ++d) {
        constexpr double step = 1e-6;
        std::vector<Vector3> moved = pile.displacements;
        moved[a][d] += step;
        const double up = potential->value(Displacements(moved));
        moved[a][d] -= 2 * step;
        const double down = potential->value(Displacements(moved));
        EXPECT_NEAR(here[a][d], (up - down) / (2 * step), 1e-6 * (1 + std::abs(here[a][d])))
            << "node " << a << ", seed " << seed;
      }
  }
}

TEST(PotentialAnywhere, HessianTimesAVectorIsTheDerivativeOfTheGradient) {
  const Pile pile(0.01);
  const Grid grid = Grid::holding(1e3, 1);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vector3> direction(8);
  for (Vector3& d : direction) d = {uniform(random), uniform(random), uniform(random)};
  int with = 0;
  for (const auto& potential : pile.potentials()) {
    std::vector<Vector3> product(8, Vector3{});
    if (!potential->has_hessian()) {
      try {
        potential->add_hessian_times(Displacements(pile.displacements), direction, product);
        FAIL() << "there are none";
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "second derivatives: expected a potential that has them, found "
                     "one without: an integrator with Newton's method cannot run it");
      }
      continue;
    }
    ++with;
    potential->add_hessian_times(Displacements(pile.displacements), direction, product);
    constexpr double step = 1e-5;
    const auto gradient_at = [&](double s) {
      std::vector<Vector3> moved = pile.displacements, gradient(8, Vector3{});
      for (std::size_t a = 0; a < 8; ++a) moved[a] += s * direction[a];
      potential->add_gradient(Displacements(moved), grid, gradient);
      return gradient;
    };
    const std::vector<Vector3> up = gradient_at(step), down = gradient_at(-step);
    for (std::size_t a = 0; a < 8; ++a)
      EXPECT_LE(norm(product[a] - (1 / (2 * step)) * (up[a] - down[a])), 1e-5 * (1 + norm(product[a])))
          << "node " << a << ", seed " << seed;
  }
  EXPECT_EQ(with, 3);
}

TEST(PotentialAnywhere, FacesThatIntersectHaveTheSameEnergyOnLinesAndAnywhere) {
  const Pile pile(0.2);
  const FaceIntersection faces(pile.reference, pile.lower, pile.upper, 3);
  const Grid grid = Grid::holding(1e3, 1e4);
  const LineGrids grids{DoubleGrid::holding(1e3, 1e4), grid, grid, grid, grid, grid, grid, grid};
  const auto line = faces.on_line();
  line->set_line(pile.lines, 0);
  LineSample sample;
  line->sample(Pile::instant, grids, sample);
  const double value = faces.value(Displacements(pile.displacements));
  EXPECT_GT(value, 0);
  EXPECT_NEAR(sample.value.value() / value, 1, 1e-12);
  std::vector<Vector3> here(8, Vector3{}), on_line = here;
  faces.add_gradient(Displacements(pile.displacements), grid, here);
  line->add_gradient(pile.lines, Pile::instant, grid, on_line);
  EXPECT_EQ(here, on_line);
}

TEST(PotentialAnywhere, BodiesApartHaveNoContactEnergy) {
  const Pile pile(-3);
  for (const auto& potential : pile.potentials())
    if (dynamic_cast<const SurfaceContact*>(potential.get()) != nullptr) {
      EXPECT_TRUE(potential->energies(Displacements(pile.displacements)).empty());
    }
}

TEST(OnLine, ALineWithAnotherOriginIsSetAnew) {
  // Only node 0 is said to have changed, but the origin is another: update_line must take over all nodes.
  const Pile pile(0.01), before(0.0);
  const Grid grid = Grid::holding(1e3, 1e4);
  const LineGrids grids{DoubleGrid::holding(1e3, 1e4), grid, grid, grid, grid, grid, grid, grid};
  std::vector<std::uint8_t> changed(8, 0);
  changed[0] = 1;
  for (const auto& potential : pile.potentials()) {
    const auto updated = potential->on_line(), fresh = potential->on_line();
    updated->set_line(before.lines, 0);
    updated->update_line(pile.lines, 0.5, changed);
    fresh->set_line(pile.lines, 0.5);
    LineSample one, other;
    updated->sample(0.01, grids, one);
    fresh->sample(0.01, grids, other);
    EXPECT_EQ(one.value.value(), other.value.value());
    EXPECT_EQ(one.slope, other.slope);
  }
}

}  // namespace
}  // namespace terrace::potential_test
