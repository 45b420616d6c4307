// Questions that ranks put to each other whenever they like, and that each answers when it looks for them.
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

/// A question has no content but who asks; an answer is any bytes. A rank looks for questions between two
/// pieces of its own work, and while it waits: for an answer, or for all others
/// (Communicator::numbers_of_all), after which nobody asks any more. Two that ask each other both get an
/// answer. Of a communicator's ranks there is one of these at a time.
class Questions {
 public:
  /// What a rank gets that asks.
  using Answer = std::function<std::vector<std::byte>(int rank)>;

  /// `ranks` outlives this. Collective.
  explicit Questions(const Communicator& ranks);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Answers those who have asked since. Where `answer` throws, or memory ends, or a message has 2 GB and
  /// more (Error), the asker waits for ever: the run must end.
  void look(const Answer& answer);
  /// An answer may go on only as this rank looks again.
  [[nodiscard]] bool is_sending() const { return !under_way_.empty(); }
  /// What another rank answers when it looks; others that ask meanwhile are answered. Throws as `look`. Calls
  /// `waits(seconds)` once where that takes longer than `patience` [s].
  [[nodiscard]] std::vector<std::byte> ask(int rank, const Answer& answer, double patience,
                                           const std::function<void(double)>& waits);

 private:
  struct Message {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  /// So many questions to each of the ranks of one node have been sent: to look there disturbs no work, where
  /// to ask MPI may give the processor away.
  struct Asked;
  [[nodiscard]] Asked& asked(int rank) const;
  [[nodiscard]] bool may_be_asked() const;
  void send(int rank, int tag, std::vector<std::byte> bytes);
  void forget_what_has_gone();

  const Communicator& ranks_;
  std::unique_ptr<NodeMemory> memory_;  // none, or one Asked for each rank
  std::uint64_t received_ = 0;          // questions
  std::list<Message> under_way_;        // a message stays in its place until it has gone
};

}  // namespace terrace
