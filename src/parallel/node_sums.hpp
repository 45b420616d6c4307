// Sums over few ranks of one node, through memory that they share.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace terrace {

/// Two ranks that look at the same memory add up a few numbers in a third to three quarters of the time that
/// MPI takes (tests/bench). Every rank has a place there for what it contributes, and adds up those of all
/// itself, in the order of ranks: the same bits on all, of whatever numbers.
class NodeSums {
 public:
  /// Null unless the ranks of `communicator` are on one node, more than one and few, and get memory to share.
  /// Collective; `communicator` outlives the result.
  [[nodiscard]] static std::unique_ptr<NodeSums> of(MPI_Comm communicator);
  NodeSums(const NodeSums&) = delete;
  NodeSums& operator=(const NodeSums&) = delete;
  ~NodeSums();

  /// In place, over all ranks; false, and nothing is done, where there are too many of them. Collective, with
  /// as many on all. While it waits messages of MPI go on.
  [[nodiscard]] bool sum(std::span<double> values);
  [[nodiscard]] bool maximum(std::span<double> values);

 private:
  static constexpr int few = 4;              // ranks: each reads what all others wrote, one after the other
  static constexpr std::size_t most = 2000;  // numbers at once
  struct Place;
  struct Memory;
  NodeSums(MPI_Comm communicator, int rank, int ranks, Memory* memory)
      : communicator_(communicator), rank_(rank), ranks_(ranks), memory_(memory) {}
  template <class Operation>
  bool combine(std::span<double> values, Operation operation);
  void wait_for(const Place& place) const;

  MPI_Comm communicator_;
  int rank_, ranks_;
  Memory* memory_;           // that all have
  std::uint64_t count_ = 0;  // of sums so far
};

}  // namespace terrace
