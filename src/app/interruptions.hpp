// Requests from outside to save or to stop a run, by signal or by wall time, on which all ranks agree.
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

/// How often Interruptions::poll is called. frequent: many times in a tenth of a second, so that ranks agree
/// only once in many calls. far_apart: any span between two calls may be longer than all before, so that
/// ranks agree at every call.
enum class Polls { frequent, far_apart };

/// Notes SIGUSR1 from the program's start on. Starting takes a while: a run that gets the signal before it
/// can save does so as soon as it can.
void note_wishes_to_save();

/// While it lives, SIGINT and SIGTERM ask the run to stop (the third of them ends it as it would any
/// program), and SIGUSR1 asks it to save and go on; it suffices that one rank gets the signal. The run is
/// also asked to save at intervals of wall time. At most one object at a time; its end restores the handlers
/// that were there before.
class Interruptions {
 public:
  /// `interval`: wall time between saves [s]; 0: none are asked for.
  Interruptions(Communicator& communicator, double interval, Polls polls = Polls::frequent);
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions();

  /// Begins the interval of saving anew, after set-up, of which there is nothing to save.
  void restart_clock() { last_ = saved_ = Clock::now(); }
  /// Returns what the run is asked for now. Call it after every event and every output, on all ranks alike.
  /// Ranks agree about ten times a second, and after 64 calls at most. The span between two agreements is
  /// counted in calls, so that all ranks agree at the same call. A run on one rank heeds signals at once.
  [[nodiscard]] Wish poll();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Wish ask();

  static constexpr std::array signals = {SIGINT, SIGTERM, SIGUSR1};
  Communicator& communicator_;
  std::array<struct sigaction, signals.size()> before_{};
  double interval_;
  Polls polls_;
  std::int64_t left_ = 1, asked_for_ = 1;  // calls left until ranks agree; calls between two agreements
  Clock::time_point last_ = Clock::now(), saved_ = Clock::now();
};

}  // namespace terrace
