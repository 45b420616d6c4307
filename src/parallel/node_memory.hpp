// Memory that the ranks of one node share.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace terrace {

/// Some bytes that few ranks of one node look at, and waiting for what others write there.
class NodeMemory {
 public:
  /// Null unless the ranks of `communicator` are on one node, more than one and few, and all get `bytes` to
  /// share. Collective; `communicator` outlives the result.
  [[nodiscard]] static std::unique_ptr<NodeMemory> of(MPI_Comm communicator, std::size_t bytes);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  /// Zeros at first; for any type that begins at a multiple of 64.
  [[nodiscard]] void* begin() const;
  /// Until `count`, in here, has come to `least`; what was written before it did is seen then. Throws
  /// Error(run) where MPI fails, which goes on meanwhile.
  void wait_until(const std::atomic<std::uint64_t>& count, std::uint64_t least) const;

 private:
  static constexpr int few = 4;  // ranks: each reads what all others wrote, one after the other
  struct Header;
  NodeMemory(MPI_Comm communicator, int rank, int ranks, std::size_t bytes)
      : communicator_(communicator), rank_(rank), ranks_(ranks), bytes_(bytes) {}

  MPI_Comm communicator_;
  int rank_, ranks_;
  Header* header_ = nullptr;
  std::size_t bytes_;  // with the header
};

}  // namespace terrace
