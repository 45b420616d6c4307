// What the subdomains of a rank work with, one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/state/state.hpp"
#include "dynamics/terraces/schedule.hpp"
#include "dynamics/terraces/subdomain_gradient.hpp"

namespace terrace {

/// One rank's share of a system as if there were no other rank: of the subdomains whose potentials are all
/// here. Others' are there by their places alone, and their nodes without what loads them. The potentials
/// stay those of `system`, which must outlive the result; `alone` likewise, a communicator of this rank.
[[nodiscard]] Lagrangian share_of_own(const Lagrangian& system, Communicator& alone);

/// Scratch for the events of one subdomain at a time; nothing in it lasts but the counts of work.
struct ProcessWorkspace {
  /// `states` by subdomain and `lines` outlive this.
  ProcessWorkspace(const Lagrangian& system, const State& state, SubdomainStates& states, Lines& lines);
  /// Those of `whole` may all be others.
  void take_subdomains(const Lagrangian& whole);
  /// A contact pair of `whole` woke up or fell asleep.
  void take_subdomain(const Lagrangian& whole, std::int32_t number);
  /// What walls, supports and gravity have received since this was asked last, by their ledgers [quanta].
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
  std::vector<Vector3> told;            ///< by local node: forces of a message on the nodes it names
  std::vector<std::uint8_t> all_nodes;  ///< marks of them: who does an event books what all receive
};

}  // namespace terrace
