// Sums over the ranks of one node, through memory that they share.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "parallel/node_memory.hpp"

namespace terrace {

/// Two ranks that look at the same memory add up a few numbers in a third of the time that MPI takes, in up
/// to all of it where their cores are far from each other (tests/bench). Every rank has a place there for
/// what it contributes, and adds up those of all itself, in the order of ranks: the same bits on all, of
/// whatever numbers.
class NodeSums {
 public:
  /// Null where there is no memory to share (NodeMemory::of). Collective; `communicator` outlives the result.
  [[nodiscard]] static std::unique_ptr<NodeSums> of(MPI_Comm communicator);

  /// In place, over all ranks; false, and nothing is done, where there are too many of them. Collective, with
  /// as many on all. Throws Error(run) where MPI fails, which goes on while a rank waits for others.
  [[nodiscard]] bool sum(std::span<double> values);
  [[nodiscard]] bool maximum(std::span<double> values);

 private:
  static constexpr std::size_t most = 2000;  // numbers at once
  struct Place;
  explicit NodeSums(std::unique_ptr<NodeMemory> memory) : memory_(std::move(memory)) {}
  template <class Operation>
  bool combine(std::span<double> values, Operation operation);

  std::unique_ptr<NodeMemory> memory_;
  std::uint64_t count_ = 0;  // of sums so far
};

}  // namespace terrace
