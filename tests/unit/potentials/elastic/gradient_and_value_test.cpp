// Two short cuts give what the long way gives: V computed together with the gradient, and `certifies`, which
// finds from bounds on the deformation that an interval has a certificate.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "potentials/elastic/tetrahedral_block.hpp"
#include "potentials/on_line.hpp"
#include "support/small_system.hpp"

namespace terrace::gradient_and_value_test {
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

// Steps as clocked energy-stepping takes them: each is halved until the certificate holds and then taken
// whole or in part. After every 50th event the bodies move on three times as far, without a certificate.
TEST(GradientAndValue, CertificatesThatAreCarriedAlongHoldByBoundsToo) {
  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> even(0, 1), around(-1, 1);
  for (const MaterialLaw law :
       {MaterialLaw::neo_hookean, MaterialLaw::mooney_rivlin, MaterialLaw::st_venant_kirchhoff}) {
    SmallSystem cubes = shaken_cubes(law);
    UntouchedArray<NodeLine>& lines = cubes.state.lines;
    const UntouchedArray<NodeLine> start = lines;
    double time = 0, evaluated = 0, by_bounds = 0;
    int held = 0, refused = 0;
    std::vector<std::pair<const Potential*, std::unique_ptr<PotentialOnLine>>> bodies;
    for (const Subdomain& subdomain : cubes.lagrangian.subdomains)
      for (const Potential* potential : subdomain.potentials)
        bodies.emplace_back(potential, potential->on_line());
    for (int event = 0; event < 400; ++event) {
      // A part of the velocity leads back to the start, so that elements are not torn to pieces.
      const double violence = std::pow(10.0, -4 + 4 * even(random));
      for (std::size_t a = 0; a < lines.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i)
          lines[a].velocity[i] =
              0.2 * (start[a].displacement[i] - lines[a].displacement[i]) + violence * around(random);
      double step = even(random);
      for (const auto& [potential, line] : bodies) {
        line->set_line(lines, time);
        for (bool holds = false; !holds; step *= holds ? 1 : 0.5) {
          const auto fresh = potential->on_line();
          fresh->set_line(lines, time);
          LineBound bound;
          fresh->bound(0, step, LineGrids{}, bound);
          holds = line->certifies(0, step, evaluated);
          EXPECT_EQ(holds, bound.invalid == 0) << "event " << event << ", step " << step;
          by_bounds += potential->work();
          (holds ? held : refused) += 1;
        }
      }
      const bool without = event % 50 == 49;
      step *= without ? 3 : even(random) < 0.3 ? even(random) : 1;
      time += step;
      for (NodeLine& node : lines) {
        node.displacement += step * node.velocity;
        node.time = time;
      }
    }
    EXPECT_GT(held, 1000);
    EXPECT_GT(refused, 200);
    EXPECT_LT(evaluated, 0.8 * by_bounds);
  }
}

/// Whether a cube's certificate holds on [from, to] of a line that begins at `origin` with F = diag(1 +
/// stretch, 1, 1) and is stretched by `rate`.
bool holds(PotentialOnLine& line, SmallSystem& cube, double origin, double stretch, double rate, double from,
           double to) {
  for (std::size_t a = 0; a < cube.state.lines.size(); ++a) {
    NodeLine& node = cube.state.lines[a];
    const double x = cube.lagrangian.reference[a][0];
    node.displacement = {stretch * x, 0, 0};
    node.velocity = {rate * x, 0, 0};
    node.time = origin;
  }
  line.set_line(cube.state.lines, origin);
  double evaluated = 0;
  return line.certifies(from, to, evaluated);
}

// J falls to a twentieth, then a step takes four fifths of the rest. Its certificate must be refused, whether
// the element was flattened between two lines, on the same line, or on an earlier line.
TEST(GradientAndValue, CertificatesAreNotCarriedOverWhatTheyDidNotSee) {
  SmallSystem cube(spinning_cube(2));
  const auto line = cube.lagrangian.potentials.front()->on_line();
  EXPECT_TRUE(holds(*line, cube, 0, 0, 0.01, 0, 1));
  EXPECT_FALSE(holds(*line, cube, 2, -0.95, -1, 0, 0.04)) << "flattened meanwhile";
  EXPECT_TRUE(holds(*line, cube, 2, -0.95, -1, 0, 0.004));
  const auto other = cube.lagrangian.potentials.front()->on_line();
  EXPECT_FALSE(holds(*other, cube, 0, 0, -1, 0.95, 0.99)) << "flattened on this line";
  const auto restored = cube.lagrangian.potentials.front()->on_line();
  EXPECT_TRUE(holds(*restored, cube, 2, 0, 0.01, 0, 1));
  EXPECT_FALSE(holds(*restored, cube, 1, -0.95, -1, 0, 0.04)) << "flattened before";
}

// Each step is so small that no element is looked at. The loss of J in all of them must count in the next
// one.
TEST(GradientAndValue, SmallStepsAddUpInCertificates) {
  SmallSystem cube(spinning_cube(2));
  const auto line = cube.lagrangian.potentials.front()->on_line();
  constexpr double step = 0.002;
  double time = 0, left = 1;
  while (left > 0.06) {
    EXPECT_TRUE(holds(*line, cube, time, left - 1, -1, 0, step)) << left;
    time += step;
    left -= step;
  }
  EXPECT_FALSE(holds(*line, cube, time, left - 1, -1, 0, 0.8 * left));
  EXPECT_TRUE(holds(*line, cube, time, left - 1, -1, 0, 0.1 * left));
}

/// A flat element, squeezed step by step, listed before a regular one at rest. Bounds that are taken from the
/// regular element, on its shape functions or its deformation, would not hold for the flat one.
struct FlatElement {
  static constexpr double height = 0.01;
  const std::vector<Vector3> reference{{0, 0, height}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                       {5, 0, 0},      {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
  const NeoHookeanBlock block{reference, {{0, 2, 3, 1}, {4, 5, 6, 7}}, {"m", 1.0, 1.0, 1.0}};
  const std::unique_ptr<PotentialOnLine> line = block.on_line();
  double time = 0, left = 1;

  /// Whether it may lose this share of what is left of its height in a unit of time.
  [[nodiscard]] bool may_lose(PotentialOnLine& on_line, double share) const {
    std::vector<NodeLine> lines(reference.size(), NodeLine{{}, {}, time, 1});
    lines[0].displacement[2] = (left - 1) * height;
    lines[0].velocity[2] = -share * left * height;
    on_line.set_line(lines, time);
    double evaluated = 0;
    return on_line.certifies(0, 1, evaluated);
  }
  void lose(double share) {
    time += 1;
    left *= 1 - share;
  }
};

// Every twentieth step is too long for one bound on all elements, so that each element is looked at.
TEST(GradientAndValue, SmallStepsOfTheFlattestElementAddUp) {
  FlatElement flat;
  for (int event = 0; flat.left > 0.05; ++event) {
    const double share = event % 20 == 19 ? 0.06 : 0.02;
    EXPECT_TRUE(flat.may_lose(*flat.line, share)) << flat.left;
    flat.lose(share);
  }
  EXPECT_FALSE(flat.may_lose(*flat.line, 0.55));
  EXPECT_FALSE(flat.may_lose(*flat.block.on_line(), 0.55)) << "of which nothing was known";
}

// A first small step is judged by one bound on all elements. Once each element has been looked at, that bound
// is out of date: after nine large steps it would allow a step that must be refused.
TEST(GradientAndValue, WhatAllElementsMayBearIsForgottenWhereEachIsLookedAt) {
  FlatElement flat;
  EXPECT_TRUE(flat.may_lose(*flat.line, 0.01));
  flat.lose(0.01);
  for (int event = 0; event < 9; ++event) {
    EXPECT_TRUE(flat.may_lose(*flat.line, 0.3)) << event;
    flat.lose(0.3);
  }
  EXPECT_FALSE(flat.may_lose(*flat.line, 0.51));
}

// One node alone moves through the cube, on a new line or after an update of the same line.
TEST(GradientAndValue, CertificatesSeeWhicheverNodeMoves) {
  SmallSystem cube(spinning_cube(2));
  UntouchedArray<NodeLine>& lines = cube.state.lines;
  const std::vector<std::uint8_t> changed(lines.size(), 1);
  for (NodeLine& node : lines) node.velocity = {};
  for (std::size_t node = 0; node < lines.size(); ++node)
    for (const bool is_change : {false, true}) {
      const auto line = cube.lagrangian.potentials.front()->on_line();
      double evaluated = 0;
      lines[node].velocity = {0.001, 0, 0};
      line->set_line(lines, 0);
      EXPECT_TRUE(line->certifies(0, 1, evaluated)) << node;
      for (const double speed : {10.0, -10.0}) {  // through the cube
        lines[node].velocity = {speed, 0, 0};
        if (is_change)
          line->update_line(lines, 0, changed);
        else
          line->set_line(lines, 0);
        EXPECT_FALSE(line->certifies(0, 1, evaluated)) << node;
      }
      lines[node].velocity = {};
    }
}

TEST(GradientAndValue, NothingIsCertifiedOfWhatIsNoNumber) {
  SmallSystem cube(spinning_cube(2));
  UntouchedArray<NodeLine>& lines = cube.state.lines;
  for (NodeLine& node : lines) node.velocity = {};
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), infinity})
    for (std::size_t node = 0; node < lines.size(); ++node) {
      const auto line = cube.lagrangian.potentials.front()->on_line();
      double evaluated = 0;
      line->set_line(lines, 0);
      EXPECT_TRUE(line->certifies(0, 1e-6, evaluated)) << node;
      lines[node].velocity[node % 3] = wrong;
      line->set_line(lines, 0);
      EXPECT_FALSE(line->certifies(0, 1e-6, evaluated)) << node;
      lines[node].velocity = {};
    }
}

}  // namespace
}  // namespace terrace::gradient_and_value_test
