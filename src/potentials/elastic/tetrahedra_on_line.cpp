#include <algorithm>
#include <iterator>

#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

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

// Runs the packets from `first` to before `last`, then adds the forces at the nodes `complete`, which no
// later packet loads, to `gradient`.
template <class Law>
double TetrahedraOnLine<Law>::add_packets(std::size_t first, std::size_t last,
                                          std::span<const std::int32_t> complete,
                                          const Displacements& displacements, const Grid& grid,
                                          std::span<Vector3> gradient, const DoubleGrid* value_grid,
                                          ValueSum& value) {
  const auto& kernels = Law::kernels();
  const LameParameters lame = lame_parameters(block_.material_);
  const neo_hookean::PacketGeometry* packets = block_.geometry_.data() + first;
  const double* nodal = workspace_.displacements.front().component;
  double *forces = workspace_.forces.front().component, largest = 0;
  const bool good = value_grid != nullptr && kernels.gradient_and_value != nullptr
                        ? kernels.gradient_and_value(packets, last - first, lame, grid, nodal, forces,
                                                     largest, *value_grid, value)
                        : kernels.gradient(packets, last - first, lame, grid, nodal, forces, largest);
  if (!good) block_.report_fault(displacements);
  for (const std::int32_t node : complete) {
    const double* f = at(workspace_.forces, node).component;
    at(gradient, at(block_.nodes_, node)) += Vector3{f[0], f[1], f[2]};
  }
  return largest;
}

template <class Law>
double TetrahedraOnLine<Law>::add_outer_gradient(std::span<const NodeLine> lines, double instant,
                                                 const Grid& grid, std::span<Vector3> gradient,
                                                 const DoubleGrid* value_grid, ValueSum& value) {
  if (!has_inner())
    return PotentialOnLine::add_outer_gradient(lines, instant, grid, gradient, value_grid, value);
  const Displacements displacements(lines, instant);
  block_.fill(workspace_, displacements);
  return add_packets(0, block_.first_inner_packet_, block_.outer_nodes_, displacements, grid, gradient,
                     value_grid, value);
}

template <class Law>
double TetrahedraOnLine<Law>::add_inner_gradient(std::span<const NodeLine> lines, double instant,
                                                 const Grid& grid, std::span<Vector3> gradient,
                                                 const DoubleGrid* value_grid, ValueSum& value) {
  if (!has_inner()) return 0;
  if (value_grid != nullptr && Law::kernels().gradient_and_value == nullptr)
    this->add_value(instant, *value_grid, value);
  return add_packets(block_.first_inner_packet_, block_.geometry_.size(), block_.inner_nodes_,
                     {lines, instant}, grid, gradient, value_grid, value);
}

template <class Law>
void TetrahedraOnLine<Law>::set_node_line(const NodeLine& line, std::size_t node, double origin) {
  // A line that begins after the origin is extended backwards, so that `begin` and `change` agree to the bit.
  const Vector3 u = line.displacement_at(origin);
  displacements_[node] = {{u[0], u[1], u[2], 0}};
  velocities_[node] = {{line.velocity[0], line.velocity[1], line.velocity[2], 0}};
}

template <class Law>
void TetrahedraOnLine<Law>::begin(std::span<const NodeLine> lines, double origin) {
  if (block_.geometry_.empty()) return;
  for (std::size_t node = 0; node < block_.nodes_.size(); ++node)
    set_node_line(lines[static_cast<std::size_t>(block_.nodes_[node])], node, origin);
  origin_ = origin;
  restricted_ = false;
  fastest_ = -1;
}

// Computes the polynomials along the line; called only when they are needed.
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
  fastest_ = -1;
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

// Sets workspace_.displacements to those at s.
template <class Law>
void TetrahedraOnLine<Law>::move_to(double s) {
  for (std::size_t node = 0; node < displacements_.size(); ++node)
    for (std::size_t i = 0; i < simd::row; ++i)
      workspace_.displacements[node].component[i] =
          displacements_[node].component[i] + s * velocities_[node].component[i];
}

// Writes the packets with an element that may deform by y = ‖F⁻¹ ΔF‖ > `most` to `found`, numbered from
// `first`, and returns how many there are. J changes by at most √3 y + y² + (y/√3)³ of itself, which is 0.476
// for y = `most`: the bounds of the polynomials find no J below its half either.
template <class Law>
std::size_t TetrahedraOnLine<Law>::look_at(std::size_t first, std::size_t count, double duration,
                                           std::int32_t* found) {
  constexpr double most = 0.24;
  return packet_kernels().find_deforming(&block_.geometry_[first], count, velocities_.front().component,
                                         duration, most, inverse_norms_[first].lane, found);
}

// Certifies one packet by a new bound of ‖F⁻¹‖ or, where that is not enough, by the bounds of its
// polynomials. workspace_.displacements must be those at `from`.
template <class Law>
bool TetrahedraOnLine<Law>::packet_certifies(std::size_t packet, double from, double to) {
  const neo_hookean::PacketGeometry& geometry = block_.geometry_[packet];
  OfPacket& norms = inverse_norms_[packet];
  packet_kernels().inverse_norms(&geometry, 1, workspace_.displacements.front().component, norms.lane);
  std::int32_t none = 0;
  if (look_at(packet, 1, to - from, &none) == 0) return true;
  std::fill(std::begin(norms.lane), std::end(norms.lane), infinity);
  typename Law::Line line;
  LineBound sum;
  Law::kernels().restrict_to_line(&geometry, 1, lame_parameters(block_.material_),
                                  displacements_.front().component, velocities_.front().component, &line);
  Law::kernels().bound(&line, 1, lame_parameters(block_.material_), from, to - from, LineGrids{}, sum);
  return sum.invalid == 0;
}

// Computes all bounds of ‖F⁻¹‖ anew. workspace_.displacements must be those at time `now`.
template <class Law>
void TetrahedraOnLine<Law>::find_inverse_norms(double now) {
  inverse_norms_.resize(block_.geometry_.size());
  packet_kernels().inverse_norms(block_.geometry_.data(), block_.geometry_.size(),
                                 workspace_.displacements.front().component, inverse_norms_.front().lane);
  growth_ = 1;
  found_at_ = now;
  find_largest_inverse_norm();
}

template <class Law>
void TetrahedraOnLine<Law>::find_largest_inverse_norm() {
  largest_inverse_norm_ = 0;
  for (const OfPacket& packet : inverse_norms_)
    for (const double norm : packet.lane)
      largest_inverse_norm_ = norm < infinity ? std::max(largest_inverse_norm_, norm) : infinity;
}

// A bound of ‖Ḟ‖ of all elements [1/time]: Ḟ = Σ_a (v_a − v₃) ⊗ ∇N_a over the first three nodes of an
// element.
template <class Law>
double TetrahedraOnLine<Law>::fastest_deformation() {
  if (fastest_ >= 0) return fastest_;
  constexpr double rounding = 1e-12;
  BoxCorners velocities{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const bool are_finite =
      packet_kernels().box_of_rows(velocities_.front().component, velocities_.size(), velocities);
  Vector3 most{};
  for (std::size_t k = 0; k < 3; ++k) most[k] = velocities.high[k] - velocities.low[k];
  return fastest_ = are_finite ? (1 + rounding) * norm(most) * block_.steepest_ : infinity;
}

// Where nothing deforms much in a step, as in stiff bodies, the range of all velocities certifies all
// elements at once: no element's change of F, times ‖F⁻¹‖, is larger than `little`. Otherwise each element is
// looked at, and for `a_while` such steps the test of all at once is not tried again.
template <class Law>
bool TetrahedraOnLine<Law>::certifies(double from, double to, double& evaluated) {
  constexpr double little = 0.05, much_grown = 1.25;
  constexpr unsigned a_while = 16;
  const std::size_t count = block_.geometry_.size();
  if (count == 0) return true;
  const double now = origin_ + from;
  const bool are_known = !inverse_norms_.empty() && found_at_ <= now && now <= certain_until_;
  const auto renew = [&] {
    move_to(from);
    find_inverse_norms(now);
    evaluated += work();
  };
  if (!are_known || growth_ > much_grown) renew();
  certain_until_ = origin_ + to;
  if (largest_inverse_norm_ < infinity) {
    const double change = growth_ * largest_inverse_norm_ * fastest_deformation() * (to - from);
    if (change <= little) {
      growth_ /= 1 - change;
      return true;
    }
  }
  if (growth_ > 1) renew();
  deforming_.resize(count);
  const std::size_t deforming = look_at(0, count, to - from, deforming_.data());
  bool all = true;
  if (deforming > 0) {
    move_to(from);
    found_at_ = now;
    for (std::size_t i = 0; i < deforming; ++i)
      all = packet_certifies(static_cast<std::size_t>(deforming_[i]), from, to) && all;
  }
  largest_inverse_norm_ = infinity;
  if (++looks_at_each_ % a_while == 0) find_largest_inverse_norm();
  return all;
}

template class TetrahedraOnLine<NeoHookean>;
template class TetrahedraOnLine<MooneyRivlin>;
template class TetrahedraOnLine<StVenantKirchhoff>;

template void NeoHookeanOnLine::sample_rounded<Rounding::grid>(double, const LineGrids&, LineSample&);
template void NeoHookeanOnLine::sample_rounded<Rounding::none>(double, const LineGrids&, LineSample&);

}  // namespace terrace
