// Memory that the ranks of one node share.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace terrace {

/// A block of memory that a few ranks of one node share, and a way to wait for what others write there.
class NodeMemory {
 public:
  /// Null unless `communicator` has more than one and at most `few` ranks, all on one node, and all of them
  /// get `bytes` bytes to share. Collective; `communicator` must outlive the result.
  [[nodiscard]] static std::unique_ptr<NodeMemory> of(MPI_Comm communicator, std::size_t bytes);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  /// The start of the memory: zeros at first, aligned to 64 bytes.
  [[nodiscard]] void* begin() const;
  /// Waits until `count`, which lies in this memory, is at least `least`; all that its writer wrote before is
  /// visible then. MPI makes progress meanwhile. Throws Error(run) when MPI fails.
  void wait_until(const std::atomic<std::uint64_t>& count, std::uint64_t least) const;

 private:
  static constexpr int few = 4;  // most ranks: each reads what all others wrote, one after the other
  struct Header;
  NodeMemory(MPI_Comm communicator, int rank, int ranks, std::size_t bytes)
      : communicator_(communicator), rank_(rank), ranks_(ranks), bytes_(bytes) {}

  MPI_Comm communicator_;
  int rank_, ranks_;
  Header* header_ = nullptr;
  std::size_t bytes_;  // including the header
};

}  // namespace terrace
