// Adds up what ranks contribute to the nodes they share, on every rank that holds a copy of the node.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "geometry/vector3.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

struct OperationRecord;

/// Which nodes this rank sends to and receives from which ranks, for one set of contributions (those of a
/// subdomain, or of the whole system). The contributions lie on a Grid, so every rank that holds a node finds
/// the same bits of the sum. All lists are of local nodes, ascending by global number, so that sender and
/// receiver have the same order.
class SharedNodes {
 public:
  /// Nodes that only some ranks hold, as this rank shares them with another.
  struct Peer {
    int rank;
    std::vector<std::int32_t> send;     ///< nodes this rank contributes to and `rank` holds
    std::vector<std::int32_t> receive;  ///< nodes `rank` contributes to and this rank holds
  };
  /// Nodes that all ranks hold. One list serves for all receivers, instead of one for each.
  struct OnAllRanks {
    std::vector<std::int32_t> send;                    ///< this rank contributes to, and sends to all others
    std::map<int, std::vector<std::int32_t>> receive;  ///< another rank contributes to, by that rank
    std::vector<std::int32_t> sum;                     ///< all ranks contribute to; the same on all ranks
  };

  SharedNodes() = default;
  /// For each other rank at most one of `peers` may have nodes to send, and at most one nodes to receive.
  explicit SharedNodes(std::vector<Peer> peers, OnAllRanks common = {});

  /// The union of several sets, for all their contributions together. All ranks must unite the same sets.
  static SharedNodes united(std::span<const SharedNodes* const> sets);

  /// Whether all ranks take part in an exchange, as when all of them hold a surface. The same on all ranks.
  [[nodiscard]] bool among_all() const {
    return !common_.send.empty() || !common_.receive.empty() || !common_.sum.empty();
  }

  /// Whether all ranks hold every node that this rank shares. If that holds on every rank, each of them can
  /// sum over all shared nodes by itself.
  [[nodiscard]] bool all_on_all_ranks() const { return peers_.empty(); }

  [[nodiscard]] std::span<const Peer> peers() const { return peers_; }
  [[nodiscard]] const OnAllRanks& on_all_ranks() const { return common_; }

  /// Replaces values[a] of every shared node a (local number) by the sum over all contributing ranks, on
  /// every rank that holds the node. Collective if all ranks contribute to a node; else only ranks that share
  /// nodes take part, and a rank without any returns at once.
  void add_up(const Communicator& communicator, std::span<Vector3> values) const;
  /// add_up in two steps. Between them, nodes that this rank has alone may still get their values; what this
  /// rank contributes to the nodes of `outgoing` must be complete at `start`. Every `start` needs its
  /// `finish` before another exchange on this communicator.
  void start(const Communicator& communicator, std::span<const Vector3> values) const;
  void finish(const Communicator& communicator, std::span<Vector3> values) const;
  /// As add_up, and replaces `numbers` by their sums and `largest` by their maxima over all ranks, with
  /// equally many of them on all ranks. Takes one message from each rank to each other and no reduction.
  /// Collective; all_on_all_ranks must hold on all ranks. As in reductions of doubles, the sums mean
  /// something only if numbers and values add exactly.
  void add_up_with(const Communicator& communicator, std::span<Vector3> values, std::span<double> numbers,
                   std::span<double> largest) const;
  /// For each of the ascending `nodes`: 1 if it is in a list of on_all_ranks(), else 0. The same on all
  /// ranks.
  [[nodiscard]] std::vector<std::uint8_t> are_shared(std::span<const std::int32_t> nodes) const;
  /// The nodes that this rank contributes to and others hold, ascending.
  [[nodiscard]] std::vector<std::int32_t> outgoing() const;

 private:
  struct Message {
    int rank;  ///< the other rank, or `everyone` for all others
    std::vector<std::int32_t> nodes;
    // Values under way by MPI. They carry nothing from call to call and take no memory before the first
    // exchange: many sets are never exchanged.
    std::vector<Vector3> values;
  };
  static constexpr int everyone = -1, tag = 17;
  // The shared memory that the message goes through, or null if it goes by MPI; sender and receiver agree.
  [[nodiscard]] static NodeMessages* memory_for(const Communicator& communicator, const Message& message);
  void post(const Communicator& communicator, Message& message, std::span<const Vector3> values) const;
  void post_all(const Communicator& communicator, std::span<const Vector3> values) const;
  void take_all(const Communicator& communicator, std::span<Vector3> values) const;
  [[nodiscard]] OperationRecord traffic(const Communicator& communicator) const;
  // The nodes that `rank` contributes to, in the order of its message; `me` is this rank.
  [[nodiscard]] std::array<std::span<const std::int32_t>, 2> contributed(int rank, int me) const;

  std::vector<Peer> peers_;
  OnAllRanks common_;
  mutable std::vector<Message> outgoing_, incoming_;
  mutable std::vector<Vector3> sums_;
  mutable std::vector<MPI_Request> requests_;
  mutable std::vector<std::vector<double>> one_message_;  // by rank
};

}  // namespace terrace
