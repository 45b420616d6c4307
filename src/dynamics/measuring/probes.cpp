// The ranks that count the nodes of probes send their motion to rank 0.
#include "dynamics/measuring/probes.hpp"

#include <algorithm>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/archive.hpp"
#include "parallel/gathered.hpp"

namespace terrace {

Probes::Probes(std::span<const Probe> probes, const Lagrangian& system)
    : system_(system), probes_(probes.begin(), probes.end()) {
  const std::vector<std::int32_t>& numbers = system.global_nodes;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), probes_[i].node);
    if (found == numbers.end() || *found != probes_[i].node) continue;
    const auto node = static_cast<std::int32_t>(found - numbers.begin());
    if (at(system.owned, node) != 0) mine_.push_back({static_cast<std::int32_t>(i), node});
  }
}

// Gathers bytes, as in a sum with the zeros of other ranks −0 would become 0.
std::vector<ProbeRecord> Probes::measure(const State& state) const {
  std::vector<ProbeRecord> records;
  if (probes_.empty()) return records;
  ByteWriter writer;
  for (const auto& [probe, node] : mine_) {
    const NodeLine& line = at(state.lines, node);
    const Vector3 displacement = line.displacement_at(state.time);
    const Vector3 position = at(system_.reference, node) + displacement;
    writer(probe, position, displacement, line.velocity);
  }
  const std::vector<std::byte> mine = writer.take();
  const auto all = gathered_at_root(system_.communicator->handle(), mine);
  if (all.empty()) return records;
  for (const Probe& probe : probes_) records.push_back({probe.name, probe.node, {}, {}, {}});
  std::size_t told = 0;
  for (const std::vector<std::byte>& of_rank : all) {
    ByteReader reader(of_rank);
    for (; !reader.at_end(); ++told) {
      std::int32_t probe = 0;
      reader(probe);
      ProbeRecord& record = at(records, probe);
      reader(record.position, record.displacement, record.velocity);
    }
  }
  TERRACE_VERIFY(told == records.size(), told, state.time);  // one rank counts each node
  return records;
}

}  // namespace terrace
