#include "app/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

#include "parallel/tell_user.hpp"

namespace terrace {

std::string progress_line(const Reached& reached) {
  const std::int64_t done = reached.events - reached.first_events;
  // How soon the first events come says nothing of the pace of those that follow.
  constexpr double some_seconds = 1;
  constexpr std::int64_t some_events = 20;
  const bool can_tell = reached.seconds >= some_seconds && done >= some_events;
  const double left = reached.seconds * (reached.end - reached.time) / (reached.time - reached.first_time);
  return fmt::format(
      "t = {:.6g} of {:.6g}  {} event{}  {}energy drift {:.1e}", reached.time, reached.end, reached.events,
      reached.events == 1 ? "" : "s",
      can_tell ? fmt::format("{:.0f}/s  {:.0f} s left  ", static_cast<double>(done) / reached.seconds, left)
               : "",
      reached.energy_drift);
}

Progress::Progress(double time, std::int64_t events, double end, bool prints)
    : first_time_(time),
      first_events_(events),
      end_(end),
      prints_(prints),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_) {}

void Progress::report(double time, std::int64_t events, double energy_drift) {
  if (!prints_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(500) : std::chrono::seconds(30));
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed <= 0 || time <= first_time_) return;
  tell_user("{}{}{}", terminal_ ? "\r" : "",
            progress_line({elapsed, first_time_, time, end_, first_events_, events, energy_drift}),
            terminal_ ? "   " : "\n");
  std::fflush(stderr);
}

void Progress::finish() const {
  if (prints_ && terminal_) tell_user("\n");
}

}  // namespace terrace
