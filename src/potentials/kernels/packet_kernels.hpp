// The kernels of packets, compiled once for every level of the processor, and which of them run here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "parallel/exact_sum.hpp"
#include "potentials/kernels/contact_packets.hpp"
#include "potentials/kernels/neo_hookean_packets.hpp"
#include "potentials/potential.hpp"

namespace terrace {

/// λ and μ of a material about the stress-free state, and c₀₁ of the Mooney-Rivlin law.
struct LameParameters {
  double lambda, mu;
  double c01 = 0;
};

/// What the certificates of many packets add up to, lane by lane.
struct alignas(64) BoundSums {
  simd::Lanes terms{}, belows{}, aboves{}, largest_below{}, largest_above{};
};

/// Of an axis-parallel box; empty (low = +∞, high = −∞) until points are included.
struct BoxCorners {
  double low[3], high[3];
};
/// Of places, of the ways to them, and of velocities.
struct WayBoxes {
  BoxCorners places, ways, velocities;
};
/// Of ways, of what they differ from those at constant velocities by, and of what velocities have become.
struct StrayBoxes {
  BoxCorners ways, strays, velocities;
};

/// The kernels of one law. Nodal arrays have `simd::row` doubles per node and are aligned to a row; `count`
/// is that of the packets.
template <class Line>
struct ElementKernels {
  /// Adds the nodal forces, rounded to `grid`, to `forces`, and raises `largest` to the largest magnitude of
  /// a term's component. False when an element has no stress: J ≤ 0 where the law needs J > 0, or no number.
  using Gradient = bool(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                        const Grid& grid, const double* displacements, double* forces, double& largest);
  Gradient *gradient, *unrounded_gradient;

  /// As `gradient`, and adds V; null where a law has none.
  bool (*gradient_and_value)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                             LameParameters lame, const Grid& grid, const double* displacements,
                             double* forces, double& largest, const DoubleGrid& value_grid, ValueSum& value);

  void (*restrict_to_line)(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                           const double* displacements, const double* velocities, Line* lines);

  /// Adds V, V′, V″ at s as Potential::sample.
  using Sample = void(const Line* lines, std::size_t count, LameParameters lame, double s,
                      const LineGrids& grids, LineSample& sum);
  Sample *sample, *unrounded_sample;

  /// Volume · W of every element, NaN where there is none, and Volume · Σ_{a<b} |v_a − v_b|² of its nodes.
  void (*measure)(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                  const double* displacements, const double* velocities, double* energies,
                  double* differences);

  /// Adds the certificate on [from, from + duration] as Potential::bound.
  void (*bound)(const Line* lines, std::size_t count, LameParameters lame, double from, double duration,
                const LineGrids& grids, LineBound& sum);
};

/// One level's kernels; all levels give the same bits.
struct PacketKernels {
  const char* level;  ///< as in TERRACE_SIMD

  ElementKernels<neo_hookean::PacketLine> neo_hookean;
  ElementKernels<tetrahedra::QuarticLine> mooney_rivlin, st_venant_kirchhoff;

  /// ‖F⁻¹‖ of every element (Frobenius), infinity where J ≤ 0.
  void (*inverse_norms)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                        const double* displacements, double* norms);
  /// Writes the numbers of the packets with an element whose ‖F⁻¹ ΔF‖ may exceed `most` < 1 in a step with
  /// these velocities to `found` (room for count), and returns how many there are. `norms`: bounds of ‖F⁻¹‖
  /// before, then after the step, which are none in the packets found.
  std::size_t (*find_deforming)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                                const double* velocities, double duration, double most, double* norms,
                                std::int32_t* found);

  /// Samples the pairs of a packet at s and returns those, a bit per lane, that sample_pair has to look at.
  std::uint64_t (*sample_pairs)(PairPacket& packet, const ContactProfile& profile, double s);
  /// Bounds of the pairs; those returned, a bit per lane, bound_pair has to look at.
  std::uint64_t (*bound_pairs)(const PairPacket& packet, const ContactProfile& profile, double from,
                               double duration, PacketBound& bound);
  /// Adds the samples of the packets that may be felt at s.
  void (*add_samples)(const PairPacket* packets, std::size_t count, double s, const LineGrids& grids,
                      LineSample& sum);
  void (*add_bounds)(const PacketBound& bound, const LineGrids& grids, BoundSums& sums);
  /// Nodes 1 to 3 relative to node 0; `node_row`: rows of nodes 1, 2, 3, 0.
  void (*relative_nodes)(const std::int32_t (&node_row)[4][simd::width], const double* nodes,
                         simd::Lanes (&components)[3][3]);
  /// closing_speed of every lane.
  void (*closing_speeds)(PairKind kind, const std::int32_t (&node_row)[4][simd::width],
                         const double* velocities, simd::Lanes& speeds);

  /// Includes the points in the box, coordinates one after the other; what is no number is passed over.
  void (*box_of_points)(const double* points, std::size_t count, BoxCorners& box);
  /// The same of `points` − `others`.
  void (*box_of_differences)(const double* points, const double* others, std::size_t count, BoxCorners& box);
  /// The same of `points` + `time` · `velocities`.
  void (*box_of_moved)(const double* points, const double* velocities, double time, std::size_t count,
                       BoxCorners& box);
  /// As box_of_points, of rows of `simd::row` doubles; false where one of these is not finite.
  bool (*box_of_rows)(const double* rows, std::size_t count, BoxCorners& box);

  /// What follows is of nodes on their lines. `lines`: eight doubles for each of all (NodeLine).
  /// Of each of `nodes` three doubles: reference + u(instant), and v. `reference` in the order of `nodes`.
  void (*places_and_velocities)(const double* lines, const std::int32_t* nodes, std::size_t count,
                                const double* reference, double instant, double* places, double* velocities);
  /// Boxes, bit for bit what Box::include makes of one after the other. `reference`: three for each of all.
  void (*box_of_velocities)(const double* lines, const std::int32_t* nodes, std::size_t count,
                            BoxCorners& box);
  /// Of reference + u(instant).
  void (*box_of_places)(const double* lines, const std::int32_t* nodes, std::size_t count,
                        const double* reference, double instant, BoxCorners& box);
  /// The same, and of what they are from `starts`, three doubles each, in the order of `nodes`.
  void (*boxes_of_ways)(const double* lines, const std::int32_t* nodes, std::size_t count,
                        const double* reference, const double* starts, double instant, WayBoxes& boxes);
  /// Of u(instant) and v less those at the start, six doubles each, and of what u differs from the start by
  /// besides going on with the velocity there for the time `elapsed`.
  void (*boxes_of_strays)(const double* lines, const std::int32_t* nodes, std::size_t count,
                          const double* starts, double instant, double elapsed, StrayBoxes& boxes);
  /// The time from `instant` until the first node leaves the room; +∞ if none does, 0 where one is outside
  /// and goes on. Includes velocities in their box.
  double (*find_exit)(const double* lines, const std::int32_t* nodes, std::size_t count,
                      const double* reference, double instant, const BoxCorners& room,
                      BoxCorners& velocities);
};

/// Those that this processor can run, plainest first.
[[nodiscard]] std::span<const PacketKernels* const> runnable_packet_kernels();

/// Those named by the environment variable TERRACE_SIMD (x86-64, x86-64-v2, x86-64-v3, x86-64-v4, or the last
/// two characters alone), else the best that this processor can run; the choice is made once. Throws
/// Error(input) for a name that there is not or that this processor cannot run.
[[nodiscard]] const PacketKernels& packet_kernels();

/// As packet_kernels, with the value of TERRACE_SIMD (empty: the best) as an argument.
[[nodiscard]] const PacketKernels& packet_kernels_named(std::string_view name);

/// All levels that were compiled, plainest first.
[[nodiscard]] std::span<const PacketKernels* const> compiled_packet_kernels();

}  // namespace terrace
