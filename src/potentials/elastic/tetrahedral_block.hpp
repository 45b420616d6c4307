// Tetrahedra of one hyperelastic law: the elastic potential of (a rank's part of) a body.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/model.hpp"
#include "potentials/elastic/elastic_laws.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

/// Whether the terms of sums are rounded to their grids. `none` serves only to measure what exact sums cost.
enum class Rounding { grid, none };

/// λ and μ [Pa], and c₀₁ [Pa] of Mooney and Rivlin's law.
[[nodiscard]] inline LameParameters lame_parameters(const Material& material) {
  return {material.lame_lambda, material.lame_mu, material.c01};
}

// The laws: the type that describes an element along a line, and the kernels. The energies are those of
// elastic_laws.hpp.
struct NeoHookean {
  using Line = neo_hookean::PacketLine;
  static constexpr bool needs_positive_jacobian = true;
  static const ElementKernels<Line>& kernels() { return packet_kernels().neo_hookean; }
};
struct MooneyRivlin {
  using Line = tetrahedra::QuarticLine;
  static constexpr bool needs_positive_jacobian = true;
  static const ElementKernels<Line>& kernels() { return packet_kernels().mooney_rivlin; }
};
/// Its energy is finite for every F: elements may invert, and nothing reports it.
struct StVenantKirchhoff {
  using Line = tetrahedra::QuarticLine;
  static constexpr bool needs_positive_jacobian = false;
  static const ElementKernels<Line>& kernels() { return packet_kernels().st_venant_kirchhoff; }
};

template <class Law>
class TetrahedraOnLine;
template <class Law>
class TetrahedraAtNodes;

/// V = Σ_e Volume_e W(F_e), F constant in each element. Elements are processed in full SIMD packets, the last
/// one padded by elements of zero volume. The terms of an element do not depend on its place, and they are
/// rounded to grids: all sums have the same bits for every order and division of the elements.
template <class Law>
class TetrahedralBlock : public ElasticPotential {
 public:
  /// `positions`: reference positions of all the rank's local nodes; `tetrahedra`: in local node numbers;
  /// `names`: how error messages name the elements. The last `inner` tetrahedra load no node that other ranks
  /// hold. Throws Error(input) for a node number out of range, a volume that is not positive, or constants
  /// that are not finite with μ > 0 and 3 λ + 2 μ > 0, and for Mooney-Rivlin 0 ≤ 4 c₀₁ ≤ λ, 2 c₀₁ ≤ μ.
  TetrahedralBlock(std::span<const Vector3> positions, std::vector<Tetrahedron> tetrahedra, Material material,
                   ElementNames names = {}, std::size_t inner = 0);

  [[nodiscard]] std::span<const std::int32_t> nodes() const override { return nodes_; }
  /// −∞ for a neo-Hookean material with λ < 0, whose energy falls without bound as an element is crushed.
  [[nodiscard]] double infimum() const override;
  /// One energy for each element, also where it is 0.
  [[nodiscard]] std::vector<double> energies(const Displacements& displacements) const override;
  /// Throws Error(run), and leaves `gradient` unchanged, if an element has J ≤ 0 and the law needs J > 0, or
  /// if its strain is not a number.
  double add_gradient(const Displacements& displacements, const Grid& grid,
                      std::span<Vector3> gradient) const override;
  [[nodiscard]] bool has_hessian() const override { return true; }
  void add_hessian_times(const Displacements& displacements, std::span<const Vector3> direction,
                         std::span<Vector3> product) const override;
  [[nodiscard]] std::unique_ptr<DiscreteGradient> discrete_gradient() const override;
  [[nodiscard]] std::unique_ptr<TermsAtNodes> terms_at_nodes() const override;
  [[nodiscard]] std::unique_ptr<PotentialOnLine> on_line() const override;
  /// One per tetrahedron.
  [[nodiscard]] double work() const override { return static_cast<double>(tetrahedra_.size()); }

  [[nodiscard]] std::span<const Tetrahedron> tetrahedra() const override { return tetrahedra_; }
  [[nodiscard]] const Material& material() const override { return material_; }

  [[nodiscard]] std::vector<ElementState> element_states(const Displacements& displacements) const override;
  void measure(std::span<const NodeLine> lines, double time, ElementMeasures& measures) const override;

  /// `neo_hookean::row` doubles of one node, as the kernels want them.
  struct alignas(32) NodalRow {
    double component[neo_hookean::row] = {};
  };
  /// Memory in which a gradient is put together: as many rows as there are nodes.
  struct Workspace {
    std::vector<NodalRow> displacements, forces;
  };
  /// add_gradient in memory that the caller keeps. The choice of rounding is for benchmarks.
  template <Rounding rounding>
  double add_gradient_in(Workspace& workspace, const Displacements& displacements, const Grid& grid,
                         std::span<Vector3> gradient) const;
  /// The same with V. Only for a law that has a kernel for both.
  double add_gradient_and_value_in(Workspace& workspace, const Displacements& displacements, const Grid& grid,
                                   std::span<Vector3> gradient, const DoubleGrid& value_grid,
                                   ValueSum& value) const;

  /// Whether there are packets with inner elements alone; these come last.
  [[nodiscard]] bool has_inner() const { return first_inner_packet_ < geometry_.size(); }

 private:
  friend class TetrahedraOnLine<Law>;
  friend class TetrahedraAtNodes<Law>;
  void find_packets_of_nodes();
  void find_nodes_of_steps();
  void fill(Workspace& workspace, const Displacements& displacements) const;
  void add_forces(const Workspace& workspace, std::span<Vector3> gradient) const;
  [[nodiscard]] Tensor3 displacement_gradient(std::size_t element, const Displacements& displacements) const;
  [[nodiscard]] double element_energy(std::size_t element, const Displacements& displacements) const;
  [[noreturn]] void report_fault(const Displacements& displacements) const;

  Material material_;
  std::vector<Vector3> reference_;  ///< of nodes_
  std::vector<Tetrahedron> tetrahedra_;
  ElementNames names_;
  std::vector<std::int32_t> nodes_;
  std::vector<neo_hookean::PacketGeometry> geometry_;
  double steepest_ = 0;  ///< largest Σ_a |∇N_a| of an element's first three nodes [1/length]
  std::vector<std::int32_t> first_packet_of_node_, packets_of_nodes_;  ///< by node, in compressed rows
  std::size_t first_inner_packet_;
  /// Places in nodes_ of the nodes that no inner packet loads, and of the others. Empty without inner
  /// packets.
  std::vector<std::int32_t> outer_nodes_, inner_nodes_;
};

/// A block along its nodes' lines: what its law needs of each element's F is a polynomial of s.
template <class Law>
class TetrahedraOnLine : public PotentialOnLine {
 public:
  explicit TetrahedraOnLine(const TetrahedralBlock<Law>& block);

  double add_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                      std::span<Vector3> gradient) override;
  double add_gradient_and_value(std::span<const NodeLine> lines, double instant, const Grid& grid,
                                std::span<Vector3> gradient, const DoubleGrid& value_grid,
                                ValueSum& value) override;
  double add_outer_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                            std::span<Vector3> gradient, const DoubleGrid* value_grid,
                            ValueSum& value) override;
  double add_inner_gradient(std::span<const NodeLine> lines, double instant, const Grid& grid,
                            std::span<Vector3> gradient, const DoubleGrid* value_grid,
                            ValueSum& value) override;
  [[nodiscard]] bool has_inner() const override { return block_.has_inner(); }
  /// An element with J ≤ 0, where the law needs J > 0, is counted in `infinite` and adds nothing else. A J
  /// that is not a number makes the sums NaN.
  void sample(double s, const LineGrids& grids, LineSample& sum) override;
  /// An element whose J may fall below half its value, or is not a number, is counted in `invalid` and adds
  /// nothing else.
  void bound(double from, double to, const LineGrids& grids, LineBound& sum) override;
  /// Answers as `bound` does, but certifies elements that deform little by bounds of ‖F⁻¹‖ that it carries
  /// along from step to step; all at once where the range of velocities allows. `evaluated` grows by the
  /// number of elements when all these bounds are computed anew.
  [[nodiscard]] bool certifies(double from, double to, double& evaluated) override;
  [[nodiscard]] double work() const override { return block_.work(); }

  /// sample with a choice of the rounding, for benchmarks.
  template <Rounding rounding>
  void sample_rounded(double s, const LineGrids& grids, LineSample& sum);

 protected:
  void begin(std::span<const NodeLine> lines, double origin) override;
  /// Recomputes only the packets with a changed node; gives the same bits as `begin`.
  void change(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed) override;

 private:
  void set_node_line(const NodeLine& line, std::size_t node, double origin);
  double add_packets(std::size_t first, std::size_t last, std::span<const std::int32_t> complete,
                     const Displacements& displacements, const Grid& grid, std::span<Vector3> gradient,
                     const DoubleGrid* value_grid, ValueSum& value);
  void restrict_to_line();
  void move_to(double s);
  void find_inverse_norms(double now);
  void find_largest_inverse_norm();
  [[nodiscard]] double fastest_deformation();
  std::size_t look_at(std::size_t first, std::size_t count, double duration, std::int32_t* found);
  [[nodiscard]] bool packet_certifies(std::size_t packet, double from, double to);

  const TetrahedralBlock<Law>& block_;
  std::vector<typename Law::Line> line_;
  std::vector<typename TetrahedralBlock<Law>::NodalRow> displacements_,
      velocities_;  ///< at the line's origin
  typename TetrahedralBlock<Law>::Workspace workspace_;
  bool restricted_ = false;  ///< line_ belongs to displacements_ and velocities_
  struct alignas(64) OfPacket {
    double lane[simd::width];
  };
  /// growth_ · inverse_norms_ ≥ ‖F⁻¹‖ of each element from found_at_ (when the last of them was computed
  /// anew) to certain_until_; infinity where no bound is known. growth_ is above 1 only while no element has
  /// been looked at by itself.
  std::vector<OfPacket> inverse_norms_;
  double growth_ = 1;
  double largest_inverse_norm_ = infinity;  ///< ≥ all of these; infinity: not known
  unsigned looks_at_each_ = 0;              ///< number of steps in which each element was looked at
  double fastest_ = -1;                     ///< fastest_deformation of the present line; negative: not known
  double origin_ = 0, found_at_ = 0, certain_until_ = 0;
  std::vector<std::int32_t> deforming_;
  std::vector<std::int32_t> changed_packets_;
  std::vector<std::uint8_t> packet_changed_;
};

using NeoHookeanBlock = TetrahedralBlock<NeoHookean>;
using MooneyRivlinBlock = TetrahedralBlock<MooneyRivlin>;
using StVenantKirchhoffBlock = TetrahedralBlock<StVenantKirchhoff>;
using NeoHookeanOnLine = TetrahedraOnLine<NeoHookean>;

}  // namespace terrace
