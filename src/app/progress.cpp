#include "app/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace terrace {

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
  fmt::print(stderr, "{}t = {:.6g} of {:.6g}  {} events  {:.0f}/s  {:.0f} s left  energy drift {:.1e}{}",
             terminal_ ? "\r" : "", time, end_, events, static_cast<double>(events - first_events_) / elapsed,
             elapsed * (end_ - time) / (time - first_time_), energy_drift, terminal_ ? "   " : "\n");
  std::fflush(stderr);
}

void Progress::finish() const {
  if (prints_ && terminal_) fmt::print(stderr, "\n");
}

}  // namespace terrace
