#include "parallel/shared_nodes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "parallel/profile.hpp"

namespace terrace {

SharedNodes::SharedNodes(std::vector<Peer> peers) : peers_(std::move(peers)) {
  for (const Peer& peer : peers_) {
    outgoing_.emplace_back(peer.send.size());
    incoming_.emplace_back(peer.receive.size());
  }
}

SharedNodes SharedNodes::united(std::span<const SharedNodes* const> sets) {
  std::map<int, Peer> peers;
  const auto add = [](std::vector<std::int32_t>& all, const std::vector<std::int32_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
    // Local numbers ascend with global ones: both sides list the nodes in the same order.
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  for (const SharedNodes* set : sets)
    for (const Peer& peer : set->peers_) {
      Peer& all = peers.try_emplace(peer.rank, Peer{peer.rank, {}, {}}).first->second;
      add(all.send, peer.send);
      add(all.receive, peer.receive);
    }
  std::vector<Peer> list;
  for (auto& [rank, peer] : peers) list.push_back(std::move(peer));
  return SharedNodes(std::move(list));
}

void SharedNodes::add_up(const Communicator& communicator, std::span<Vector3> values) const {
  const OperationScope operation(Operation::exchange);
  constexpr int tag = 17;
  requests_.clear();
  for (std::size_t p = 0; p < peers_.size(); ++p) {
    if (incoming_[p].empty()) continue;
    check_mpi(MPI_Irecv(incoming_[p].data(), static_cast<int>(3 * incoming_[p].size()), MPI_DOUBLE,
                        peers_[p].rank, tag, communicator.handle(), &requests_.emplace_back()),
              "MPI_Irecv");
  }
  for (std::size_t p = 0; p < peers_.size(); ++p) {
    if (outgoing_[p].empty()) continue;
    for (std::size_t k = 0; k < peers_[p].send.size(); ++k)
      outgoing_[p][k] = values[static_cast<std::size_t>(peers_[p].send[k])];
    check_mpi(MPI_Isend(outgoing_[p].data(), static_cast<int>(3 * outgoing_[p].size()), MPI_DOUBLE,
                        peers_[p].rank, tag, communicator.handle(), &requests_.emplace_back()),
              "MPI_Isend");
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  for (std::size_t p = 0; p < peers_.size(); ++p)
    for (std::size_t k = 0; k < peers_[p].receive.size(); ++k)
      values[static_cast<std::size_t>(peers_[p].receive[k])] += incoming_[p][k];
}

}  // namespace terrace
