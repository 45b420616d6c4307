// The kernels of packets, compiled once for every level of the processor, and the choice of the level that
// runs.
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

/// λ and μ of a material at its stress-free state, and c₀₁ of the Mooney-Rivlin law.
struct LameParameters {
  double lambda, mu;
  double c01 = 0;
};

/// Sums and maxima, lane by lane, of the certificates of many packets of contact pairs (LineBound).
struct alignas(64) BoundSums {
  simd::Lanes terms{}, belows{}, aboves{}, largest_below{}, largest_above{};
};

/// The corners of an axis-parallel box; empty (low = +∞, high = −∞) until points are included.
struct BoxCorners {
  double low[3], high[3];
};
/// Boxes of positions, of displacements since a start, and of velocities (WaysOfNodes).
struct WayBoxes {
  BoxCorners places, ways, velocities;
};
/// Boxes of displacements since a start, of deviations from straight motion, and of changes of velocity
/// (StraysOfNodes).
struct StrayBoxes {
  BoxCorners ways, strays, velocities;
};

/// The kernels of one law. Nodal arrays have `simd::row` doubles per node and are aligned to a row; `count`
/// is the number of packets.
template <class Line>
struct ElementKernels {
  /// Adds the nodal forces, rounded to `grid`, to `forces`, and raises `largest` to the largest magnitude of
  /// a term's component. Returns false if an element has no stress: J ≤ 0 where the law needs J > 0, or not
  /// finite.
  using Gradient = bool(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                        const Grid& grid, const double* displacements, double* forces, double& largest);
  Gradient *gradient, *unrounded_gradient;

  /// As `gradient`, and adds V; null for laws without this kernel.
  bool (*gradient_and_value)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                             LameParameters lame, const Grid& grid, const double* displacements,
                             double* forces, double& largest, const DoubleGrid& value_grid, ValueSum& value);

  /// Writes the energies of the elements restricted to the line displacements + s velocities.
  void (*restrict_to_line)(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                           const double* displacements, const double* velocities, Line* lines);

  /// Adds V, V′, V″ at s as PotentialOnLine::sample.
  using Sample = void(const Line* lines, std::size_t count, LameParameters lame, double s,
                      const LineGrids& grids, LineSample& sum);
  Sample *sample, *unrounded_sample;

  /// Writes Volume · W of every element, NaN where it has none, and Volume · Σ_{a<b} |v_a − v_b|² over its
  /// nodes.
  void (*measure)(const neo_hookean::PacketGeometry* packets, std::size_t count, LameParameters lame,
                  const double* displacements, const double* velocities, double* energies,
                  double* differences);

  /// Adds the certificate on [from, from + duration] as PotentialOnLine::bound.
  void (*bound)(const Line* lines, std::size_t count, LameParameters lame, double from, double duration,
                const LineGrids& grids, LineBound& sum);
};

/// One level's kernels; all levels give the same bits.
struct PacketKernels {
  const char* level;  ///< as in TERRACE_SIMD

  ElementKernels<neo_hookean::PacketLine> neo_hookean;
  ElementKernels<tetrahedra::QuarticLine> mooney_rivlin, st_venant_kirchhoff;

  /// Writes ‖F⁻¹‖ of every element (Frobenius norm), infinity where J ≤ 0.
  void (*inverse_norms)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                        const double* displacements, double* norms);
  /// Writes the numbers of the packets with an element whose ‖F⁻¹ ΔF‖ may exceed `most` < 1 in a step of this
  /// duration with these velocities to `found` (room for `count`), and returns how many there are. `norms`:
  /// bounds of ‖F⁻¹‖ before the step, replaced by those after it; the new ones are not valid in the packets
  /// found.
  std::size_t (*find_deforming)(const neo_hookean::PacketGeometry* packets, std::size_t count,
                                const double* velocities, double duration, double most, double* norms,
                                std::int32_t* found);

  /// Samples the pairs of a packet at s. Returns a bit for each lane that sample_pair has to sample again.
  std::uint64_t (*sample_pairs)(PairPacket& packet, const ContactProfile& profile, double s);
  /// Bounds the pairs of a packet on [from, from + duration]. Returns a bit for each lane that bound_pair has
  /// to bound again.
  std::uint64_t (*bound_pairs)(const PairPacket& packet, const ContactProfile& profile, double from,
                               double duration, PacketBound& bound);
  /// Adds the samples, taken at s, of the packets that may be felt at s.
  void (*add_samples)(const PairPacket* packets, std::size_t count, double s, const LineGrids& grids,
                      LineSample& sum);
  /// Adds `below` and `above` of a packet, rounded upwards, and the number of its terms; `rise` and `fall`
  /// are added elsewhere.
  void (*add_bounds)(const PacketBound& bound, const LineGrids& grids, BoundSums& sums);
  /// Writes the vectors of nodes 1 to 3 relative to node 0; `node_row`: offsets of the rows of nodes 1, 2, 3,
  /// 0 in `nodes`.
  void (*relative_nodes)(const std::int32_t (&node_row)[4][simd::width], const double* nodes,
                         simd::Lanes (&components)[3][3]);
  /// Writes closing_speed of every lane.
  void (*closing_speeds)(PairKind kind, const std::int32_t (&node_row)[4][simd::width],
                         const double* velocities, simd::Lanes& speeds);

  /// Includes the points in the box. Their coordinates follow each other; NaN is passed over.
  void (*box_of_points)(const double* points, std::size_t count, BoxCorners& box);
  /// The same for `points` − `others`.
  void (*box_of_differences)(const double* points, const double* others, std::size_t count, BoxCorners& box);
  /// The same for `points` + `time` · `velocities`.
  void (*box_of_moved)(const double* points, const double* velocities, double time, std::size_t count,
                       BoxCorners& box);
  /// As box_of_points, for rows of `simd::row` doubles. Returns false if any of these is not finite.
  bool (*box_of_rows)(const double* rows, std::size_t count, BoxCorners& box);

  /// The remaining kernels are for nodes on their lines. `lines`: eight doubles for each of all nodes
  /// (NodeLine).
  ///
  /// Writes three doubles each for every node in `nodes`: the position reference + u(instant), and the
  /// velocity. `reference`: in the order of `nodes`.
  void (*places_and_velocities)(const double* lines, const std::int32_t* nodes, std::size_t count,
                                const double* reference, double instant, double* places, double* velocities);
  /// Includes the velocities of `nodes` in the box. This and the following boxes are bit for bit those that
  /// Box::include gives for one node after the other. `reference`, here and below: three doubles for each of
  /// all nodes.
  void (*box_of_velocities)(const double* lines, const std::int32_t* nodes, std::size_t count,
                            BoxCorners& box);
  /// Includes the positions reference + u(instant).
  void (*box_of_places)(const double* lines, const std::int32_t* nodes, std::size_t count,
                        const double* reference, double instant, BoxCorners& box);
  /// Includes the positions, their differences from `starts` (three doubles each, in the order of `nodes`),
  /// and the velocities.
  void (*boxes_of_ways)(const double* lines, const std::int32_t* nodes, std::size_t count,
                        const double* reference, const double* starts, double instant, WayBoxes& boxes);
  /// Includes u(instant) − u₀, its deviation from straight motion u(instant) − u₀ − `elapsed` v₀, and v − v₀.
  /// `starts`: u₀ and v₀, six doubles each, in the order of `nodes`.
  void (*boxes_of_strays)(const double* lines, const std::int32_t* nodes, std::size_t count,
                          const double* starts, double instant, double elapsed, StrayBoxes& boxes);
  /// The time from `instant` until the first node leaves the room; +∞ if none does, 0 if one is outside and
  /// goes farther out. Includes the velocities in their box.
  double (*find_exit)(const double* lines, const std::int32_t* nodes, std::size_t count,
                      const double* reference, double instant, const BoxCorners& room,
                      BoxCorners& velocities);
};

/// The kernels of the levels that this processor can run, plainest first.
[[nodiscard]] std::span<const PacketKernels* const> runnable_packet_kernels();

/// The kernels of the level named by the environment variable TERRACE_SIMD (x86-64, x86-64-v2, x86-64-v3,
/// x86-64-v4; v2 to v4 and -v2 to -v4 stand for the last three), else of the best that this processor can
/// run. The choice is made once. Throws Error(input) for a name that does not exist or that this processor
/// cannot run.
[[nodiscard]] const PacketKernels& packet_kernels();

/// As packet_kernels, with the value of TERRACE_SIMD (empty: the best) as an argument.
[[nodiscard]] const PacketKernels& packet_kernels_named(std::string_view name);

/// The kernels of all levels that were compiled, plainest first.
[[nodiscard]] std::span<const PacketKernels* const> compiled_packet_kernels();

}  // namespace terrace
