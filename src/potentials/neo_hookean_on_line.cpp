#include "potentials/neo_hookean.hpp"
#include "potentials/packet_kernels.hpp"

namespace terrace {

static LameParameters lame_parameters(const Material& material) {
  return {material.lame_lambda, material.lame_mu};
}

NeoHookeanOnLine::NeoHookeanOnLine(const NeoHookeanBlock& block)
    : block_(block),
      line_(block.geometry_.size()),
      displacements_(block.nodes_.size()),
      velocities_(block.nodes_.size()),
      workspace_{displacements_, displacements_},
      packet_changed_(block.geometry_.size(), 0) {
  changed_packets_.reserve(block.geometry_.size());
}

double NeoHookeanOnLine::add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                      std::span<Vector3> gradient) {
  return block_.add_gradient_in<Rounding::grid>(workspace_, {lines, instant}, grid, gradient);
}

void NeoHookeanOnLine::set_node_line(const NodeLine& line, std::size_t node, double origin) {
  // Extended backwards where the line begins after the origin, so that `begin` and `change` agree to the
  // bit.
  const Vector3 u = line.displacement_at(origin);
  displacements_[node] = {{u[0], u[1], u[2], 0}};
  velocities_[node] = {{line.velocity[0], line.velocity[1], line.velocity[2], 0}};
}

void NeoHookeanOnLine::begin(std::span<const NodeLine> lines, double origin) {
  if (block_.geometry_.empty()) return;
  for (std::size_t node = 0; node < block_.nodes_.size(); ++node)
    set_node_line(lines[static_cast<std::size_t>(block_.nodes_[node])], node, origin);
  packet_kernels().restrict_to_line(block_.geometry_.data(), block_.geometry_.size(),
                                    displacements_.front().component, velocities_.front().component,
                                    line_.data());
}

void NeoHookeanOnLine::change(std::span<const NodeLine> lines, double origin,
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
    packet_kernels().restrict_to_line(&block_.geometry_[packet], 1, displacements_.front().component,
                                      velocities_.front().component, &line_[packet]);
    packet_changed_[packet] = 0;
  }
  changed_packets_.clear();
}

template <Rounding rounding>
void NeoHookeanOnLine::sample_rounded(double s, const LineGrids& grids, LineSample& sum) const {
  const PacketKernels& kernels = packet_kernels();
  const auto add = rounding == Rounding::grid ? kernels.sample : kernels.unrounded_sample;
  add(line_.data(), line_.size(), lame_parameters(block_.material_), s, grids, sum);
}

template void NeoHookeanOnLine::sample_rounded<Rounding::grid>(double, const LineGrids&, LineSample&) const;
template void NeoHookeanOnLine::sample_rounded<Rounding::none>(double, const LineGrids&, LineSample&) const;

void NeoHookeanOnLine::sample(double s, const LineGrids& grids, LineSample& sum) {
  sample_rounded<Rounding::grid>(s, grids, sum);
}

void NeoHookeanOnLine::bound(double from, double to, const LineGrids& grids, LineBound& sum) {
  packet_kernels().bound(line_.data(), line_.size(), lame_parameters(block_.material_), from, to - from,
                         grids, sum);
}

}  // namespace terrace
