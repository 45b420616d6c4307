// Signals that wait until a thread is ready for them.
#pragma once

#include <csignal>
#include <initializer_list>

namespace terrace {

/// Blocks signals for the calling thread, and for the threads that it starts meanwhile, as long as the object
/// lives. A signal that comes to the process then waits, unless another thread takes it.
class BlockedSignals {
 public:
  explicit BlockedSignals(std::initializer_list<int> signals) {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : signals) sigaddset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace terrace
