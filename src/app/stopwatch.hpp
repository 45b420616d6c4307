// Where the seconds of a run go.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace terrace {

class Stopwatch {
 public:
  /// Seconds since the last call, booked under `phase`.
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
