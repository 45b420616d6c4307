// Messages between the ranks of one node, through memory that they share.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geometry/vector3.hpp"
#include "numerics/contract.hpp"
#include "parallel/node_memory.hpp"

namespace terrace {

/// Messages through shared memory, in which every rank has a box with room for two messages to each other
/// rank. They are written and read in place, without copies to and from MPI's buffers. Messages from one rank
/// to another arrive in the order in which they were sent.
class NodeMessages {
 public:
  /// Null if there is no memory to share (NodeMemory::of). Collective; `communicator` must outlive the
  /// result.
  [[nodiscard]] static std::unique_ptr<NodeMessages> of(MPI_Comm communicator);

  /// Whether a message of so many vectors may go this way; sender and receiver decide alike.
  [[nodiscard]] static bool fit(std::size_t vectors) { return vectors <= most; }

  /// Begin and end of an exchange: each rank sends at most two messages to each other rank and receives all
  /// that are sent to it. Exchanges do not overlap, so that nobody waits for a box that is never emptied.
  void begin_exchange() {
    TERRACE_VERIFY(!in_exchange_, in_exchange_);
    in_exchange_ = true;
  }
  void end_exchange() { in_exchange_ = false; }

  /// Sends a message to `rank`: `fill(Vector3*)` writes its `vectors` vectors, which must `fit`. Waits while
  /// `rank` has taken neither of the last two messages; MPI makes progress meanwhile. Throws Error(run) when
  /// MPI fails.
  template <class Fill>
  void send(int rank, std::size_t vectors, Fill fill) {
    Box& box = this->box(memory_->rank(), rank);
    std::uint64_t& sent = sent_[static_cast<std::size_t>(rank)];
    memory_->wait_until(box.taken, sent < slots ? 0 : sent + 1 - slots);
    Message& message = box.messages[sent % slots];
    message.count = vectors;
    fill(message.vectors);
    box.sent.store(++sent, std::memory_order_release);
  }
  /// Waits for the next message from `rank`, which has `vectors` vectors: `take(const Vector3*)` reads them.
  /// Throws as `send`.
  template <class Take>
  void receive(int rank, std::size_t vectors, Take take) {
    Box& box = this->box(rank, memory_->rank());
    std::uint64_t& taken = taken_[static_cast<std::size_t>(rank)];
    memory_->wait_until(box.sent, taken + 1);
    const Message& message = box.messages[taken % slots];
    TERRACE_VERIFY(message.count == vectors, message.count, vectors, rank);
    take(message.vectors);
    box.taken.store(++taken, std::memory_order_release);
  }

 private:
  static constexpr std::size_t most = 1000, slots = 2;
  struct Message {
    alignas(64) std::size_t count;
    Vector3 vectors[most];
  };
  struct Box {
    alignas(64) std::atomic<std::uint64_t> taken;  // messages so far
    alignas(64) std::atomic<std::uint64_t> sent;
    Message messages[slots];
  };
  explicit NodeMessages(std::unique_ptr<NodeMemory> memory)
      : memory_(std::move(memory)), sent_(static_cast<std::size_t>(memory_->ranks())), taken_(sent_.size()) {}
  [[nodiscard]] Box& box(int from, int to) {
    return static_cast<Box*>(memory_->begin())[from * (memory_->ranks() - 1) + (to < from ? to : to - 1)];
  }

  std::unique_ptr<NodeMemory> memory_;
  std::vector<std::uint64_t> sent_, taken_;  // messages so far, to and from each rank
  bool in_exchange_ = false;
};

}  // namespace terrace
