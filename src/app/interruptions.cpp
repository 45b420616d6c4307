#include "app/interruptions.hpp"

#include <algorithm>
#include <array>
#include <csignal>

namespace terrace {
namespace {

// Set by signals. ask() sets save_wished back.
volatile std::sig_atomic_t save_wished = 0, stop_wished = 0;

extern "C" void note_signal(int signal) {
  if (signal == SIGUSR1) {
    save_wished = 1;
    return;
  }
  stop_wished = stop_wished + 1;
  // Whoever asks a third time does not want to wait. (A terminal and mpirun may pass one wish on twice.)
  if (stop_wished > 2) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// Sets note_signal as the handler, unless the signal is ignored; returns what was done with it before.
struct sigaction noted(int signal) {
  struct sigaction before {};
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  return before;
}

}  // namespace

void note_wishes_to_save() { static_cast<void>(noted(SIGUSR1)); }

// What was signalled before is heeded at the first poll.
Interruptions::Interruptions(Communicator& communicator, double interval, Polls polls)
    : communicator_(communicator), interval_(interval), polls_(polls) {
  for (std::size_t i = 0; i < signals.size(); ++i) before_[i] = noted(signals[i]);
}

Interruptions::~Interruptions() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

Wish Interruptions::poll() {
  const bool is_wished = communicator_.size() == 1 && (stop_wished != 0 || save_wished != 0);
  return --left_ > 0 && !is_wished ? Wish::none : ask();
}

// Rank 0's clock decides whether a save is due, and after how many calls ranks agree next.
Wish Interruptions::ask() {
  constexpr double often = 0.1;      // [s]
  constexpr double most_calls = 64;  // an event may take a thousand times as long as the one before
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  const bool saves = save_wished != 0;
  if (saves) save_wished = 0;  // a wish noted before this line is granted by this save; a later one waits
  const Wish wished = stop_wished != 0 ? Wish::stop : saves ? Wish::save : Wish::none;
  std::array<double, 2> words = {static_cast<double>(wished), 0};
  if (communicator_.rank() == 0) {
    const double due = std::chrono::duration<double>(now - saved_).count();
    if (interval_ > 0 && due >= interval_) words[0] = std::max(words[0], static_cast<double>(Wish::save));
    const double most = std::min(4.0 * static_cast<double>(asked_for_), most_calls);
    words[1] = std::clamp(static_cast<double>(asked_for_) * often / std::max(elapsed, 1e-9), 1.0, most);
    if (polls_ == Polls::far_apart) words[1] = 1;
  }
  if (communicator_.size() > 1)
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), 2, MPI_DOUBLE, MPI_MAX, communicator_.handle()),
              "MPI_Allreduce");
  left_ = asked_for_ = static_cast<std::int64_t>(words[1]);
  const Wish wish = static_cast<Wish>(static_cast<int>(words[0]));
  if (wish != Wish::none) saved_ = now;
  return wish;
}

}  // namespace terrace
