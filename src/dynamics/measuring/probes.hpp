// Probes: nodes whose motion a deck asks for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/state/state.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// Measures position, displacement and velocity of the nodes of all probes.
class Probes {
 public:
  /// `system`: this rank's share; it must outlive this.
  Probes(std::span<const Probe> probes, const Lagrangian& system);

  /// On rank 0 a record of each probe, in the order of the deck; on other ranks nothing. Collective where
  /// there are probes; does not change the trajectory. Throws Error(run) when MPI fails.
  [[nodiscard]] std::vector<ProbeRecord> measure(const State& state) const;

 private:
  struct Place {
    std::int32_t probe, node;  ///< number of the probe, local number of its node
  };
  const Lagrangian& system_;
  std::vector<Probe> probes_;
  std::vector<Place> mine_;  ///< the probes whose nodes this rank counts
};

}  // namespace terrace
