#include "parallel/questions.hpp"

#include <atomic>
#include <utility>

#include "numerics/contract.hpp"

namespace terrace {
namespace {

constexpr int question_tag = 20, answer_tag = 21;

}  // namespace

struct alignas(64) Questions::Asked {
  std::atomic<std::uint64_t> count;
};

Questions::Questions(const Communicator& ranks)
    : ranks_(ranks),
      memory_(NodeMemory::of(ranks.handle(), static_cast<std::size_t>(ranks.size()) * sizeof(Asked))) {}

// When an error ends the program, messages still under way may never be received: nothing waits for them.
Questions::~Questions() {
  int finalized = 0;
  if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  for (Message& message : under_way_)
    if (message.request != MPI_REQUEST_NULL) MPI_Request_free(&message.request);
}

void Questions::forget_what_has_gone() {
  std::erase_if(under_way_, [](Message& message) {
    int done = 0;
    check_mpi(MPI_Test(&message.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
}

void Questions::send(int rank, int tag, std::vector<std::byte> bytes) {
  Message& message = under_way_.emplace_back();
  message.bytes = std::move(bytes);
  // It is waited for by forget_what_has_gone. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
  check_mpi(MPI_Isend(message.bytes.data(), as_count(message.bytes.size()), MPI_BYTE, rank, tag,
                      ranks_.handle(), &message.request),
            "MPI_Isend");
}

Questions::Asked& Questions::asked(int rank) const { return static_cast<Asked*>(memory_->begin())[rank]; }

bool Questions::may_be_asked() const {
  return memory_ == nullptr || received_ < asked(ranks_.rank()).count.load(std::memory_order_relaxed);
}

// A question that is counted as sent may still be under way; a later look finds it.
void Questions::look(const Answer& answer) {
  while (may_be_asked()) {
    int any = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, question_tag, ranks_.handle(), &any, &status), "MPI_Iprobe");
    if (any == 0) break;
    check_mpi(
        MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, question_tag, ranks_.handle(), MPI_STATUS_IGNORE),
        "MPI_Recv");
    ++received_;
    send(status.MPI_SOURCE, answer_tag, answer(status.MPI_SOURCE));
  }
  if (!under_way_.empty()) forget_what_has_gone();
}

std::vector<std::byte> Questions::ask(int rank, const Answer& answer, double patience,
                                      const std::function<void(double)>& waits) {
  TERRACE_VERIFY(rank != ranks_.rank() && rank >= 0 && rank < ranks_.size(), rank, ranks_.size());
  send(rank, question_tag, {});
  if (memory_ != nullptr) asked(rank).count.fetch_add(1, std::memory_order_relaxed);
  const double start = MPI_Wtime();
  bool is_told = false;
  for (;;) {
    int any = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(rank, answer_tag, ranks_.handle(), &any, &message, &status), "MPI_Improbe");
    if (any == 0) {
      look(answer);
      const double seconds = MPI_Wtime() - start;
      if (!is_told && seconds > patience) waits(seconds);
      is_told = is_told || seconds > patience;
      continue;
    }
    int count = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    std::vector<std::byte> bytes(static_cast<std::size_t>(count));
    check_mpi(MPI_Mrecv(bytes.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    return bytes;
  }
}

}  // namespace terrace
