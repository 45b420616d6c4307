#include "potentials/elastic/tetrahedral_block.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"
#include "potentials/elastic/elastic_discrete_gradient.hpp"
#include "potentials/elastic/node_places.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

using neo_hookean::PacketGeometry;

static void verify_material(const Material& material) {
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  if (!(mu > 0) || !(3 * lambda + 2 * mu > 0) || !std::isfinite(lambda) || !std::isfinite(mu))
    throw Error(Error::Kind::input, "material " + material.name,
                "finite λ and μ with μ > 0 and 3 λ + 2 μ > 0",
                "λ = " + std::to_string(lambda) + ", μ = " + std::to_string(mu));
  const double c01 = material.c01;
  if (material.law == MaterialLaw::mooney_rivlin && !(c01 >= 0 && 4 * c01 <= lambda && 2 * c01 <= mu))
    throw Error(Error::Kind::input, "material " + material.name, "0 ≤ 4 c₀₁ ≤ λ and 2 c₀₁ ≤ μ",
                "c₀₁ = " + std::to_string(c01));
}

/// Volume, and ∇N_a of the first three nodes: the rows of the inverse of the matrix whose columns are the
/// edges from the fourth node.
struct ReferenceElement {
  double volume;
  std::array<Vector3, 3> shape_gradient;
};

static ReferenceElement reference_element(std::span<const Vector3> positions, const Tetrahedron& nodes) {
  const auto at = [&](int a) {
    return positions[static_cast<std::size_t>(nodes[static_cast<std::size_t>(a)])];
  };
  const std::array<Vector3, 3> edge{at(0) - at(3), at(1) - at(3), at(2) - at(3)};
  const std::array<Vector3, 3> normal{cross(edge[1], edge[2]), cross(edge[2], edge[0]),
                                      cross(edge[0], edge[1])};
  const double triple = dot(edge[0], normal[0]);
  // The edges run from the fourth node to the opposite face: for a positively oriented tetrahedron their
  // triple product is negative.
  return {-triple / 6, {(1 / triple) * normal[0], (1 / triple) * normal[1], (1 / triple) * normal[2]}};
}

template <class Law>
TetrahedralBlock<Law>::TetrahedralBlock(std::span<const Vector3> positions,
                                        std::vector<Tetrahedron> tetrahedra, Material material,
                                        ElementNames names, std::size_t inner)
    : material_(std::move(material)), tetrahedra_(std::move(tetrahedra)), names_(std::move(names)) {
  verify_material(material_);
  const NodePlaces places(tetrahedra_, positions.size());
  nodes_ = places.nodes();
  reference_.reserve(nodes_.size());
  for (const std::int32_t node : nodes_) reference_.push_back(positions[static_cast<std::size_t>(node)]);
  const std::size_t packet_count = (tetrahedra_.size() + simd::width - 1) / simd::width;
  geometry_.resize(packet_count);
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) {
    PacketGeometry& packet = geometry_[e / simd::width];
    const std::size_t lane = e % simd::width;
    const ReferenceElement element = reference_element(positions, tetrahedra_[e]);
    if (!(element.volume > 0) || !std::isfinite(element.volume))
      throw Error(Error::Kind::input, names_.name(e), "a positive volume", std::to_string(element.volume));
    packet.volume[lane] = element.volume;
    double steepness = 0;
    for (const Vector3& gradient : element.shape_gradient) steepness += norm(gradient);
    steepest_ = std::max(steepest_, steepness);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < 3; ++i) packet.shape_gradient[a][i][lane] = element.shape_gradient[a][i];
    for (std::size_t a = 0; a < 4; ++a)
      packet.node_row[a][lane] = places.of(tetrahedra_[e][a]) * neo_hookean::row;
  }
  find_packets_of_nodes();
  TERRACE_VERIFY(inner <= tetrahedra_.size(), inner, tetrahedra_.size());
  first_inner_packet_ = (tetrahedra_.size() - inner + simd::width - 1) / simd::width;
  if (has_inner()) find_nodes_of_steps();
}

// Lists the packets that load each node, ascending, each packet once.
template <class Law>
void TetrahedralBlock<Law>::find_packets_of_nodes() {
  std::vector<std::int32_t> last(nodes_.size());  // packet seen at each node
  const auto for_each = [&](auto visit) {
    std::ranges::fill(last, -1);
    for (std::size_t e = 0; e < tetrahedra_.size(); ++e) {
      const auto packet = static_cast<std::int32_t>(e / simd::width);
      for (std::size_t a = 0; a < 4; ++a) {
        const std::int32_t node = geometry_[e / simd::width].node_row[a][e % simd::width] / neo_hookean::row;
        if (std::exchange(at(last, node), packet) != packet) visit(static_cast<std::size_t>(node), packet);
      }
    }
  };
  first_packet_of_node_.assign(nodes_.size() + 1, 0);
  for_each([&](std::size_t node, std::int32_t) { ++first_packet_of_node_[node + 1]; });
  std::partial_sum(first_packet_of_node_.begin(), first_packet_of_node_.end(), first_packet_of_node_.begin());
  packets_of_nodes_.resize(static_cast<std::size_t>(first_packet_of_node_.back()));
  std::vector<std::int32_t> next(first_packet_of_node_.begin(), first_packet_of_node_.end() - 1);
  for_each([&](std::size_t node, std::int32_t packet) { at(packets_of_nodes_, next[node]++) = packet; });
}

// The packets of a node ascend, so that its last packet decides.
template <class Law>
void TetrahedralBlock<Law>::find_nodes_of_steps() {
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const std::int32_t last = at(packets_of_nodes_, first_packet_of_node_[node + 1] - 1);
    const bool is_outer = static_cast<std::size_t>(last) < first_inner_packet_;
    (is_outer ? outer_nodes_ : inner_nodes_).push_back(static_cast<std::int32_t>(node));
  }
}

template <class Law>
void TetrahedralBlock<Law>::fill(Workspace& workspace, const Displacements& displacements) const {
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const Vector3 u = displacements[static_cast<std::size_t>(nodes_[node])];
    workspace.displacements[node] = {{u[0], u[1], u[2], 0}};
    workspace.forces[node] = {};
  }
}

template <class Law>
void TetrahedralBlock<Law>::add_forces(const Workspace& workspace, std::span<Vector3> gradient) const {
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const double* f = workspace.forces[node].component;
    gradient[static_cast<std::size_t>(nodes_[node])] += Vector3{f[0], f[1], f[2]};
  }
}

template <class Law>
template <Rounding rounding>
double TetrahedralBlock<Law>::add_gradient_in(Workspace& workspace, const Displacements& displacements,
                                              const Grid& grid, std::span<Vector3> gradient) const {
  if (geometry_.empty()) return 0;
  fill(workspace, displacements);
  const auto& kernels = Law::kernels();
  const auto add = rounding == Rounding::grid ? kernels.gradient : kernels.unrounded_gradient;
  double largest = 0;
  if (!add(geometry_.data(), geometry_.size(), lame_parameters(material_), grid,
           workspace.displacements.front().component, workspace.forces.front().component, largest))
    report_fault(displacements);
  add_forces(workspace, gradient);
  return largest;
}

template <class Law>
double TetrahedralBlock<Law>::add_gradient_and_value_in(Workspace& workspace,
                                                        const Displacements& displacements, const Grid& grid,
                                                        std::span<Vector3> gradient,
                                                        const DoubleGrid& value_grid, ValueSum& value) const {
  if (geometry_.empty()) return 0;
  fill(workspace, displacements);
  double largest = 0;
  if (!Law::kernels().gradient_and_value(geometry_.data(), geometry_.size(), lame_parameters(material_), grid,
                                         workspace.displacements.front().component,
                                         workspace.forces.front().component, largest, value_grid, value))
    report_fault(displacements);
  add_forces(workspace, gradient);
  return largest;
}

template <class Law>
double TetrahedralBlock<Law>::add_gradient(const Displacements& displacements, const Grid& grid,
                                           std::span<Vector3> gradient) const {
  Workspace workspace{std::vector<NodalRow>(nodes_.size()), std::vector<NodalRow>(nodes_.size())};
  return this->template add_gradient_in<Rounding::grid>(workspace, displacements, grid, gradient);
}

// G = F − I, by rows.
template <class Law>
Tensor3 TetrahedralBlock<Law>::displacement_gradient(std::size_t element,
                                                     const Displacements& displacements) const {
  const PacketGeometry& packet = geometry_[element / simd::width];
  const std::size_t lane = element % simd::width;
  const auto at = [&](std::size_t a) {
    return displacements[static_cast<std::size_t>(tetrahedra_[element][a])];
  };
  Tensor3 g{};
  for (std::size_t a = 0; a < 3; ++a) {
    const Vector3 u = at(a) - at(3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) g[i][k] += u[i] * packet.shape_gradient[a][k][lane];
  }
  return g;
}

template <class Law>
double TetrahedralBlock<Law>::element_energy(std::size_t element, const Displacements& displacements) const {
  return geometry_[element / simd::width].volume[element % simd::width] *
         energy_density(material_, displacement_gradient(element, displacements));
}

template <class Law>
std::vector<ElementState> TetrahedralBlock<Law>::element_states(const Displacements& displacements) const {
  std::vector<ElementState> states(tetrahedra_.size());
  for (std::size_t e = 0; e < states.size(); ++e) {
    const MaterialState state = material_state(material_, displacement_gradient(e, displacements));
    states[e] = {geometry_[e / simd::width].volume[e % simd::width] * state.energy_density,
                 state.energy_density, state.jacobian, state.cauchy};
  }
  return states;
}

template <class Law>
void TetrahedralBlock<Law>::measure(std::span<const NodeLine> lines, double time,
                                    ElementMeasures& measures) const {
  bool changed = measures.displacements.empty();
  measures.displacements.resize(nodes_.size());
  measures.velocities.resize(nodes_.size());
  const auto update = [&](ElementMeasures::NodalRow& row, const Vector3& now) {
    for (std::size_t d = 0; d < 3; ++d) {
      changed = changed || !(row.component[d] == now[d]);
      row.component[d] = now[d];
    }
  };
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const NodeLine& line = lines[static_cast<std::size_t>(nodes_[node])];
    const Vector3 displacement = line.displacement_at(time),
                  position = reference_[node] + displacement - measures.centre;
    update(measures.displacements[node], displacement);
    update(measures.velocities[node], line.velocity - cross(measures.spin, position));
  }
  if (!changed || geometry_.empty()) return;
  const std::size_t padded = geometry_.size() * simd::width;
  measures.energies.resize(padded);
  measures.kinetic_of_differences.resize(padded);
  Law::kernels().measure(geometry_.data(), geometry_.size(), lame_parameters(material_),
                         measures.displacements.front().component, measures.velocities.front().component,
                         measures.energies.data(), measures.kinetic_of_differences.data());
  measures.energies.resize(tetrahedra_.size());
  measures.kinetic_of_differences.resize(tetrahedra_.size());
  // The mean of v² less the square of the mean is a sixteenth of the sum of all six squared differences.
  for (double& energy : measures.kinetic_of_differences) energy *= 0.5 / 16 * material_.density;
}

template <class Law>
double TetrahedralBlock<Law>::infimum() const {
  const bool bounded = material_.law != MaterialLaw::neo_hookean || material_.lame_lambda >= 0;
  return bounded ? 0 : -infinity;
}

template <class Law>
std::vector<double> TetrahedralBlock<Law>::energies(const Displacements& displacements) const {
  std::vector<double> energies;
  energies.reserve(tetrahedra_.size());
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) energies.push_back(element_energy(e, displacements));
  return energies;
}

template <class Law>
void TetrahedralBlock<Law>::add_hessian_times(const Displacements& displacements,
                                              std::span<const Vector3> direction,
                                              std::span<Vector3> product) const {
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) {
    const Tensor3 g = displacement_gradient(e, displacements),
                  d = displacement_gradient(e, Displacements(direction));
    if (Law::needs_positive_jacobian && !(material_state(material_, g).jacobian > 0))
      report_fault(displacements);
    const Tensor3 stress = stress_change(material_, g, d);
    const PacketGeometry& packet = geometry_[e / simd::width];
    const std::size_t lane = e % simd::width;
    Vector3 rest{};
    for (std::size_t a = 0; a < 4; ++a) {
      Vector3 force{};
      for (std::size_t i = 0; a < 3 && i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          force[i] += packet.volume[lane] * stress[i][k] * packet.shape_gradient[a][k][lane];
      product[static_cast<std::size_t>(tetrahedra_[e][a])] += a < 3 ? force : rest;
      rest += -1 * force;
    }
  }
}

template <class Law>
std::unique_ptr<DiscreteGradient> TetrahedralBlock<Law>::discrete_gradient() const {
  std::vector<ElasticDiscreteGradient::Element> elements(tetrahedra_.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const PacketGeometry& packet = geometry_[e / simd::width];
    const std::size_t lane = e % simd::width;
    elements[e] = {tetrahedra_[e], packet.volume[lane], {}};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t k = 0; k < 3; ++k)
        elements[e].shape_gradient[a][k] = packet.shape_gradient[a][k][lane];
  }
  return std::make_unique<ElasticDiscreteGradient>(material_, std::move(elements), names_);
}

// Throws Error(run) about the faulty element with the least number in its body's mesh, which is the first one
// where none are inner ones. The kernels add up in another order, and evaluate stresses where J may be
// negative: they may find a fault where no element has one by itself. That is what the last message says.
template <class Law>
void TetrahedralBlock<Law>::report_fault(const Displacements& displacements) const {
  const std::vector<ElementState> states = element_states(displacements);
  const auto first_of = [&](auto is_faulty) {
    std::size_t first = states.size();
    for (std::size_t e = 0; e < states.size(); ++e)
      if (is_faulty(states[e]) && (first == states.size() || names_.number(e) < names_.number(first)))
        first = e;
    return first;
  };
  const double instant = displacements.instant();
  const std::string when = std::isnan(instant) ? "" : " at " + at_time(instant);
  const std::size_t inverted = first_of([](const ElementState& state) {
    return Law::needs_positive_jacobian && !(state.jacobian > 0 && std::isfinite(state.jacobian));
  });
  if (inverted < states.size())
    throw Error(Error::Kind::run, names_.name(inverted) + when, "J = det F > 0",
                "J = " + std::to_string(states[inverted].jacobian))
        .with_number(names_.number(inverted));
  const std::string expected = "strains that are numbers, and not too large";
  const std::size_t strained =
      first_of([](const ElementState& state) { return !std::isfinite(state.energy_density); });
  if (strained < states.size())
    throw Error(Error::Kind::run, names_.name(strained) + when, expected,
                fmt::format("J = {:g} and the energy density {:g}", states[strained].jacobian,
                            states[strained].energy_density))
        .with_number(names_.number(strained));
  throw Error(Error::Kind::run, (names_.body.empty() ? "elements" : "body " + names_.body) + when, expected,
              "one that is not, or J = 0 but for rounding, though no element's J is at fault");
}

template <class Law>
std::unique_ptr<PotentialOnLine> TetrahedralBlock<Law>::on_line() const {
  return std::make_unique<TetrahedraOnLine<Law>>(*this);
}

template class TetrahedralBlock<NeoHookean>;
template class TetrahedralBlock<MooneyRivlin>;
template class TetrahedralBlock<StVenantKirchhoff>;

template double NeoHookeanBlock::add_gradient_in<Rounding::grid>(Workspace&, const Displacements&,
                                                                 const Grid&, std::span<Vector3>) const;
template double NeoHookeanBlock::add_gradient_in<Rounding::none>(Workspace&, const Displacements&,
                                                                 const Grid&, std::span<Vector3>) const;
template double MooneyRivlinBlock::add_gradient_in<Rounding::grid>(Workspace&, const Displacements&,
                                                                   const Grid&, std::span<Vector3>) const;
template double StVenantKirchhoffBlock::add_gradient_in<Rounding::grid>(Workspace&, const Displacements&,
                                                                        const Grid&,
                                                                        std::span<Vector3>) const;

std::unique_ptr<ElasticPotential> make_elastic(std::span<const Vector3> positions,
                                               std::vector<Tetrahedron> tetrahedra, const Material& material,
                                               ElementNames names, std::size_t inner) {
  switch (material.law) {
    case MaterialLaw::mooney_rivlin:
      return std::make_unique<MooneyRivlinBlock>(positions, std::move(tetrahedra), material, std::move(names),
                                                 inner);
    case MaterialLaw::st_venant_kirchhoff:
      return std::make_unique<StVenantKirchhoffBlock>(positions, std::move(tetrahedra), material,
                                                      std::move(names), inner);
    case MaterialLaw::neo_hookean:
      break;
  }
  return std::make_unique<NeoHookeanBlock>(positions, std::move(tetrahedra), material, std::move(names),
                                           inner);
}

}  // namespace terrace
