// Pairs in contact on straight lines, in packets of one kind: V, V′, V″ and the certificate of all lanes at
// once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "potentials/kernels/contact_pair.hpp"
#include "potentials/kernels/packets.hpp"

namespace terrace {

/// `simd::width` pairs of one kind; lanes without a pair hold one far beyond the activation distance.
struct alignas(64) PairPacket {
  using Lanes = simd::Lanes;
  Lanes start[3][3], velocity[3][3];  ///< components of nodes 1 to 3 relative to node 0 at s = 0
  Lanes stiffness, parallel_edges;    ///< as in ContactPair
  Lanes speed;                        ///< L of the closing-speed bound
  /// As in PairSample, at the s last sampled.
  Lanes value, slope, curvature, distance, rate;
  std::uint64_t touching;  ///< a bit per lane
  PairKind kind;
  double closed_until;  ///< no pair comes within the activation distance before

  [[nodiscard]] ContactPair pair(int lane) const { return {kind, stiffness[lane], parallel_edges[lane]}; }
  [[nodiscard]] PairNodes positions_at(int lane, double s) const;
  [[nodiscard]] PairNodes velocities(int lane) const;
  [[nodiscard]] PairSample sample(int lane) const;
  void set_sample(int lane, const PairSample& sample);
};

/// sample_pair of every lane along the line at s. A lane's result depends on its pair alone, to the bit;
/// pairs that are all but degenerate, touching, or mollified are left to sample_pair.
void sample_packet(PairPacket& packet, const ContactProfile& profile, double s);

/// As PairBound, for every lane; zero where the pair stays beyond the activation distance.
struct alignas(64) PacketBound {
  PairPacket::Lanes rise, fall, below, above;
  bool jumps;    ///< rise or fall is not zero in one lane at least
  bool invalid;  ///< of one lane at least
};
/// bound_pair of every lane on [from, from + duration], for packets sampled at `from`; what is rare is left
/// to bound_pair.
[[nodiscard]] PacketBound bound_packet(const PairPacket& packet, const ContactProfile& profile, double from,
                                       double duration);

/// A pair to be looked at on the present line.
struct PairOnLine {
  std::array<std::int32_t, 4> nodes;  ///< rows of the nodes
  ContactPair pair;
  double left;  ///< lower bound of how far the distance is beyond d̂ now; +∞: never within
};

/// Nodes on the present line, a row of `simd::row` doubles each.
struct NodeRows {
  struct alignas(simd::row * sizeof(double)) Row {
    double component[simd::row];
  };
  std::vector<Row> start, velocity;  ///< at s = 0
};

/// A list of packets.
class PairPackets {
 public:
  /// `activation`: d̂ [length]; padding is farther away.
  explicit PairPackets(double activation) : activation_(activation) {}
  void clear() { packets_.clear(); }
  /// Appends those of the pairs, all of one kind, that may come within d̂ in [from, from + duration]; `left`
  /// is that at `from`.
  void add(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from, double duration);
  [[nodiscard]] std::span<PairPacket> packets() { return packets_; }
  [[nodiscard]] std::span<const PairPacket> packets() const { return packets_; }

 private:
  struct Open {
    const PairOnLine* pair;
    double speed, closed_until;
  };
  void find_open(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from, double duration);
  void add_packet(std::span<const Open> open, const NodeRows& nodes);
  void pad(PairPacket& packet, std::size_t lane) const;

  double activation_;
  std::vector<PairPacket> packets_;
  std::vector<Open> open_;
};

}  // namespace terrace
