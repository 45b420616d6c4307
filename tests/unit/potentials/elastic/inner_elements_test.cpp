// A gradient in two steps gives the bits of the gradient in one: first the elements at nodes that other ranks
// hold too, then the inner elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/terraces/subdomain_gradient.hpp"
#include "parallel/profile.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "support/small_system.hpp"

namespace terrace::inner_elements_test {
namespace {

const Grid force_grid = Grid::holding(1e3, 1e6);
const DoubleGrid value_grid = DoubleGrid::holding(1e3, 1e6);

/// A cube of 192 tetrahedra, every node displaced and in motion. Nodes with x < `shared_below` count as
/// shared with other ranks; the elements without such nodes are the inner ones, listed last.
class CutCube {
 public:
  CutCube(MaterialLaw law, double shared_below) : cube_(spinning_cube(2)) {
    Material material = cube_.model.materials[0];
    material.law = law;
    if (law == MaterialLaw::mooney_rivlin) material.c01 = 0.1 * material.lame_mu;
    for (const Vector3& x : cube_.lagrangian.reference) shared_.push_back(x[0] < shared_below);
    std::vector<Tetrahedron> tetrahedra = cube_.lagrangian.elastic_blocks[0].tetrahedra;
    const auto first_inner =
        std::stable_partition(tetrahedra.begin(), tetrahedra.end(), [&](const Tetrahedron& nodes) {
          return std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) { return is_shared(node); });
        });
    inner_ = static_cast<std::size_t>(tetrahedra.end() - first_inner);
    block_ = make_elastic(cube_.lagrangian.reference, tetrahedra, material, {}, inner_);
    std::mt19937_64 random(20261125);
    std::uniform_real_distribution<double> around(-0.01, 0.01);
    for (NodeLine& line : cube_.state.lines)
      for (std::size_t i = 0; i < 3; ++i) {
        line.displacement[i] += around(random);
        line.velocity[i] += around(random);
      }
  }
  [[nodiscard]] bool is_shared(std::int32_t node) const { return shared_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::size_t inner() const { return inner_; }
  [[nodiscard]] UntouchedArray<NodeLine>& lines() { return cube_.state.lines; }
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const {
    auto line = block_->on_line();
    line->set_line(cube_.state.lines, 0);
    return line;
  }

 private:
  SmallSystem cube_;
  std::vector<bool> shared_;
  std::size_t inner_ = 0;
  std::unique_ptr<ElasticPotential> block_;
};

// No node is shared, those of a face, most, or all. The few inner elements that are left may fill a packet or
// not. Two gradients follow each other, so that anything that the first leaves behind is noticed.
TEST(InnerElements, AndTheOthersAddUpToTheBitsOfAllAtOnce) {
  for (const MaterialLaw law :
       {MaterialLaw::neo_hookean, MaterialLaw::mooney_rivlin, MaterialLaw::st_venant_kirchhoff})
    for (const double shared_below : {-1.0, -0.49, -0.2, 0.0, 0.2, 1.0})
      for (const DoubleGrid* grid : {static_cast<const DoubleGrid*>(nullptr), &value_grid}) {
        CutCube cube(law, shared_below);
        SCOPED_TRACE(std::to_string(cube.inner()) + " inner elements");
        const auto line = cube.on_line();
        for (const double instant : {0.25, 0.5}) {
          std::vector<Vector3> expected(cube.lines().size()), found = expected;
          ValueSum expected_value, value;
          const double largest = grid == nullptr
                                     ? line->add_gradient(cube.lines(), instant, force_grid, expected)
                                     : line->add_gradient_and_value(cube.lines(), instant, force_grid,
                                                                    expected, *grid, expected_value);
          const double outer =
              line->add_outer_gradient(cube.lines(), instant, force_grid, found, grid, value);
          for (std::size_t a = 0; a < found.size(); ++a) {
            if (cube.is_shared(static_cast<std::int32_t>(a))) {
              EXPECT_EQ(found[a], expected[a]) << "node " << a;
            }
          }
          const double inner =
              line->add_inner_gradient(cube.lines(), instant, force_grid, found, grid, value);
          EXPECT_EQ(found, expected);
          EXPECT_EQ(std::max(outer, inner), largest);
          EXPECT_EQ(value.sum.coarse, expected_value.sum.coarse);
          EXPECT_EQ(value.sum.fine, expected_value.sum.fine);
          EXPECT_EQ(value.largest, expected_value.largest);
          EXPECT_EQ(line->has_inner(), cube.inner() >= 8);
          EXPECT_EQ(inner > 0, line->has_inner());
        }
      }
}

TEST(InnerElements, AStepThatFailsLeavesTheGradientAsItFoundIt) {
  CutCube cube(MaterialLaw::neo_hookean, 0.0);
  const auto line = cube.on_line();
  ASSERT_TRUE(line->has_inner());
  std::vector<Vector3> gradient(cube.lines().size());
  ValueSum value;
  // A corner that only inner elements load.
  std::size_t corner = 0;
  SmallSystem same(spinning_cube(2));
  for (std::size_t a = 0; a < gradient.size(); ++a)
    if (same.lagrangian.reference[a][0] > same.lagrangian.reference[corner][0]) corner = a;
  cube.lines()[corner].displacement = {-3, 0, 0};
  line->set_line(cube.lines(), 0);
  EXPECT_NO_THROW((void)line->add_outer_gradient(cube.lines(), 0, force_grid, gradient, nullptr, value));
  const std::vector<Vector3> before = gradient;
  EXPECT_THROW((void)line->add_inner_gradient(cube.lines(), 0, force_grid, gradient, nullptr, value), Error);
  EXPECT_EQ(gradient, before);
}

/// A cube cut into slices over all ranks.
SmallSystem sliced_cube() {
  return {
      build_model(spinning_cube(4)), {}, {LocalizationKind::global}, 1e-5, LayoutKind::slice, MPI_COMM_WORLD};
}

/// Whether an inner element of this rank loads the node: one without nodes whose terms go out to other ranks.
bool is_inner(const Lagrangian& system, std::int32_t node) {
  const std::vector<std::int32_t> outgoing = system.subdomains[0].shared_nodes.outgoing();
  for (const ElasticBlock& block : system.elastic_blocks)
    for (const Tetrahedron& nodes : block.tetrahedra)
      if (std::find(nodes.begin(), nodes.end(), node) != nodes.end() &&
          std::none_of(nodes.begin(), nodes.end(), [&](std::int32_t other) {
            return std::binary_search(outgoing.begin(), outgoing.end(), other);
          }))
        return true;
  return false;
}

TEST(OnRanksInnerElements, GradientsOfSlicesAreThoseOfOneRank) {
  SmallSystem slices = sliced_cube(), alone(spinning_cube(4));
  Lines lines, lines_alone;
  SubdomainGradient gradient(slices.lagrangian, lines), gradient_alone(alone.lagrangian, lines_alone);
  for (SmallSystem* system : {&slices, &alone})
    for (std::size_t a = 0; a < system->state.lines.size(); ++a)
      for (std::size_t i = 0; i < 3; ++i)
        system->state.lines[a].displacement[i] +=
            0.01 * std::sin(3.0 * system->lagrangian.global_nodes[a] + static_cast<double>(i));
  EXPECT_EQ(lines.of(*slices.lagrangian.potentials[0]).has_inner(), slices.communicator.size() > 1);
  GradientGrids grids, grids_alone;
  const auto found = gradient.evaluate_with_value(0, slices.state, 0.25, grids, {});
  const auto expected = gradient_alone.evaluate_with_value(0, alone.state, 0.25, grids_alone, {});
  EXPECT_EQ(found.normal_velocity, expected.normal_velocity);
  EXPECT_EQ(found.compliance, expected.compliance);
  EXPECT_EQ(found.value, expected.value);
  EXPECT_EQ(found.grid, expected.grid);
  for (std::size_t a = 0; a < slices.lagrangian.global_nodes.size(); ++a)
    EXPECT_EQ(gradient.values()[a],
              gradient_alone.values()[static_cast<std::size_t>(slices.lagrangian.global_nodes[a])]);
}

// On one rank an element is inverted, an inner one, evaluated while messages are under way, or an outer one.
// All ranks throw, and the next gradient is that of before.
TEST(OnRanksInnerElements, AFailureOfOneRankIsToldOnAllAndTheNextGradientIsGood) {
  for (const bool of_inner : {true, false})
    for (int rank = 0; rank < Communicator(MPI_COMM_WORLD).size(); ++rank) {
      SmallSystem slices = sliced_cube();
      if (slices.communicator.size() == 1 && of_inner) continue;
      Lines lines;
      SubdomainGradient gradient(slices.lagrangian, lines);
      GradientGrids grids;
      const auto before = gradient.evaluate(0, slices.state, 0, grids);
      const std::vector<Vector3> values(gradient.values().begin(), gradient.values().end());
      std::optional<std::size_t> moved;
      const std::vector<std::int32_t> outgoing = slices.lagrangian.subdomains[0].shared_nodes.outgoing();
      for (std::size_t a = 0; a < slices.state.lines.size() && !moved; ++a) {
        const auto node = static_cast<std::int32_t>(a);
        const bool is_outgoing = std::binary_search(outgoing.begin(), outgoing.end(), node);
        if (!is_outgoing && is_inner(slices.lagrangian, node) == of_inner) moved = a;
      }
      if (slices.communicator.size() == 1) moved = 0;
      ASSERT_TRUE(moved) << "no such node";
      if (slices.communicator.rank() == rank) slices.state.lines[*moved].displacement += Vector3{5, 5, 5};
      EXPECT_THROW((void)gradient.evaluate(0, slices.state, 0, grids), Error);
      if (slices.communicator.rank() == rank) slices.state.lines[*moved].displacement -= Vector3{5, 5, 5};
      const auto after = gradient.evaluate(0, slices.state, 0, grids);
      EXPECT_EQ(after.normal_velocity, before.normal_velocity);
      EXPECT_EQ(after.compliance, before.compliance);
      EXPECT_EQ(std::vector<Vector3>(gradient.values().begin(), gradient.values().end()), values);
    }
}

}  // namespace
}  // namespace terrace::inner_elements_test
