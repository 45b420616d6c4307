#include "potentials/neo_hookean.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "parallel/error.hpp"

namespace terrace {

using neo_hookean::Batch;
using neo_hookean::BatchVector;
using neo_hookean::PacketGeometry;
using neo_hookean::width;
using simd::larger;
using simd::largest_lane;
using simd::sum_of_lanes;

static neo_hookean::LameConstants lame_constants(const Material& material) {
  return {Batch(material.lame_lambda), Batch(material.lame_mu)};
}

static void verify_material(const Material& material) {
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  if (!(mu > 0) || !(3 * lambda + 2 * mu > 0) || !std::isfinite(lambda) || !std::isfinite(mu))
    throw Error(Error::Kind::input, "material " + material.name,
                "finite λ and μ with μ > 0 and 3 λ + 2 μ > 0",
                "λ = " + std::to_string(lambda) + ", μ = " + std::to_string(mu));
}

static std::vector<std::int32_t> nodes_of(const std::vector<Tetrahedron>& tetrahedra,
                                          std::size_t node_count) {
  std::vector<std::int32_t> nodes;
  nodes.reserve(4 * tetrahedra.size());
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    for (const std::int32_t node : tetrahedron) {
      if (node < 0 || static_cast<std::size_t>(node) >= node_count)
        throw Error(Error::Kind::input, "neo-Hookean elements",
                    "node numbers below " + std::to_string(node_count), std::to_string(node));
      nodes.push_back(node);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  nodes.shrink_to_fit();
  return nodes;
}

/// Volume, and ∇N_a of the first three nodes: the rows of the inverse of the edges from the fourth node.
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
  // The edges run towards the fourth node's opposite face: for a positively oriented tetrahedron the product
  // is < 0.
  return {-triple / 6, {(1 / triple) * normal[0], (1 / triple) * normal[1], (1 / triple) * normal[2]}};
}

NeoHookeanBlock::NeoHookeanBlock(std::span<const Vector3> positions, std::vector<Tetrahedron> tetrahedra,
                                 Material material, std::vector<std::int32_t> element_numbers)
    : material_(std::move(material)),
      tetrahedra_(std::move(tetrahedra)),
      element_numbers_(std::move(element_numbers)),
      nodes_(nodes_of(tetrahedra_, positions.size())) {
  verify_material(material_);
  for (const std::int32_t node : nodes_) reference_.push_back(positions[static_cast<std::size_t>(node)]);
  const std::size_t packet_count = (tetrahedra_.size() + width - 1) / width;
  geometry_.resize(packet_count);
  line_.resize(packet_count);
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) {
    PacketGeometry& packet = geometry_[e / width];
    const std::size_t lane = e % width;
    const ReferenceElement element = reference_element(positions, tetrahedra_[e]);
    if (!(element.volume > 0) || !std::isfinite(element.volume))
      throw Error(
          Error::Kind::input,
          "element " + std::to_string(element_numbers_.empty() ? static_cast<int>(e) : element_numbers_[e]),
          "a positive volume", std::to_string(element.volume));
    packet.volume[lane] = element.volume;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < 3; ++i) packet.shape_gradient[a][i][lane] = element.shape_gradient[a][i];
    for (std::size_t a = 0; a < 4; ++a) {
      const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), tetrahedra_[e][a]) - nodes_.begin();
      packet.node_row[a][lane] = static_cast<std::int32_t>(place) * neo_hookean::row;
    }
  }
  for (auto* rows : {&displacements_, &forces_, &line_displacements_, &line_velocities_})
    rows->resize(nodes_.size());
  find_packets_of_nodes();
}

void NeoHookeanBlock::find_packets_of_nodes() {
  std::vector<std::vector<std::int32_t>> packets(nodes_.size());
  for (std::size_t e = 0; e < tetrahedra_.size(); ++e) {
    const auto packet = static_cast<std::int32_t>(e / width);
    for (std::size_t a = 0; a < 4; ++a) {
      const std::int32_t node_row = geometry_[e / width].node_row[a][e % width];
      auto& of_node = packets[static_cast<std::size_t>(node_row / neo_hookean::row)];
      if (of_node.empty() || of_node.back() != packet) of_node.push_back(packet);
    }
  }
  first_packet_of_node_.assign(1, 0);
  for (const auto& of_node : packets) {
    packets_of_nodes_.insert(packets_of_nodes_.end(), of_node.begin(), of_node.end());
    first_packet_of_node_.push_back(static_cast<std::int32_t>(packets_of_nodes_.size()));
  }
  changed_packets_.reserve(geometry_.size());
  packet_changed_.assign(geometry_.size(), 0);
}

template <Rounding rounding>
double NeoHookeanBlock::add_gradient_rounded(std::span<const NodeLine> lines, double instant,
                                             const Grid& grid, std::span<Vector3> gradient) {
  if (geometry_.empty()) return 0;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const Vector3 u = lines[static_cast<std::size_t>(nodes_[node])].displacement_at(instant);
    displacements_[node] = {{u[0], u[1], u[2], 0}};
    forces_[node] = {};
  }
  const neo_hookean::LameConstants lame = lame_constants(material_);
  const double* displacements = displacements_.front().component;
  double* forces = forces_.front().component;
  Batch largest(0.0);
  xsimd::batch_bool<double> all_positive(true);
  for (const PacketGeometry& packet : geometry_) {
    Batch j;
    BatchVector force[3];
    neo_hookean::nodal_forces(packet, displacements, lame, j, force);
    // Written so that NaN and ∞ fail too; looked at only at the end, to keep branches out.
    all_positive = all_positive & (j > Batch(-1.0)) & (j <= Batch(std::numeric_limits<double>::max()));
    for (BatchVector& f : force) {
      largest = larger(larger(larger(largest, f.x), f.y), f.z);
      if constexpr (rounding == Rounding::grid) f = {grid.round(f.x), grid.round(f.y), grid.round(f.z)};
    }
    largest = neo_hookean::scatter(force, packet.node_row, forces, largest);
  }
  if (!xsimd::all(all_positive)) report_inverted(lines, instant);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const double* f = forces_[node].component;
    gradient[static_cast<std::size_t>(nodes_[node])] += Vector3{f[0], f[1], f[2]};
  }
  return largest_lane(largest);
}

template double NeoHookeanBlock::add_gradient_rounded<Rounding::grid>(std::span<const NodeLine>, double,
                                                                      const Grid&, std::span<Vector3>);
template double NeoHookeanBlock::add_gradient_rounded<Rounding::none>(std::span<const NodeLine>, double,
                                                                      const Grid&, std::span<Vector3>);

double NeoHookeanBlock::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                     std::span<Vector3> gradient) {
  return add_gradient_rounded<Rounding::grid>(lines, instant, grid, gradient);
}

void NeoHookeanBlock::set_node_line(const NodeLine& line, std::size_t node, double origin) {
  // Extended backwards where the line begins after the origin, so that set_line and update_line agree to the
  // bit.
  const Vector3 u = line.displacement_at(origin);
  line_displacements_[node] = {{u[0], u[1], u[2], 0}};
  line_velocities_[node] = {{line.velocity[0], line.velocity[1], line.velocity[2], 0}};
}

void NeoHookeanBlock::set_line(std::span<const NodeLine> lines, double origin) {
  origin_ = origin;
  if (geometry_.empty()) return;
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    set_node_line(lines[static_cast<std::size_t>(nodes_[node])], node, origin);
  for (std::size_t packet = 0; packet < geometry_.size(); ++packet)
    neo_hookean::restrict_to_line(geometry_[packet], line_displacements_.front().component,
                                  line_velocities_.front().component, line_[packet]);
}

void NeoHookeanBlock::update_line(std::span<const NodeLine> lines, double origin,
                                  std::span<const std::uint8_t> changed) {
  if (origin != origin_) return set_line(lines, origin);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const auto local = static_cast<std::size_t>(nodes_[node]);
    if (!changed[local]) continue;
    set_node_line(lines[local], node, origin);
    for (auto i = first_packet_of_node_[node]; i < first_packet_of_node_[node + 1]; ++i) {
      const std::int32_t packet = packets_of_nodes_[static_cast<std::size_t>(i)];
      std::uint8_t& marked = packet_changed_[static_cast<std::size_t>(packet)];
      if (!marked) changed_packets_.push_back(packet);
      marked = 1;
    }
  }
  for (const std::int32_t number : changed_packets_) {
    const auto packet = static_cast<std::size_t>(number);
    neo_hookean::restrict_to_line(geometry_[packet], line_displacements_.front().component,
                                  line_velocities_.front().component, line_[packet]);
    packet_changed_[packet] = 0;
  }
  changed_packets_.clear();
}

template <Rounding rounding>
void NeoHookeanBlock::sample_rounded(double s, const LineGrids& grids, LineSample& sum) const {
  const neo_hookean::LameConstants lame = lame_constants(material_);
  const Batch at(s), zero(0.0);
  Batch coarse = zero, fine = zero, slope = zero, curvature = zero, infinite = zero;
  Batch largest_value = zero, largest_slope = zero, largest_curvature = zero;
  const auto on = [](const Grid& grid, const Batch& x) {
    return rounding == Rounding::grid ? grid.round(x) : x;
  };
  for (const neo_hookean::PacketLine& line : line_) {
    const neo_hookean::JacobianJet j = neo_hookean::jacobian_jet(line, at);
    const neo_hookean::EnergyJet energy = neo_hookean::energy_jet(line, j, at, lame);
    const auto inverted = j.change <= Batch(-1.0);
    const Batch w = xsimd::select(inverted, zero, energy.value);
    const Batch w_slope = xsimd::select(inverted, zero, energy.slope);
    const Batch w_curvature = xsimd::select(inverted, zero, energy.curvature);
    infinite += xsimd::select(inverted, Batch(1.0), zero);
    const Batch head = on(grids.value.coarse, w);
    coarse += head;
    if constexpr (rounding == Rounding::grid) fine += grids.value.fine.round(w - head);
    slope += on(grids.slope, w_slope);
    curvature += on(grids.curvature, w_curvature);
    largest_value = larger(largest_value, w);
    largest_slope = larger(largest_slope, w_slope);
    largest_curvature = larger(largest_curvature, w_curvature);
  }
  sum.value.coarse += sum_of_lanes(coarse);
  sum.value.fine += sum_of_lanes(fine);
  sum.slope += sum_of_lanes(slope);
  sum.curvature += sum_of_lanes(curvature);
  sum.infinite += sum_of_lanes(infinite);
  sum.largest_value = std::max(sum.largest_value, largest_lane(largest_value));
  sum.largest_slope = std::max(sum.largest_slope, largest_lane(largest_slope));
  sum.largest_curvature = std::max(sum.largest_curvature, largest_lane(largest_curvature));
}

template void NeoHookeanBlock::sample_rounded<Rounding::grid>(double, const LineGrids&, LineSample&) const;
template void NeoHookeanBlock::sample_rounded<Rounding::none>(double, const LineGrids&, LineSample&) const;

void NeoHookeanBlock::sample(double s, const LineGrids& grids, LineSample& sum) const {
  sample_rounded<Rounding::grid>(s, grids, sum);
}

void NeoHookeanBlock::bound(double from, double to, const LineGrids& grids, LineBound& sum) const {
  const neo_hookean::LameConstants lame = lame_constants(material_);
  const Batch at(from), duration(to - from), zero(0.0), quantum(grids.third.quantum);
  Batch third = zero, invalid = zero, largest = zero;
  for (const neo_hookean::PacketLine& line : line_) {
    const neo_hookean::JacobianJet j = neo_hookean::jacobian_jet(line, at);
    const neo_hookean::ThirdBound element = neo_hookean::third_bound(line, j, duration, lame);
    const Batch term = xsimd::select(element.valid, element.third, zero);
    invalid += xsimd::select(element.valid, zero, Batch(1.0));
    // Outwards, also far below the quantum; padding has no term.
    third += xsimd::select(term > zero, grids.third.round(term) + quantum, zero);
    largest = larger(largest, term);
  }
  sum.third += sum_of_lanes(third);
  sum.invalid += sum_of_lanes(invalid);
  sum.largest_third = std::max(sum.largest_third, largest_lane(largest));
}

std::vector<ElementState> NeoHookeanBlock::element_states(std::span<const NodeLine> lines,
                                                          double instant) const {
  const double lambda = material_.lame_lambda, mu = material_.lame_mu;
  std::vector<ElementState> states(tetrahedra_.size());
  for (std::size_t e = 0; e < states.size(); ++e) {
    const PacketGeometry& packet = geometry_[e / width];
    const std::size_t lane = e % width;
    const auto displacement = [&](std::size_t a) {
      return lines[static_cast<std::size_t>(tetrahedra_[e][a])].displacement_at(instant);
    };
    std::array<Vector3, 3> g{};  // G = F − I, by rows
    for (std::size_t a = 0; a < 3; ++a) {
      const Vector3 u = displacement(a) - displacement(3);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) g[i][k] += u[i] * packet.shape_gradient[a][k][lane];
    }
    const std::array<Vector3, 3> cofactor{cross(g[1], g[2]), cross(g[2], g[0]), cross(g[0], g[1])};
    const double trace = g[0][0] + g[1][1] + g[2][2];
    const double j = trace + cofactor[0][0] + cofactor[1][1] + cofactor[2][2] + dot(g[0], cofactor[0]);
    const double log = j > -1 ? std::log1p(j) : std::numeric_limits<double>::quiet_NaN();
    const double squares = dot(g[0], g[0]) + dot(g[1], g[1]) + dot(g[2], g[2]);
    ElementState& state = states[e];
    state.jacobian = 1 + j;
    state.energy_density = 0.5 * lambda * log * log + mu * (trace - log + 0.5 * squares);
    state.energy = packet.volume[lane] * state.energy_density;
    constexpr std::size_t component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (std::size_t c = 0; c < 6; ++c) {
      const auto [i, k] = component[c];
      const double strain = g[i][k] + g[k][i] + dot(g[i], g[k]);  // FFᵀ − I
      state.cauchy[c] = (mu * strain + (i == k ? lambda * log : 0.0)) / (1 + j);
    }
  }
  return states;
}

std::vector<double> NeoHookeanBlock::element_energies(std::span<const NodeLine> lines, double instant) const {
  std::vector<double> energies;
  energies.reserve(tetrahedra_.size());
  for (const ElementState& state : element_states(lines, instant)) energies.push_back(state.energy);
  return energies;
}

void NeoHookeanBlock::report_inverted(std::span<const NodeLine> lines, double instant) const {
  const std::vector<ElementState> states = element_states(lines, instant);
  std::size_t e = 0;
  while (e + 1 < states.size() && states[e].jacobian > 0 && std::isfinite(states[e].jacobian)) ++e;
  const int number = element_numbers_.empty() ? static_cast<int>(e) : element_numbers_[e];
  throw Error(Error::Kind::run, "element " + std::to_string(number) + " at time " + std::to_string(instant),
              "J = det F > 0", "J = " + std::to_string(states[e].jacobian));
}

}  // namespace terrace
