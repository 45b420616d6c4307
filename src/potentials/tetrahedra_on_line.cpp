#include "potentials/tetrahedral_block.hpp"

namespace terrace {

static LameParameters lame_parameters(const Material& material) {
  return {material.lame_lambda, material.lame_mu, material.c01};
}

template <class Law>
TetrahedraOnLine<Law>::TetrahedraOnLine(const TetrahedralBlock<Law>& block)
    : block_(block),
      line_(block.geometry_.size()),
      displacements_(block.nodes_.size()),
      velocities_(block.nodes_.size()),
      workspace_{displacements_, displacements_},
      packet_changed_(block.geometry_.size(), 0) {
  changed_packets_.reserve(block.geometry_.size());
}

template <class Law>
double TetrahedraOnLine<Law>::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                           std::span<Vector3> gradient) {
  return block_.template add_gradient_in<Rounding::grid>(workspace_, {lines, instant}, grid, gradient);
}

template <class Law>
void TetrahedraOnLine<Law>::set_node_line(const NodeLine& line, std::size_t node, double origin) {
  // Extended backwards where the line begins after the origin, so that `begin` and `change` agree to the
  // bit.
  const Vector3 u = line.displacement_at(origin);
  displacements_[node] = {{u[0], u[1], u[2], 0}};
  velocities_[node] = {{line.velocity[0], line.velocity[1], line.velocity[2], 0}};
}

template <class Law>
void TetrahedraOnLine<Law>::begin(std::span<const NodeLine> lines, double origin) {
  if (block_.geometry_.empty()) return;
  for (std::size_t node = 0; node < block_.nodes_.size(); ++node)
    set_node_line(lines[static_cast<std::size_t>(block_.nodes_[node])], node, origin);
  Law::kernels().restrict_to_line(block_.geometry_.data(), block_.geometry_.size(),
                                  lame_parameters(block_.material_), displacements_.front().component,
                                  velocities_.front().component, line_.data());
}

template <class Law>
void TetrahedraOnLine<Law>::change(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  for (std::size_t node = 0; node < block_.nodes_.size(); ++node) {
    const auto local = static_cast<std::size_t>(block_.nodes_[node]);
    if (!changed[local]) continue;
    set_node_line(lines[local], node, origin);
    for (auto i = block_.first_packet_of_node_[node]; i < block_.first_packet_of_node_[node + 1]; ++i) {
      const std::int32_t packet = block_.packets_of_nodes_[static_cast<std::size_t>(i)];
      std::uint8_t& marked = packet_changed_[static_cast<std::size_t>(packet)];
      if (!marked) changed_packets_.push_back(packet);
      marked = 1;
    }
  }
  for (const std::int32_t number : changed_packets_) {
    const auto packet = static_cast<std::size_t>(number);
    Law::kernels().restrict_to_line(&block_.geometry_[packet], 1, lame_parameters(block_.material_),
                                    displacements_.front().component, velocities_.front().component,
                                    &line_[packet]);
    packet_changed_[packet] = 0;
  }
  changed_packets_.clear();
}

template <class Law>
template <Rounding rounding>
void TetrahedraOnLine<Law>::sample_rounded(double s, const LineGrids& grids, LineSample& sum) const {
  const auto& kernels = Law::kernels();
  const auto add = rounding == Rounding::grid ? kernels.sample : kernels.unrounded_sample;
  add(line_.data(), line_.size(), lame_parameters(block_.material_), s, grids, sum);
}

template <class Law>
void TetrahedraOnLine<Law>::sample(double s, const LineGrids& grids, LineSample& sum) {
  this->template sample_rounded<Rounding::grid>(s, grids, sum);
}

template <class Law>
void TetrahedraOnLine<Law>::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  Law::kernels().bound(line_.data(), line_.size(), lame_parameters(block_.material_), from, to - from, grids,
                       sum);
}

template class TetrahedraOnLine<NeoHookean>;
template class TetrahedraOnLine<MooneyRivlin>;
template class TetrahedraOnLine<StVenantKirchhoff>;

template void NeoHookeanOnLine::sample_rounded<Rounding::grid>(double, const LineGrids&, LineSample&) const;
template void NeoHookeanOnLine::sample_rounded<Rounding::none>(double, const LineGrids&, LineSample&) const;

}  // namespace terrace
