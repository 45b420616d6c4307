// When rows and frames are due.
#pragma once

#include <algorithm>
#include <cstdint>

namespace terrace {

/// Whole multiples of an interval, at which output is due. Output at time 0 is the caller's: the clock begins
/// with the first multiple.
class OutputClock {
 public:
  explicit OutputClock(double interval) : interval_(interval) {}
  [[nodiscard]] double next() const { return static_cast<double>(count_) * interval_; }
  /// Passes all times up to and including `reached`.
  void pass(double reached) {
    count_ = std::max(count_, static_cast<std::int64_t>(reached / interval_));  // perhaps one too few
    while (next() <= reached) ++count_;
  }

 private:
  double interval_;
  std::int64_t count_ = 1;
};

}  // namespace terrace
