// A hash of what the packet kernels of one level give for fixed inputs: the same number for every level,
// compiler and architecture.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "numerics/infinity.hpp"
#include "parallel/hash.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

/// The hashes that PacketBits must give on any machine. They change only if the arithmetic of a kernel is
/// changed on purpose.
inline constexpr std::uint64_t packet_bits_on_any_machine = 0x4ca23746e9b8283b;

inline constexpr std::uint64_t bits_of_other_laws_on_any_machine = 0x2fbc81a346d4dfc3;

inline constexpr std::uint64_t bits_of_lines_on_any_machine = 0x893fefc8885e9ca3;

class PacketBits {
 public:
  explicit PacketBits(const PacketKernels& kernels) : kernels_(kernels) {}

  /// Elements near the reference state, far from it, inverted, and without a number; pairs of both kinds and
  /// both profiles, near, far, degenerate.
  std::uint64_t hash() {
    for (const double strain : {1e-9, 1e-3, 0.3, 3.0})
      elements(kernels_.neo_hookean, LameParameters{2.5, 1.25}, strain);
    for (const auto kind : {PairKind::vertex_triangle, PairKind::edge_edge})
      for (const auto profile : {ContactProfile::Kind::barrier, ContactProfile::Kind::gap})
        for (const double apart : {0.0, 0.1, 0.5}) pairs(kind, ContactProfile(profile, 0.4), apart);
    return hash_;
  }
  /// The same of the elements of other laws.
  std::uint64_t hash_of_other_laws() {
    for (const double strain : {1e-9, 1e-3, 0.3, 3.0}) {
      elements(kernels_.mooney_rivlin, LameParameters{2.5, 1.25, 0.3}, strain);
      elements(kernels_.st_venant_kirchhoff, LameParameters{2.5, 1.25}, strain);
    }
    return hash_;
  }
  /// The hash of the kernels for nodes on lines. Some nodes are far out, some have zeros or NaN.
  std::uint64_t hash_of_lines() {
    constexpr std::size_t chosen = 17;
    std::vector<double> lines, reference, starts, places(6 * chosen);
    for (std::size_t i = 0; i < 8 * nodes; ++i) lines.push_back(i % 31 == 4 ? 0 * number() : number());
    lines[8 * 5 + 5] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < 3 * nodes; ++i) reference.push_back(i % 13 == 0 ? 3 * number() : number());
    for (std::size_t i = 0; i < 6 * chosen; ++i) starts.push_back(number());
    std::vector<std::int32_t> some;
    for (std::size_t i = 0; i < chosen; ++i) some.push_back(static_cast<std::int32_t>((3 * i + 49) % nodes));
    constexpr double instant = 0.4, elapsed = 0.3;
    constexpr BoxCorners none = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    kernels_.places_and_velocities(lines.data(), some.data(), chosen, reference.data(), instant,
                                   places.data(), places.data() + 3 * chosen);
    for (const double x : places) add(x);
    BoxCorners velocities = none, at_instant = none, leaving = none;
    kernels_.box_of_velocities(lines.data(), some.data(), chosen, velocities);
    kernels_.box_of_places(lines.data(), some.data(), chosen, reference.data(), instant, at_instant);
    WayBoxes ways = {none, none, none};
    kernels_.boxes_of_ways(lines.data(), some.data(), chosen, reference.data(), starts.data(), instant, ways);
    StrayBoxes strays = {none, none, none};
    kernels_.boxes_of_strays(lines.data(), some.data(), chosen, starts.data(), instant, elapsed, strays);
    for (const double side : {2.0, 9.0}) {
      const BoxCorners room = {{-side, -side, -side}, {side, side, side}};
      add(kernels_.find_exit(lines.data(), some.data(), chosen, reference.data(), instant, room, leaving));
    }
    for (const BoxCorners& box : {velocities, at_instant, leaving, ways.places, ways.ways, ways.velocities,
                                  strays.ways, strays.strays, strays.velocities}) {
      add(box.low);
      add(box.high);
    }
    return hash_;
  }

 private:
  static constexpr std::size_t packets = 40, nodes = 50;
  struct alignas(32) Row {
    double component[simd::row];
  };

  struct alignas(64) OfPacket {
    double lane[simd::width];
  };

  /// Uniform in [−1, 1), from integers.
  double number() {
    state_ = mix(state_);
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  void add(double x) {
    // The sign and the digits of what is not a number differ between architectures.
    hash_ = chain(hash_, std::isnan(x) ? infinity * 0x1p-1 : x);
    if (std::isnan(x)) hash_ = mix(hash_);
  }
  template <std::size_t count>
  void add(const double (&values)[count]) {
    for (const double x : values) add(x);
  }
  std::vector<Row> rows(double size) {
    std::vector<Row> all(nodes);
    for (Row& row : all) row = {{size * number(), size * number(), size * number(), 0}};
    return all;
  }
  void fill(std::int32_t (&node_row)[4][simd::width]) {
    for (auto& of_node : node_row)
      for (std::int32_t& row : of_node) {
        state_ = mix(state_);
        row = simd::row * static_cast<std::int32_t>(state_ % nodes);
      }
  }

  template <class Line>
  void elements(const ElementKernels<Line>& kernels, LameParameters lame, double strain) {
    std::vector<neo_hookean::PacketGeometry> geometry(packets);
    for (neo_hookean::PacketGeometry& packet : geometry) {
      for (auto& of_node : packet.shape_gradient)
        for (auto& component : of_node)
          for (double& x : component) x = number();
      for (double& volume : packet.volume) volume = 2 + number();
      fill(packet.node_row);
    }
    for (int lane = 0; lane < simd::width; ++lane) geometry[3].volume[lane] = 0;
    const std::vector<Row> displacements = rows(strain), velocities = rows(10 * strain);
    std::vector<Row> forces(nodes);
    double largest = 0;
    const Grid grid = Grid::holding(1e3, 1e3);
    const bool good = kernels.gradient(geometry.data(), packets, lame, grid, displacements[0].component,
                                       forces[0].component, largest);
    add(good ? 1.0 : 0.0);
    add(largest);
    // Forces beyond the grid, which the caller discards, depend on the order of the sum.
    for (const Row& force : forces)
      if (good && largest <= grid.bound) add(force.component);

    std::vector<double> energies(packets * simd::width), differences(packets * simd::width);
    kernels.measure(geometry.data(), packets, lame, displacements[0].component, velocities[0].component,
                    energies.data(), differences.data());
    for (const double energy : energies) add(energy);
    for (const double difference : differences) add(difference);

    std::vector<OfPacket> inverses(packets);
    kernels_.inverse_norms(geometry.data(), packets, displacements[0].component, inverses[0].lane);
    for (const double duration : {1e-6, 1e-3, 1.0}) {
      for (const OfPacket& norms : inverses) add(norms.lane);
      std::int32_t deforming[packets];
      const std::size_t found = kernels_.find_deforming(geometry.data(), packets, velocities[0].component,
                                                        duration, 0.2, inverses[0].lane, deforming);
      for (std::size_t i = 0; i < found; ++i) add(deforming[i]);
    }

    std::vector<Line> lines(packets);
    kernels.restrict_to_line(geometry.data(), packets, lame, displacements[0].component,
                             velocities[0].component, lines.data());
    for (const Line& line : lines) {
      for (const auto& coefficient : line.jacobian) add(coefficient);
      for (const auto& coefficient : polynomial(line)) add(coefficient);
      add(line.volume);
    }
    line_sums(kernels, lines, lame);
    lines[0].jacobian[0][5] = std::numeric_limits<double>::quiet_NaN();
    line_sums(kernels, lines, lame);
  }

  static LineGrids grids() {
    LineGrids grids;
    grids.value = DoubleGrid::holding(1e3, 1e3);
    for (Grid* grid : {&grids.slope, &grids.curvature, &grids.third, &grids.below, &grids.above})
      *grid = Grid::holding(1e6, 1e3);
    return grids;
  }

  static auto& polynomial(const neo_hookean::PacketLine& line) { return line.strain; }
  static auto& polynomial(const tetrahedra::QuarticLine& line) { return line.energy; }

  template <class Line>
  void line_sums(const ElementKernels<Line>& kernels, const std::vector<Line>& lines, LameParameters lame) {
    for (const double s : {0.0, 1e-3, 0.07}) {
      LineSample sample;
      kernels.sample(lines.data(), lines.size(), lame, s, grids(), sample);
      add(sample);
      LineBound bound;
      kernels.bound(lines.data(), lines.size(), lame, s, 1e-2, grids(), bound);
      for (const double x : {bound.invalid, bound.largest_third}) add(x);
      if (bound.largest_third <= grids().third.bound) add(bound.third);
    }
  }
  /// Sums with a term beyond the grid depend on the order and are left out; a caller would raise the grid.
  void add(const LineSample& sum) {
    for (const double x :
         {sum.infinite, sum.contact_terms, sum.largest_value, sum.largest_slope, sum.largest_curvature})
      add(x);
    if (sum.largest_value <= grids().value.coarse.bound)
      for (const double x : {sum.value.coarse, sum.value.fine}) add(x);
    if (sum.largest_slope <= grids().slope.bound) add(sum.slope);
    if (sum.largest_curvature <= grids().curvature.bound) add(sum.curvature);
  }

  void pairs(PairKind kind, const ContactProfile& profile, double apart) {
    const std::vector<Row> starts = rows(1), velocities = rows(3);
    std::vector<PairPacket> all(packets);
    BoundSums sums;
    for (PairPacket& packet : all) {
      std::int32_t node_row[4][simd::width];
      fill(node_row);
      packet = PairPacket{};
      packet.kind = kind;
      packet.closed_until = -1;
      kernels_.relative_nodes(node_row, starts[0].component, packet.start);
      kernels_.relative_nodes(node_row, velocities[0].component, packet.velocity);
      kernels_.closing_speeds(kind, node_row, velocities[0].component, packet.speed);
      for (int lane = 0; lane < simd::width; ++lane) {
        packet.stiffness[lane] = 2 + number();
        packet.parallel_edges[lane] = 1e-3;
        for (auto& node : packet.start) node[2][lane] = apart + 0.3 * node[2][lane];
      }
      for (const double s : {0.0, 0.013}) {
        add(static_cast<double>(kernels_.sample_pairs(packet, profile, s)));
        add(packet.speed);
        add(packet.value);
        add(packet.slope);
        add(packet.curvature);
        add(packet.distance);
        add(packet.rate);
        PacketBound bound{};
        add(static_cast<double>(kernels_.bound_pairs(packet, profile, s, 0.01, bound)));
        add(bound.below);
        add(bound.above);
        kernels_.add_bounds(bound, grids(), sums);
      }
    }
    // Lane by lane: the order is that of the packets.
    for (const auto* lanes :
         {&sums.terms, &sums.belows, &sums.aboves, &sums.largest_below, &sums.largest_above})
      add(*lanes);
    LineSample sample;
    kernels_.add_samples(all.data(), packets, 0, grids(), sample);
    add(sample);
  }

  const PacketKernels& kernels_;
  std::uint64_t hash_ = 0, state_ = 9;
};

/// The hash of neo-Hookean elements and of contact pairs.
inline std::uint64_t packet_bits(const PacketKernels& kernels) { return PacketBits(kernels).hash(); }

}  // namespace terrace
