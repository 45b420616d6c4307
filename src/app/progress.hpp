// The progress line: time reached, events per second, time left, drift.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace terrace {

/// Of a run, since it began or goes on; the time is beyond the first.
struct Reached {
  double seconds;  ///< on the wall
  double first_time, time, end;
  std::int64_t first_events, events;
  double energy_drift;
};

/// The line without its end; pace and seconds that are left once a second and twenty events have shown them.
[[nodiscard]] std::string progress_line(const Reached& reached);

/// A line rewritten twice a second on a terminal; a new line every half minute otherwise. Rank 0 prints.
class Progress {
 public:
  /// Of a run that goes on at `time` after so many events.
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
