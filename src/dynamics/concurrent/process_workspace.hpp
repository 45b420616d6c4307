// The workspace that the subdomains of a rank use one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"

namespace terrace {

/// One rank's share of a system as if there were no other rank: the subdomains whose potentials are all on
/// this rank. Subdomains of other ranks are empty, so that numbers stay the same; their nodes are there,
/// without potentials that load them. The potentials are those of `system`. `alone`: a communicator of this
/// rank alone. `system` and `alone` outlive the result.
[[nodiscard]] Lagrangian share_of_own(const Lagrangian& system, Communicator& alone);

/// Scratch for the events of one subdomain at a time. What lasts from event to event is what `schedule` knows
/// of the next event of each subdomain, and the counts of work.
struct ProcessWorkspace {
  /// `states` (by subdomain) and `lines` outlive this; they stay those of the whole system.
  ProcessWorkspace(const Lagrangian& system, const State& state, SubdomainStates& states, Lines& lines);
  /// Takes over all subdomains of `whole` anew.
  void take_subdomains(const Lagrangian& whole);
  /// Takes over one subdomain anew: a contact pair of `whole` that woke up or fell asleep.
  void take_subdomain(const Lagrangian& whole, std::int32_t number);
  /// The momenta that walls, supports and gravity received since the last call, by ledger [quanta].
  std::vector<WideMomentum> take_receipts();
  /// Evaluations of elements so far.
  [[nodiscard]] std::int64_t work_done() const {
    return schedule.element_evaluations() + gradient.element_evaluations();
  }
  ProcessWorkspace(const ProcessWorkspace&) = delete;  // its parts know each other
  ProcessWorkspace& operator=(const ProcessWorkspace&) = delete;

  Communicator alone{MPI_COMM_SELF};
  Lagrangian system;
  SubdomainStates& states;
  Lines& lines;
  State state;
  Schedule schedule;
  SubdomainGradient gradient;
  std::vector<std::uint8_t> changed;    ///< by local node; 0 between events
  std::vector<Vector3> told;            ///< by local node: forces of a message, on the nodes that it names
  std::vector<std::uint8_t> all_nodes;  ///< by local node: 1; the rank of an event books all its reactions
};

}  // namespace terrace
