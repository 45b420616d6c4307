#include "parallel/shared_nodes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "numerics/sort_each_once.hpp"
#include "numerics/union_of.hpp"
#include "parallel/node_messages.hpp"
#include "parallel/profile.hpp"

namespace terrace {
namespace {

using Nodes = std::vector<std::int32_t>;

void take_away(Nodes& all, const Nodes& some) {
  Nodes left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(left));
  all = std::move(left);
}

}  // namespace

SharedNodes::SharedNodes(std::vector<Peer> peers, OnAllRanks common)
    : peers_(std::move(peers)), common_(std::move(common)) {
  const auto add = [](std::vector<Message>& messages, int rank, const Nodes& nodes) {
    TERRACE_VERIFY(std::is_sorted(nodes.begin(), nodes.end()), rank, nodes.size());
    if (!nodes.empty()) messages.push_back({rank, nodes, {}});
  };
  const auto add_only_one = [&](std::vector<Message>& messages, int rank, const Nodes& nodes) {
    TERRACE_VERIFY(nodes.empty() || std::ranges::count(messages, rank, &Message::rank) == 0, rank);
    add(messages, rank, nodes);
  };
  for (const Peer& peer : peers_) {
    add_only_one(outgoing_, peer.rank, peer.send);
    add_only_one(incoming_, peer.rank, peer.receive);
  }
  // Messages between two ranks do not overtake each other. After that of a peer these come second, and last,
  // on both sides.
  add(outgoing_, everyone, common_.send);
  for (const auto& [rank, nodes] : common_.receive) add(incoming_, rank, nodes);
}

// Local numbers ascend with global ones, so the united lists are in the order of global numbers too.
SharedNodes SharedNodes::united(std::span<const SharedNodes* const> sets) {
  using Lists = std::vector<std::span<const std::int32_t>>;
  struct OfPeer {
    Lists send, receive;
  };
  std::map<int, OfPeer> peers;
  Lists send, sum;
  std::map<int, Lists> receive;
  for (const SharedNodes* set : sets) {
    for (const Peer& peer : set->peers_) {
      peers[peer.rank].send.emplace_back(peer.send);
      peers[peer.rank].receive.emplace_back(peer.receive);
    }
    send.emplace_back(set->common_.send);
    for (const auto& [rank, nodes] : set->common_.receive) receive[rank].emplace_back(nodes);
    sum.emplace_back(set->common_.sum);
  }
  OnAllRanks common{union_of(send), {}, union_of(sum)};
  for (const auto& [rank, lists] : receive) common.receive[rank] = union_of(lists);
  // What is summed must not be sent as well.
  take_away(common.send, common.sum);
  for (auto& [rank, nodes] : common.receive) take_away(nodes, common.sum);
  std::vector<Peer> list;
  for (const auto& [rank, peer] : peers) list.push_back({rank, union_of(peer.send), union_of(peer.receive)});
  return SharedNodes(std::move(list), std::move(common));
}

NodeMessages* SharedNodes::memory_for(const Communicator& communicator, const Message& message) {
  return NodeMessages::fit(message.nodes.size()) ? communicator.node_messages() : nullptr;
}

void SharedNodes::post(const Communicator& communicator, Message& message,
                       std::span<const Vector3> values) const {
  const auto to_each_receiver = [&](auto send) {
    if (message.rank != everyone) return send(message.rank);
    for (int rank = 0; rank < communicator.size(); ++rank)
      if (rank != communicator.rank()) send(rank);
  };
  const auto write = [&](Vector3* room) {
    for (const std::int32_t node : message.nodes) *room++ = at(values, node);
  };
  if (NodeMessages* memory = memory_for(communicator, message); memory != nullptr)
    return to_each_receiver([&](int rank) { memory->send(rank, message.nodes.size(), write); });
  message.values.resize(message.nodes.size());
  write(message.values.data());
  to_each_receiver([&](int rank) {
    check_mpi(MPI_Isend(message.values.data(), static_cast<int>(3 * message.values.size()), MPI_DOUBLE, rank,
                        tag, communicator.handle(), &requests_.emplace_back()),
              "MPI_Isend");
  });
}

// Messages and bytes that this rank sends, counted for each rank that gets them.
OperationRecord SharedNodes::traffic(const Communicator& communicator) const {
  OperationRecord sent;
  for (const Message& message : outgoing_) {
    const bool to_all = message.rank == everyone;
    const std::int64_t copies = to_all ? communicator.size() - 1 : 1;
    sent.to_all += to_all ? 1 : 0;
    sent.messages += copies;
    sent.bytes += copies * static_cast<std::int64_t>(message.nodes.size() * sizeof(Vector3));
  }
  return sent;
}

std::vector<std::int32_t> SharedNodes::outgoing() const {
  Nodes nodes = common_.sum;
  for (const Message& message : outgoing_)
    nodes.insert(nodes.end(), message.nodes.begin(), message.nodes.end());
  sort_each_once(nodes);
  return nodes;
}

std::vector<std::uint8_t> SharedNodes::are_shared(std::span<const std::int32_t> nodes) const {
  std::vector<std::span<const std::int32_t>> lists = {common_.send, common_.sum};
  for (const auto& [rank, received] : common_.receive) lists.emplace_back(received);
  const Nodes shared = union_of(lists);
  std::vector<std::uint8_t> are_shared;
  auto next = shared.begin();
  for (const std::int32_t node : nodes) {
    next = std::find_if(next, shared.end(), [&](std::int32_t other) { return other >= node; });
    are_shared.push_back(next != shared.end() && *next == node ? 1 : 0);
  }
  return are_shared;
}

void SharedNodes::add_up(const Communicator& communicator, std::span<Vector3> values) const {
  const OperationScope operation(Operation::exchange);
  post_all(communicator, values);
  take_all(communicator, values);
}

void SharedNodes::start(const Communicator& communicator, std::span<const Vector3> values) const {
  const OperationScope operation(Operation::exchange);
  post_all(communicator, values);
}

void SharedNodes::finish(const Communicator& communicator, std::span<Vector3> values) const {
  const OperationScope operation = OperationScope::resumed(Operation::exchange);
  take_all(communicator, values);
}

void SharedNodes::post_all(const Communicator& communicator, std::span<const Vector3> values) const {
  TERRACE_VERIFY(requests_.empty(), requests_.size());
  book(Operation::exchange, traffic(communicator));
  if (communicator.node_messages() != nullptr) communicator.node_messages()->begin_exchange();
  for (Message& message : incoming_) {
    if (memory_for(communicator, message) != nullptr) continue;
    message.values.resize(message.nodes.size());
    check_mpi(MPI_Irecv(message.values.data(), static_cast<int>(3 * message.values.size()), MPI_DOUBLE,
                        message.rank, tag, communicator.handle(), &requests_.emplace_back()),
              "MPI_Irecv");
  }
  for (Message& message : outgoing_) post(communicator, message, values);
}

void SharedNodes::take_all(const Communicator& communicator, std::span<Vector3> values) const {
  if (!common_.sum.empty()) {
    sums_.resize(common_.sum.size());
    TERRACE_ASSERT(static_cast<std::size_t>(common_.sum.back()) < values.size(), common_.sum.back(),
                   values.size());
    const OperationScope reduction(Operation::reduction);
    book(Operation::reduction, {.bytes = static_cast<std::int64_t>(sums_.size() * sizeof(Vector3))});
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] = at(values, common_.sum[k]);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(3 * sums_.size()), MPI_DOUBLE,
                            MPI_SUM, communicator.handle()),
              "MPI_Allreduce");
    for (std::size_t k = 0; k < sums_.size(); ++k) at(values, common_.sum[k]) = sums_[k];
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  requests_.clear();
  for (const Message& message : incoming_) {
    const auto add = [&](const Vector3* more) {
      for (const std::int32_t node : message.nodes) at(values, node) += *more++;
    };
    NodeMessages* memory = memory_for(communicator, message);
    if (memory != nullptr)
      memory->receive(message.rank, message.nodes.size(), add);
    else
      add(message.values.data());
  }
  if (communicator.node_messages() != nullptr) communicator.node_messages()->end_exchange();
}

}  // namespace terrace
