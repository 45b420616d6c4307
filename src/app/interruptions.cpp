#include "app/interruptions.hpp"

#include <algorithm>
#include <array>
#include <csignal>

namespace terrace {
namespace {

volatile std::sig_atomic_t wished = 0;  // a Wish

extern "C" void note_signal(int signal) {
  const int wish = static_cast<int>(signal == SIGUSR1 ? Wish::save : Wish::stop);
  if (wish > wished) wished = wish;
}

constexpr std::array signals = {SIGINT, SIGTERM, SIGUSR1};

}  // namespace

Interruptions::Interruptions(Communicator& communicator, double interval)
    : communicator_(communicator), interval_(interval) {
  wished = 0;
  for (const int signal : signals) std::signal(signal, note_signal);
}

Interruptions::~Interruptions() {
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

// Rank 0's clock decides when it is time, and after how many events the next question comes.
Wish Interruptions::ask() {
  constexpr double often = 0.1;  // [s]
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  std::array<double, 2> words = {static_cast<double>(wished), 0};
  if (communicator_.rank() == 0) {
    const double due = std::chrono::duration<double>(now - saved_).count();
    if (interval_ > 0 && due >= interval_) words[0] = std::max(words[0], static_cast<double>(Wish::save));
    const double most = 4.0 * static_cast<double>(asked_for_);
    words[1] = std::clamp(static_cast<double>(asked_for_) * often / std::max(elapsed, 1e-9), 1.0, most);
  }
  if (communicator_.size() > 1)
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), 2, MPI_DOUBLE, MPI_MAX, communicator_.handle()),
              "MPI_Allreduce");
  left_ = asked_for_ = static_cast<std::int64_t>(words[1]);
  const Wish wish = static_cast<Wish>(static_cast<int>(words[0]));
  if (wish != Wish::none) saved_ = now;
  if (wished <= static_cast<int>(wish)) wished = 0;
  return wish;
}

}  // namespace terrace
