// Nodes whose motion a deck asks about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/state/state.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Places and velocities of single nodes.
class Probes {
 public:
  /// `system`: this rank's share; it must outlive this.
  Probes(std::span<const Probe> probes, const Lagrangian& system);

  /// All of them, in the order of the deck, on rank 0; nothing on the others. Collective where there are any;
  /// changes no trajectory. Throws Error(run) when MPI fails.
  [[nodiscard]] std::vector<ProbeRecord> measure(const State& state) const;

 private:
  struct Place {
    std::int32_t probe, node;  ///< number of the probe, local number of its node
  };
  const Lagrangian& system_;
  std::vector<Probe> probes_;
  std::vector<Place> mine_;  ///< whose nodes this rank counts
};

}  // namespace terrace
