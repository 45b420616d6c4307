#include "dynamics/concurrent/process_workspace.hpp"

#include <algorithm>

#include "numerics/at.hpp"

namespace terrace {

namespace {

Subdomain subdomain_of_own(const Lagrangian& system, const Subdomain& subdomain, const Communicator& alone) {
  if (system.communicator->size() > 1 && subdomain.only_rank != system.communicator->rank()) return {};
  Subdomain own = subdomain;
  own.shared_nodes = {};
  own.only_rank = alone.rank();
  own.owned_nodes = own.nodes;  // all count here, in sums of this rank alone
  return own;
}

std::vector<Subdomain> subdomains_of_own(const Lagrangian& system, const Communicator& alone) {
  std::vector<Subdomain> all;
  for (const Subdomain& subdomain : system.subdomains)
    all.push_back(subdomain_of_own(system, subdomain, alone));
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
  share.gravity = system.gravity;
  share.touching_bodies_share = system.touching_bodies_share;
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

void ProcessWorkspace::take_subdomain(const Lagrangian& whole, std::int32_t number) {
  system.subdomains.resize(whole.subdomains.size());
  at(system.subdomains, number) = subdomain_of_own(whole, at(whole.subdomains, number), alone);
}

}  // namespace terrace
