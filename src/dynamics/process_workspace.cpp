#include "dynamics/process_workspace.hpp"

#include <algorithm>

namespace terrace {

namespace {

std::vector<Subdomain> subdomains_of_own(const Lagrangian& system, const Communicator& alone) {
  std::vector<Subdomain> all;
  for (const Subdomain& subdomain : system.subdomains) {
    Subdomain& own = all.emplace_back(subdomain);
    own.shared_nodes = {};
    const bool is_here =
        system.communicator->size() == 1 || subdomain.only_rank == system.communicator->rank();
    own.only_rank = is_here ? alone.rank() : -1;
    // It counts all of its nodes itself.
    own.owned_nodes = is_here ? own.nodes : std::vector<std::int32_t>{};
  }
  return all;
}

}  // namespace

Lagrangian share_of_own(const Lagrangian& system, Communicator& alone) {
  Lagrangian share;
  share.communicator = &alone;
  share.node_count = system.node_count;
  share.dimension = system.dimension;
  share.global_nodes = system.global_nodes;
  share.masses = system.masses;
  share.body_names = system.body_names;
  share.reaction_names = system.reaction_names;
  share.reaction_velocities = system.reaction_velocities;
  share.held_by = system.held_by;
  share.stable_step = system.stable_step;
  share.subdomains = subdomains_of_own(system, alone);
  return share;
}

ProcessWorkspace::ProcessWorkspace(const Lagrangian& whole, const State& state_of_all,
                                   SubdomainStates& states_of_all, Lines& lines_of_all)
    : system(share_of_own(whole, alone)),
      states(states_of_all),
      lines(lines_of_all),
      state(state_of_all),
      schedule(system, states, lines),
      gradient(system, lines),
      changed(system.masses.size(), 0),
      told(system.masses.size(), Vector3{}),
      all_nodes(system.masses.size(), 1) {
  std::ranges::fill(state.ledger, WideMomentum{});
}

std::vector<WideMomentum> ProcessWorkspace::take_receipts() {
  std::vector<WideMomentum> received = state.ledger;
  std::ranges::fill(state.ledger, WideMomentum{});
  return received;
}

void ProcessWorkspace::take_subdomains(const Lagrangian& whole) {
  system.subdomains = subdomains_of_own(whole, alone);
}

}  // namespace terrace
