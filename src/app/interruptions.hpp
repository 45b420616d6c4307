// Signals and the clock on the wall, on which all ranks agree.
#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "parallel/communicator.hpp"

namespace terrace {

/// What a run is asked for from outside.
enum class Wish { none, save, stop };

/// How often Interruptions::poll is called: many times in a tenth of a second, or after spans of which any
/// may be longer than all before, so that ranks ask each time.
enum class Polls { frequent, far_apart };

/// From the program's start, which takes a while: a run that is not there yet saves once it is.
void note_wishes_to_save();

/// SIGINT and SIGTERM ask a run to stop (a third one ends it as it would any program), SIGUSR1 to save and go
/// on; the signal may reach one rank or all. Every so many seconds it is to be saved as well. One object at a
/// time; signals are the system's again afterwards.
class Interruptions {
 public:
  /// `interval`: of saving [s]; 0: never.
  Interruptions(Communicator& communicator, double interval, Polls polls = Polls::frequent);
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions();

  /// The interval of saving begins anew: what came before, of setting up, was not saved anyway.
  void restart_clock() { last_ = saved_ = Clock::now(); }
  /// To be called after every event and every output, on all ranks alike: at least ten times a second, or
  /// after 64 calls, counted in calls so that all ranks do it together, they ask each other. One rank
  /// alone heeds signals at once.
  [[nodiscard]] Wish poll();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Wish ask();

  static constexpr std::array signals = {SIGINT, SIGTERM, SIGUSR1};
  Communicator& communicator_;
  std::array<struct sigaction, signals.size()> before_{};
  double interval_;
  Polls polls_;
  std::int64_t left_ = 1, asked_for_ = 1;  // calls
  Clock::time_point last_ = Clock::now(), saved_ = Clock::now();
};

}  // namespace terrace
