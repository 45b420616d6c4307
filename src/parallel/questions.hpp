// Questions that a rank may ask another at any time, and that each rank answers when it looks for them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "parallel/communicator.hpp"
#include "parallel/node_memory.hpp"

namespace terrace {

/// Questions and answers between the ranks of a communicator. A question has no content but who asks; an
/// answer is any bytes. A rank looks for questions between two pieces of its own work, and while it waits for
/// an answer or for all others (Communicator::numbers_of_all), after which nobody asks any more. Two ranks
/// that ask each other both get an answer. A communicator has at most one object of this class at a time.
class Questions {
 public:
  /// Returns the answer to a question of `rank`.
  using Answer = std::function<std::vector<std::byte>(int rank)>;

  /// Collective; `ranks` must outlive this.
  explicit Questions(const Communicator& ranks);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Answers the questions that have come since the last look. If `answer` throws, memory runs out, or a
  /// message has 2 GB and more (Error), the asker waits for ever: the run must end.
  void look(const Answer& answer);
  /// Whether a message of this rank may still be under way, which may go on only when the rank looks again.
  [[nodiscard]] bool is_sending() const { return !under_way_.empty(); }
  /// Asks `rank` and waits for its answer, which comes when that rank looks; ranks that ask meanwhile are
  /// answered. Calls `waits(seconds)` once if that takes longer than `patience` [s]. Throws as `look`.
  [[nodiscard]] std::vector<std::byte> ask(int rank, const Answer& answer, double patience,
                                           const std::function<void(double)>& waits);

 private:
  struct Message {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  /// The number of questions sent so far to a rank of this node, in shared memory. To read it disturbs no
  /// work, whereas a call of MPI may give the processor away.
  struct Asked;
  [[nodiscard]] Asked& asked(int rank) const;
  [[nodiscard]] bool may_be_asked() const;
  void send(int rank, int tag, std::vector<std::byte> bytes);
  void forget_what_has_gone();

  const Communicator& ranks_;
  std::unique_ptr<NodeMemory> memory_;  // null, or one Asked for each rank
  std::uint64_t received_ = 0;          // questions so far
  std::list<Message> under_way_;        // a message stays in its place until it has gone
};

}  // namespace terrace
