#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
double TetrahedraOnLine<Law>::add_gradient_and_value(std::span<const NodeLine> lines, double instant,
                                                     const Grid& grid, std::span<Vector3> gradient,
                                                     const DoubleGrid& value_grid, ValueSum& value) {
  if (Law::kernels().gradient_and_value == nullptr)
    return PotentialOnLine::add_gradient_and_value(lines, instant, grid, gradient, value_grid, value);
  return block_.add_gradient_and_value_in(workspace_, {lines, instant}, grid, gradient, value_grid, value);
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
  restricted_ = false;
}

// Only once it is asked for.
template <class Law>
void TetrahedraOnLine<Law>::restrict_to_line() {
  if (restricted_ || block_.geometry_.empty()) return;
  Law::kernels().restrict_to_line(block_.geometry_.data(), block_.geometry_.size(),
                                  lame_parameters(block_.material_), displacements_.front().component,
                                  velocities_.front().component, line_.data());
  restricted_ = true;
}

template <class Law>
void TetrahedraOnLine<Law>::change(std::span<const NodeLine> lines, double origin,
                                   std::span<const std::uint8_t> changed) {
  for (std::size_t node = 0; node < block_.nodes_.size(); ++node) {
    const auto local = static_cast<std::size_t>(block_.nodes_[node]);
    if (!changed[local]) continue;
    set_node_line(lines[local], node, origin);
    if (!restricted_) continue;
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
void TetrahedraOnLine<Law>::sample_rounded(double s, const LineGrids& grids, LineSample& sum) {
  restrict_to_line();
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
  restrict_to_line();
  Law::kernels().bound(line_.data(), line_.size(), lame_parameters(block_.material_), from, to - from, grids,
                       sum);
}

// How far a node may move from `looked_at_`, relative to the others, so that no ‖F⁻¹ ΔF‖ exceeds a twentieth:
// then J stays within a sixth, and the bounds of its polynomials within a half.
template <class Law>
double TetrahedraOnLine<Law>::allowance() const {
  constexpr double share = 0.05;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& packet : block_.geometry_)
    for (std::size_t lane = 0; lane < neo_hookean::width; ++lane) {
      if (packet.volume[lane] == 0) continue;
      const auto node = [&](std::size_t a) {
        const double* u =
            looked_at_[static_cast<std::size_t>(packet.node_row[a][lane] / neo_hookean::row)].component;
        return Vector3{u[0], u[1], u[2]};
      };
      std::array<Vector3, 3> f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows of F
      Vector3 of_fourth{};
      double gradients = 0;  // Σ |∇N_a|
      for (std::size_t a = 0; a < 3; ++a) {
        const Vector3 u = node(a) - node(3),
                      shape{packet.shape_gradient[a][0][lane], packet.shape_gradient[a][1][lane],
                            packet.shape_gradient[a][2][lane]};
        for (std::size_t i = 0; i < 3; ++i) f[i] += u[i] * shape;
        of_fourth += shape;
        gradients += norm(shape);
      }
      const Vector3 x = cross(f[1], f[2]), y = cross(f[2], f[0]), z = cross(f[0], f[1]);  // rows of cof F
      const double inverse = std::sqrt(dot(x, x) + dot(y, y) + dot(z, z)) / dot(f[0], x);
      least = std::min(least, share / (inverse * (gradients + norm(of_fourth))));
    }
  return least;
}

// Largest |w_a − w_0| at both ends, w what a node has moved since it was looked at.
template <class Law>
double TetrahedraOnLine<Law>::farthest_moved(double from, double to) const {
  const auto moved = [&](std::size_t node, double s) {
    Vector3 w;
    for (std::size_t i = 0; i < 3; ++i)
      w[i] = displacements_[node].component[i] - looked_at_[node].component[i] +
             s * velocities_[node].component[i];
    return w;
  };
  const Vector3 first = moved(0, from), last = moved(0, to);
  double largest = 0;
  for (std::size_t node = 1; node < displacements_.size(); ++node) {
    const Vector3 a = moved(node, from) - first, b = moved(node, to) - last;
    largest = std::max({largest, dot(a, a), dot(b, b)});
  }
  return std::sqrt(largest);
}

template <class Law>
bool TetrahedraOnLine<Law>::certifies(double from, double to, double& evaluated) {
  if (block_.geometry_.empty()) return true;
  constexpr int few = 16, long_enough = 64;
  if (waits_ == 0) {
    if (looked_at_.empty() || (!(farthest_moved(from, to) <= allowance_) && lasted_ >= few)) {
      looked_at_ = displacements_;
      allowance_ = allowance();
      evaluated += work();
      lasted_ = 0;
    }
    if (farthest_moved(from, to) <= allowance_) {
      ++lasted_;
      return true;
    }
    waits_ = long_enough;
  } else if (--waits_ == 0) {
    looked_at_.clear();
  }
  return PotentialOnLine::certifies(from, to, evaluated);
}

template class TetrahedraOnLine<NeoHookean>;
template class TetrahedraOnLine<MooneyRivlin>;
template class TetrahedraOnLine<StVenantKirchhoff>;

template void NeoHookeanOnLine::sample_rounded<Rounding::grid>(double, const LineGrids&, LineSample&);
template void NeoHookeanOnLine::sample_rounded<Rounding::none>(double, const LineGrids&, LineSample&);

}  // namespace terrace
