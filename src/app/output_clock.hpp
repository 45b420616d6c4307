// When rows and frames are due.
#pragma once

#include <algorithm>
#include <cstdint>

namespace terrace {

/// Times at whole multiples of an interval; the first is due at the start and is the caller's.
class OutputClock {
 public:
  explicit OutputClock(double interval) : interval_(interval) {}
  [[nodiscard]] double next() const { return static_cast<double>(count_) * interval_; }
  /// All times up to `reached` are past.
  void pass(double reached) {
    count_ = std::max(count_, static_cast<std::int64_t>(reached / interval_));  // perhaps one too few
    while (next() <= reached) ++count_;
  }

 private:
  double interval_;
  std::int64_t count_ = 1;
};

}  // namespace terrace
