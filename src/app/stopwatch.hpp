// Where the wall time of a run goes.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace terrace {

/// Wall time by phases, in seconds.
class Stopwatch {
 public:
  /// Books the seconds since the last call, or since it was made, under `phase`.
  void lap(const std::string& phase) {
    const auto now = std::chrono::steady_clock::now();
    seconds_[phase] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  [[nodiscard]] const std::map<std::string, double>& seconds() const { return seconds_; }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const auto& [phase, time] : seconds_) sum += time;
    return sum;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::map<std::string, double> seconds_;
};

}  // namespace terrace
