// Pairs in contact on straight lines, in packets of pairs of one kind: V, V′, V″ and the certificate of all
// lanes of a packet at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "potentials/kernels/contact_pair.hpp"
#include "potentials/kernels/packets.hpp"

namespace terrace {

/// `simd::width` pairs of one kind. Lanes without a pair hold one far beyond the activation distance.
struct alignas(64) PairPacket {
  using Lanes = simd::Lanes;
  Lanes start[3][3], velocity[3][3];  ///< components of nodes 1 to 3 relative to node 0 at s = 0
  Lanes stiffness, parallel_edges;    ///< as in ContactPair
  Lanes speed;                        ///< L of the closing-speed bound (bound_pair)
  /// As in PairSample, at the s that was sampled last.
  Lanes value, slope, curvature, distance, rate;
  std::uint64_t touching;  ///< PairSample::touching, a bit per lane
  PairKind kind;
  double closed_until;  ///< no pair comes within the activation distance before this s

  [[nodiscard]] ContactPair pair(int lane) const { return {kind, stiffness[lane], parallel_edges[lane]}; }
  [[nodiscard]] PairNodes positions_at(int lane, double s) const;
  [[nodiscard]] PairNodes velocities(int lane) const;
  [[nodiscard]] PairSample sample(int lane) const;
  void set_sample(int lane, const PairSample& sample);
};

/// Samples every lane at s, as sample_pair. A lane's result depends on its pair alone, to the bit. Lanes that
/// are almost degenerate, touching or mollified are sampled by sample_pair itself.
void sample_packet(PairPacket& packet, const ContactProfile& profile, double s);

/// As PairBound, for every lane; zero for pairs that stay beyond the activation distance.
struct alignas(64) PacketBound {
  PairPacket::Lanes rise, fall, below, above;
  bool jumps;    ///< rise or fall is not zero in at least one lane
  bool invalid;  ///< the interval is too long for at least one lane
};
/// Bounds every lane on [from, from + duration], as bound_pair, which rare lanes are left to. The packet must
/// have been sampled at `from`.
[[nodiscard]] PacketBound bound_packet(const PairPacket& packet, const ContactProfile& profile, double from,
                                       double duration);

/// A pair that may be in contact on the present line.
struct PairOnLine {
  std::array<std::int32_t, 4> nodes;  ///< numbers of the nodes' rows in NodeRows
  ContactPair pair;
  double left;  ///< lower bound of distance − d̂ now; −∞: unknown, +∞: never within
};

/// Positions and velocities of nodes on the present line, a row of `simd::row` doubles for each.
struct NodeRows {
  struct alignas(simd::row * sizeof(double)) Row {
    double component[simd::row];
  };
  std::vector<Row> start, velocity;  ///< at s = 0
};

/// A list of packets.
class PairPackets {
 public:
  /// `activation`: d̂ [length]; lanes without a pair are farther apart than that.
  explicit PairPackets(double activation) : activation_(activation) {}
  void clear() { packets_.clear(); }
  /// Appends those of the pairs, which are all of one kind, that may come within d̂ in [from, from +
  /// duration]. PairOnLine::left holds at `from`.
  void add(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from, double duration);
  [[nodiscard]] std::span<PairPacket> packets() { return packets_; }
  [[nodiscard]] std::span<const PairPacket> packets() const { return packets_; }

 private:
  /// A pair that may come within d̂: its speed L, and the s before which it certainly does not.
  struct Open {
    const PairOnLine* pair;
    double speed, closed_until;
  };
  /// Lists in open_ the pairs that may come within d̂ in [from, from + duration].
  void find_open(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from, double duration);
  void add_packet(std::span<const Open> open, const NodeRows& nodes);
  /// Fills a lane that has no pair.
  void pad(PairPacket& packet, std::size_t lane) const;

  double activation_;
  std::vector<PairPacket> packets_;
  std::vector<Open> open_;
};

}  // namespace terrace
