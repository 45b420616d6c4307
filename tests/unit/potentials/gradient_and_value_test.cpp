// V beside the gradient, and certificates found from how little nodes have moved: the same as by the long
// way.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "potentials/on_line.hpp"
#include "support/small_system.hpp"

namespace terrace {
namespace {

/// Three cubes within reach of their barriers, every node displaced and in motion.
SmallSystem shaken_cubes(MaterialLaw law) {
  Deck deck = three_cubes(2, false, 0.05);
  deck.contact.model = ContactModel::barrier;
  deck.contact.distance = 0.04;
  for (auto& material : deck.materials) {
    material.law = law;
    if (law == MaterialLaw::mooney_rivlin) material.c01 = 0.1 * material.lame_mu;
  }
  SmallSystem cubes(deck);
  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> around(-0.01, 0.01);
  for (NodeLine& line : cubes.state.lines)
    for (std::size_t i = 0; i < 3; ++i) {
      line.displacement[i] += around(random);
      line.velocity[i] += around(random);
    }
  return cubes;
}

TEST(GradientAndValue, AreThoseOfTheLongWay) {
  for (const MaterialLaw law :
       {MaterialLaw::neo_hookean, MaterialLaw::mooney_rivlin, MaterialLaw::st_venant_kirchhoff}) {
    SmallSystem cubes = shaken_cubes(law);
    const Grid grid = Grid::holding(1e3, 1e6);
    const DoubleGrid value_grid = DoubleGrid::holding(1e3, 1e6);
    int with_value = 0;
    for (const Subdomain& subdomain : cubes.lagrangian.subdomains)
      for (const Potential* potential : subdomain.potentials) {
        const auto line = potential->on_line();
        line->set_line(cubes.state.lines, 0);
        const double instant = 0.25;
        std::vector<Vector3> expected(cubes.state.lines.size()), found = expected;
        const double largest = line->add_gradient(cubes.state.lines, instant, grid, expected);
        ValueSum value;
        EXPECT_EQ(line->add_gradient_and_value(cubes.state.lines, instant, grid, found, value_grid, value),
                  largest);
        EXPECT_EQ(found, expected);
        LineSample sample;
        LineGrids grids;
        grids.value = value_grid;
        line->sample(instant, grids, sample);
        EXPECT_NEAR(value.sum.value(), sample.value.value(), 1e-14 + 1e-12 * std::abs(sample.value.value()));
        EXPECT_NEAR(value.largest, sample.largest_value, 1e-14 + 1e-12 * sample.largest_value);
        EXPECT_EQ(value.contact_terms, sample.contact_terms);
        with_value += value.sum.value() > 0 ? 1 : 0;
      }
    EXPECT_GE(with_value, 3) << "of the bodies and their contacts";
  }
}

TEST(GradientAndValue, CertificatesFromSmallMotionsHoldByBoundsToo) {
  SmallSystem cubes = shaken_cubes(MaterialLaw::neo_hookean);
  int cheap = 0, refused = 0;
  for (const Subdomain& subdomain : cubes.lagrangian.subdomains)
    for (const Potential* potential : subdomain.potentials) {
      const auto line = potential->on_line();
      for (int event = 0; event < 200; ++event) {
        // Steps from next to nothing to far too long.
        const double step = std::pow(10.0, -4 + 6.0 * event / 200);
        line->set_line(cubes.state.lines, 0);
        double evaluated = 0;
        const bool holds = line->certifies(0, step, evaluated);
        LineBound bound;
        line->bound(0, step, LineGrids{}, bound);
        EXPECT_EQ(holds, bound.invalid == 0) << "step " << step;
        cheap += evaluated == 0 ? 1 : 0;
        refused += holds ? 0 : 1;
      }
    }
  EXPECT_GT(cheap, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace terrace
