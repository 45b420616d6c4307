// Adding up, on every rank that holds a copy of a node, what other ranks contribute to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vector3.hpp"
#include "parallel/communicator.hpp"

namespace terrace {

/// Who sends which nodes to whom, for one set of contributions (a subdomain, or the whole system). The
/// contributions lie on a Grid, so every rank that holds a node finds the same bits.
class SharedNodes {
 public:
  struct Peer {
    int rank;
    std::vector<std::int32_t>
        send;  ///< local nodes this rank contributes to and `rank` holds, by global number
    std::vector<std::int32_t> receive;  ///< local nodes `rank` contributes to and this rank holds
  };

  SharedNodes() = default;
  explicit SharedNodes(std::vector<Peer> peers);

  /// For all the contributions of several sets together.
  static SharedNodes united(std::span<const SharedNodes* const> sets);

  /// values[a] (local nodes) becomes the sum over all contributing ranks, on every holder. Not collective:
  /// only peers take part; a rank without peers returns at once.
  void add_up(const Communicator& communicator, std::span<Vector3> values) const;

 private:
  std::vector<Peer> peers_;
  // Buffers of the messages under way; they carry nothing from call to call.
  mutable std::vector<std::vector<Vector3>> outgoing_, incoming_;
  mutable std::vector<MPI_Request> requests_;
};

}  // namespace terrace
