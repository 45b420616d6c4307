// The progress line: time reached, events per second, time left, drift.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace terrace {

/// How far a run has come since it began or was resumed. `time` is beyond `first_time`.
struct Reached {
  double seconds;  ///< of wall time
  double first_time, time, end;
  std::int64_t first_events, events;
  double energy_drift;
};

/// The progress line without its end. Pace and seconds left are in it after one second and twenty events.
[[nodiscard]] std::string progress_line(const Reached& reached);

/// The progress of a run on stderr: one line, rewritten twice a second, on a terminal; else a new line every
/// half minute.
class Progress {
 public:
  /// `time`, `events`: where the run begins or goes on. `prints`: whether this rank does, as rank 0.
  Progress(double time, std::int64_t events, double end, bool prints);

  /// Cheap enough to call after every event.
  void report(double time, std::int64_t events, double energy_drift);
  void finish() const;

 private:
  using Clock = std::chrono::steady_clock;
  double first_time_;
  std::int64_t first_events_;
  double end_;
  bool prints_, terminal_;
  Clock::time_point start_, next_;
};

}  // namespace terrace
