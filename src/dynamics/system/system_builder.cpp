#include "dynamics/system/system_builder.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

/// Collects the lists of messages (SharedNodes) for one set of contributions.
class SystemBuilder::Messages {
 public:
  Messages() = default;
  explicit Messages(int me) : me_(me) {}

  /// Adds a local node that `contributors` load and of which `holders` have a copy.
  void add(std::int32_t local, const std::set<int>& contributors, const std::set<int>& holders) {
    if (contributors.contains(me_))
      for (const int holder : holders)
        if (holder != me_) peers_[holder].send.push_back(local);
    for (const int contributor : contributors)
      if (contributor != me_) peers_[contributor].receive.push_back(local);
  }
  /// The same for a node that all ranks hold.
  void add_to_all(std::int32_t local, const std::set<int>& contributors) {
    for (const int contributor : contributors)
      (contributor == me_ ? common_.send : common_.receive[contributor]).push_back(local);
  }
  /// The same for a node that all ranks hold and may load.
  void add_sum(std::int32_t local) { common_.sum.push_back(local); }

  SharedNodes finish() {
    std::vector<SharedNodes::Peer> list;
    for (auto& [rank, peer] : peers_) {
      peer.rank = rank;
      list.push_back(std::move(peer));
    }
    return SharedNodes(std::move(list), std::move(common_));
  }

 private:
  int me_ = 0;
  std::map<int, SharedNodes::Peer> peers_;
  SharedNodes::OnAllRanks common_;
};

SystemBuilder::SystemBuilder(Communicator& communicator, std::span<const Vector3> positions,
                             std::span<const double> masses)
    : positions_(positions),
      masses_(masses),
      on_all_ranks_(positions.size(), 0),
      body_of_(positions.size(), 0),
      local_(positions.size(), -1),
      first_load_(positions.size(), Load{-1, -1, -1}) {
  system_.communicator = &communicator;
  system_.node_count = static_cast<std::int64_t>(positions.size());
}

void SystemBuilder::add_body(const std::string& name, std::int32_t first_node, std::int32_t count) {
  TERRACE_VERIFY(first_node >= 0 && count >= 0 && first_node <= system_.node_count - count, first_node, count,
                 system_.node_count);
  const auto body = static_cast<std::int32_t>(system_.body_names.size());
  std::fill_n(body_of_.begin() + first_node, count, body);
  system_.body_names.push_back(name);
}

int SystemBuilder::add_reaction(const std::string& name, const Vector3& velocity) {
  system_.reaction_names.push_back(name);
  system_.reaction_velocities.push_back(velocity);
  return static_cast<int>(system_.reaction_names.size()) - 1;
}

void SystemBuilder::load(std::span<const std::int32_t> nodes, std::int32_t subdomain, int rank) {
  TERRACE_VERIFY(subdomain >= 0 && static_cast<std::size_t>(subdomain) < system_.subdomains.size(), subdomain,
                 system_.subdomains.size());
  TERRACE_VERIFY(rank >= 0 && rank < system_.communicator->size(), rank, system_.communicator->size());
  for (const std::int32_t node : nodes) {
    TERRACE_VERIFY(node >= 0 && node < system_.node_count, node, system_.node_count);
    const Load load{node, subdomain, rank};
    Load& first = at(first_load_, node);
    if (first.node < 0)
      first = load;
    else if (first != load)
      loads_.push_back(load);
  }
}

void SystemBuilder::hold_on_all_ranks(std::span<const std::int32_t> nodes) {
  for (const std::int32_t node : nodes) at(on_all_ranks_, node) = 1;
}

void SystemBuilder::number_nodes() {
  TERRACE_VERIFY(system_.global_nodes.empty(), system_.global_nodes.size());
  std::copy_if(first_load_.begin(), first_load_.end(), std::back_inserter(loads_),
               [](const Load& load) { return load.node >= 0; });
  std::vector<Load>().swap(first_load_);
  std::sort(loads_.begin(), loads_.end());
  loads_.erase(std::unique(loads_.begin(), loads_.end()), loads_.end());
  take_nodes();
  make_lists();
  find_neighbours();
  std::vector<Load>().swap(loads_);
}

// Calls visit(node, its loads, sorted by subdomain and rank) for every node that some rank holds.
template <class Visit>
void SystemBuilder::for_each_node(Visit visit) const {
  auto first = loads_.begin();
  for (std::size_t node = 0; node < positions_.size(); ++node) {
    auto last = first;
    while (last != loads_.end() && static_cast<std::size_t>(last->node) == node) ++last;
    if (first != last || on_all_ranks_[node]) visit(node, std::span(first, last));
    first = last;
  }
}

void SystemBuilder::take_nodes() {
  const int me = system_.communicator->rank();
  for_each_node([&](std::size_t node, std::span<const Load> loads) {
    int owner = loads.empty() ? 0 : loads.front().rank;
    bool mine = on_all_ranks_[node] != 0;
    for (const Load& load : loads) {
      owner = std::min(owner, load.rank);
      mine = mine || load.rank == me;
    }
    if (!mine) return;
    local_[node] = static_cast<std::int32_t>(system_.global_nodes.size());
    system_.global_nodes.push_back(static_cast<std::int32_t>(node));
    system_.reference.push_back(positions_[node]);
    system_.masses.push_back(masses_[node]);
    system_.owned.push_back(owner == me ? 1 : 0);
    system_.body_of_node.push_back(body_of_[node]);
  });
  system_.global_nodes.shrink_to_fit();
  system_.reference.shrink_to_fit();
  system_.masses.shrink_to_fit();
  system_.owned.shrink_to_fit();
  system_.body_of_node.shrink_to_fit();
}

void SystemBuilder::make_lists() {
  const int me = system_.communicator->rank();
  const bool alone = system_.communicator->size() == 1;  // no messages
  std::vector<Messages> messages(system_.subdomains.size(), Messages(me));
  Messages of_all(me);
  for_each_node([&](std::size_t node, std::span<const Load> loads) {
    const std::int32_t local = local_[node];
    if (local < 0) return;
    std::map<std::int32_t, std::set<int>> contributors;  // by subdomain
    std::set<int> holders;
    for (const Load& load : loads) {
      contributors[load.subdomain].insert(load.rank);
      holders.insert(load.rank);
    }
    for (const auto& [number, ranks] : contributors) {
      subdomain(number).nodes.push_back(local);
      if (at(system_.owned, local)) subdomain(number).owned_nodes.push_back(local);
      if (alone) continue;
      Messages& of_subdomain = at(messages, number);
      if (on_all_ranks_[node])
        of_subdomain.add_to_all(local, ranks);
      else
        of_subdomain.add(local, ranks, holders);
    }
    if (alone) return;
    // Any rank that holds a node may come to load it, by pairs of bodies that touch.
    if (on_all_ranks_[node])
      of_all.add_sum(local);
    else
      of_all.add(local, holders, holders);
  });
  for (std::size_t s = 0; s < messages.size(); ++s) system_.subdomains[s].shared_nodes = messages[s].finish();
  system_.shared_nodes = of_all.finish();
  for (Subdomain& each : system_.subdomains) {
    each.nodes.shrink_to_fit();
    each.owned_nodes.shrink_to_fit();
  }
}

void SystemBuilder::find_neighbours() {
  std::vector<std::set<std::int32_t>> neighbours(system_.subdomains.size());
  std::vector<std::set<int>> ranks(system_.subdomains.size());
  for_each_node([&](std::size_t, std::span<const Load> loads) {
    std::set<std::int32_t> at_node;
    for (const Load& load : loads) {
      at_node.insert(load.subdomain);
      at(ranks, load.subdomain).insert(load.rank);
    }
    for (const std::int32_t a : at_node)
      for (const std::int32_t b : at_node)
        if (a != b) at(neighbours, a).insert(b);
  });
  for (std::size_t s = 0; s < ranks.size(); ++s) {
    Subdomain& subdomain = system_.subdomains[s];
    subdomain.neighbours.assign(neighbours[s].begin(), neighbours[s].end());
    subdomain.only_rank = ranks[s].empty() ? 0 : ranks[s].size() == 1 ? *ranks[s].begin() : -1;
  }
}

std::vector<std::int32_t> SystemBuilder::local(std::vector<std::int32_t> nodes) const {
  for (std::int32_t& node : nodes) node = at(local_, node);
  return nodes;
}

std::int32_t SystemBuilder::add(std::int32_t number, std::unique_ptr<Potential> potential, int reaction) {
  TERRACE_VERIFY(potential != nullptr, number);
  const int only_rank = subdomain(number).only_rank;
  TERRACE_VERIFY(only_rank < 0 || only_rank == system_.communicator->rank(), number, only_rank);
  for (const std::int32_t node : potential->nodes())
    TERRACE_VERIFY(node >= 0 && static_cast<std::size_t>(node) < system_.masses.size(), node,
                   system_.masses.size());
  subdomain(number).potentials.push_back(potential.get());
  subdomain(number).reaction_of_potential.push_back(reaction);
  system_.potentials.push_back(std::move(potential));
  return static_cast<std::int32_t>(system_.potentials.size()) - 1;
}

void SystemBuilder::add_constraint(std::int32_t number, std::unique_ptr<SetConstraint> constraint,
                                   int reaction) {
  Subdomain& of = subdomain(number);
  TERRACE_VERIFY(constraint != nullptr && of.impenetrable, number);
  TERRACE_VERIFY(of.only_rank == system_.communicator->rank(), number, of.only_rank);
  TERRACE_VERIFY(of.potentials.empty() && of.constraint == nullptr, number);
  of.constraint = constraint.get();
  of.reaction_of_constraint = reaction;
  system_.constraints.push_back(std::move(constraint));
}

}  // namespace terrace
