#include "potentials/kernels/contact_packets.hpp"

#include <algorithm>
#include <bit>

#include "numerics/infinity.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace terrace {

namespace {

/// Calls visit(lane) for every lane whose bit is set.
template <class Visit>
void visit_lanes(std::uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
}

}  // namespace

PairNodes PairPacket::positions_at(int lane, double s) const {
  PairNodes x{};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) x[node + 1][i] = start[node][i][lane] + s * velocity[node][i][lane];
  return x;
}

PairNodes PairPacket::velocities(int lane) const {
  PairNodes v{};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) v[node + 1][i] = velocity[node][i][lane];
  return v;
}

PairSample PairPacket::sample(int lane) const {
  return {value[lane], slope[lane], curvature[lane], (touching >> lane & 1) != 0, distance[lane], rate[lane]};
}

void PairPacket::set_sample(int lane, const PairSample& sample) {
  value[lane] = sample.value;
  slope[lane] = sample.slope;
  curvature[lane] = sample.curvature;
  distance[lane] = sample.distance;
  rate[lane] = sample.rate;
  if (sample.touching) touching |= std::uint64_t{1} << lane;
}

void sample_packet(PairPacket& packet, const ContactProfile& profile, double s) {
  packet.touching = 0;
  visit_lanes(packet_kernels().sample_pairs(packet, profile, s), [&](int lane) {
    packet.set_sample(
        lane, sample_pair(packet.pair(lane), profile, packet.positions_at(lane, s), packet.velocities(lane)));
  });
}

PacketBound bound_packet(const PairPacket& packet, const ContactProfile& profile, double from,
                         double duration) {
  PacketBound bound{};
  visit_lanes(packet_kernels().bound_pairs(packet, profile, from, duration, bound), [&](int lane) {
    const PairBound pair =
        bound_pair(packet.pair(lane), profile, packet.positions_at(lane, from), packet.velocities(lane),
                   packet.sample(lane), packet.speed[lane], duration);
    bound.rise[lane] = pair.rise;
    bound.fall[lane] = pair.fall;
    bound.below[lane] = pair.below;
    bound.above[lane] = pair.above;
    bound.jumps = bound.jumps || pair.rise != 0 || pair.fall != 0;
    bound.invalid = bound.invalid || pair.invalid;
  });
  return bound;
}

namespace {

/// Offsets of the nodes' rows of `simd::width` pairs; the last pair stands in for missing ones. Node 0 comes
/// last, since the kernels take the others relative to the last one.
struct PacketRows {
  alignas(64) std::int32_t of_node[4][simd::width];
  template <class PairOfLane>
  PacketRows(std::size_t count, PairOfLane pair_of_lane) {
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(simd::width); ++lane) {
      const PairOnLine& pair = pair_of_lane(std::min(lane, count - 1));
      for (std::size_t a = 0; a < 4; ++a) of_node[a][lane] = simd::row * pair.nodes[(a + 1) % 4];
    }
  }
};

}  // namespace

void PairPackets::add(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from,
                      double duration) {
  find_open(pairs, nodes, from, duration);
  for (std::size_t i = 0; i < open_.size(); i += simd::width)
    add_packet(std::span(open_).subspan(i, std::min<std::size_t>(simd::width, open_.size() - i)), nodes);
}

void PairPackets::find_open(std::span<const PairOnLine> pairs, const NodeRows& nodes, double from,
                            double duration) {
  open_.resize(pairs.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); i += simd::width) {
    const std::size_t here = std::min<std::size_t>(simd::width, pairs.size() - i);
    const PacketRows rows(here, [&](std::size_t lane) -> const PairOnLine& { return pairs[i + lane]; });
    alignas(64) PairPacket::Lanes speed;
    packet_kernels().closing_speeds(pairs[i].pair.kind, rows.of_node, nodes.velocity.front().component,
                                    speed);
    for (std::size_t lane = 0; lane < here; ++lane) {
      const double left = pairs[i + lane].left;
      open_[count] = {&pairs[i + lane], speed[lane], left > 0 ? from + left / speed[lane] : -infinity};
      count += !(left > speed[lane] * duration);
    }
  }
  open_.resize(count);
}

void PairPackets::add_packet(std::span<const Open> open, const NodeRows& nodes) {
  PairPacket& packet = packets_.emplace_back();
  const PacketRows rows(open.size(), [&](std::size_t lane) -> const PairOnLine& { return *open[lane].pair; });
  const PacketKernels& kernels = packet_kernels();
  kernels.relative_nodes(rows.of_node, nodes.start.front().component, packet.start);
  kernels.relative_nodes(rows.of_node, nodes.velocity.front().component, packet.velocity);
  packet.kind = open[0].pair->pair.kind;
  packet.closed_until = open[0].closed_until;
  for (std::size_t lane = 0; lane < open.size(); ++lane) {
    packet.stiffness[lane] = open[lane].pair->pair.stiffness;
    packet.parallel_edges[lane] = open[lane].pair->pair.parallel_edges;
    packet.speed[lane] = open[lane].speed;
    packet.closed_until = std::min(packet.closed_until, open[lane].closed_until);
  }
  for (std::size_t lane = open.size(); lane < static_cast<std::size_t>(simd::width); ++lane)
    pad(packet, lane);
}

void PairPackets::pad(PairPacket& packet, std::size_t lane) const {
  // Eight d̂ apart and at rest, whether node 1 belongs to the first simplex or to the second.
  constexpr double far[3][3] = {{8, 0, 0}, {8, 8, 8}, {8, -8, 8}};
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t i = 0; i < 3; ++i) {
      packet.start[node][i][lane] = activation_ * far[node][i];
      packet.velocity[node][i][lane] = 0;
    }
  packet.stiffness[lane] = packet.parallel_edges[lane] = packet.speed[lane] = 0;
}

}  // namespace terrace
