// Adding up, on every rank that holds a copy of a node, what other ranks contribute to it.
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

/// Who sends which nodes to whom, for one set of contributions (a subdomain, or the whole system). The
/// contributions lie on a Grid, so every rank that holds a node finds the same bits. All lists are of local
/// nodes, ascending by global number, so that both sides have the same order.
class SharedNodes {
 public:
  /// Nodes that some ranks hold.
  struct Peer {
    int rank;
    std::vector<std::int32_t> send;     ///< nodes this rank contributes to and `rank` holds
    std::vector<std::int32_t> receive;  ///< nodes `rank` contributes to and this rank holds
  };
  /// Nodes that all ranks hold: no list of theirs stands once for every rank.
  struct OnAllRanks {
    std::vector<std::int32_t> send;                    ///< this rank contributes to: to all others
    std::map<int, std::vector<std::int32_t>> receive;  ///< by the rank that contributes
    std::vector<std::int32_t> sum;                     ///< all ranks contribute to; the same on all
  };

  SharedNodes() = default;
  /// Of one peer at most that sends to a rank, and one that receives from it.
  explicit SharedNodes(std::vector<Peer> peers, OnAllRanks common = {});

  /// For all the contributions of several sets together. On all ranks alike.
  static SharedNodes united(std::span<const SharedNodes* const> sets);

  /// Whether all ranks take part in an exchange, as where surfaces lie on all of them. On all ranks alike.
  [[nodiscard]] bool among_all() const {
    return !common_.send.empty() || !common_.receive.empty() || !common_.sum.empty();
  }

  /// Whether this rank shares no node with some of the others alone. Where that is so of every rank, each can
  /// sum over all that is shared by itself.
  [[nodiscard]] bool all_on_all_ranks() const { return peers_.empty(); }

  [[nodiscard]] std::span<const Peer> peers() const { return peers_; }
  [[nodiscard]] const OnAllRanks& on_all_ranks() const { return common_; }

  /// values[a] (local nodes) becomes the sum over all contributing ranks, on every holder. Collective where
  /// all ranks contribute to a node; else only peers take part, and a rank without returns at once.
  void add_up(const Communicator& communicator, std::span<Vector3> values) const;
  /// add_up in two steps, between which nodes that this rank has alone may still get their values; those of
  /// `outgoing` have all of this rank's. Every `start` needs its `finish`, before another exchange
  /// of this communicator.
  void start(const Communicator& communicator, std::span<const Vector3> values) const;
  void finish(const Communicator& communicator, std::span<Vector3> values) const;
  /// add_up, and `numbers`, of which there are as many on all ranks, become their sums over all ranks,
  /// `largest` the largest of each over all ranks: in one message from each rank to each other, without a
  /// reduction. Collective; where all_on_all_ranks holds on all of them. As with reductions of doubles,
  /// numbers and values add exactly or their sums mean nothing.
  void add_up_with(const Communicator& communicator, std::span<Vector3> values, std::span<double> numbers,
                   std::span<double> largest) const;
  /// Of each of some nodes, ascending, whether ranks share it; on all ranks the same, where all_on_all_ranks.
  [[nodiscard]] std::vector<std::uint8_t> are_shared(std::span<const std::int32_t> nodes) const;
  /// The nodes this rank contributes to and others hold, ascending.
  [[nodiscard]] std::vector<std::int32_t> outgoing() const;

 private:
  struct Message {
    int rank;  ///< the other; all others where everyone gets it
    std::vector<std::int32_t> nodes;
    // Values under way by MPI; they carry nothing from call to call, and have no room before the first: many
    // sets are never exchanged.
    std::vector<Vector3> values;
  };
  static constexpr int everyone = -1, tag = 17;
  // Null where the message goes by MPI; the same on both sides.
  [[nodiscard]] static NodeMessages* memory_for(const Communicator& communicator, const Message& message);
  void post(const Communicator& communicator, Message& message, std::span<const Vector3> values) const;
  void post_all(const Communicator& communicator, std::span<const Vector3> values) const;
  void take_all(const Communicator& communicator, std::span<Vector3> values) const;
  [[nodiscard]] OperationRecord traffic(const Communicator& communicator) const;
  // What a rank contributes to, in the order of its message.
  [[nodiscard]] std::array<std::span<const std::int32_t>, 2> contributed(int rank, int me) const;

  std::vector<Peer> peers_;
  OnAllRanks common_;
  mutable std::vector<Message> outgoing_, incoming_;
  mutable std::vector<Vector3> sums_;
  mutable std::vector<MPI_Request> requests_;
  mutable std::vector<std::vector<double>> one_message_;  // of each rank
};

}  // namespace terrace
