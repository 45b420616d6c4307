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

/// Sums and maxima over ranks through shared memory. Two ranks add up a few numbers in a third of the time
/// that MPI takes; where their cores are far apart, in up to all of it (tests/bench). Every rank writes its
/// numbers to a place of its own and combines those of all ranks itself, in the order of ranks: the results
/// have the same bits on all ranks, whatever the numbers.
class NodeSums {
 public:
  /// Null if there is no memory to share (NodeMemory::of). Collective; `communicator` must outlive the
  /// result.
  [[nodiscard]] static std::unique_ptr<NodeSums> of(MPI_Comm communicator);

  /// Sum or maximum over all ranks, in place. Returns false and does nothing if there are more than `most`
  /// values. Collective, with equally many values on all ranks. MPI makes progress while a rank waits for
  /// others; throws Error(run) when MPI fails.
  [[nodiscard]] bool sum(std::span<double> values);
  [[nodiscard]] bool maximum(std::span<double> values);

 private:
  static constexpr std::size_t most = 2000;  // numbers at once
  struct Place;
  explicit NodeSums(std::unique_ptr<NodeMemory> memory) : memory_(std::move(memory)) {}
  template <class Operation>
  bool combine(std::span<double> values, Operation operation);

  std::unique_ptr<NodeMemory> memory_;
  std::uint64_t count_ = 0;  // sums and maxima so far
};

}  // namespace terrace
